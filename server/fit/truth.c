/* The tables into questions and observations; which rows those are stands in truth_groups.c and
 * truth_rows.c. One thread. */
#include "truth.h"

#include "truth_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

static const char *const FILES[] = {
    [PREDICT_SPEED] = "throughput.csv", [PREDICT_MEMORY] = "memory.csv", [PREDICT_SIZE] = "kv.csv"};
enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

const char *truth_kind_name(enum truth_kind kind)
{
    static const char *const NAMES[] = {
        [TRUTH_RELATIVE] = "relative speed",
        [TRUTH_DECODE] = "decode",
        [TRUTH_PREFILL] = "prefill",
        [TRUTH_IMAGE] = "image inference",
        [TRUTH_INFERENCE] = "inference memory",
        [TRUTH_TRAINING] = "training memory",
        [TRUTH_FACT] = "fits or not",
        [TRUTH_GGUF] = "GGUF size",
        [TRUTH_KV] = "KV cache",
    };

    return NAMES[kind];
}

bool truth_begins(const char *text, const char *words)
{
    return strncmp(text, words, strlen(words)) == 0;
}

void truth_add_single(struct truth *truth, enum truth_kind kind, const struct predict_table *table,
                      size_t first_row, size_t row, double measured)
{
    truth->members[truth->member_count] =
        (struct truth_member){first_row + row, measured, 1, false};
    truth->observations[truth->observation_count++] =
        (struct observation){.kind = kind,
                             .group = TRUTH_NO_GROUP,
                             .first = truth->member_count++,
                             .count = 1,
                             .measured = measured,
                             .id = predict_table_text(table, row, "id"),
                             .card = predict_table_text(table, row, "gpu_slug"),
                             .source = predict_table_text(table, row, "source"),
                             .family = predict_table_text(table, row, "family")};
}

static void forget_column(struct predict_table *table, const char *column, bool only_sizes)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i], column) != 0) {
            continue;
        }
        for (size_t row = 0; row < table->row_count; row++) {
            const char *kind = predict_table_text(table, row, "kind");

            if (!only_sizes ||
                (strcmp(kind, "kv-cache") != 0 && strcmp(kind, "compute-buffer") != 0)) {
                table->cells[row * table->column_count + i] = "";
            }
        }
    }
}

/* The cells that hold an answer; bits_per_weight is one where a size of weights is asked for. */
static void forget_measured(struct truth *truth)
{
    forget_column(&truth->tables[PREDICT_SPEED], "value", false);
    forget_column(&truth->tables[PREDICT_MEMORY], "fact", false);
    forget_column(&truth->tables[PREDICT_MEMORY], "measured", false);
    forget_column(&truth->tables[PREDICT_MEMORY], "measured_gib", false);
    forget_column(&truth->tables[PREDICT_SIZE], "size", false);
    forget_column(&truth->tables[PREDICT_SIZE], "size_gib", false);
    forget_column(&truth->tables[PREDICT_SIZE], "bits_per_weight", true);
}

static bool read_tables(const char *folder, struct truth *truth, struct error *err)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        char path[PATH_BYTES];
        enum predict_kind kind = PREDICT_SPEED;
        int length = snprintf(path, sizeof path, "%s/%s", folder, FILES[i]);

        if (length < 0 || (size_t)length >= sizeof path) {
            return error_set(err, ERROR_BAD_FILE, "%.200s: is too long a path", folder);
        }
        if (!predict_table_read(path, &truth->tables[i], err)) {
            return false;
        }
        if (!predict_kind_of(&truth->tables[i], &kind) || (size_t)kind != i) {
            return error_set(err, ERROR_BAD_FILE, "%s: has the columns of another table", path);
        }
        truth->row_count += truth->tables[i].row_count;
    }
    return true;
}

static bool take_room(struct truth *truth, struct error *err)
{
    size_t members = truth->row_count * TRUTH_MEMBERS_MAX + 1;

    truth->rows = calloc(truth->row_count + 1, sizeof *truth->rows);
    truth->members = calloc(members, sizeof *truth->members);
    truth->observations = calloc(members, sizeof *truth->observations);
    return (truth->rows != NULL && truth->members != NULL && truth->observations != NULL) ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for %zu rows", truth->row_count);
}

static void ask_rows(const struct catalogue *catalogue, struct truth *truth)
{
    size_t place = 0;

    for (size_t i = 0; i < FILE_COUNT; i++) {
        for (size_t row = 0; row < truth->tables[i].row_count; row++) {
            struct truth_row *asked = &truth->rows[place++];

            asked->is_read =
                predict_read(catalogue, &truth->tables[i], (enum predict_kind)i, row, &asked->one);
        }
    }
}

bool truth_read(const struct catalogue *catalogue, const char *folder, struct truth *truth,
                struct error *err)
{
    struct truth read = {0};
    bool is_good = read_tables(folder, &read, err) && take_room(&read, err);

    if (is_good) {
        size_t memory_row = read.tables[PREDICT_SPEED].row_count;

        is_good = truth_add_groups(&read, 0, err);
        truth_add_speeds(&read, 0);
        truth_add_memory(&read, memory_row);
        truth_add_sizes(&read, memory_row + read.tables[PREDICT_MEMORY].row_count);
        forget_measured(&read);
        ask_rows(catalogue, &read);
    }
    if (!is_good) {
        truth_fini(&read);
        return false;
    }
    *truth = read;
    return true;
}

void truth_fini(struct truth *truth)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        predict_table_fini(&truth->tables[i]);
    }
    free(truth->rows);
    free(truth->members);
    free(truth->observations);
    *truth = (struct truth){0};
}
