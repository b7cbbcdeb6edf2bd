/* Sizes of GGUF files: a type such as Q4_K_M is a rule that gives each kind of tensor a block
 * format. */
#ifndef GPUWISE_ENGINE_MEMORY_GGUF_H
#define GPUWISE_ENGINE_MEMORY_GGUF_H

struct memory_shape;

/* Bytes of all tensors of a model in the type ("q4_k_m"; lower case). NAN: no such type, or the
 * shape is not known. The rules are those of llama.cpp (ggml-org/llama.cpp:src/llama-quant.cpp,
 * unverified; they give the published sizes), with an importance matrix only where a type needs
 * one. */
double memory_gguf_bytes(const char *type, const struct memory_shape *shape);

/* Bits per element of the token table in the type; NAN as above. */
double memory_gguf_table_bits(const char *type, const struct memory_shape *shape);

#endif
