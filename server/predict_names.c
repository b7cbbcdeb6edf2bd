/* Names in tables of measurements. Main thread; no state. */
#include "predict_names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double UNKNOWN = (double)NAN;

/* Parameters from the papers and model cards of the networks. */
static const struct predict_work WORKS[] = {
    {"sd15", SPEED_CLASS_DIFFUSION, 860},
    {"sdxl", SPEED_CLASS_DIFFUSION, 2600},
    {"bert", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"bert-base", SPEED_CLASS_TRANSFORMER, 110},
    {"bert-large", SPEED_CLASS_TRANSFORMER, 336},
    {"bart", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"electra", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"llama", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"qwen", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"gpt", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"t5", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"transformer", SPEED_CLASS_TRANSFORMER, (double)NAN},
    {"transformerxl-base", SPEED_CLASS_TRANSFORMER, 192},
    {"transformerxl-large", SPEED_CLASS_TRANSFORMER, 285},
    {"ncf", SPEED_CLASS_RECOMMENDER, 32},
    {"dlrm", SPEED_CLASS_RECOMMENDER, (double)NAN},
    {"tacotron2", SPEED_CLASS_SPEECH, 28},
    {"waveglow", SPEED_CLASS_SPEECH, 88},
    {"gnmt", SPEED_CLASS_SPEECH, 160},
    {"jasper", SPEED_CLASS_SPEECH, (double)NAN},
    {"quartznet", SPEED_CLASS_SPEECH, (double)NAN},
    {"wav2vec2", SPEED_CLASS_SPEECH, (double)NAN},
    {"fastpitch", SPEED_CLASS_SPEECH, (double)NAN},
    {"hifigan", SPEED_CLASS_SPEECH, (double)NAN},
    {"tft", SPEED_CLASS_SPEECH, (double)NAN},
    {"maskrcnn", SPEED_CLASS_CNN, 44},
    {"ssd", SPEED_CLASS_CNN, 22},
    {"resnet50", SPEED_CLASS_CNN, 26},
    {"matmul", SPEED_CLASS_MATMUL, (double)NAN},
    {"elementwise", SPEED_CLASS_ELEMENTWISE, (double)NAN},
    {"", SPEED_CLASS_CNN, (double)NAN},
};

/* Families named otherwise than in models.csv; the distills of R1 are Qwen2.5 and Llama 3. */
static const struct {
    const char *family, *model;
} FAMILIES[] = {
    {"llama3-8b", "llama-3-8b"},
    {"llama3-70b", "llama-3-70b"},
    {"llama3.1-8b", "llama-3.1-8b"},
    {"llama3.1-70b", "llama-3.1-70b"},
    {"llama3.1-405b", "llama-3.1-405b"},
    {"llama3.2-1b", "llama-3.2-1b"},
    {"llama3.2-3b", "llama-3.2-3b"},
    {"llama2-7b", "llama-2-7b"},
    {"llama2-13b", "llama-2-13b"},
    {"llama2-70b", "llama-2-70b"},
    {"llama1-7b", "llama-7b"},
    {"llama1-13b", "llama-13b"},
    {"llama1-33b", "llama-33b"},
    {"llama1-65b", "llama-65b"},
    {"openllama-3b", "open-llama-3b"},
    {"codellama-7b", "code-llama-7b"},
    {"codellama-13b", "code-llama-13b"},
    {"codellama-34b", "code-llama-34b"},
    {"codellama-70b", "code-llama-70b"},
    {"mistral-7b", "mistral-7b-v0.3"},
    {"deepseek-r1-14b", "qwen2.5-14b"},
    {"deepseek-r1-32b", "qwen2.5-32b"},
    {"deepseek-r1-8b", "llama-3.1-8b"},
    {"deepseek-r1-70b", "llama-3.1-70b"},
    {"qwen1-1.8b", "qwen-1.8b"},
    {"qwen1-7b", "qwen-7b"},
    {"qwen1-14b", "qwen-14b"},
    {"qwen1-72b", "qwen-72b"},
    {"phi", "phi-1.5"},
    {"stablelm", "stablelm-alpha-3b"},
};

/* Formats without a row of quants.csv: bits per weight with scales, as their tools write them. */
static const struct {
    const char *name, *kind;
    double bits;
} FORMATS[] = {
    {"q4_k_xl", "gguf", 4.95},  {"q4_k_l", "gguf", 5},        {"q3_k_xl", "gguf", 4.1},
    {"q8_k_xl", "gguf", 9.3},   {"q6_k_xl", "gguf", 7},       {"int4", "gptq", 4.4},
    {"int8", "gptq", 8.3},      {"gptq", "gptq", 4.4},        {"awq", "awq", 4.4},
    {"gptq-int8", "gptq", 8.3}, {"fp8", "fp8", 8.1},          {"nvfp4", "mxfp4", 4.6},
    {"mxfp4", "mxfp4", 4.3},    {"nf4", "bitsandbytes", 4.6}, {"nf4-dq", "bitsandbytes", 4.3},
    {"f16", "gguf", 16},        {"bf16", "float", 16},        {"fp16", "float", 16},
};

/* Bits of the values and scales of a format that is not in the tables: q5_x has 5.5. */
static const double SCALE_BITS = 0.5;

bool predict_names_begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static size_t find_work(const char *name)
{
    size_t found = sizeof WORKS / sizeof WORKS[0] - 1; /* "" begins every name */

    for (size_t i = 0; i < sizeof WORKS / sizeof WORKS[0]; i++) {
        if (predict_names_begins(name, WORKS[i].name) &&
            strlen(WORKS[i].name) > strlen(WORKS[found].name)) {
            found = i;
        }
    }
    return found;
}

