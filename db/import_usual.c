/* Medians by card and kind over samples of 16 bytes, sorted once. One thread. */
#include "import_usual.h"

#include "../handlers/engine/money.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_NEW, KIND_USED, KIND_MSRP, KIND_ON_DEMAND, KIND_SPOT, KIND_COUNT };

static const char *const KIND_NAMES[KIND_COUNT] = {"new", "used", "msrp", "on demand", "spot"};

struct import_sample {
    uint32_t group;  /* card and kind */
    uint32_t number; /* of the row in the stage; 0: in the database */
    double usd;
};

static size_t column_or_none(const struct fact_table *table, const char *name)
{
    return fact_column_find(table, name, strlen(name));
}

void import_usual_init(struct import_usual *usual, const struct catalogue *catalogue,
                       const struct fact_table *table)
{
    *usual = (struct import_usual){.catalogue = catalogue, .table = table};
    usual->card = column_or_none(table, "gpu_slug");
    usual->condition = column_or_none(table, "condition");
    usual->currency = column_or_none(table, "currency");
    usual->amount = column_or_none(table, "amount");
    usual->count = column_or_none(table, "gpu_count");
    usual->on_demand = column_or_none(table, "ondemand_per_hour");
    usual->spot = column_or_none(table, "spot_usd_per_hour");
}

void import_usual_fini(struct import_usual *usual)
{
    free(usual->samples);
    *usual = (struct import_usual){0};
}

static bool add(struct import_usual *usual, const struct gpu *gpu, enum kind kind, double usd,
                size_t number)
{
    if (isnan(usd) || usd <= 0) {
        return true;
    }
    if (usual->sample_count == usual->room) {
        size_t room = usual->room == 0 ? 1024 : usual->room * 2;
        struct import_sample *larger = realloc(usual->samples, room * sizeof *larger);

        if (larger == NULL) {
            return false;
        }
        usual->samples = larger;
        usual->room = room;
    }
    usual->samples[usual->sample_count++] =
        (struct import_sample){.group = (uint32_t)(gpu->index * KIND_COUNT + kind),
                               .number = (uint32_t)number,
                               .usd = usd};
    return true;
}

static bool is_text(const struct import_row *row, size_t column, const char *text)
{
    return row->values[column].kind == FACT_VALUE_TEXT &&
           row->texts[column].length == strlen(text) &&
           memcmp(row->texts[column].text, text, row->texts[column].length) == 0;
}

/* An amount of the row in US dollars; NAN: unknown, or there is no rate. */
static double usd_of(const struct import_usual *usual, const struct import_row *row, size_t column,
                     bool is_usd)
{
    char currency[8] = "USD";

    if (row->values[column].kind != FACT_VALUE_INTEGER) {
        return (double)NAN;
    }
    if (is_usd || is_text(row, usual->currency, "USD")) {
        return money_to_units(row->values[column].integer);
    }
    (void)snprintf(currency, sizeof currency, "%.*s", (int)row->texts[usual->currency].length,
                   row->texts[usual->currency].text); /* a longer one has no rate */
    return money_to_units(catalogue_convert(usual->catalogue, row->values[column].integer, currency,
                                            CURRENCY_NAMES[CURRENCY_USD], NULL));
}

static bool add_price(struct import_usual *usual, const struct import_row *row,
                      const struct gpu *gpu, size_t number)
{
    for (enum kind kind = KIND_NEW; kind <= KIND_MSRP; kind++) {
        if (is_text(row, usual->condition, KIND_NAMES[kind])) {
            return add(usual, gpu, kind, usd_of(usual, row, usual->amount, false), number);
        }
    }
    return true;
}

static bool add_offer(struct import_usual *usual, const struct import_row *row,
                      const struct gpu *gpu, size_t number)
{
    double count = row->values[usual->count].kind == FACT_VALUE_REAL
                       ? row->values[usual->count].real
                       : (double)NAN;

    return add(usual, gpu, KIND_ON_DEMAND, usd_of(usual, row, usual->on_demand, false) / count,
               number) &&
           add(usual, gpu, KIND_SPOT, usd_of(usual, row, usual->spot, true) / count, number);
}

bool import_usual_add(struct import_usual *usual, const struct import_row *row, size_t number)
{
    size_t none = usual->table->column_count;
    char card[128];

    if (usual->card == none || row->values[usual->card].kind != FACT_VALUE_TEXT ||
        row->texts[usual->card].length >= sizeof card) {
        return true;
    }
    memcpy(card, row->texts[usual->card].text, row->texts[usual->card].length);
    card[row->texts[usual->card].length] = '\0';
    const struct gpu *gpu = catalogue_find_gpu(usual->catalogue, card);

    if (gpu == NULL) {
        return true;
    }
    if (usual->condition < none && usual->amount < none) {
        return add_price(usual, row, gpu, number);
    }
    return usual->count == none || usual->on_demand == none || add_offer(usual, row, gpu, number);
}

