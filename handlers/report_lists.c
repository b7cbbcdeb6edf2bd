/* What lists, cards, models, estimates, comparisons and problems tell people. One request, one
 * thread. */
#include "report_pages.h"

#include <string.h>

static const struct report_column CARDS[] = {
    {"/gpus/", "card", NULL, false, report_cell_name},
    {"memory_gib", "memory", "GiB", true, report_cell_exact},
    {"memory_bandwidth_gb_s", "bandwidth", "GB/s", true, report_cell_rough},
    {"tensor_fp16_tflops", "fp16", "TFLOPS", true, report_cell_rough},
    {"tdp_watts", "power", "W", true, report_cell_exact},
    {"support.status", "software", NULL, false, report_cell_word},
    {"price.amount", "price", "at:price.currency", true, report_cell_money},
    {"price.condition", "condition", NULL, false, report_cell_word},
    {"price.observed_on", "seen", NULL, false, report_cell_text},
};

static const struct report_column CARD_PRICES[] = {
    {"price_new.amount", "price_new", "at:price_new.currency", true, report_cell_money},
    {"price_new", "low_to_high", NULL, true, report_cell_range},
    {"price_new.observed_on", "seen", NULL, false, report_cell_text},
    {"price_used.amount", "price_used", "at:price_used.currency", true, report_cell_money},
    {"price_used", "low_to_high", NULL, true, report_cell_range},
    {"price_used.observed_on", "seen", NULL, false, report_cell_text},
};

static const struct report_column SOFTWARE[] = {
    {"framework", "framework", NULL, false, report_cell_text},
    {"os", "system", NULL, false, report_cell_text},
    {"status", "status", NULL, false, report_cell_word},
    {"first_version", "first_version", NULL, false, report_cell_text},
    {"last_version", "last_version", NULL, false, report_cell_text},
    {"end_date", "end_date", NULL, false, report_cell_text},
    {"observed_on", "as_of_day", NULL, false, report_cell_text},
    {"note", "note", NULL, false, report_cell_text},
};

static const struct report_column OBSERVATIONS[] = {
    {"observed_on", "seen", NULL, false, report_cell_text},
    {"condition", "condition", NULL, false, report_cell_word},
    {"amount", "price", "at:currency", true, report_cell_money},
    {"market", "market", NULL, false, report_cell_text},
    {"source", "source", NULL, false, report_cell_text},
};

static const struct report_column RUNS[] = {
    {"/models/", "model", NULL, false, report_cell_name},
    {"params_total", "parameters", "", true, report_cell_rough},
    {"best.quant", "quant", NULL, false, report_cell_text},
    {"best.needed_gib", "needed", "GiB", true, report_cell_rough},
    {"best.headroom_gib", "left", "GiB", true, report_cell_rough},
    {"best.speed.value", "speed", "at:best.speed.unit", true, report_cell_rough},
    {"best.speed", "low_to_high", NULL, true, report_cell_range},
};

static const struct report_column MODELS[] = {
    {"/models/", "model", NULL, false, report_cell_name},
    {"id", "id", NULL, false, report_cell_text},
    {"kind", "kind", NULL, false, report_cell_text},
    {"params_total", "parameters", "", true, report_cell_exact},
    {"params_active", "params_active", "", true, report_cell_exact},
    {"layers", "layers", "", true, report_cell_exact},
    {"context", "context", "", true, report_cell_exact},
};

static const struct report_column OFFERS[] = {
    {"provider", "provider", NULL, false, report_cell_text},
    {"instance_type", "instance", NULL, false, report_cell_text},
    {"gpu_count", "accelerator", NULL, false, report_cell_offer},
    {"memory_gib", "memory", "GiB", true, report_cell_exact},
    {"usd_per_hour", "per_hour", "USD", true, report_cell_money},
    {"spot_usd_per_hour", "spot", "USD", true, report_cell_money},
    {"usd_per_gpu_hour", "per_gpu_hour", "USD", true, report_cell_money},
    {"price_usd_per_month", "per_month", "USD", true, report_cell_money},
    {"region", "region", NULL, false, report_cell_text},
    {"observed_on", "seen", NULL, false, report_cell_text},
};

