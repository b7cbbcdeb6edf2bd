/* Which rows are compared inside groups, and the groups: same source, workload, precision, software
 * and, where the source varies them, batch and metric. One thread. */
#include "truth_parts.h"

#include "../../handlers/engine/arena.h"
#include "median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS_MIN = 3, KEYS_BYTES_MAX = 16 * 1024 * 1024 };

/* A row under the name of its group and, in it, of its card. */
struct entry {
    const char *group, *card;
    struct truth_member member;
};

struct entries {
    const struct predict_table *table;
    struct arena memory; /* owns the names */
    struct entry *entries;
    size_t count, first_row;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = strcmp(a->group, b->group);

    order = order != 0 ? order : strcmp(a->card, b->card);
    return order != 0 ? order : (a->member.row > b->member.row) - (a->member.row < b->member.row);
}

static bool name_group(struct entries *entries, size_t row, struct entry *entry)
{
    const struct predict_table *table = entries->table;
    const char *source = predict_table_text(table, row, "source");
    bool is_dle = strcmp(source, "nvidia-dle") == 0;
    bool has_batch = is_dle || strcmp(source, "ryujaehun") == 0;

    entry->group = arena_format(&entries->memory, "%s\t%s\t%s\t%s\t%s\t%s", source,
                                predict_table_text(table, row, "workload"),
                                predict_table_text(table, row, "precision"),
                                predict_table_text(table, row, "software"),
                                has_batch ? predict_table_text(table, row, "batch") : "",
                                is_dle ? predict_table_text(table, row, "metric") : "");
    entry->card = predict_table_text(table, row, "gpu_slug");
    return entry->group != NULL;
}

static bool add_entry(struct entries *entries, size_t row, double divisor)
{
    const struct predict_table *table = entries->table;
    bool is_time = truth_begins(predict_table_text(table, row, "unit"), "ms");
    double value = predict_table_number(table, row, "value");
    struct entry *entry = &entries->entries[entries->count];

    *entry = (struct entry){.member = {entries->first_row + row,
                                       is_time ? 1 / value : value / divisor, divisor, is_time}};
    if (!name_group(entries, row, entry)) {
        return false;
    }
    entries->count++;
    return true;
}

/* MLPerf rows of up to eight cards count by the card. */
static bool collect(struct entries *entries)
{
    const struct predict_table *table = entries->table;

    for (size_t row = 0; row < table->row_count; row++) {
        double cards = floor(predict_table_number(table, row, "gpu_count"));
        bool is_mlperf = truth_begins(predict_table_text(table, row, "source"), "mlperf");

        if (truth_is_clean(table, row) && (cards == 1 || (is_mlperf && cards <= 8)) &&
            !add_entry(entries, row, is_mlperf ? cards : 1)) {
            return false;
        }
    }
    return true;
}

/* Of the measured values of count entries; count is at most TRUTH_ITEM_ROWS_MAX. */
static double median_measured(const struct entry *entries, size_t count)
{
    double values[TRUTH_ITEM_ROWS_MAX];

    for (size_t i = 0; i < count; i++) {
        values[i] = entries[i].member.measured;
    }
    return median_of(values, count);
}

static void add_card(struct truth *truth, const struct entries *entries, size_t first,
                     size_t all_rows)
{
    size_t count = all_rows < TRUTH_ITEM_ROWS_MAX ? all_rows : TRUTH_ITEM_ROWS_MAX;
    const struct entry *entry = &entries->entries[first];
    size_t row = entry->member.row - entries->first_row;

    truth_add_single(truth, TRUTH_RELATIVE, entries->table, entries->first_row, row,
                     median_measured(entry, count));

    struct observation *added = &truth->observations[truth->observation_count - 1];

    added->group = (int)truth->group_count;
    added->count = count;
    truth->member_count = added->first + count;
    for (size_t i = 0; i < count; i++) {
        truth->members[added->first + i] = entry[i].member;
    }
}

static size_t run_length(const struct entries *entries, size_t first, bool is_card)
{
    const struct entry *start = &entries->entries[first];
    size_t end = first + 1;

    while (end < entries->count && strcmp(entries->entries[end].group, start->group) == 0 &&
           (!is_card || strcmp(entries->entries[end].card, start->card) == 0)) {
        end++;
    }
    return end - first;
}

static void add_group(struct truth *truth, const struct entries *entries, size_t first,
                      size_t length)
{
    size_t cards = 0;

    for (size_t i = first; i < first + length; i += run_length(entries, i, true)) {
        cards++;
    }
    if (cards < CARDS_MIN) {
        return;
    }
    for (size_t i = first; i < first + length;) {
        size_t count = run_length(entries, i, true);

        add_card(truth, entries, i, count);
        i += count;
    }
    truth->group_count++;
}

bool truth_add_groups(struct truth *truth, size_t first_row, struct error *err)
{
    const struct predict_table *table = &truth->tables[PREDICT_SPEED];
    struct entries entries = {.table = table, .first_row = first_row};
    bool is_good = false;

    arena_init(&entries.memory, KEYS_BYTES_MAX);
    entries.entries = calloc(table->row_count + 1, sizeof *entries.entries);
    is_good = entries.entries != NULL && collect(&entries);
    if (is_good) {
        qsort(entries.entries, entries.count, sizeof *entries.entries, compare_entries);
        for (size_t first = 0; first < entries.count;) {
            size_t length = run_length(&entries, first, false);

            add_group(truth, &entries, first, length);
            first += length;
        }
    }
    free(entries.entries);
    arena_fini(&entries.memory);
    return is_good || error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the groups of rows");
}
