/* Between the files speed*.c: what counts of a card and of a piece of work. A question (question.h)
 * keeps the work, which is the same for every card. */
#ifndef GPUWISE_ENGINE_SPEED_PARTS_H
#define GPUWISE_ENGINE_SPEED_PARTS_H

#include "speed.h"

/* Numbers that a card's peak is counted in. Where it lacks one, software takes the next larger. */
enum speed_precision {
    SPEED_PRECISION_FP32, /* TF32 where the card has it */
    SPEED_PRECISION_FP16, /* with FP32 accumulation */
    SPEED_PRECISION_INT8,
    SPEED_PRECISION_FP8,
    SPEED_PRECISION_FP4,
};

/* One process of a card: of a board of several GPUs its share. NAN: not known. */
struct speed_card {
    enum speed_kernels kernels;
    bool has_large_cache; /* in front of GDDR */
    bool is_nvidia, is_amd;
    double bandwidth_gb_s;  /* B */
    double memory_gib;      /* M */
    double watts;           /* T */
    double units;           /* multiprocessors */
    double clock_ghz;       /* printed boost */
    double matrix_tflops;   /* dense FP16, with FP16 accumulation where that is faster */
    double half_tflops;     /* F of DESIGN.md section 3.3: dense FP16 with FP32 accumulation */
    double int8_tops;       /* dense, of matrix units */
    double plain_tflops;    /* the larger of FP16 and FP32 without matrix units */
    double fp32_tflops;     /* without matrix units */
    double traffic_share;   /* of B that the maker's kernels reach, NVIDIA's being 1 */
    double decode_share;    /* of B that decode at batch 1 reaches */
    double sustained;       /* R: sustained rate over that of an A100 in the same precision */
    double sustained_plain; /* the same of plain FP32 */
    double band;            /* b: bandwidth over that of an A100, cache and ECC counted */
    bool is_assumed;        /* a part of it is not known and was replaced by a cautious value */
};

/* The question as numbers: made once for a card and its reference. */
struct speed_work {
    enum speed_class class;
    enum speed_unit unit;
    enum speed_precision precision;
    bool is_training;
    bool fills_memory; /* the batch is as large as the card's memory allows */
    double fixed_gib;  /* of that memory, what no batch can have */
    const struct network *network;
    bool is_counted;    /* pictures, by the network's counted work */
    double pixel_share; /* pixels of a picture over those the network was counted at */
    double batch;       /* pictures at once; NAN: as many as fit */
    bool stores_scores; /* attention goes through memory: software before 2023 */
    bool is_old_build;  /* software before 2021, whose kernels read and write more */
    /* of a language model; NAN where not known */
    double params_active;
    double layers, hidden, kv_width, mlp_width, heads;
    double bits;          /* of a weight */
    double weight_bytes;  /* of the whole model */
    double read_bytes;    /* of them in writing a token; the token table is only looked up */
    double layer_params;  /* active, of one layer */
    double expert_share;  /* active over all experts; 1: no experts */
    double kv_bytes;      /* of one sequence */
    double kv_ways;       /* cards that can share a cache */
    double prompt_tokens; /* read before the first answer */
    enum speed_backend backend;
    double build_year;    /* NAN: today */
    bool is_quantised;    /* fewer than 15 bits per weight */
    bool is_simple_quant; /* q4_0 and q8_0, for which llama.cpp's kernels are fastest */
    bool is_unfused;      /* kernels launched one by one (Transformers, bitsandbytes) */
    enum answer is_graph; /* a token's kernels are launched as one; unasked: as the card allows */
    bool serves;          /* through a server that samples and answers between tokens */
    bool has_flash_attention; /* in reading prompts */
    double sequences;         /* decoded at once */
    double step_tokens;       /* of one training step on one card */
    double flops_per_token;   /* of training */
    double peak_share;        /* of an A100's peak in training */
    double layer_passes;      /* through each layer, forward and back */
    double unpack_bytes;      /* moved in a step to unpack a quantised base */
    double gradient_bytes;    /* exchanged after a step */
    double gather_times;      /* sharded weights sent in a step: 3 full, 2 with an adapter */
};

/* power_limit_watts: of the board; NAN, or above its power: none. */
void speed_card_read(const struct catalogue *catalogue, const struct gpu *gpu,
                     enum speed_precision precision, double power_limit_watts,
                     struct speed_card *card);

/* The backend asked for, else what runs on a card of that maker. */
enum speed_backend speed_card_backend(const struct speed_work *work, const struct speed_card *card);

void speed_work_read(const struct catalogue *catalogue, const struct ask *ask,
                     struct speed_work *work);

/* Speed of one card in the unit of the work, for decode with that many sequences at once; NAN: a
 * rate that the class needs is not known. */
double speed_form_single(const struct catalogue *catalogue, const struct speed_work *work,
                         const struct speed_card *card, double sequences);

/* Prompt tokens per second of one card; NAN: not known. */
double speed_prompt_tokens_per_s(const struct catalogue *catalogue, const struct speed_work *work,
                                 const struct speed_card *card);

/* True where the kernels of this path were measured on few cards only: a wide range. */
bool speed_prompt_is_rare(const struct speed_work *work, const struct speed_card *card);

/* Seconds of one token of each of `sequences` where `ways` cards share every layer; latency_s is
 * added for each layer. */
double speed_decode_token_seconds(const struct catalogue *catalogue, const struct speed_work *work,
                                  const struct speed_card *card, double sequences, double ways,
                                  double latency_s);

/* Tokens that a layer's products cost as much as, the last and partly filled wave of tiles counted;
 * tile: elements of half an output tile. NAN: the card's multiprocessors are not known. */
double speed_prompt_filled_tokens(const struct speed_work *work, const struct speed_card *card,
                                  double tokens, double tile);
extern const double SPEED_LIBRARY_TILE;

/* Microseconds of a layer's launches where nothing is replayed as a graph. */
double speed_decode_launch_us(const struct catalogue *catalogue, const struct speed_work *work);

/* Fixed cost of a step over its batch, an A100 80GB being 1, where the batch fills the card. */
double speed_form_fill(const struct speed_work *work, const struct speed_card *card);

/* Pictures per second of one card, of a work with a network. */
double speed_picture_single(const struct catalogue *catalogue, const struct speed_work *work,
                            const struct speed_card *card);

/* Speed of a set of two and more equal cards. */
double speed_scale_set(const struct catalogue *catalogue, const struct speed_work *work,
                       const struct speed_card *card, enum strategy strategy, double cards,
                       const struct set_link *link);

/* Usable bandwidth of the link between the cards; the name stays NULL. */
void speed_scale_link(const struct catalogue *catalogue, const struct ask *ask,
                      const struct gpu *gpu, size_t cards, struct set_link *link);

/* One question about speed, made once and asked of many cards. */
struct speed_rater {
    const struct catalogue *catalogue;
    const struct ask *ask;
    struct speed_work work;
    double reference;     /* speed of one reference card; NAN: not known */
    double reference_low; /* its low end */
};

/* The ask must be complete; it and the catalogue must outlive the rater. */
void speed_rater_init(struct speed_rater *rater, const struct catalogue *catalogue,
                      const struct ask *ask);

/* speed_estimate() for one of many cards. */
bool speed_rate(const struct speed_rater *rater, const struct gpu *gpu, enum strategy strategy,
                size_t cards, struct speed *speed);

#endif
