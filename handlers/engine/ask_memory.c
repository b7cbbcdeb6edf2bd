/* The settings of a question that decide about memory: the program, adapters, precision of the
 * states, pictures. Any thread; no state. */
#include "ask_parts.h"

#include <math.h>

void ask_default_number(double *value, double wanted)
{
    if (isnan(*value)) {
        *value = wanted;
    }
}

size_t ask_word_index(const char *word, const char *const *words, size_t count)
{
    size_t i = 0;

    while (i < count && !text_is(word, words[i])) {
        i++;
    }
    return i;
}

static bool is_engine_for_inference(enum runtime runtime)
{
    return runtime == RUNTIME_LLAMA_CPP || runtime == RUNTIME_EXLLAMA || runtime == RUNTIME_VLLM;
}

/* Transformers was written for all three; the others stand on PyTorch or on nothing. */
static bool runs_on(enum runtime runtime, enum framework framework)
{
    if (runtime == RUNTIME_LLAMA_CPP || framework == FRAMEWORK_LLAMA_CPP) {
        return runtime == RUNTIME_LLAMA_CPP && framework == FRAMEWORK_LLAMA_CPP;
    }
    return runtime == RUNTIME_TRANSFORMERS || framework == FRAMEWORK_PYTORCH;
}

bool ask_match_runtime(struct ask *ask, struct error *err)
{
    if (!ask->runtime_is_given) {
        return true;
    }
    if (ask_is_training(ask) && is_engine_for_inference(ask->runtime)) {
        return error_refuse(err, "runtime",
                            SAY(TEXT_RUNTIME_INFERENCE, RUNTIME_NAMES[ask->runtime]));
    }
    if (!ask->framework_is_given) {
        ask->framework =
            ask->runtime == RUNTIME_LLAMA_CPP ? FRAMEWORK_LLAMA_CPP : FRAMEWORK_PYTORCH;
        ask->framework_is_given = true;
    }
    return runs_on(ask->runtime, ask->framework) ||
           error_refuse(err, "runtime",
                        SAY(TEXT_RUNTIME_FRAMEWORK, RUNTIME_NAMES[ask->runtime],
                            FRAMEWORK_NAMES[ask->framework]));
}

/* Edge of the pictures that a diffusion model was made for: those below two billion weights are of
 * the first generation. */
static double usual_resolution_px(const struct ask *ask)
{
    if (ask->network != NULL && ask_is_of_pictures(ask)) {
        return ask->network->resolution_px;
    }
    if (ask->model != NULL && text_is(ask->model->kind, "diffusion")) {
        return ask->model->params_total < 2e9 ? 512 : 1024;
    }
    return (double)NAN;
}

static bool check_memory_settings(const struct ask *ask, struct error *err)
{
    bool is_adapter = ask->task == TASK_LORA || ask->task == TASK_QLORA;

    if (!is_adapter && ask->lora_rank_is_given) {
        return error_refuse(err, "lora_rank", SAY(TEXT_OF_ADAPTERS));
    }
    if (!is_adapter && ask->lora_targets_is_given) {
        return error_refuse(err, "lora_targets", SAY(TEXT_OF_ADAPTERS));
    }
    if ((is_adapter || !ask_is_training(ask)) && ask->master_weights_is_given) {
        return error_refuse(err, "master_weights", SAY(TEXT_OF_FULL_TRAINING));
    }
    if (ask->resolution_is_given && ask_is_language(ask)) {
        return error_refuse(err, "resolution", SAY(TEXT_OF_PICTURES));
    }
    return true;
}

/* torchtune trains in the type of the weights; mixed precision keeps an fp32 copy (ZeRO,
 * arXiv:1910.02054 section 3.1). */
bool ask_complete_memory(const struct parameters *parameters, struct ask *ask, struct error *err)
{
    if (!check_memory_settings(ask, err)) {
        return false;
    }
    ask_default_number(&ask->lora_rank, parameters->default_lora_rank);
    if (!ask->resolution_is_given) {
        ask->resolution_px = usual_resolution_px(ask);
    }
    if (!ask->lora_targets_is_given) {
        ask->lora_targets = (enum lora_targets)ask_word_index(
            parameters->default_lora_targets, LORA_TARGETS_NAMES, LORA_TARGETS_COUNT - 1);
    }
    if (ask->flash_attention == ANSWER_UNASKED) {
        ask->flash_attention =
            text_is(parameters->default_flash_attention, "no") ? ANSWER_NO : ANSWER_YES;
    }
    if (!ask->master_weights_is_given) {
        ask->master_weights =
            ask->runtime == RUNTIME_TORCHTUNE || text_is(parameters->default_master_weights, "no")
                ? ANSWER_NO
                : ANSWER_YES;
    }
    return true;
}
