/* Looks through a catalogue for what is wrong or doubtful. No state. */
#include "checkup.h"

#include "facts.h"
#include "freshness.h"
#include "money.h"
#include "review.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EXAMPLES_MAX = 5, EXAMPLES_BYTES = 400, VALUE_BYTES = 96 };

void checkup_tell(struct checkup *checkup, enum checkup_level level, const char *topic,
                  const char *format, ...)
{
    char text[CHECKUP_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments); /* cut to fit */
    va_end(arguments);
    checkup->count[level]++;
    checkup->tell(checkup->data, level, topic, text);
}

/* The first few of many, each named once, as "a, b, c and more". */
struct examples {
    size_t count; /* of all */
    size_t named;
    size_t used;
    char text[EXAMPLES_BYTES];
};

static void add_example(struct examples *examples, const char *name)
{
    examples->count++;
    if (examples->named == EXAMPLES_MAX || strstr(examples->text, name) != NULL) {
        return;
    }
    int length = snprintf(examples->text + examples->used, EXAMPLES_BYTES - examples->used,
                          "%s%.70s", examples->named == 0 ? "" : ", ", name);

    examples->used += length > 0 ? (size_t)length : 0; /* five of 72 bytes always fit */
    examples->named++;
}

/* Says nothing when there is none. */
static void tell_examples(struct checkup *checkup, enum checkup_level level, const char *topic,
                          const char *what, const struct examples *examples)
{
    if (examples->count > 0) {
        checkup_tell(checkup, level, topic, "%zu %s: %s%s", examples->count, what, examples->text,
                     examples->count > examples->named ? " and more" : "");
    }
}

/* NULL: the value keeps the rules of its column. */
static const char *fault_of(const struct fact_column *column, const char *row)
{
    const char *text = NULL;
    double number = (double)NAN;
    int64_t micros = MONEY_UNKNOWN;
    struct date date = {0};

    switch (column->type) {
    case FACT_TEXT:
        memcpy(&text, row + column->offset, sizeof text);
        if (text == NULL) {
            return column->is_required ? "is missing" : NULL;
        }
        return column->choices == NULL || fact_choice_has(column->choices, text, strlen(text))
                   ? NULL
                   : "is not allowed";
    case FACT_DATE:
        memcpy(&date, row + column->offset, sizeof date);
        return column->is_required && date.text == NULL       ? "is missing"
               : date.text != NULL && date.day == DAY_UNKNOWN ? "is no date of 1900 to 2199"
                                                              : NULL;
    case FACT_MONEY:
        memcpy(&micros, row + column->offset, sizeof micros);
        number = micros == MONEY_UNKNOWN ? (double)NAN : money_to_units(micros);
        break;
    case FACT_NUMBER:
    case FACT_INTEGER:
    default:
        memcpy(&number, row + column->offset, sizeof number);
        break;
    }
    if (isnan(number)) {
        return column->is_required ? "is missing" : NULL;
    }
    return number < column->minimum || number > column->maximum ? "is out of range" : NULL;
}

/* The first text of a row: its id, its name or the card it is about. */
static const char *name_of(const struct fact_table *table, const char *row)
{
    const char *text = NULL;

    for (size_t i = 0; i < table->column_count && text == NULL; i++) {
        if (table->columns[i].type == FACT_TEXT) {
            memcpy(&text, row + table->columns[i].offset, sizeof text);
        }
    }
    return text == NULL ? "a row without a name" : text;
}

static void check_rules(struct checkup *checkup, const struct catalogue *catalogue)
{
    size_t row_count = 0;
    size_t before = checkup->count[CHECKUP_FAULT];

    for (size_t t = 0; t < FACT_TABLE_COUNT; t++) {
        const struct fact_table *table = FACT_TABLES[t];
        struct examples faults = {0};
        const char *rows = NULL;
        size_t count = 0;

        memcpy(&rows, (const char *)catalogue + table->catalogue_rows, sizeof rows);
        memcpy(&count, (const char *)catalogue + table->catalogue_count, sizeof count);
        for (size_t i = 0; i < count * table->column_count; i++) {
            const char *row = rows + i / table->column_count * table->row_bytes;
            const struct fact_column *column = &table->columns[i % table->column_count];
            const char *fault = fault_of(column, row);
            char example[VALUE_BYTES];

            if (fault != NULL) {
                (void)snprintf(example, sizeof example, "%s of %.40s %s", column->name,
                               name_of(table, row), fault);
                add_example(&faults, example);
            }
        }
        tell_examples(checkup, CHECKUP_FAULT, table->name, "values outside their rules", &faults);
        row_count += count;
    }
    if (checkup->count[CHECKUP_FAULT] == before) {
        checkup_tell(checkup, CHECKUP_FINE, "facts", "%zu rows of %zu tables keep their rules",
                     row_count, FACT_TABLE_COUNT);
    }
}

