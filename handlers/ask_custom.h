/* Parameters of the question that are more than one plain value: model, quant, needs, prices and so
 * on. Readers add complaints; writers write the value as it was understood, null when not asked. */
#ifndef GPUWISE_ASK_CUSTOM_H
#define GPUWISE_ASK_CUSTOM_H

#include "engine/ask.h"
#include "json_out.h"
#include "params_in.h"

void ask_custom_read_model(struct exchange *exchange, const struct query_parameter *given,
                           void *ask);
void ask_custom_read_quant(struct exchange *exchange, const struct query_parameter *given,
                           void *ask);
void ask_custom_read_ecosystem(struct exchange *exchange, const struct query_parameter *given,
                               void *ask);
void ask_custom_read_needs(struct exchange *exchange, const struct query_parameter *given,
                           void *ask);
void ask_custom_read_plugs(struct exchange *exchange, const struct query_parameter *given,
                           void *ask);
void ask_custom_read_region(struct exchange *exchange, const struct query_parameter *given,
                            void *ask);
void ask_custom_read_prices(struct exchange *exchange, const struct query_parameter *given,
                            void *ask);

void ask_custom_write_model(struct json_out *out, const void *ask);
void ask_custom_write_quant(struct json_out *out, const void *ask);
void ask_custom_write_ecosystem(struct json_out *out, const void *ask);
void ask_custom_write_needs(struct json_out *out, const void *ask);
void ask_custom_write_plugs(struct json_out *out, const void *ask);
void ask_custom_write_region(struct json_out *out, const void *ask);
void ask_custom_write_prices(struct json_out *out, const void *ask);

/* Reads a list such as bf16,nvlink into needs; also for filters that are no question. */
void ask_custom_read_features(struct exchange *exchange, const struct query_parameter *given,
                              bool needs[FEATURE_COUNT]);

#endif
