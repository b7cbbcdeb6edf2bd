/* From a file of measurements to a file of predictions. The kinds of rows are predict_speed.c,
 * predict_memory.c and predict_size.c. Main thread. */
#include "predict.h"

#include "../db/catalogue_load.h"
#include "predict_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool predict_kind_of(const struct predict_table *table, enum predict_kind *kind)
{
    if (predict_table_has(table, "workload")) {
        *kind = PREDICT_SPEED;
    } else if (predict_table_has(table, "gpus")) {
        *kind = PREDICT_MEMORY;
    } else if (predict_table_has(table, "n_ctx")) {
        *kind = PREDICT_SIZE;
    } else {
        return false;
    }
    return true;
}

bool predict_read(const struct catalogue *catalogue, const struct predict_table *table,
                  enum predict_kind kind, size_t row, struct predict_case *one)
{
    static bool (*const READ[])(const struct catalogue *, const struct predict_table *, size_t,
                                struct predict_case *) = {
        [PREDICT_SPEED] = predict_speed_read,
        [PREDICT_MEMORY] = predict_memory_read,
        [PREDICT_SIZE] = predict_size_read,
    };

    *one = (struct predict_case){.kind = kind};
    return READ[kind](catalogue, table, row, one);
}

void predict_answer(const struct catalogue *catalogue, const struct predict_case *one,
                    struct prediction *prediction)
{
    static void (*const ANSWER[])(const struct catalogue *, const struct predict_case *,
                                  struct prediction *) = {
        [PREDICT_SPEED] = predict_speed_answer,
        [PREDICT_MEMORY] = predict_memory_answer,
        [PREDICT_SIZE] = predict_size_answer,
    };
    double unknown = (double)NAN;

    *prediction = (struct prediction){unknown, unknown, unknown, ANSWER_UNASKED};
    ANSWER[one->kind](catalogue, one, prediction);
}

static void write_row(const struct predict_table *table, size_t row, enum predict_kind kind,
                      const struct prediction *prediction)
{
    static const char *const FITS[] = {
        [ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_UNASKED] = ""};

    /* who asked for the rows sees at the end whether they could be written */
    (void)printf("%s,", predict_table_text(table, row, "id"));
    if (isnan(prediction->value)) {
        (void)printf(",,");
    } else {
        (void)printf("%.9g,%.9g,%.9g", prediction->value, prediction->low, prediction->high);
    }
    (void)printf("%s%s\n", kind == PREDICT_MEMORY ? "," : "",
                 kind == PREDICT_MEMORY ? FITS[prediction->fits] : "");
}

static void write_rows(const struct catalogue *catalogue, const struct predict_table *table,
                       enum predict_kind kind)
{
    double unknown = (double)NAN;

    (void)printf("id,predicted,low,high%s\n", kind == PREDICT_MEMORY ? ",fits" : "");
    for (size_t row = 0; row < table->row_count; row++) {
        struct predict_case one;
        struct prediction prediction = {unknown, unknown, unknown, ANSWER_UNASKED};

        if (predict_read(catalogue, table, kind, row, &one)) {
            predict_answer(catalogue, &one, &prediction);
        }
        write_row(table, row, kind, &prediction);
    }
}

bool predict_run(const char *path, struct error *err)
{
    struct database *database = NULL;
    struct catalogue *catalogue = NULL;
    struct predict_table table = {0};
    enum predict_kind kind = PREDICT_SPEED;
    bool is_good = predict_table_read(path, &table, err);

    if (is_good && !predict_kind_of(&table, &kind)) {
        is_good = error_set(err, ERROR_BAD_FILE,
                            "%s: its columns are not those of a table of measurements", path);
    }
    if (is_good && database_open_shipped(&database, err) &&
        catalogue_load(database, &catalogue, err)) {
        write_rows(catalogue, &table, kind);
        is_good = (fflush(stdout) == 0 && ferror(stdout) == 0) ||
                  error_set(err, ERROR_BAD_FILE, "standard output: %s", strerror(errno));
    } else {
        is_good = false;
    }
    catalogue_unref(catalogue);
    database_close(database);
    predict_table_fini(&table);
    return is_good;
}