struct predict_work predict_names_work(const char *family, const char *workload)
{
    struct predict_work work = WORKS[find_work(workload)];

    return work.name[0] == '\0' ? WORKS[find_work(family)] : work;
}

struct model predict_names_blank(const char *kind, double params)
{
    return (struct model){
        .id = "",
        .name = "",
        .kind = kind,
        .params_total = params,
        .params_active = params,
        .layers = UNKNOWN,
        .hidden = UNKNOWN,
        .heads = UNKNOWN,
        .kv_heads = UNKNOWN,
        .head_dim = UNKNOWN,
        .intermediate = UNKNOWN,
        .vocab = UNKNOWN,
        .context = UNKNOWN,
        .sliding_window = UNKNOWN,
        .global_every = UNKNOWN,
        .kv_latent_dim = UNKNOWN,
        .kv_rope_dim = UNKNOWN,
        .experts = UNKNOWN,
        .experts_active = UNKNOWN,
        .expert_intermediate = UNKNOWN,
        .shared_experts = UNKNOWN,
        .vision_params = UNKNOWN,
    };
}

/* The model whose id the family begins with, as a whole or up to a hyphen; of several the longest.
 */
static const struct model *find_model(const struct catalogue *catalogue, const char *family)
{
    const struct model *found = NULL;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        const struct model *model = &catalogue->models[i];
        size_t length = strlen(model->id);

        if (predict_names_begins(family, model->id) &&
            (family[length] == '\0' || family[length] == '-') && text_is(model->kind, "llm") &&
            (found == NULL || length > strlen(found->id))) {
            found = model;
        }
    }
    return found;
}

/* The number behind the words, NAN: none. */
static double number_behind(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    char *end = NULL;
    double number = at == NULL ? UNKNOWN : strtod(at + strlen(words), &end);

    return at == NULL || end == at + strlen(words) ? UNKNOWN : number;
}

/* A size such as 7b or 1.8b in a name, in parameters; NAN: none. */
static double size_in(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        char *end = NULL;

        if (isdigit((unsigned char)*at) && (at == name || at[-1] == '-')) {
            double number = strtod(at, &end);

            if (*end == 'b' && (end[1] == '\0' || end[1] == '-')) {
                return number * 1e9;
            }
        }
    }
    return UNKNOWN;
}

bool predict_names_model(const struct catalogue *catalogue, const char *family, const char *metric,
                         struct model *model)
{
    const char *name = predict_names_begins(family, "dense-") ? family + strlen("dense-")
                       : predict_names_begins(family, "moe-") ? family + strlen("moe-")
                                                              : family;
    double total = number_behind(metric, "total params ") * 1e9;
    double active = number_behind(metric, ", active ") * 1e9;

    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; i++) {
        name = text_is(name, FAMILIES[i].family) ? FAMILIES[i].model : name;
    }
    const struct model *known = find_model(catalogue, name);

    if (known != NULL) {
        *model = *known;
        return true;
    }
    *model = predict_names_blank("llm", isnan(total) ? size_in(name) : total);
    if (!isnan(active)) {
        model->params_active = active;
    }
    return !isnan(model->params_total);
}

static void set_quant(struct quant *quant, const char *kind, double bits)
{
    *quant = (struct quant){.name = "", .kind = kind, .bits_per_weight = bits, .source = ""};
}

void predict_names_quant(const struct catalogue *catalogue, const char *precision,
                         struct quant *quant)
{
    char name[64];
    const char *start =
        predict_names_begins(precision, "ud-") ? precision + strlen("ud-") : precision;
    double bits = number_behind(start, "exl2-");

    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(start, " "), start);
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
        if (text_is(name, FORMATS[i].name)) {
            set_quant(quant, FORMATS[i].kind, FORMATS[i].bits);
            return;
        }
    }
    const struct quant *known = catalogue_find_quant(catalogue, name);

    if (known != NULL) {
        *quant = *known;
    } else if (!isnan(bits)) {
        set_quant(quant, "gptq", bits);
    } else if (predict_names_begins(name, "gptq") || predict_names_begins(name, "awq")) {
        set_quant(quant, "gptq", 4.4);
    } else {
        size_t digit = strcspn(name, "0123456789");

        bits = name[digit] == '\0' ? 4 : strtod(name + digit, NULL);
        set_quant(quant, "gguf", fmin(fmax(bits, 1), 16) + SCALE_BITS);
    }
}

/* Letters that a name must share with a network it is not called by: mobilenet-v2 of torchvision is
 * mobilenetv2_100. */
enum { ALIKE_LETTERS = 6, WHOLE_ID = 1000 };

/* How well the name begins with the network's id, hyphens and underscores skipped: letters in
 * common, WHOLE_ID more where that is all of the id. */
static size_t match_network(const char *id, const char *name)
{
    size_t length = 0;

    for (;;) {
        id += strspn(id, "_-");
        name += strspn(name, "_-");
        if (*id == '\0') {
            return length + WHOLE_ID;
        }
        if (*id != *name) {
            return length;
        }
        id++;
        name++;
        length++;
    }
}

const struct network *predict_names_network(const struct catalogue *catalogue, const char *workload,
                                            double *pixels)
{
    const struct network *found = NULL;
    size_t found_length = ALIKE_LETTERS - 1;
    const char *px = strstr(workload, "px-");

    for (size_t i = 0; i < catalogue->network_count; i++) {
        size_t length = match_network(catalogue->networks[i].id, workload);

        if (length > found_length) {
            found = &catalogue->networks[i];
            found_length = length;
        }
    }
    while (px != NULL && px > workload && isdigit((unsigned char)px[-1])) {
        px--;
    }
    *pixels = px == NULL ? UNKNOWN : strtod(px, NULL);
    return found;
}
