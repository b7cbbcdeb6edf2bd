/* What /recommend, /tiers and /deal tell people: the pick in a sentence, the ranked field, what to
 * know before buying, what would change the answer, where the prices come from. One request, one
 * thread. */
#include "report_pages.h"

#include "engine/catalogue.h"

#include <stdint.h>
#include <string.h>

static const struct report_column PICKS[] = {
    {"rank", "number", NULL, true, report_cell_text},
    {"gpu", "card", NULL, false, report_cell_card},
    {"gpu.memory_gib", "memory", "GiB", true, report_cell_exact},
    {"price.total", "price", "at:price.currency", true, report_cell_money},
    {"price.condition", "condition", NULL, false, report_cell_word},
    {"cost.per_month", "cost_per_month", "at:cost.currency", true, report_cell_money},
    {"speed.value", "speed", "at:speed.unit", true, report_cell_rough},
    {"speed", "low_to_high", NULL, true, report_cell_range},
    {"time.hours", "time", "h", true, report_cell_rough},
    {"cost.per_job", "cost_per_job", "at:cost.currency", true, report_cell_money},
    {"labels", "best_as", NULL, false, report_cell_word},
};

static const struct report_column PICK_PRICES[] = {
    {"rank", "number", NULL, true, report_cell_text},
    {"price.amount", "one_card", "at:price.currency", true, report_cell_money},
    {"price", "low_to_high", NULL, true, report_cell_range},
    {"price.planning", "planned_with", "at:price.currency", true, report_cell_money},
    {"price.basis", "basis", NULL, false, report_cell_word},
    {"price.observed_on", "seen", NULL, false, report_cell_text},
    {"price.market", "market", NULL, false, report_cell_text},
};

static const struct report_column RENTED[] = {
    {"provider", "provider", NULL, false, report_cell_text},
    {"instance_type", "instance", NULL, false, report_cell_text},
    {"gpu_count", "accelerator", NULL, false, report_cell_offer},
    {"cost.per_hour", "per_hour", "at:cost.currency", true, report_cell_money},
    {"cost.per_month", "cost_per_month", "at:cost.currency", true, report_cell_money},
    {"cost.per_job", "cost_per_job", "at:cost.currency", true, report_cell_money},
    {"speed.value", "speed", "at:speed.unit", true, report_cell_rough},
    {"observed_on", "seen", NULL, false, report_cell_text},
};

static const struct report_column RULED_OUT[] = {
    {"gpu", "card", NULL, false, report_cell_card},
    {"reasons", "why", NULL, false, report_cell_notes},
};

static const struct report_column DEAL_FACTS[] = {
    {"gpu.name", "card", NULL, false, report_cell_text},
    {"price.amount", "asked_price", "at:price.currency", true, report_cell_money},
    {"price.condition", "condition", NULL, false, report_cell_word},
    {"fair_price.amount", "fair_price", "at:fair_price.currency", true, report_cell_money},
    {"fair_price.basis", "basis", NULL, false, report_cell_word},
    {"ratio", "ratio", "", true, report_cell_rough},
};

static const struct report_column COMPARED[] = {
    {"rank", "number", NULL, true, report_cell_text},
    {"gpu", "card", NULL, false, report_cell_card},
    {"price.amount", "price", "at:price.currency", true, report_cell_money},
    {"price.condition", "condition", NULL, false, report_cell_word},
    {"price.observed_on", "seen", NULL, false, report_cell_text},
};

void report_tell_picks(const struct teller *teller, const json_t *from, const char *path,
                       const char *heading)
{
    const struct report_table table = {heading, path, REPORT_COLUMNS_OF(PICKS)};

    report_table_add(teller, &table, from);
}

/* "task=learn budget=1000": members of the question that are, or are not, in the assumptions. */
static const char *parameters_of(const struct teller *teller, bool are_assumed)
{
    static const char *const NOT_ASKED[] = {"lang", "limit", "explain"};
    struct report *report = teller->report;
    const json_t *query = report_value_at(teller->root, "query");
    const json_t *assumed = report_value_at(teller->root, "assumptions");
    const char *all = "";

    for (void *at = json_object_iter((json_t *)(uintptr_t)query); at != NULL;
         at = json_object_iter_next((json_t *)(uintptr_t)query, at)) { /* they change nothing */
        const char *key = json_object_iter_key(at);
        const json_t *value = json_object_iter_value(at);
        bool is_assumed = json_object_get(assumed, key) != NULL;
        char *text = NULL;

        if (is_assumed != are_assumed || strcmp(key, NOT_ASKED[0]) == 0 ||
            strcmp(key, NOT_ASKED[1]) == 0 || strcmp(key, NOT_ASKED[2]) == 0) {
            continue;
        }
        if (json_is_string(value)) {
            text = arena_format(report->arena, "%s=%s", key, json_string_value(value));
        } else if (json_is_number(value)) {
            text = arena_format(report->arena, "%s=%.15g", key, json_number_value(value));
        } else {
            continue;
        }
        report->has_failed |= text == NULL;
        all = report_join(report, all, " ", text == NULL ? "" : text);
    }
    return all;
}

