/* The question: its words, its defaults (all rows of parameters) and the combinations that cannot
 * be answered. Reads no request and knows no JSON. Any thread; no state. */
#include "ask.h"

#include "ask_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* NAN is a float; the compilers we ask warn of its silent promotion. */
#define UNKNOWN ((double)NAN)

const char *const TASK_NAMES[TASK_COUNT] = {"learn", "train", "finetune",
                                            "lora",  "qlora", "inference"};
const char *const DOMAIN_NAMES[DOMAIN_COUNT] = {"general", "nlp",       "llm",
                                                "vision",  "video",     "medical-imaging",
                                                "speech",  "diffusion", "tabular"};
const char *const KV_DTYPE_NAMES[KV_DTYPE_COUNT] = {"fp16", "bf16", "fp8", "q8_0", "q4_0"};
const char *const OPTIMIZER_NAMES[OPTIMIZER_COUNT] = {"adamw", "adamw-8bit", "sgd",
                                                      "lion",  "adafactor",  "paged-adamw-8bit"};
const char *const RUNTIME_NAMES[RUNTIME_COUNT] = {
    "transformers", "deepspeed", "litgpt", "torchtune", "llama.cpp", "exllama", "autogptq", "vllm"};
const char *const LORA_TARGETS_NAMES[LORA_TARGETS_COUNT] = {"qv", "attention", "mlp", "all"};
const char *const STRATEGY_NAMES[STRATEGY_COUNT] = {"single", "ddp", "fsdp", "tp", "pp"};
const char *const SPEED_BACKEND_NAMES[SPEED_BACKEND_COUNT] = {"cuda", "rocm", "vulkan", "sycl"};
const char *const PREFER_NAMES[PREFER_COUNT] = {"balanced", "value", "speed"};
const char *const CHASSIS_NAMES[CHASSIS_COUNT] = {"desktop", "server"};
const char *const ASKED_CONDITION_NAMES[ASKED_CONDITION_COUNT] = {"new", "used", "any"};
const char *const FEATURE_NAMES[FEATURE_COUNT] = {"bf16",    "fp8",         "nvlink",
                                                  "mig",     "ecc",         "flash-attention-2",
                                                  "cuda-13", "export-free", "display"};
const char *const PLUG_NAMES[PLUG_COUNT] = {"6-pin", "8-pin", "12-pin", "16-pin", "EPS-8-pin"};
const char *const EXPLAIN_NAMES[EXPLAIN_COUNT] = {"none", "near", "all"};

/* Picks listed when the question does not say (DESIGN.md section 4). */
enum { DEFAULT_LIMIT = 10, NUMBER_BYTES = 24 };

/* The network that stands for pictures where no model is named (DESIGN.md section 3.10). */
static const char DEFAULT_VISION_MODEL[] = "resnet-50";

/* Above this many bits per weight a format is no quantised base for qlora: 8-bit formats with their
 * scales take up to 8.5. */
static const double QUANTISED_BITS_MAX = 8.5;

bool ask_is_training(const struct ask *ask)
{
    return ask->task != TASK_INFERENCE;
}

bool ask_is_language(const struct ask *ask)
{
    if (ask->model != NULL) {
        return text_is(ask->model->kind, "llm") || text_is(ask->model->kind, "embedding") ||
               text_is(ask->model->kind, "encoder");
    }
    return ask->domain == DOMAIN_LLM || ask->domain == DOMAIN_NLP;
}

bool ask_is_of_pictures(const struct ask *ask)
{
    return ask->domain == DOMAIN_VISION || ask->domain == DOMAIN_VIDEO ||
           ask->domain == DOMAIN_MEDICAL_IMAGING;
}

