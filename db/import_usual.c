/* Medians by card and kind over samples of 16 bytes, sorted once. One thread. */
#include "import_usual.h"

#include "../handlers/engine/day.h"
#include "../handlers/engine/money.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_NEW, KIND_USED, KIND_MSRP, KIND_ON_DEMAND, KIND_SPOT, KIND_COUNT };

static const char *const KIND_NAMES[KIND_COUNT] = {"new", "used", "msrp", "on demand", "spot"};

enum {
    YEAR_DAYS = 365,
    NEAREST_MAX = 99,   /* in time, so that a long history takes no longer */
    FILE_ROWS_MIN = 3,  /* of a file alone: fewer may all be the same slip */
    OFFER_ROWS_MIN = 5, /* fewer rents say nothing about what is usual */
    ANY_DAYS = INT32_MAX
};

struct import_sample {
    uint32_t group;  /* card and kind */
    uint32_t number; /* of the row in the stage; 0: in the database */
    int32_t day;     /* of a price; 0 for offers, which are judged together */
    float usd;
};

/* What a price is judged by. */
struct usual_price {
    double usd; /* the median; NAN: nothing is known */
    size_t count;
    bool is_other_condition; /* of the card's prices of other conditions */
};

/* The samples of a card or of one of its kinds: those of the database first. */
struct sample_list {
    const struct import_sample *samples;
    size_t count;
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
    usual->day = column_or_none(table, "observed_on");
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
                int32_t day, size_t number)
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
                               .day = day,
                               .usd = (float)usd};
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
    const struct import_text *seen = &row->texts[usual->day];
    int32_t day = DAY_UNKNOWN;

    if (row->values[usual->day].kind != FACT_VALUE_TEXT ||
        !day_parse(seen->text, seen->length, &day)) {
        return true;
    }
    for (enum kind kind = KIND_NEW; kind <= KIND_MSRP; kind++) {
        if (is_text(row, usual->condition, KIND_NAMES[kind])) {
            return add(usual, gpu, kind, usd_of(usual, row, usual->amount, false), day, number);
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

    return add(usual, gpu, KIND_ON_DEMAND, usd_of(usual, row, usual->on_demand, false) / count, 0,
               number) &&
           add(usual, gpu, KIND_SPOT, usd_of(usual, row, usual->spot, true) / count, 0, number);
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

/* By group, those of the database first, then by day and price. */
static int compare(const void *left, const void *right)
{
    const struct import_sample *a = left;
    const struct import_sample *b = right;
    int order = (a->group > b->group) - (a->group < b->group);

    if (order == 0) {
        order = (a->number > 0) - (b->number > 0);
    }
    if (order == 0) {
        order = (a->day > b->day) - (a->day < b->day);
    }
    if (order == 0) {
        order = (a->usd > b->usd) - (a->usd < b->usd);
    }
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static int compare_usd(const void *left, const void *right)
{
    const float *a = left;
    const float *b = right;

    return (*a > *b) - (*a < *b);
}

/* Of at least one, sorted by compare_usd. */
static double median(const float *usd, size_t count)
{
    return ((double)usd[(count - 1) / 2] + (double)usd[count / 2]) / 2;
}

/* Days between two that are known. */
static int64_t days_apart(int32_t a, int32_t b)
{
    return a > b ? (int64_t)a - b : (int64_t)b - a;
}

/* Adds the samples nearest to the day, at most days_max away, to usd[0..count) as far as there is
 * room. Returns how many there are then. */
static size_t add_nearest(const struct sample_list *list, int32_t day, int64_t days_max,
                          float usd[NEAREST_MAX], size_t count)
{
    size_t low = 0, high = list->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list->samples[middle].day < day) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; count < NEAREST_MAX && (low > 0 || high < list->count); count++) {
        bool is_before =
            high == list->count || (low > 0 && days_apart(list->samples[low - 1].day, day) <
                                                   days_apart(list->samples[high].day, day));
        const struct import_sample *nearest = &list->samples[is_before ? low - 1 : high];

        if (days_apart(nearest->day, day) > days_max) {
            break;
        }
        usd[count] = nearest->usd;
        low -= is_before ? 1 : 0;
        high += is_before ? 0 : 1;
    }
    return count;
}

/* False: fewer than wanted. */
static bool take_median(float usd[NEAREST_MAX], size_t count, size_t wanted,
                        struct usual_price *price)
{
    if (count < wanted) {
        return false;
    }
    qsort(usd, count, sizeof usd[0], compare_usd);
    price->usd = median(usd, count);
    price->count = count;
    return true;
}

/* Splits a group: in the database, and of the file. */
static void split(const struct import_sample *samples, size_t count, struct sample_list *known,
                  struct sample_list *given)
{
    *known = (struct sample_list){.samples = samples};
    while (known->count < count && samples[known->count].number == 0) {
        known->count++;
    }
    *given = (struct sample_list){samples + known->count, count - known->count};
}

/* The card's known prices of other conditions, seen within a year. */
static size_t add_others(const struct import_usual *usual, uint32_t group, int32_t day,
                         float usd[NEAREST_MAX])
{
    uint32_t first = group - group % KIND_COUNT;
    size_t count = 0;
    struct import_sample wanted = {.day = INT32_MIN};

    for (uint32_t kind = KIND_NEW; kind <= KIND_MSRP; kind++) {
        struct sample_list list = {.samples = usual->samples};
        size_t end = usual->sample_count;

        wanted.group = first + kind;
        for (size_t start = 0; start < end;) { /* the first of the group */
            size_t middle = start + (end - start) / 2;

            if (compare(&usual->samples[middle], &wanted) < 0) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        list.samples += end;
        while (end + list.count < usual->sample_count &&
               list.samples[list.count].group == wanted.group &&
               list.samples[list.count].number == 0) {
            list.count++;
        }
        count = wanted.group == group ? count : add_nearest(&list, day, YEAR_DAYS, usd, count);
    }
    return count;
}

static struct usual_price find_usual(const struct import_usual *usual,
                                     const struct sample_list *known,
                                     const struct sample_list *given, int32_t day)
{
    struct usual_price price = {.usd = (double)NAN};
    float usd[NEAREST_MAX] = {0};

    if (take_median(usd, add_nearest(known, day, YEAR_DAYS, usd, 0), 1, &price) ||
        take_median(usd, add_nearest(given, day, YEAR_DAYS, usd, 0), FILE_ROWS_MIN, &price) ||
        take_median(usd, add_nearest(known, day, ANY_DAYS, usd, 0), 1, &price)) {
        return price;
    }
    price.is_other_condition =
        take_median(usd, add_others(usual, given->samples[0].group, day, usd), 1, &price);
    return price;
}

/* A row that is far off, noted once though both its prices may be: a price in the currency it was
 * given in. */
static bool hold(const struct import_usual *usual, struct import_stage *stage,
                 const struct import_sample *sample, const struct usual_price *price, bool holds,
                 struct import_report *report, struct error *err)
{
    struct import_row row;
    char what[IMPORT_REASON_BYTES], samples[24], middle[24];
    char value[IMPORT_WORD_BYTES];
    const struct gpu *gpu = &usual->catalogue->gpus[sample->group / KIND_COUNT];
    bool is_price = usual->amount < usual->table->column_count;
    double given = (double)sample->usd;

    if (!import_stage_find(stage, sample->number, &row, err)) {
        return false;
    }
    if (is_price) {
        given = money_to_units(row.values[usual->amount].integer);
    }
    (void)snprintf(what, sizeof what, "%.*s, %s, %s",
                   is_price ? (int)row.texts[usual->currency].length : 3,
                   is_price ? row.texts[usual->currency].text : "USD", gpu->id,
                   KIND_NAMES[sample->group % KIND_COUNT]);
    (void)snprintf(samples, sizeof samples, "%zu", price->count);
    (void)snprintf(middle, sizeof middle, "%.4g", price->usd * given / (double)sample->usd);
    (void)snprintf(value, sizeof value, "%.9g", given);
    import_notes_add(
        &report->review, IMPORT_OUTLIER, row.line, is_price ? "amount" : "price", value,
        SAY(price->is_other_condition ? TEXT_IMPORT_OUTLIER_OTHER : TEXT_IMPORT_OUTLIER, what,
            samples, middle));
    if (holds) {
        stage->marks[sample->number - 1] = IMPORT_MARK_HELD;
    }
    return true;
}

/* That many times is too far already, though samples are rounded to 24 bits. */
static bool is_far(double usd, double usual_usd, double times)
{
    double limit = times * (1 - 1e-6);

    return usd >= usual_usd * limit || usd * limit <= usual_usd;
}

/* Rents differ by provider and not much by day: one median for all of the card and kind. */
static struct usual_price find_usual_rent(const struct sample_list *known,
                                          const struct sample_list *given)
{
    const struct sample_list *list = known->count >= OFFER_ROWS_MIN ? known : given;
    struct usual_price price = {.usd = (double)NAN, .count = list->count};

    if (list->count >= OFFER_ROWS_MIN) { /* of one day, so sorted by price */
        price.usd = ((double)list->samples[(list->count - 1) / 2].usd +
                     (double)list->samples[list->count / 2].usd) /
                    2;
    }
    return price;
}

/* The samples of one card and kind. */
static bool judge_group(const struct import_usual *usual, const struct import_sample *samples,
                        size_t count, struct import_stage *stage, bool holds,
                        struct import_report *report, struct error *err)
{
    bool is_rent = samples[0].group % KIND_COUNT >= KIND_ON_DEMAND;
    double times = is_rent ? IMPORT_OFFER_TIMES_OFF : IMPORT_PRICE_TIMES_OFF;
    struct sample_list known, given;
    struct usual_price price = {.usd = (double)NAN};

    split(samples, count, &known, &given);
    if (is_rent) {
        price = find_usual_rent(&known, &given);
    }
    for (size_t i = 0; i < given.count; i++) {
        const struct import_sample *sample = &given.samples[i];

        if (!is_rent && (i == 0 || sample->day != sample[-1].day)) {
            price = find_usual(usual, &known, &given, sample->day);
        }
        if (is_far((double)sample->usd, price.usd, times) &&
            stage->marks[sample->number - 1] <= IMPORT_MARK_SILENT &&
            !hold(usual, stage, sample, &price, holds, report, err)) {
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
