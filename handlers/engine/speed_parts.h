/* Between the files speed*.c: what counts of a card and of a piece of work. */
#ifndef GPUWISE_ENGINE_SPEED_PARTS_H
#define GPUWISE_ENGINE_SPEED_PARTS_H

#include "speed.h"

/* Classes of work with their own form or their own w and o (ACCURACY.md sections 10.2 and 10.4). */
enum speed_class {
    CLASS_DECODE, /* one token after the other, of a known or unknown language model */
    CLASS_TRANSFORMER,
    CLASS_CNN,
    CLASS_SPEECH,
    CLASS_DIFFUSION,
    CLASS_MEAN /* geometric mean of CNN and transformer training */
};

/* One process of a card: of a board of several GPUs its share. NAN: not known. */
struct speed_card {
    double bandwidth_gb_s; /* B */
    double decode_share;   /* of B that decode at batch 1 reaches */
    double sustained;      /* R: sustained rate over that of an A100 */
    double band;           /* b: bandwidth over that of an A100, cache and ECC counted */
    double prompt_rate; /* sustained rate in reading prompts over that of an A100, maker counted */
    bool is_assumed;    /* a part of it is not known and was replaced by a cautious value */
};

/* The question as numbers: made once for a card and its reference. */
struct speed_work {
    enum speed_class class;
    enum speed_unit unit;
    bool is_training, is_fp32;
    const struct network *network;
    /* of a language model; NAN where not known */
    double params_active;
    double layers, hidden;
    double weight_bytes; /* of the whole model */
    double active_share; /* of the weights that one token reads */
    double expert_share; /* active over all experts; 1: no experts */
    double kv_bytes;     /* of one sequence */
    double kv_ways;      /* cards that can share a cache */
    bool is_quantised;   /* fewer than 15 bits per weight */
    bool is_unfused;     /* kernels that unpack weights on their own (bitsandbytes) */
    bool splits_layers;  /* llama.cpp: several cards take turns, whatever the strategy is called */
    double sequences;    /* decoded at once */
    double step_tokens;  /* of one training step on one card */
    double flops_per_token; /* of training */
    double peak_share;      /* of an A100's peak in training */
    double gradient_bytes;  /* exchanged after a step */
    double gather_times;    /* sharded weights sent in a step: 3 full, 2 with an adapter */
};

/* Rates of a card; precision: is_fp32 counts TF32 or FP32, otherwise FP16 with FP32 accumulation.
 */
void speed_card_read(const struct catalogue *catalogue, const struct gpu *gpu, bool is_fp32,
                     struct speed_card *card);

void speed_work_read(const struct catalogue *catalogue, const struct ask *ask,
                     struct speed_work *work);

/* Speed of one card in the unit of the work, for decode with that many sequences at once; NAN: a
 * rate that the class needs is not known. */
double speed_work_single(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card, double sequences);

/* Prompt tokens per second of one card; NAN: not known. */
double speed_work_prefill(const struct catalogue *catalogue, const struct speed_work *work,
                          const struct speed_card *card);

/* Speed of a set of two and more equal cards. */
double speed_scale_set(const struct catalogue *catalogue, const struct speed_work *work,
                       const struct speed_card *card, enum strategy strategy, double cards,
                       const struct set_link *link);

/* Seconds of one token of each of `sequences` where `ways` cards share every layer; latency_s is
 * added for each layer. */
double speed_work_token_seconds(const struct catalogue *catalogue, const struct speed_work *work,
                                const struct speed_card *card, double sequences, double ways,
                                double latency_s);

/* Usable bandwidth of the link between the cards; the name stays NULL. */
void speed_scale_link(const struct catalogue *catalogue, const struct ask *ask,
                      const struct gpu *gpu, size_t cards, struct set_link *link);

#endif