/* "2026-11-20, 10 days ago" */
static void say_day(int32_t newest, int32_t day, char text[VALUE_BYTES])
{
    char date[DAY_TEXT_BYTES] = "no date";

    if (newest == DAY_UNKNOWN) {
        (void)snprintf(text, VALUE_BYTES, "%s", date);
        return;
    }
    day_format(newest, date);
    (void)snprintf(text, VALUE_BYTES, "%s, %d days ago", date, (int)(day - newest));
}

static void tell_age(struct checkup *checkup, const char *topic, size_t stale, size_t count,
                     double stale_days, int32_t newest, int32_t day)
{
    char newest_text[VALUE_BYTES];

    say_day(newest, day, newest_text);
    checkup_tell(checkup, stale == 0 ? CHECKUP_FINE : CHECKUP_WARNING, topic,
                 "%zu of %zu are older than %.0f days; the newest is of %s", stale, count,
                 stale_days, newest_text);
}

/* Prices by the hour that stand beside the cloud offers, and age like them. */
static void check_plans(struct checkup *checkup, const struct catalogue *catalogue, int32_t day)
{
    double stale_days = catalogue->parameters.offer_stale_days;
    int32_t newest_plan = DAY_UNKNOWN, newest_tpu = DAY_UNKNOWN;
    size_t stale_plans = 0, stale_tpus = 0, plan_count = 0;

    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        const struct notebook_plan *plan = &catalogue->notebook_plans[i];
        int32_t seen = plan->observed_on.day;

        if (text_is(plan->status, "current")) { /* those of the past are told as such */
            plan_count++;
            stale_plans += freshness_count_stale(&seen, 1, day, stale_days);
            newest_plan = seen > newest_plan ? seen : newest_plan;
        }
    }
    for (size_t i = 0; i < catalogue->tpu_count; i++) {
        int32_t seen = catalogue->tpus[i].price_observed_on.day;

        stale_tpus += freshness_count_stale(&seen, 1, day, stale_days);
        newest_tpu = seen > newest_tpu ? seen : newest_tpu;
    }
    tell_age(checkup, "plans", stale_plans, plan_count, stale_days, newest_plan, day);
    tell_age(checkup, "tpus", stale_tpus, catalogue->tpu_count, stale_days, newest_tpu, day);
}

static bool check_ages(struct checkup *checkup, const struct catalogue *catalogue, int32_t day,
                       struct error *err)
{
    const struct parameters *parameters = &catalogue->parameters;
    struct freshness ages;
    struct arena arena;

    arena_init(&arena, CATALOGUE_MEMORY_BYTES_MAX);
    bool is_good = freshness_build(catalogue, &arena, &ages, err);

    if (is_good) {
        const int32_t *newest = ages.newest_price_day;
        bool is_rate_stale =
            freshness_count_stale(&ages.newest_rate_day, 1, day, parameters->price_stale_days) > 0;

        tell_age(checkup, "prices",
                 freshness_count_stale(ages.price_days, ages.price_day_count, day,
                                       parameters->price_stale_days),
                 ages.price_day_count, parameters->price_stale_days,
                 newest[CONDITION_NEW] > newest[CONDITION_USED] ? newest[CONDITION_NEW]
                                                                : newest[CONDITION_USED],
                 day);
        tell_age(checkup, "offers",
                 freshness_count_stale(ages.offer_days, ages.offer_day_count, day,
                                       parameters->offer_stale_days),
                 ages.offer_day_count, parameters->offer_stale_days, ages.newest_offer_day, day);
        check_plans(checkup, catalogue, day);
        tell_age(checkup, "exchange", is_rate_stale ? catalogue->fx_rate_count : 0,
                 catalogue->fx_rate_count, parameters->price_stale_days, ages.newest_rate_day, day);
    }
    arena_fini(&arena);
    return is_good;
}

static void check_dates(struct checkup *checkup, const struct catalogue *catalogue, int32_t day)
{
    struct examples prices = {0};
    struct examples offers = {0};

    for (size_t i = 0; i < catalogue->price_count; i++) {
        if (catalogue->prices[i].observed_on.day > day + 1) { /* it is tomorrow somewhere */
            add_example(&prices, catalogue->prices[i].gpu_slug);
        }
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        if (catalogue->cloud_offers[i].observed_on.day > day + 1) {
            add_example(&offers, catalogue->cloud_offers[i].provider);
        }
    }
    tell_examples(checkup, CHECKUP_WARNING, "dates", "prices seen on a day to come", &prices);
    tell_examples(checkup, CHECKUP_WARNING, "dates", "offers seen on a day to come", &offers);
}

