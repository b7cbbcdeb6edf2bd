/* From the table in memory to the table in the file, through a new file. One thread. */
#include "calibration_file.h"

#include "answers.h"
#include "numbers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 256, PATH_BYTES = 1024 };

struct writing {
    const struct calibration *calibration;
    const struct truth *truth;
    const bool *is_identified;
    const char *date;
};

/* What the fit says of a row; value NULL: the row is none of its numbers. */
struct fitted_cells {
    char value[TEXT_BYTES], source[TEXT_BYTES];
    const char *basis;
};

static size_t count_observations(const struct truth *truth, unsigned kinds)
{
    size_t count = 0;

    for (size_t i = 0; i < truth->observation_count; i++) {
        count += (kinds & truth_bit(truth->observations[i].kind)) != 0 ? 1 : 0;
    }
    return count;
}

/* "make fit on 748 observations (relative speed, decode)", or that none of them fixes it. */
static void name_source(const struct truth *truth, unsigned kinds, bool is_identified,
                        char text[TEXT_BYTES])
{
    char names[TEXT_BYTES] = "";
    size_t used = 0;

    for (int kind = 0; kind < TRUTH_KIND_COUNT && used < TEXT_BYTES; kind++) {
        if ((kinds & truth_bit((enum truth_kind)kind)) != 0) {
            used += (size_t)snprintf(names + used, TEXT_BYTES - used, "%s%s", used > 0 ? ", " : "",
                                     truth_kind_name((enum truth_kind)kind));
        }
    }
    if (is_identified) {
        (void)snprintf(text, TEXT_BYTES, "make fit on %zu observations (%.200s)",
                       count_observations(truth, kinds), names);
    } else {
        (void)snprintf(text, TEXT_BYTES, "no observation of %.200s fixes it", names);
    }
}

static const char *basis_of(const struct fitted_number *number, bool is_identified, double value)
{
    if (!is_identified) {
        return "prior";
    }
    return value <= number->low || value >= number->high ? "fitted, at its bound" : "fitted";
}

/* False: the row is no number of the fit. */
static bool find_cells(const struct writing *writing, const char *name, struct fitted_cells *cells)
{
    for (size_t k = 0; k < fitted_number_count; k++) {
        if (strcmp(FITTED_NUMBERS[k].name, name) == 0) {
            (void)snprintf(cells->value, TEXT_BYTES, "%.10g",
                           number_of(writing->calibration, FITTED_NUMBERS[k].offset));
            name_source(writing->truth, FITTED_NUMBERS[k].kinds, writing->is_identified[k],
                        cells->source);
            cells->basis = basis_of(&FITTED_NUMBERS[k], writing->is_identified[k],
                                    number_of(writing->calibration, FITTED_NUMBERS[k].offset));
            return true;
        }
    }
    for (size_t k = 0; k < range_number_count; k++) {
        if (strcmp(RANGE_NUMBERS[k].name, name) == 0) {
            (void)snprintf(cells->value, TEXT_BYTES, "%.10g",
                           number_of(writing->calibration, RANGE_NUMBERS[k].offset));
            (void)snprintf(cells->source, TEXT_BYTES,
                           "make fit, errors where sources and model families are left out");
            cells->basis = "cross-validated";
            return true;
        }
    }
    return false;
}

static void write_cell(FILE *file, const char *text, const char *behind)
{
    if (strpbrk(text, ",\"") == NULL) {
        (void)fprintf(file, "%s%s", text, behind);
        return;
    }
    (void)fputc('"', file);
    for (; *text != '\0'; text++) {
        (void)fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    }
    (void)fprintf(file, "\"%s", behind);
}

static void write_row(FILE *file, const struct predict_table *table, size_t row,
                      const struct writing *writing)
{
    static const char *const COLUMNS[] = {"name",  "value",  "unit",       "meaning",
                                          "basis", "source", "observed_on"};
    enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };
    const char *texts[COLUMN_COUNT];
    struct fitted_cells cells = {0};

    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        texts[i] = predict_table_text(table, row, COLUMNS[i]);
    }
    if (find_cells(writing, texts[0], &cells)) {
        texts[1] = cells.value;
        texts[4] = cells.basis;
        texts[5] = cells.source;
        texts[6] = writing->date;
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        write_cell(file, texts[i], i + 1 < COLUMN_COUNT ? "," : "\n");
    }
}

static const char *newest_date(const struct predict_table *table)
{
    const char *newest = "";

    for (size_t row = 0; row < table->row_count; row++) {
        const char *date = predict_table_text(table, row, "observed_on");

        newest = strcmp(date, newest) > 0 ? date : newest;
    }
    return newest;
}

static bool write_table(const char *path, const struct predict_table *table,
                        const struct writing *writing, struct error *err)
{
    char new_path[PATH_BYTES];
    int length = snprintf(new_path, sizeof new_path, "%s.new", path);
    FILE *file = length > 0 && length < PATH_BYTES ? fopen(new_path, "w") : NULL;

    if (file == NULL) {
        return error_set(err, ERROR_BAD_FILE, "%.300s: %s", path, strerror(errno));
    }
    (void)fprintf(file, "name,value,unit,meaning,basis,source,observed_on\n");
    for (size_t row = 0; row < table->row_count; row++) {
        write_row(file, table, row, writing);
    }
    bool is_written = ferror(file) == 0;

    is_written = fclose(file) == 0 && is_written;
    return (is_written && rename(new_path, path) == 0) ||
           error_set(err, ERROR_BAD_FILE, "%.300s: %s", path, strerror(errno));
}

bool calibration_file_write(const char *path, const struct calibration *calibration,
                            const struct truth *truth, const bool *is_identified, const char *date,
                            char written[DAY_TEXT_BYTES], struct error *err)
{
    struct predict_table table = {0};

    if (!predict_table_read(path, &table, err)) {
        return false;
    }
    struct writing writing = {calibration, truth, is_identified,
                              date == NULL ? newest_date(&table) : date};
    bool is_good = write_table(path, &table, &writing, err);

    (void)snprintf(written, DAY_TEXT_BYTES, "%s", writing.date);
    predict_table_fini(&table);
    return is_good;
}
