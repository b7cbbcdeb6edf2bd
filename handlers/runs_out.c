/* Writes the models a card runs. One request, one thread. */
#include "runs_out.h"

#include "card_out.h"
#include "engine/phrase.h"

#include <math.h>

/* Why nothing is listed, or what to beware of; null where there is nothing to say. */
static void write_note(const struct exchange *exchange, struct json_out *out, const struct gpu *gpu,
                       const struct runs_block *block)
{
    const char *framework = phrase_framework(block->ask.framework);
    const struct support *row = gpu->support[block->ask.framework][OS_LINUX];
    struct note note = {.arguments = {framework}};

    if (block->support == SUPPORT_DROPPED) {
        note.code = MESSAGE_SUPPORT_DROPPED;
        note.variant = row->last_version == NULL ? VARIANT_NO_VERSION : VARIANT_USUAL;
        note.arguments[1] = row->last_version;
    } else if (block->support == SUPPORT_NONE) {
        note.code = MESSAGE_FRAMEWORK_UNSUPPORTED;
    } else if (block->support == SUPPORT_UNOFFICIAL || block->support == SUPPORT_UNKNOWN) {
        note.code = MESSAGE_ECOSYSTEM_GAPS;
        note.variant =
            block->support == SUPPORT_UNOFFICIAL ? VARIANT_UNOFFICIAL : VARIANT_NOT_KNOWN;
    } else {
        json_out_null_at(out, "note");
        return;
    }
    json_out_open_object_at(out, "note");
    card_out_note(exchange, out, &note);
    json_out_close_object(out);
}

static void write_settings(struct json_out *out, const struct runs_block *block)
{
    const struct ask *ask = &block->ask;
    bool is_training = ask_is_training(ask);

    json_out_open_object_at(out, "settings");
    json_out_number_at(out, "batch", ask->batch);
    if (!is_training) {
        json_out_number_at(out, "users", ask->users);
    }
    if (is_training) {
        json_out_text_at(out, "optimizer", OPTIMIZER_NAMES[ask->optimizer]);
    }
    if (block->is_language && is_training) {
        json_out_number_at(out, "seq_len", ask->seq_len);
        json_out_text_at(out, "checkpointing", ask->checkpointing == ANSWER_YES ? "yes" : "no");
    } else if (block->is_language) {
        json_out_number_at(out, "context", ask->context);
        json_out_text_at(out, "kv_dtype", KV_DTYPE_NAMES[ask->kv_dtype]);
    }
    json_out_close_object(out);
}

static void write_format(struct json_out *out, const struct run_format *format)
{
    json_out_open_object(out);
    json_out_text_at(out, "quant", format->quant->name);
    json_out_estimate_at(out, "needed_gib", format->needed_gib);
    json_out_estimate_at(out, "headroom_gib", format->available_gib - format->needed_gib);
    json_out_bool_at(out, "tight", format->is_tight);
    json_out_open_object_at(out, "speed");
    card_out_speed(out, format->has_speed ? &format->speed : NULL);
    json_out_close_object(out);
    json_out_close_object(out);
}

static void write_run(struct json_out *out, const struct run *run)
{
    json_out_open_object(out);
    json_out_text_at(out, "id", run->model->id);
    json_out_text_at(out, "name", run->model->name);
    json_out_text_at(out, "kind", run->model->kind);
    json_out_number_at(out, "params_total", run->model->params_total);
    json_out_number_at(out, "tokens", run->tokens);
    json_out_open_array_at(out, "formats");
    for (size_t i = 0; i < run->format_count; i++) {
        write_format(out, &run->formats[i]);
    }
    json_out_close_array(out);
    json_out_close_object(out);
}

void runs_out_write(const struct exchange *exchange, struct json_out *out, const struct gpu *gpu,
                    const struct runs *runs)
{
    json_out_open_array_at(out, "runs");
    for (size_t i = 0; i < runs->block_count; i++) {
        const struct runs_block *block = &runs->blocks[i];

        json_out_open_object(out);
        json_out_text_at(out, "task", TASK_NAMES[block->ask.task]);
        json_out_text_at(out, "models_of", block->is_language ? "language" : "other");
        json_out_text_at(out, "framework", FRAMEWORK_NAMES[block->ask.framework]);
        write_note(exchange, out, gpu, block);
        write_settings(out, block);
        json_out_count_at(out, "tried", block->tried_count);
        json_out_count_at(out, "fitting", block->fitting_count);
        json_out_open_array_at(out, "models");
        for (size_t j = 0; j < block->run_count; j++) {
            write_run(out, &block->runs[j]);
        }
        json_out_close_array(out);
        json_out_close_object(out);
    }
    json_out_close_array(out);
}