void report_tell_question(const struct teller *teller)
{
    struct report *report = teller->report;
    const char *asked = parameters_of(teller, false);
    const char *assumed = parameters_of(teller, true);

    if (*asked != '\0') {
        report_add_paragraph(report, NULL, report_say(report, "asked_for", asked, NULL, NULL));
    }
    if (*assumed != '\0') {
        report_add_paragraph(report, NULL, report_say(report, "assumed_for", assumed, NULL, NULL));
    }
}

void report_tell_age(const struct teller *teller)
{
    const char *day = report_value_text(teller->root, "catalogue.prices_as_of");

    if (*day != '\0') {
        report_add_paragraph(teller->report, NULL,
                             report_say(teller->report, "as_of", day, NULL, NULL));
    }
}

struct said { /* a text, and the rank of the row that says it */
    const char *text;
    double rank;
};

static size_t count_said(const json_t *row, const char *path)
{
    const json_t *value = report_value_at(row, path);

    return json_is_string(value) ? 1 : json_array_size(value);
}

/* All that the rows say at the path, in their order; NULL: nothing, or out of memory. */
static struct said *collect_said(struct report *report, const json_t *rows, const char *path,
                                 size_t *count)
{
    size_t used = 0;

    *count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        *count += count_said(json_array_get(rows, i), path);
    }
    struct said *said = *count == 0 ? NULL : arena_alloc_array(report->arena, *count, sizeof *said);

    report->has_failed |= said == NULL && *count > 0;
    for (size_t i = 0; said != NULL && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const json_t *value = report_value_at(row, path);
        double rank = 0;

        (void)report_value_number(row, "rank", &rank); /* ranked rows have one */
        for (size_t j = 0; j < count_said(row, path); j++) {
            said[used++] = (struct said){json_is_string(value)
                                             ? json_string_value(value)
                                             : report_value_text(json_array_get(value, j), "text"),
                                         rank};
        }
    }
    return said;
}

/* The first text with the ranks of all that say it: "... (no. 1-4, 7)". */
static const char *with_ranks(struct report *report, const struct said *said, size_t count,
                              size_t row_count)
{
    const char *all = "";
    size_t row = 0;

    for (size_t i = 0; i < count;) {
        double first = said[i].rank;
        double last = first;
        size_t next = i + 1;

        for (; next < count; next++) {
            bool is_same = strcmp(said[next].text, said[0].text) == 0;

            if (is_same && said[next].rank > last + 1) {
                break;
            }
            last = is_same ? said[next].rank : last;
            row += is_same ? 1 : 0;
        }
        row++;
        const char *run = report_value_rough(report, first, "");

        if (last > first) {
            run = report_join(report, run, last > first + 1 ? "-" : report_word(report, "list"),
                              report_value_rough(report, last, ""));
        }
        all = report_join(report, all, report_word(report, "list"), run);
        i = next;
    }
    return row == row_count ? said[0].text
                            : report_say(report, "for_ranks", all, said[0].text, NULL);
}

void report_tell_said(const struct teller *teller, const char *heading, const json_t *rows,
                      const char *path)
{
    struct report *report = teller->report;
    size_t total = 0;
    size_t used = 0;
    const struct said *said = collect_said(report, rows, path, &total);
    struct report_block *block =
        said == NULL ? NULL
                     : report_add(report, REPORT_ITEMS, report_word(report, heading), total, 1);

    for (size_t i = 0; block != NULL && i < total; i++) {
        size_t earlier = 0;

        while (earlier < i && strcmp(said[earlier].text, said[i].text) != 0) {
            earlier++;
        }
        if (earlier == i) {
            block->cells[used++].text =
                with_ranks(report, said + i, total - i, json_array_size(rows));
        }
    }
    if (block != NULL) {
        block->row_count = used;
    }
}