void import_usual_forget(struct import_usual *usual)
{
    size_t kept = 0;

    for (size_t i = 0; i < usual->sample_count; i++) {
        if (usual->samples[i].number != 0) {
            usual->samples[kept++] = usual->samples[i];
        }
    }
    usual->sample_count = kept;
}

/* By group, those of the database first, then by price. */
static int compare(const void *left, const void *right)
{
    const struct import_sample *a = left;
    const struct import_sample *b = right;
    int order = (a->group > b->group) - (a->group < b->group);

    if (order == 0) {
        order = (a->number > 0) - (b->number > 0);
    }
    if (order == 0) {
        order = (a->usd > b->usd) - (a->usd < b->usd);
    }
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static double median(const struct import_sample *samples, size_t count)
{
    return count % 2 == 1 ? samples[count / 2].usd
                          : (samples[count / 2 - 1].usd + samples[count / 2].usd) / 2;
}

/* A row that is far off, noted once though both its prices may be. */
static bool hold(const struct import_usual *usual, struct import_stage *stage,
                 const struct import_sample *sample, double middle, size_t count, bool holds,
                 struct import_report *report, struct error *err)
{
    struct import_row row;
    char what[IMPORT_REASON_BYTES], in[IMPORT_REASON_BYTES], samples[24], median[24];
    char value[IMPORT_WORD_BYTES];
    const struct gpu *gpu = &usual->catalogue->gpus[sample->group / KIND_COUNT];
    const char *kind = KIND_NAMES[sample->group % KIND_COUNT];

    if (!import_stage_find(stage, sample->number, &row, err)) {
        return false;
    }
    (void)snprintf(what, sizeof what, "%s, %s", gpu->id, kind);
    (void)snprintf(samples, sizeof samples, "%zu", count);
    (void)snprintf(median, sizeof median, "%.4g", middle);
    (void)snprintf(value, sizeof value, "%.6g", sample->usd);
    if (usual->amount < usual->table->column_count && !is_text(&row, usual->currency, "USD")) {
        const struct import_text *currency = &row.texts[usual->currency];

        (void)snprintf(in, sizeof in, "%.*s, %s USD", (int)currency->length, currency->text, value);
        money_format(row.values[usual->amount].integer, value);
        import_notes_add(&report->review, IMPORT_OUTLIER, row.line, "amount", value,
                         SAY(TEXT_IMPORT_OUTLIER_IN, in, what, median));
    } else {
        import_notes_add(&report->review, IMPORT_OUTLIER, row.line,
                         usual->amount < usual->table->column_count ? "amount" : "price", value,
                         SAY(TEXT_IMPORT_OUTLIER, what, samples, median));
    }
    if (holds) {
        stage->marks[sample->number - 1] = IMPORT_MARK_HELD;
    }
    return true;
}

/* The samples of one card and kind. */
static bool judge_group(const struct import_usual *usual, const struct import_sample *samples,
                        size_t count, struct import_stage *stage, bool holds,
                        struct import_report *report, struct error *err)
{
    size_t known = 0;

    while (known < count && samples[known].number == 0) {
        known++;
    }
    bool by_known = known >= IMPORT_USUAL_ROWS;
    size_t size = by_known ? known : count - known;
    double middle = size == 0 ? (double)NAN : median(by_known ? samples : samples + known, size);

    for (size_t i = known; i < count && size >= IMPORT_USUAL_ROWS; i++) {
        bool is_far = samples[i].usd >= middle * IMPORT_USUAL_TIMES ||
                      samples[i].usd * IMPORT_USUAL_TIMES <= middle;

        if (is_far && stage->marks[samples[i].number - 1] == IMPORT_MARK_NEW &&
            !hold(usual, stage, &samples[i], middle, size, holds, report, err)) {
            return false;
        }
    }
    return true;
}

bool import_usual_judge(struct import_usual *usual, struct import_stage *stage, bool holds,
                        struct import_report *report, struct error *err)
{
    size_t start = 0;

    if (usual->sample_count > 0) {
        qsort(usual->samples, usual->sample_count, sizeof usual->samples[0], compare);
    }
    while (start < usual->sample_count) {
        size_t end = start;

        while (end < usual->sample_count &&
               usual->samples[end].group == usual->samples[start].group) {
            end++;
        }
        if (!judge_group(usual, usual->samples + start, end - start, stage, holds, report, err)) {
            return false;
        }
        start = end;
    }
    return true;
}