static const struct report_column FITS[] = {
    {"gpu", "card", NULL, false, report_cell_card},
    {"fits", "fits", NULL, false, report_cell_word},
    {"needed_gib", "needed", "GiB", true, report_cell_rough},
    {"available_gib", "available", "GiB", true, report_cell_rough},
    {"headroom_gib", "left", "GiB", true, report_cell_rough},
    {"speed.value", "speed", "at:speed.unit", true, report_cell_rough},
    {"speed", "low_to_high", NULL, true, report_cell_range},
    {"speed.basis", "basis", NULL, false, report_cell_word},
    {"speed.prefill_tokens_per_s", "prefill", "tokens/s", true, report_cell_rough},
    {"speed.job_hours", "time", "h", true, report_cell_rough},
};

static const struct report_column MEMORY[] = {
    {"per_gpu_gib", "per_gpu_gib", "GiB", true, report_cell_rough},
    {"per_gpu_low_gib", "low", "GiB", true, report_cell_rough},
    {"per_gpu_high_gib", "high", "GiB", true, report_cell_rough},
    {"total_gib", "total_gib", "GiB", true, report_cell_rough},
    {"allocator_peak_gib", "allocator_peak_gib", "GiB", true, report_cell_rough},
    {"weights_gib", "weights_gib", "GiB", true, report_cell_rough},
    {"copies_gib", "copies_gib", "GiB", true, report_cell_rough},
    {"kv_cache_gib", "kv_cache_gib", "GiB", true, report_cell_rough},
    {"gradients_gib", "gradients_gib", "GiB", true, report_cell_rough},
    {"optimizer_gib", "optimizer_gib", "GiB", true, report_cell_rough},
    {"activations_gib", "activations_gib", "GiB", true, report_cell_rough},
    {"overhead_gib", "overhead_gib", "GiB", true, report_cell_rough},
    {"basis", "basis", NULL, false, report_cell_word},
};

static const struct report_column ERRORS[] = {
    {"parameter", "parameter", NULL, false, report_cell_text},
    {"detail", "fault", NULL, false, report_cell_text},
};

static const struct report_column NAMED_CARDS[] = {
    {"/gpus/", "name", NULL, false, report_cell_name},
    {"id", "id", NULL, false, report_cell_text},
};

static const struct report_column NAMED_MODELS[] = {
    {"/models/", "name", NULL, false, report_cell_name},
    {"id", "id", NULL, false, report_cell_text},
};

/* "50 of 204": a list says how many it shows. */
static void tell_list(const struct teller *teller, const char *title,
                      const struct report_column *columns, size_t column_count)
{
    const struct report_table table = {NULL, "data", columns, column_count};
    struct report *report = teller->report;
    size_t shown = json_array_size(report_value_at(teller->root, "data"));

    report->title = report_word(report, title);
    report_add_paragraph(
        report, NULL,
        report_say(report, "shown_of", report_value_exact(report, (double)shown, ""),
                   report_value_rough_at(report, teller->root, "total", ""), NULL));
    report_table_add(teller, &table, teller->root);
}

void report_tell_gpus(const struct teller *teller)
{
    tell_list(teller, "title_gpus", REPORT_COLUMNS_OF(CARDS));
}

void report_tell_models(const struct teller *teller)
{
    tell_list(teller, "title_models", REPORT_COLUMNS_OF(MODELS));
}

static bool is_said(const json_t *offer, const char *text)
{
    const json_t *warnings = report_value_at(offer, "warnings");

    for (size_t i = 0; i < json_array_size(warnings); i++) {
        if (strcmp(report_value_text(json_array_get(warnings, i), "text"), text) == 0) {
            return true;
        }
    }
    return false;
}

/* The text with the accelerators that it is about, each once; the text alone when it is about every
 * offer shown. */
static const char *with_accelerators(struct report *report, const json_t *offers, const char *text)
{
    const char *names = "";
    bool is_of_all = true;

    for (size_t i = 0; i < json_array_size(offers); i++) {
        const json_t *offer = json_array_get(offers, i);
        const char *name = report_value_text(offer, "accelerator");
        bool is_about = is_said(offer, text);
        bool is_named = false;

        for (size_t j = 0; is_about && j < i && !is_named; j++) {
            const json_t *earlier = json_array_get(offers, j);

            is_named = strcmp(report_value_text(earlier, "accelerator"), name) == 0 &&
                       is_said(earlier, text);
        }
        is_of_all &= is_about;
        if (is_about && !is_named) {
            names = report_join(report, names, report_word(report, "list"), name);
        }
    }
    return is_of_all ? text : report_say(report, "for_accelerators", names, text, NULL);
}