void ask_init(struct ask *ask)
{
    *ask = (struct ask){
        .task = TASK_LEARN,
        .domain = DOMAIN_GENERAL,
        .model_params = UNKNOWN,
        .context = UNKNOWN,
        .seq_len = UNKNOWN,
        .batch = UNKNOWN,
        .users = UNKNOWN,
        .checkpointing = ANSWER_UNASKED,
        .lora_rank = UNKNOWN,
        .flash_attention = ANSWER_UNASKED,
        .master_weights = ANSWER_UNASKED,
        .resolution_px = UNKNOWN,
        .strategy = STRATEGY_UNASKED,
        .backend = SPEED_BACKEND_UNASKED,
        .batch_fills = ANSWER_UNASKED,
        .speed = {.class = SPEED_CLASS_UNASKED,
                  .replays_graphs = ANSWER_UNASKED,
                  .serves = ANSWER_UNASKED,
                  .build_year = UNKNOWN},
        .max_gpus = UNKNOWN,
        .min_memory_gib = UNKNOWN,
        .min_tokens_per_s = UNKNOWN,
        .train_tokens = UNKNOWN,
        .samples = UNKNOWN,
        .hours = UNKNOWN,
        .budget_micros = MONEY_UNKNOWN,
        .currency = CURRENCY_USD,
        .condition = ASKED_ANY,
        .prefer = PREFER_BALANCED,
        .hours_per_month = UNKNOWN,
        .months = UNKNOWN,
        .electricity_micros_per_kwh = MONEY_UNKNOWN,
        .vat_share = UNKNOWN,
        .host_price_micros = MONEY_UNKNOWN,
        .host_watts = UNKNOWN,
        .power_limit_watts = UNKNOWN,
        .checkpoint_hours = UNKNOWN,
        .spot_interruptions_per_day = UNKNOWN,
        .os = OS_LINUX,
        .framework = FRAMEWORK_PYTORCH,
        .chassis = CHASSIS_UNASKED,
        .psu_watts = UNKNOWN,
        .max_slots = UNKNOWN,
        .max_length_mm = UNKNOWN,
        .pcie_gen = UNKNOWN,
        .pcie_lanes = UNKNOWN,
        .display = ANSWER_UNASKED,
        .explain = EXPLAIN_NEAR,
    };
}

static enum domain domain_of_kind(const char *kind)
{
    if (text_is(kind, "llm")) {
        return DOMAIN_LLM;
    }
    if (text_is(kind, "embedding") || text_is(kind, "encoder")) {
        return DOMAIN_NLP;
    }
    if (text_is(kind, "vision")) {
        return DOMAIN_VISION;
    }
    if (text_is(kind, "diffusion")) {
        return DOMAIN_DIFFUSION;
    }
    return text_is(kind, "speech") ? DOMAIN_SPEECH : DOMAIN_GENERAL;
}

/* Fields that a model of a kind is used in besides its own. */
static bool domain_suits_kind(enum domain domain, const char *kind)
{
    enum domain own = domain_of_kind(kind);

    if (domain == own || domain == DOMAIN_GENERAL) {
        return true;
    }
    if (own == DOMAIN_LLM || own == DOMAIN_NLP) {
        return domain == DOMAIN_LLM || domain == DOMAIN_NLP;
    }
    if (own == DOMAIN_VISION) {
        return domain == DOMAIN_VIDEO || domain == DOMAIN_MEDICAL_IMAGING;
    }
    return own == DOMAIN_DIFFUSION && (domain == DOMAIN_VISION || domain == DOMAIN_VIDEO);
}

static bool complete_domain(const struct catalogue *catalogue, struct ask *ask, struct error *err)
{
    if (ask->model != NULL) {
        if (ask->domain_is_given && !domain_suits_kind(ask->domain, ask->model->kind)) {
            return error_refuse(err, "domain",
                                SAY(TEXT_DOMAIN_OF_MODEL, ask->model->id,
                                    DOMAIN_NAMES[domain_of_kind(ask->model->kind)]));
        }
        if (!ask->domain_is_given || ask->domain == DOMAIN_GENERAL) {
            ask->domain = domain_of_kind(ask->model->kind);
        }
        if (text_is(ask->model->kind, "vision")) {
            ask->network = ask_network_of_model(catalogue, ask->model);
        }
        return true;
    }
    if (!ask->domain_is_given && (ask->task == TASK_LORA || ask->task == TASK_QLORA)) {
        ask->domain = DOMAIN_LLM; /* adapters without a word more are those of language models */
    }
    if (!ask_is_language(ask) && ask->domain != DOMAIN_SPEECH && ask->domain != DOMAIN_DIFFUSION) {
        const struct model *model = catalogue_find_model(catalogue, DEFAULT_VISION_MODEL);

        ask->network = model == NULL ? NULL : ask_network_of_model(catalogue, model);
    }
    return true;
}

