/* The question: every parameter of /recommend, /estimate and what follows, checked and with a
 * value.
 *
 * handlers/ask_in.c fills what the request gives over ask_init(); ask_complete() adds the defaults,
 * all of them rows of parameters. What stays unknown is NULL, NAN, MONEY_UNKNOWN or ..._UNASKED. */
#ifndef GPUWISE_ENGINE_ASK_H
#define GPUWISE_ENGINE_ASK_H

#include "catalogue.h"
#include "money.h"

enum task {
    TASK_LEARN,
    TASK_TRAIN,
    TASK_FINETUNE,
    TASK_LORA,
    TASK_QLORA,
    TASK_INFERENCE,
    TASK_COUNT
};
enum domain {
    DOMAIN_GENERAL,
    DOMAIN_NLP,
    DOMAIN_LLM,
    DOMAIN_VISION,
    DOMAIN_VIDEO,
    DOMAIN_MEDICAL_IMAGING,
    DOMAIN_SPEECH,
    DOMAIN_DIFFUSION,
    DOMAIN_TABULAR,
    DOMAIN_COUNT
};
enum kv_dtype {
    KV_DTYPE_FP16,
    KV_DTYPE_BF16,
    KV_DTYPE_FP8,
    KV_DTYPE_Q8_0,
    KV_DTYPE_Q4_0,
    KV_DTYPE_COUNT
};
enum optimizer {
    OPTIMIZER_ADAMW,
    OPTIMIZER_ADAMW_8BIT,
    OPTIMIZER_SGD,
    OPTIMIZER_LION,
    OPTIMIZER_ADAFACTOR,
    OPTIMIZER_PAGED_ADAMW_8BIT, /* states in unified memory, which the card gives up when short */
    OPTIMIZER_COUNT
};
/* The program that holds the model. It decides what lies beside weights, cache and states. */
enum runtime {
    RUNTIME_TRANSFORMERS, /* with PEFT where adapters are trained */
    RUNTIME_DEEPSPEED,    /* Transformers' Trainer on DeepSpeed */
    RUNTIME_LITGPT,
    RUNTIME_TORCHTUNE,
    RUNTIME_LLAMA_CPP,
    RUNTIME_EXLLAMA,
    RUNTIME_AUTOGPTQ, /* Transformers with AutoGPTQ's kernels of 2023 */
    RUNTIME_VLLM,
    RUNTIME_COUNT
};
/* Matrices that a low-rank adapter sits on. */
enum lora_targets {
    LORA_TARGETS_QV, /* queries and values */
    LORA_TARGETS_ATTENTION,
    LORA_TARGETS_MLP,
    LORA_TARGETS_ALL,
    LORA_TARGETS_COUNT
};
enum adapter {
    ADAPTER_LORA,
    ADAPTER_LLAMA,    /* LLaMA-Adapter: learned prompts in each layer, a few values */
    ADAPTER_LLAMA_V2, /* and a scale and bias on each matrix */
    ADAPTER_SCALES,   /* IA3: one factor for each output of keys, values and the MLP */
    ADAPTER_PROMPT    /* learned tokens before the text */
};
enum strategy {
    STRATEGY_SINGLE,
    STRATEGY_DDP,
    STRATEGY_FSDP,
    STRATEGY_TP,
    STRATEGY_PP,
    STRATEGY_COUNT,
    STRATEGY_UNASKED = STRATEGY_COUNT
};
/* Kinds of work whose speed has its own form or its own numbers (ACCURACY.md sections 10.2, 10.4).
 * A request names task, domain and model; only `predict` asks for a kind itself. */