/* What the offers shown warn of, each sentence once, below their table. */
static void tell_offer_warnings(const struct teller *teller)
{
    const json_t *offers = report_value_at(teller->root, "data");
    size_t total = 0;
    size_t used = 0;

    for (size_t i = 0; i < json_array_size(offers); i++) {
        total += json_array_size(report_value_at(json_array_get(offers, i), "warnings"));
    }
    struct report_block *block =
        total == 0 ? NULL
                   : report_add(teller->report, REPORT_ITEMS,
                                report_word(teller->report, "before_rent"), total, 1);

    for (size_t i = 0; block != NULL && i < json_array_size(offers); i++) {
        const json_t *warnings = report_value_at(json_array_get(offers, i), "warnings");

        for (size_t j = 0; j < json_array_size(warnings); j++) {
            const char *text = report_value_text(json_array_get(warnings, j), "text");
            size_t earlier = 0;

            while (earlier < i && !is_said(json_array_get(offers, earlier), text)) {
                earlier++;
            }
            if (earlier == i) {
                block->cells[used++].text = with_accelerators(teller->report, offers, text);
            }
        }
    }
    if (block != NULL) {
        block->row_count = used;
    }
}

void report_tell_cloud(const struct teller *teller)
{
    tell_list(teller, "title_cloud", REPORT_COLUMNS_OF(OFFERS));
    tell_offer_warnings(teller);
}

/* A name that says nothing is no title. */
static void tell_name(const struct teller *teller)
{
    const char *name = report_value_text(teller->root, "name");

    teller->report->title = *name == '\0' ? report_value_text(teller->root, "id") : name;
}

void report_tell_model(const struct teller *teller)
{
    static const char *const NONE[] = {NULL};

    tell_name(teller);
    report_members_add(teller, "facts", teller->root, NONE);
}

/* "Inference, language models, llama.cpp: 87 of 116" over the models it runs best. */
static void tell_runs(const struct teller *teller, const json_t *block)
{
    struct report *report = teller->report;
    const char *gap = report_word(report, "comma");
    const char *what = report_join(report, report_word(report, report_value_text(block, "task")),
                                   gap, report_value_text(block, "framework"));
    const char *count =
        report_say(report, "shown_of", report_value_rough_at(report, block, "fitting", ""),
                   report_value_rough_at(report, block, "tried", ""), NULL);
    const char *heading = report_say(report, "runs", what, count, NULL);
    const struct report_table table = {heading, "models", REPORT_COLUMNS_OF(RUNS)};

    report_table_add(teller, &table, block);
}

static void tell_sources(const struct teller *teller)
{
    const json_t *sources = report_value_at(teller->root, "sources");
    struct report_block *block =
        report_add(teller->report, REPORT_ITEMS, report_word(teller->report, "sources"),
                   json_array_size(sources), 1);

    for (size_t i = 0; block != NULL && i < block->row_count; i++) {
        block->cells[i].text = json_string_value(json_array_get(sources, i));
    }
}

void report_tell_gpu(const struct teller *teller)
{
    static const char *const LEFT_OUT[] = {"id",        "name",       "source", "price",
                                           "price_new", "price_used", NULL};
    static const struct report_table PRICES = {"prices_now", "", REPORT_COLUMNS_OF(CARD_PRICES)};
    static const struct report_table SUPPORT = {"software", "software",
                                                REPORT_COLUMNS_OF(SOFTWARE)};
    static const struct report_table SEEN = {"prices", "prices", REPORT_COLUMNS_OF(OBSERVATIONS)};
    const json_t *runs = report_value_at(teller->root, "runs");

    tell_name(teller);
    report_facts_add(teller, &PRICES, teller->root);
    report_notes_add(teller, "before", report_value_at(teller->root, "warnings"));
    for (size_t i = 0; i < json_array_size(runs); i++) {
        tell_runs(teller, json_array_get(runs, i));
    }
    report_members_add(teller, "facts", teller->root, LEFT_OUT);
    report_table_add(teller, &SUPPORT, teller->root);
    report_table_add(teller, &SEEN, teller->root);
    tell_sources(teller);
}