static bool is_gguf(const struct quant *quant)
{
    return text_is(quant->kind, "gguf");
}

/* Formats of 16 bit and more; FP8 counts with them in training, where the weights stay 16-bit. */
static bool is_float(const struct quant *quant)
{
    return text_is(quant->kind, "float") || text_is(quant->kind, "fp8");
}

/* A network that looks at pictures rather than makes them. */
static bool is_network(const struct ask *ask)
{
    return ask->model == NULL ? ask_is_of_pictures(ask) : text_is(ask->model->kind, "vision");
}

static const char *default_quant_name(const struct parameters *parameters, const struct ask *ask)
{
    bool decodes = ask->model == NULL ? ask_is_language(ask) : text_is(ask->model->kind, "llm");
    bool is_gptq_engine = ask->runtime == RUNTIME_AUTOGPTQ || ask->runtime == RUNTIME_EXLLAMA;

    if (ask->runtime_is_given && is_gptq_engine && !is_network(ask) &&
        (ask->task == TASK_QLORA || !ask_is_training(ask))) {
        return "gptq"; /* what these engines were written for */
    }
    if (ask->task == TASK_QLORA) {
        return parameters->default_quant_qlora;
    }
    if (ask_is_training(ask)) {
        return parameters->default_quant_training;
    }
    /* A framework that reads no GGUF files gets what it loads by itself. */
    if (ask->framework_is_given && ask->framework != FRAMEWORK_LLAMA_CPP) {
        return "fp16";
    }
    return decodes ? parameters->default_quant_inference : "fp16";
}

static bool check_quant(const struct ask *ask, struct error *err)
{
    const struct quant *quant = ask->quant;

    bool is_tuned_base = ask->task == TASK_QLORA && text_is(quant->kind, "bitsandbytes");

    if (is_network(ask) && !is_float(quant) && !text_is(quant->kind, "int8") && !is_tuned_base) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_NO_NETWORK, quant->name));
    }
    if (ask_is_training(ask) && is_gguf(quant)) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_GGUF_TRAINED, quant->name));
    }
    if (ask->task == TASK_QLORA &&
        (quant->bits_per_weight > QUANTISED_BITS_MAX || text_is(quant->kind, "fp8"))) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_NO_QLORA, quant->name));
    }
    if (ask_is_training(ask) && ask->task != TASK_QLORA && !is_float(quant)) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_TRAINED, quant->name));
    }
    if (ask->framework_is_given && ask->framework != FRAMEWORK_LLAMA_CPP && is_gguf(quant)) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_GGUF_FRAMEWORK, quant->name));
    }
    if (ask->framework_is_given && ask->framework == FRAMEWORK_LLAMA_CPP && !is_gguf(quant) &&
        !text_is(quant->kind, "float") && !text_is(quant->kind, "mxfp4")) {
        return error_refuse(err, "quant", SAY(TEXT_QUANT_NO_LLAMA_CPP, quant->name));
    }
    return true;
}

static bool complete_software(const struct catalogue *catalogue, struct ask *ask, struct error *err)
{
    if (!ask_match_runtime(ask, err)) {
        return false;
    }
    if (ask->framework_is_given && ask->framework == FRAMEWORK_LLAMA_CPP && ask_is_training(ask) &&
        ask->task != TASK_LEARN) {
        return error_refuse(err, "framework", SAY(TEXT_LLAMA_CPP_INFERENCE));
    }
    if (ask->quant == NULL) {
        const char *name = default_quant_name(&catalogue->parameters, ask);

        ask->quant = catalogue_find_quant(catalogue, name);
        if (ask->quant == NULL) {
            return error_set(err, ERROR_BAD_DATABASE, "quants: %s is missing", name);
        }
    }
    if (!check_quant(ask, err)) {
        return false;
    }
    if (!ask->framework_is_given) {
        ask->framework = is_gguf(ask->quant) ? FRAMEWORK_LLAMA_CPP : FRAMEWORK_PYTORCH;
    }
    if (!ask->runtime_is_given) {
        ask->runtime =
            ask->framework == FRAMEWORK_LLAMA_CPP ? RUNTIME_LLAMA_CPP : RUNTIME_TRANSFORMERS;
    }
    return true;
}

static void default_money(int64_t *micros, double wanted)
{
    if (*micros == MONEY_UNKNOWN) {
        *micros = money_from_units(wanted);
    }
}