/* "0.97 x RTX 3090 (0.82 to 1.13, estimated)"; "" when it is not known. */
static const char *speed_in_words(struct report *report, const json_t *speed)
{
    const char *value =
        report_value_rough_at(report, speed, "value", report_value_text(speed, "unit"));
    const char *low = report_value_rough_at(report, speed, "low", "");
    const char *high = report_value_rough_at(report, speed, "high", "");
    const char *between = report_say(report, "range", low, high, NULL);

    if (*value == '\0') {
        return "";
    }
    return report_say(report, "speed_between", value, between,
                      report_word(report, report_value_text(speed, "basis")));
}

/* "Buy 2 used NVIDIA GeForce RTX 3090, about 1,980 USD in all." */
static const char *buy_in_words(struct report *report, const json_t *pick)
{
    const char *name = report_value_text(pick, "gpu.name");
    const char *condition = report_word(report, report_value_text(pick, "price.condition"));
    const char *price = report_value_money_at(report, pick, "price.total",
                                              report_value_text(pick, "price.currency"));
    double count = 1;

    if (!report_value_number(pick, "count", &count) || count < 2) {
        return report_say(report, "buy_one", condition, name, price);
    }
    const char *cards =
        report_say(report, "so_many", report_value_exact(report, count, ""), condition, NULL);

    return report_say(report, "buy_several", cards, name, price);
}

/* The first pick in a sentence, and why. */
/* Whether the advice to buy needs the word that renting costs less. */
static bool is_rent_cheaper(const struct teller *teller)
{
    return text_is(report_value_text(teller->root, "rent_or_buy.verdict"), "rent");
}

static void tell_pick(const struct teller *teller, const json_t *pick)
{
    struct report *report = teller->report;
    const char *month = report_value_money_at(report, pick, "cost.per_month",
                                              report_value_text(pick, "cost.currency"));
    const char *speed = speed_in_words(report, report_value_at(pick, "speed"));
    const char *gap = report_word(report, "comma");
    const char *rest = report_value_rough_at(report, pick, "gpu.memory_gib", "GiB");

    double count = 1;

    if (report_value_number(pick, "count", &count) && count > 1) {
        rest = report_say(report, "each_with", rest, NULL, NULL);
    }
    rest = report_join(report, rest, gap, speed);
    if (*month != '\0') {
        rest = report_join(report, rest, gap, report_say(report, "a_month", month, NULL, NULL));
    }
    report_add_paragraph(report, NULL,
                         report_join(report, buy_in_words(report, pick), report_word(report, "gap"),
                                     report_say(report, "stop", rest, NULL, NULL)));
    if (is_rent_cheaper(teller)) { /* what to do is told before why this card */
        report_add_paragraph(report, NULL, report_value_text(teller->root, "rent_or_buy.text"));
    }
    report_add_paragraph(report, NULL,
                         report_value_sentences(report, report_value_at(pick, "reasons")));
}

void report_tell_need(const struct teller *teller, const json_t *need)
{
    struct report *report = teller->report;
    const char *gib = report_value_rough_at(report, need, "per_gpu_gib", "GiB");
    const char *between =
        report_say(report, "range", report_value_rough_at(report, need, "per_gpu_low_gib", ""),
                   report_value_rough_at(report, need, "per_gpu_high_gib", ""), NULL);

    if (*gib != '\0') {
        report_add_paragraph(report, NULL,
                             report_value_is_true(need, "is_floor")
                                 ? report_say(report, "needs_floor", gib, NULL, NULL)
                                 : report_say(report, "needs", gib, between, NULL));
    }
}

/* Each advice with what to send instead: "With 1,250 USD: ... (budget=1250)". */
static void tell_advice(const struct teller *teller)
{
    struct report *report = teller->report;
    const json_t *advice = report_value_at(teller->root, "advice");
    struct report_block *block =
        report_add(report, REPORT_ITEMS, report_word(report, "change"), json_array_size(advice), 1);

    for (size_t i = 0; block != NULL && i < block->row_count; i++) {
        const json_t *item = json_array_get(advice, i);
        const char *parameter = report_value_text(item, "change.parameter");
        const char *value = report_value_text(item, "change.value");
        const char *text = report_value_text(item, "text");

        block->cells[i].text =
            *parameter == '\0' ? text : report_say(report, "send", text, parameter, value);
    }
}