void report_tell_estimate(const struct teller *teller)
{
    static const struct report_table CARDS_OF = {"on_cards", "fits", REPORT_COLUMNS_OF(FITS)};
    static const struct report_table PARTS = {"memory", "memory", REPORT_COLUMNS_OF(MEMORY)};
    static const char *const ID[] = {"id", NULL};
    struct report *report = teller->report;

    report->title = report_word(report, "title_estimate");
    report_tell_need(teller, report_value_at(teller->root, "memory"));
    report_facts_add(teller, &PARTS, teller->root);
    report_table_add(teller, &CARDS_OF, teller->root);
    report_members_add(teller, "model", report_value_at(teller->root, "model"), ID);
    report_tell_question(teller);
}

/* The value of one card in a row of the comparison; the best of the row has an asterisk. */
static const char *compared_value(const struct teller *teller, const json_t *row, size_t card)
{
    struct report *report = teller->report;
    const json_t *value = json_array_get(report_value_at(row, "values"), card);
    const json_t *best = report_value_at(row, "best");
    const char *text =
        json_is_number(value)    ? report_value_rough(report, json_number_value(value), "")
        : json_is_boolean(value) ? report_word(report, json_is_true(value) ? "yes" : "no")
        : json_is_string(value)  ? report_word(report, json_string_value(value))
                                 : "";

    for (size_t i = 0; i < json_array_size(best); i++) {
        if (json_integer_value(json_array_get(best, i)) == (json_int_t)card) {
            return report_join(report, text, " ", "*");
        }
    }
    return text;
}

void report_tell_compare(const struct teller *teller)
{
    struct report *report = teller->report;
    const json_t *cards = report_value_at(teller->root, "gpus");
    const json_t *rows = report_value_at(teller->root, "rows");
    size_t columns = json_array_size(cards) + 1;

    report->title = report_word(report, "title_compare");
    report_add_paragraph(report, NULL, report_word(report, "best_of_row"));
    struct report_block *block =
        report_add(report, REPORT_TABLE, NULL, json_array_size(rows), columns);

    if (block == NULL) {
        return;
    }
    block->heads[0].text = report_word(report, "field");
    for (size_t card = 0; card + 1 < columns; card++) {
        block->heads[card + 1].text =
            report_value_short_name(report_value_text(json_array_get(cards, card), "name"));
        block->heads[card + 1].is_number = true;
    }
    for (size_t i = 0; i < block->row_count; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *unit = report_value_text(row, "unit");

        block->cells[i * columns].text =
            report_join(report, report_value_text(row, "label"), report_word(report, "comma"),
                        *unit == '\0' ? "" : report_word(report, unit));
        for (size_t card = 0; card + 1 < columns; card++) {
            block->cells[i * columns + card + 1].text = compared_value(teller, row, card);
        }
    }
    for (size_t card = 0; card + 1 < columns; card++) {
        const json_t *one = json_array_get(cards, card);
        const char *name = report_value_text(one, "name");

        report_notes_add(teller, report_say(report, "before_card", name, NULL, NULL),
                         report_value_at(one, "warnings"));
    }
    report_tell_question(teller);
    report_tell_age(teller);
}

void report_tell_problem(const struct teller *teller)
{
    static const struct report_table FAULTS = {"faults", "errors", REPORT_COLUMNS_OF(ERRORS)};
    static const struct report_table MEANT = {"candidates", "candidates",
                                              REPORT_COLUMNS_OF(NAMED_CARDS)};
    static const struct report_table NEAR_CARDS = {"suggestions", "suggestions",
                                                   REPORT_COLUMNS_OF(NAMED_CARDS)};
    static const struct report_table NEAR_MODELS = {"suggestions", "suggestions",
                                                    REPORT_COLUMNS_OF(NAMED_MODELS)};
    struct report *report = teller->report;
    bool is_of_models = strcmp(teller->path, "/models/") == 0;

    report->title = report_value_text(teller->root, "title");
    if (json_array_size(report_value_at(teller->root, "errors")) > 1) {
        report_table_add(teller, &FAULTS, teller->root); /* the detail only counts them */
    } else {
        report_add_paragraph(report, NULL, report_value_text(teller->root, "detail"));
    }
    report_table_add(teller, &MEANT, teller->root);
    report_table_add(teller, is_of_models ? &NEAR_MODELS : &NEAR_CARDS, teller->root);
    report_add_paragraph(report, NULL, report_value_text(teller->root, "note"));
}