/* Tokens of a sequence: asked for, or the default where it does not exceed what the model takes.
 * The same thing is called seq_len in training and context in inference; either name is understood,
 * and the one given is named in a refusal. */
static bool complete_tokens(const struct parameters *parameters, struct ask *ask, struct error *err)
{
    bool is_training = ask_is_training(ask);
    double *tokens = is_training ? &ask->seq_len : &ask->context;
    double *other = is_training ? &ask->context : &ask->seq_len;
    double wanted =
        is_training ? parameters->default_seq_len_tokens : parameters->default_context_tokens;

    bool names_seq_len = is_training == (!isnan(*tokens) || isnan(*other)); /* the one given */

    ask_default_number(tokens, *other);
    *other = UNKNOWN;
    if (ask->model != NULL && !isnan(ask->model->context)) {
        double most = ask->model->context;

        if (*tokens > most) {
            char number[NUMBER_BYTES];

            (void)snprintf(number, sizeof number, "%.0f", most);
            return error_refuse(err, names_seq_len ? "seq_len" : "context",
                                SAY(TEXT_TOKENS_MOST, ask->model->id, number));
        }
        wanted = fmin(wanted, most);
    }
    ask_default_number(tokens, wanted);
    return true;
}

/* An encoder, or a model of embeddings: small next to a card, and trained on many texts at once. */
static bool is_encoder(const struct ask *ask)
{
    const char *kind = ask->model == NULL ? NULL : ask->model->kind;

    return text_is(kind, "encoder") || text_is(kind, "embedding");
}

/* Who works on pictures, or trains an encoder or a text model that has no name, takes as many
 * samples at once as fit; language models are trained a few at a time. */
static void complete_batch(const struct parameters *parameters, struct ask *ask)
{
    bool trains_text = ask_is_training(ask) &&
                       (is_encoder(ask) || (ask->model == NULL && ask->domain == DOMAIN_NLP));
    bool fills = !ask->batch_is_given && (ask_is_of_pictures(ask) || trains_text);

    if (ask->batch_fills == ANSWER_UNASKED) {
        ask->batch_fills = fills ? ANSWER_YES : ANSWER_NO;
    }
    ask_default_number(&ask->batch, ask_is_training(ask) && (is_encoder(ask) || is_network(ask))
                                        ? parameters->default_batch_network
                                        : parameters->default_batch);
}

static bool complete_work(const struct parameters *parameters, struct ask *ask, struct error *err)
{
    bool is_training = ask_is_training(ask);

    if (is_training && ask->kv_dtype_is_given) {
        return error_refuse(err, "kv_dtype", SAY(TEXT_KV_DTYPE_TRAINED));
    }
    if (!is_training && ask->optimizer_is_given) {
        return error_refuse(err, "optimizer", SAY(TEXT_OPTIMIZER_INFERENCE));
    }
    if (!is_training && ask->checkpointing == ANSWER_YES) {
        return error_refuse(err, "checkpointing", SAY(TEXT_CHECKPOINTING_INFERENCE));
    }
    if (is_training && !isnan(ask->min_tokens_per_s)) {
        return error_refuse(err, "min_tokens_per_s", SAY(TEXT_OF_INFERENCE_USERS));
    }
    if (!isnan(ask->model_params) &&
        (ask->model == NULL || !text_is(ask->model->kind, "llm") || ask->model_params <= 0)) {
        return error_refuse(err, "model", SAY(TEXT_MODEL_SIZE_LANGUAGE));
    }
    if (ask->max_gpus > parameters->max_cards) {
        char number[NUMBER_BYTES];

        (void)snprintf(number, sizeof number, "%.0f", parameters->max_cards);
        return error_refuse(err, "max_gpus", SAY(TEXT_MAX_GPUS, number));
    }
    if (!complete_tokens(parameters, ask, err)) {
        return false;
    }
    complete_batch(parameters, ask);
    if (ask->framework == FRAMEWORK_LLAMA_CPP && ask->strategy == STRATEGY_TP) {
        ask->strategy = STRATEGY_PP; /* whatever it is called there: each card has some layers */
    }
    ask_default_number(&ask->users, parameters->default_users);
    ask_default_number(&ask->max_gpus, parameters->default_max_gpus);
    if (!ask->kv_dtype_is_given) {
        ask->kv_dtype = (enum kv_dtype)ask_word_index(parameters->default_kv_dtype, KV_DTYPE_NAMES,
                                                      KV_DTYPE_COUNT - 1);
    }
    if (!ask->optimizer_is_given) {
        ask->optimizer = (enum optimizer)ask_word_index(parameters->default_optimizer,
                                                        OPTIMIZER_NAMES, OPTIMIZER_COUNT - 1);
    }
    if (!ask_complete_memory(parameters, ask, err)) {
        return false;
    }
    if (ask->checkpointing == ANSWER_UNASKED) {
        ask->checkpointing =
            is_training && ask_is_language(ask) && text_is(parameters->default_checkpointing, "yes")
                ? ANSWER_YES
                : ANSWER_NO;
    }
    return true;
}