/* "144 cards are ruled out: no price 81, over budget 43." and the nearest of them. */
static void tell_rejected(const struct teller *teller)
{
    static const struct report_table NEAREST = {"nearest", "rejected",
                                                REPORT_COLUMNS_OF(RULED_OUT)};
    struct report *report = teller->report;
    const json_t *counts = report_value_at(teller->root, "rejected_counts");
    const char *total = report_value_rough_at(report, teller->root, "rejected_total", "");
    const char *all = "";

    report_table_add(teller, &NEAREST, teller->root);
    for (void *at = json_object_iter((json_t *)(uintptr_t)counts); at != NULL;
         at = json_object_iter_next((json_t *)(uintptr_t)counts, at)) { /* they change nothing */
        const char *count =
            report_value_rough(report, json_number_value(json_object_iter_value(at)), "");
        const char *code = report_word(report, json_object_iter_key(at));

        all = report_join(report, all, report_word(report, "comma"),
                          report_join(report, code, " ", count));
    }
    if (*all != '\0') {
        report_add_paragraph(report, NULL, report_say(report, "ruled_out", total, all, NULL));
    }
}

void report_tell_recommend(const struct teller *teller)
{
    static const struct report_table PRICES = {"prices", "picks", REPORT_COLUMNS_OF(PICK_PRICES)};
    static const struct report_table CLOUD = {"rent", "cloud", REPORT_COLUMNS_OF(RENTED)};
    struct report *report = teller->report;
    const json_t *picks = report_value_at(teller->root, "picks");

    report->title = report_word(report, "title_recommend");
    if (json_array_size(picks) == 0) {
        report_add_paragraph(report, NULL, report_word(report, "nothing_fits"));
    } else {
        tell_pick(teller, json_array_get(picks, 0));
    }
    report_tell_need(teller, report_value_at(teller->root, "need"));
    report_tell_picks(teller, teller->root, "picks", "picks");
    report_tell_said(teller, "before", picks, "warnings");
    tell_advice(teller);
    report_table_add(teller, &CLOUD, teller->root);
    if (!is_rent_cheaper(teller)) {
        report_add_paragraph(report, NULL, report_value_text(teller->root, "rent_or_buy.text"));
    }
    tell_rejected(teller);
    report_table_add(teller, &PRICES, teller->root);
    report_tell_said(teller, "sources", picks, "price.source");
    report_tell_question(teller);
    report_tell_age(teller);
}

void report_tell_tiers(const struct teller *teller)
{
    struct report *report = teller->report;
    const json_t *tiers = report_value_at(teller->root, "tiers");

    report->title = report_word(report, "title_tiers");
    for (size_t i = 0; i < json_array_size(tiers); i++) {
        const json_t *tier = json_array_get(tiers, i);
        const char *currency = report_value_text(tier, "currency");
        const char *low = report_value_money_at(report, tier, "min", currency);
        const char *high = report_value_money_at(report, tier, "max", currency);
        const char *band = *high == '\0' ? report_say(report, "from", low, NULL, NULL)
                                         : report_say(report, "range", low, high, NULL);
        const char *heading =
            report_say(report, "tier_heading", report_value_text(tier, "label"), band, NULL);

        if (json_array_size(report_value_at(tier, "picks")) == 0) {
            report_add_paragraph(report, heading, report_word(report, "nothing_fits"));
        } else {
            report_tell_picks(teller, tier, "picks", heading);
        }
    }
    report_tell_question(teller);
}

void report_tell_deal(const struct teller *teller)
{
    static const struct report_table FACTS = {"offer", "", REPORT_COLUMNS_OF(DEAL_FACTS)};
    static const struct report_table FIELD = {"compared", "compared", REPORT_COLUMNS_OF(COMPARED)};
    struct report *report = teller->report;
    const json_t *warnings = report_value_at(teller->root, "warnings");
    const char *verdict =
        arena_format(report->arena, "verdict-%s", report_value_text(teller->root, "verdict"));

    report->has_failed |= verdict == NULL;
    report->title = report_word(report, "title_deal");
    report_add_paragraph(report, NULL, report_word(report, verdict == NULL ? "" : verdict));
    report_add_paragraph(report, NULL,
                         report_value_sentences(report, report_value_at(teller->root, "reasons")));
    report_facts_add(teller, &FACTS, teller->root);
    report_notes_add(teller, "before", warnings);
    report_tell_picks(teller, teller->root, "better", "better");
    report_table_add(teller, &FIELD, teller->root);
    report_tell_said(teller, "sources", report_value_at(teller->root, "compared"), "price.source");
    report_tell_question(teller);
    report_tell_age(teller);
}
