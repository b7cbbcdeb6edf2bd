/* How much GPU memory a workload needs: the physical model of ACCURACY.md section 9 (November
 * 2026). No card is involved but through the number of them. */
#ifndef GPUWISE_ENGINE_MEMORY_H
#define GPUWISE_ENGINE_MEMORY_H

#include "ask.h"

/* GiB (2^30 bytes). The parts are one copy of the job before it is shared out; a part that is not
 * known alone is NAN, and what it takes is in activations_gib. */
struct memory_need {
    double weights_gib, kv_cache_gib, gradients_gib, activations_gib;
    double optimizer_gib; /* states, and what the step needs while it works */
    double copies_gib;   /* on the card besides: copies that fine-tuning keeps of quantised weights,
                            the vision part of a language model, buffers of DeepSpeed and servers */
    double overhead_gib; /* driver context of one process (parameter context_overhead_gib) */
    double allocator_peak_gib; /* largest sum at any one time, without overhead: parts peak apart */
    double total_gib;          /* allocator peak and overhead */
    double low_gib, high_gib;  /* range of total_gib */
    double per_gpu_gib;        /* of the fullest card, overhead included; what must fit */
    double per_gpu_low_gib, per_gpu_high_gib;
    bool is_floor;     /* no model named: per_gpu_gib is the domain's floor, as sold; the parts
                          are NAN and the need is compared with memory_per_process_gib */
    const char *basis; /* estimated (counted and fitted), assumed (floor or pictures) */
};

/* Strategy must not be STRATEGY_UNASKED; cards >= 1. single and ddp hold a whole copy on each card;
 * fsdp, tp and pp share it out. */
void memory_estimate(const struct catalogue *catalogue, const struct ask *ask,
                     enum strategy strategy, size_t cards, struct memory_need *need);

/* What one process can use of the card: memory_usable_gib, where empty memory_per_process_gib times
 * the usable share of parameters; display_gib less when the card drives a display. */
double memory_usable_gib(const struct catalogue *catalogue, const struct ask *ask,
                         const struct gpu *gpu);

/* Bytes of the weights of the ask's model in the ask's format; NAN: unknown. */
double memory_weight_bytes(const struct ask *ask);

/* Bytes of the key-value cache of one sequence of that many tokens, of which layers with a window
 * keep no more than it; NAN: the model has none, or its shape is not known. */
double memory_kv_bytes(const struct ask *ask, double tokens);

#endif