/* Prices and offers in a currency without an exchange rate advise nobody. */
static void check_currencies(struct checkup *checkup, const struct catalogue *catalogue)
{
    const char *usd = CURRENCY_NAMES[CURRENCY_USD];
    struct examples codes = {0};
    const struct fx_rate *rate = NULL;
    double factor = 0;

    for (size_t i = 0; i < catalogue->price_count + catalogue->cloud_offer_count; i++) {
        const char *code = i < catalogue->price_count
                               ? catalogue->prices[i].currency
                               : catalogue->cloud_offers[i - catalogue->price_count].currency;

        if (code != NULL && !catalogue_find_rate(catalogue, code, usd, &factor, &rate)) {
            add_example(&codes, code);
        }
    }
    tell_examples(checkup, CHECKUP_WARNING, "no-exchange-rate",
                  "rows in a currency without an exchange rate, which advise nobody", &codes);
}

/* One name to review, with the cards that it may mean. */
static void tell_name(struct checkup *checkup, const struct review_name *name)
{
    char cards[EXAMPLES_BYTES] = "";
    size_t used = 0;

    for (size_t i = 0; i < name->gpu_count && used < sizeof cards; i++) {
        int length = snprintf(cards + used, sizeof cards - used, "%s%s", i == 0 ? "" : ", ",
                              name->gpus[i]->id);

        used += length > 0 ? (size_t)length : 0;
    }
    checkup_tell(checkup, CHECKUP_DETAIL, REVIEW_KIND_NAMES[name->kind], "\"%.100s\" (%zu) %s%s",
                 name->name, name->row_count,
                 name->gpu_count == 0               ? "is like no known name"
                 : name->outcome == NAMES_AMBIGUOUS ? "may be "
                                                    : "is not known; near is ",
                 cards);
}

static bool check_names(struct checkup *checkup, const struct catalogue *catalogue,
                        struct error *err)
{
    struct review_name *names = NULL;
    size_t count = 0, row_count = 0;
    struct arena arena;

    arena_init(&arena, CATALOGUE_MEMORY_BYTES_MAX);
    bool is_good = review_list(catalogue, &arena, &names, &count, err);

    if (is_good && count == 0) {
        checkup_tell(checkup, CHECKUP_FINE, "names", "every name leads to its card");
    } else if (is_good) {
        for (size_t i = 0; i < count; i++) {
            row_count += names[i].row_count;
        }
        checkup_tell(checkup, CHECKUP_WARNING, "names",
                     "%zu names of %zu rows lead to no card, and these rows advise nobody;"
                     " an alias or another source mends it:",
                     count, row_count);
        for (size_t i = 0; i < count; i++) {
            tell_name(checkup, &names[i]);
        }
    }
    arena_fini(&arena);
    return is_good;
}

static void check_models(struct checkup *checkup, const struct catalogue *catalogue)
{
    struct examples models = {0};

    for (size_t i = 0; i < catalogue->model_alias_count; i++) {
        if (catalogue->model_aliases[i].model == NULL) {
            add_example(&models, catalogue->model_aliases[i].alias);
        }
    }
    tell_examples(checkup, CHECKUP_WARNING, "names", "names of a model that is not known", &models);
}

static bool has_support(const struct gpu *gpu)
{
    for (size_t framework = 0; framework < FRAMEWORK_COUNT; framework++) {
        for (size_t os = 0; os < OS_COUNT; os++) {
            if (gpu->support[framework][os] != NULL) {
                return true;
            }
        }
    }
    return false;
}

static bool has_alias(const struct catalogue *catalogue, const struct gpu *gpu)
{
    for (size_t i = 0; i < catalogue->alias_count; i++) {
        if (catalogue->aliases[i].gpu == gpu) {
            return true;
        }
    }
    return false;
}

static void check_cards(struct checkup *checkup, const struct catalogue *catalogue)
{
    struct examples priceless = {0};
    struct examples unsupported = {0};
    struct examples nameless = {0};

    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        const struct gpu *gpu = &catalogue->gpus[i];

        if (gpu->price_count == 0) {
            add_example(&priceless, gpu->id);
        }
        if (!has_support(gpu)) {
            add_example(&unsupported, gpu->id);
        }
        if (!has_alias(catalogue, gpu)) {
            add_example(&nameless, gpu->id);
        }
    }
    tell_examples(checkup, CHECKUP_WARNING, "cards", "cards without a price", &priceless);
    tell_examples(checkup, CHECKUP_WARNING, "cards", "cards whose support is not known",
                  &unsupported);
    tell_examples(checkup, CHECKUP_WARNING, "cards", "cards with no name but their id", &nameless);
    if (priceless.count + unsupported.count + nameless.count == 0) {
        checkup_tell(checkup, CHECKUP_FINE, "cards", "%zu cards have prices, support and names",
                     catalogue->gpu_count);
    }
}

bool checkup_catalogue(struct checkup *checkup, const struct catalogue *catalogue, int32_t day,
                       struct error *err)
{
    check_rules(checkup, catalogue);
    check_dates(checkup, catalogue, day);
    check_currencies(checkup, catalogue);
    if (!check_ages(checkup, catalogue, day, err) || !check_names(checkup, catalogue, err)) {
        return false;
    }
    check_models(checkup, catalogue);
    check_cards(checkup, catalogue);
    return true;
}