enum speed_class {
    SPEED_CLASS_DECODE, /* one token after the other, of a known or unknown language model */
    SPEED_CLASS_TRANSFORMER,
    SPEED_CLASS_CNN,
    SPEED_CLASS_SPEECH,
    SPEED_CLASS_RECOMMENDER,
    SPEED_CLASS_TUNED,   /* inference tuned for each card, of other than language models */
    SPEED_CLASS_SERVING, /* the same of language models, as many sequences as memory holds */
    SPEED_CLASS_MATMUL,
    SPEED_CLASS_ELEMENTWISE,
    SPEED_CLASS_DIFFUSION,
    SPEED_CLASS_MEAN, /* geometric mean of CNN and transformer training */
    SPEED_CLASS_UNASKED
};
/* What runs the kernels of a language model. */
enum speed_backend {
    SPEED_BACKEND_CUDA,
    SPEED_BACKEND_ROCM,
    SPEED_BACKEND_VULKAN,
    SPEED_BACKEND_SYCL,
    SPEED_BACKEND_COUNT,
    SPEED_BACKEND_UNASKED = SPEED_BACKEND_COUNT
};
enum prefer { PREFER_BALANCED, PREFER_VALUE, PREFER_SPEED, PREFER_COUNT };
enum chassis { CHASSIS_DESKTOP, CHASSIS_SERVER, CHASSIS_COUNT, CHASSIS_UNASKED = CHASSIS_COUNT };
enum asked_condition { ASKED_NEW, ASKED_USED, ASKED_ANY, ASKED_CONDITION_COUNT };
enum feature {
    FEATURE_BF16,
    FEATURE_FP8,
    FEATURE_NVLINK,
    FEATURE_MIG,
    FEATURE_ECC,
    FEATURE_FLASH_ATTENTION_2,
    FEATURE_CUDA_13,
    FEATURE_EXPORT_FREE, /* known to be free of export control to mainland China */
    FEATURE_DISPLAY,     /* a socket for a screen */
    FEATURE_COUNT
};
enum plug { PLUG_6_PIN, PLUG_8_PIN, PLUG_12_PIN, PLUG_16_PIN, PLUG_EPS, PLUG_COUNT };
enum explain { EXPLAIN_NONE, EXPLAIN_NEAR, EXPLAIN_ALL, EXPLAIN_COUNT };
enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNASKED };

/* The words of the API, in the order of the enums. */
extern const char *const TASK_NAMES[TASK_COUNT];
extern const char *const DOMAIN_NAMES[DOMAIN_COUNT];
extern const char *const KV_DTYPE_NAMES[KV_DTYPE_COUNT];
extern const char *const OPTIMIZER_NAMES[OPTIMIZER_COUNT];
extern const char *const RUNTIME_NAMES[RUNTIME_COUNT];
extern const char *const LORA_TARGETS_NAMES[LORA_TARGETS_COUNT];
extern const char *const STRATEGY_NAMES[STRATEGY_COUNT];
extern const char *const SPEED_BACKEND_NAMES[SPEED_BACKEND_COUNT];
extern const char *const PREFER_NAMES[PREFER_COUNT];
extern const char *const CHASSIS_NAMES[CHASSIS_COUNT];
extern const char *const ASKED_CONDITION_NAMES[ASKED_CONDITION_COUNT];
extern const char *const FEATURE_NAMES[FEATURE_COUNT];
extern const char *const PLUG_NAMES[PLUG_COUNT]; /* as in power_connectors of gpus.csv */
extern const char *const EXPLAIN_NAMES[EXPLAIN_COUNT];

enum { ASK_MAX_QUOTES = 16, ASK_MAX_CARDS = 8 };
enum { ASK_MAX_AMOUNT = 100000000 }; /* of a budget or a price, in units of the currency */

struct quote { /* of prices=: what the asker was quoted, in the currency of the question */
    const struct gpu *gpu;
    int64_t amount_micros;
};

/* Settings that are no parameters of the API: what published measurements were made with
 * (server/predict_memory.c). All zero is what everybody else has. */
struct rare_settings {
    enum adapter adapter;
    bool trains_tables;         /* an adapter trains token table and head too, whole */
    bool updates_in_backward;   /* each weight right after its gradient, which is then freed */
    bool accumulates_gradients; /* over several micro-batches, so they outlive the backward pass */
    bool offloads_activations;  /* checkpoints go to the host */
    bool offloads_optimizer;    /* states and gradients live on the host */
    bool casts_weights;         /* fp32 weights, and the 16-bit copies that autocast keeps */
    bool copies_cache;          /* Transformers of 2023: the cache is copied as it grows */
    bool keeps_logits;          /* torchtune without its chunked loss */
    bool shards_gradients;      /* ddp with ZeRO-2 */
    bool shards_states;         /* ddp with ZeRO-1 or ZeRO-2 */
    double cache_tokens;        /* a cache of fixed length; 0: as long as the text */
};