static double default_electricity(const struct parameters *parameters, enum currency currency)
{
    const double prices[CURRENCY_COUNT] = {
        [CURRENCY_USD] = parameters->electricity_usd_per_kwh,
        [CURRENCY_CNY] = parameters->electricity_cny_per_kwh,
        [CURRENCY_EUR] = parameters->electricity_eur_per_kwh,
    };

    return prices[currency];
}

static bool complete_money(const struct parameters *parameters, struct ask *ask, struct error *err)
{
    if (!isnan(ask->spot_interruptions_per_day) && isnan(ask->checkpoint_hours)) {
        return error_refuse(err, "spot_interruptions_per_day", SAY(TEXT_SPOT_CHECKPOINTS));
    }
    ask_default_number(&ask->hours_per_month, parameters->hours_per_month);
    ask_default_number(&ask->months, parameters->horizon_months);
    default_money(&ask->electricity_micros_per_kwh, default_electricity(parameters, ask->currency));
    ask_default_number(&ask->vat_share, parameters->tax_rate);
    default_money(&ask->host_price_micros, parameters->host_cost);
    ask_default_number(&ask->host_watts, parameters->host_watts);
    if (!isnan(ask->checkpoint_hours)) {
        ask_default_number(&ask->spot_interruptions_per_day,
                           parameters->spot_interruptions_per_day);
    }
    return true;
}

static void complete_machine(const struct parameters *parameters, struct ask *ask)
{
    if (ask->chassis == CHASSIS_UNASKED) {
        ask->chassis = text_is(ask->tier, "unlimited") ||
                               text_is(parameters->chassis_default, CHASSIS_NAMES[CHASSIS_SERVER])
                           ? CHASSIS_SERVER
                           : CHASSIS_DESKTOP;
    }
    if (ask->display == ANSWER_UNASKED) {
        ask->display = ask->os == OS_WINDOWS ? ANSWER_YES : ANSWER_NO;
    }
    if (ask->limit == 0) {
        ask->limit = DEFAULT_LIMIT;
    }
}

/* Who names a language model, a voice or a picture model and no task wants to run it. */
static void complete_task(struct ask *ask)
{
    const char *kind = ask->model == NULL ? NULL : ask->model->kind;

    if (!ask->task_is_given && ask->task == TASK_LEARN &&
        (text_is(kind, "llm") || text_is(kind, "embedding") || text_is(kind, "speech") ||
         text_is(kind, "diffusion"))) {
        ask->task = TASK_INFERENCE;
    }
}

/* Slots have 4, 8 or 16 lanes; the links of links.csv are of these. */
static bool check_machine(const struct ask *ask, struct error *err)
{
    double lanes = ask->pcie_lanes;

    if (lanes < 4 || (lanes > 4 && lanes < 8) || (lanes > 8 && lanes < 16)) {
        return error_refuse(err, "pcie_lanes", SAY(TEXT_PCIE_LANES));
    }
    return true;
}

bool ask_complete(const struct catalogue *catalogue, struct ask *ask, struct error *err)
{
    struct ask done = *ask;

    complete_task(&done);
    if (!complete_domain(catalogue, &done, err) || !complete_software(catalogue, &done, err) ||
        !complete_work(&catalogue->parameters, &done, err) || !check_machine(&done, err) ||
        !complete_money(&catalogue->parameters, &done, err)) {
        return false;
    }
    complete_machine(&catalogue->parameters, &done);
    *ask = done;
    return true;
}