/* The same of speed (server/predict_speed.c). Unasked is what everybody else has. */
struct speed_settings {
    enum speed_class class;     /* by task, domain and model */
    enum answer replays_graphs; /* a token's kernels are launched as one; as the card allows */
    enum answer serves;         /* a server samples and answers between tokens; yes */
    double build_year;          /* of the software; NAN: today */
};

struct ask {
    /* the work */
    enum task task;
    bool task_is_given; /* else a model that people run rather than train means inference */
    enum domain domain;
    bool domain_is_given;
    const struct model *model; /* NULL: none named; the floors of the domain count */
    double model_params;       /* parameters asked for as a size (7b: 7e9); NAN: as the model has */
    const struct network *network; /* of a vision model, where known; NULL otherwise */
    const struct quant *quant;     /* of the weights; NULL: not asked */
    enum kv_dtype kv_dtype;
    bool kv_dtype_is_given;
    double context, seq_len, batch, users;
    bool batch_is_given;
    enum optimizer optimizer;
    bool optimizer_is_given;
    enum answer checkpointing;
    double lora_rank;
    bool lora_rank_is_given;
    enum lora_targets lora_targets;
    bool lora_targets_is_given;
    enum runtime runtime;
    bool runtime_is_given;
    enum answer flash_attention; /* or another kernel that stores no attention matrix */
    enum answer master_weights;  /* an fp32 copy beside 16-bit weights in full training */
    bool master_weights_is_given;
    double resolution_px; /* edge of a picture; NAN: the network is not known */
    bool resolution_is_given;
    struct rare_settings rare;
    enum strategy strategy;
    enum speed_backend backend; /* unasked: the maker's own, Vulkan where llama.cpp has none */
    enum answer batch_fills;    /* the batch is as large as memory allows; unasked, where no batch
                                   is given: of pictures, in training of encoders and,
                                   where domain is nlp, without a model */
    struct speed_settings speed;
    double max_gpus;
    double min_memory_gib, min_tokens_per_s;
    double train_tokens, samples, hours; /* the size of the job; NAN: not asked */
    /* the money; amounts in currency */
    int64_t budget_micros;
    enum currency currency;
    enum asked_condition condition;
    const char *tier; /* low, mid, high, unlimited; NULL: every tier */
    enum prefer prefer;
    double hours_per_month, months;
    int64_t electricity_micros_per_kwh;
    double vat_share; /* 0.13 for vat_percent=13 */
    int64_t host_price_micros;
    double host_watts;
    double power_limit_watts; /* set on each card; NAN: none */
    double checkpoint_hours;  /* between checkpoints of the job; NAN: none, so no spot offers */
    double spot_interruptions_per_day; /* NAN without checkpoint_hours */
    const struct gpu *own;
    struct quote quotes[ASK_MAX_QUOTES];
    size_t quote_count;
    /* the machine and the software */
    const char *vendor, *segment; /* NULL: any */
    enum os os;
    enum framework framework;
    bool framework_is_given;
    bool ignores_ecosystem;
    bool needs[FEATURE_COUNT];
    enum chassis chassis;
    double psu_watts, max_slots, max_length_mm;
    double pcie_gen, pcie_lanes; /* of the slots; NAN: at least those of the card */
    double plugs[PLUG_COUNT];    /* of the power supply */
    bool plugs_is_given;
    enum answer display;
    const char *region; /* where the buyer is, lower case; NULL: not asked */
    /* the answer */
    size_t limit;
    enum explain explain;
};

/* Nothing asked. */
void ask_init(struct ask *ask);

/* Fills every default; fails with ERROR_BAD_PARAMETER when what was asked cannot be combined (the
 * text begins with the parameter's name and a colon). */
bool ask_complete(const struct catalogue *catalogue, struct ask *ask, struct error *err) MUST_CHECK;

/* The dense language model of today nearest in params_total to a size such as 7e9 (ties by the
 * longer context, then by id), for a question that names a size: the caller sets model to it and
 * model_params to the size. NULL: the catalogue has none. */
const struct model *ask_model_of_size(const struct catalogue *catalogue, double params);

/* True for work that trains (everything but inference). */
bool ask_is_training(const struct ask *ask);

/* True where the work is on pictures: domain vision, video or medical-imaging. */
bool ask_is_of_pictures(const struct ask *ask);

/* True where the work is a language model: domain llm or nlp, or a model of that kind. */
bool ask_is_language(const struct ask *ask);

#endif
