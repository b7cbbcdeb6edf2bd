/* The fitting program: from published measurements to migrations/calibration.csv.
 *
 *     fit run TRUTH CALIBRATION REPORT [DATE]     make fit
 *     fit measure TRUTH                           the measures by the shipped calibration
 *
 * TRUTH is a folder with throughput.csv, memory.csv and kv.csv. `run`
 *   1. reads the tables and makes a question of each row, as `gpuwise predict` does (truth.h);
 *   2. fits the numbers of numbers.c, from their priors, by robust least squares (fitting.c);
 *   3. fits again without each fold of cards, sources and model families, and predicts what was
 *      left out (cross_validation.h);
 *   4. chooses the ranges by those errors (ranges.h);
 *   5. writes the numbers into the CSV file CALIBRATION, with the DATE (YYYY-MM-DD; without one
 *      that of the last fit), and the table of measures into REPORT and on standard output.
 * There is no random number and no clock in it: the same tables and program give the same bytes.
 *
 * It is no part of the product and runs where the measurements are. */
#include "../../db/catalogue_load.h"
#include "calibration_file.h"
#include "fitting.h"
#include "numbers.h"
#include "ranges.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DONE = 0, EXIT_WRONG = 2 };

/* Where `run` reads and writes. */
struct places {
    const char *calibration, *report, *date;
};

struct run {
    struct catalogue *catalogue;
    struct truth truth;
    struct fit_answer *sets[CROSS_COUNT], *in_sample;
    bool is_identified[NUMBERS_MAX];
    struct report report;
};

static bool take_room(struct run *run, struct error *err)
{
    size_t count = run->truth.observation_count + 1;
    struct fit_answer *room = calloc((CROSS_COUNT + 1) * count, sizeof *room);

    if (room == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the answers");
    }
    run->in_sample = room;
    for (size_t by = 0; by < CROSS_COUNT; by++) {
        run->sets[by] = room + (by + 1) * count;
    }
    return true;
}

static bool load(const char *folder, struct run *run, struct error *err)
{
    struct database *database = NULL;
    bool is_good = database_open_shipped(&database, err) &&
                   catalogue_load(database, &run->catalogue, err) &&
                   truth_read(run->catalogue, folder, &run->truth, err) && take_room(run, err);

    database_close(database);
    return is_good;
}

static void unload(struct run *run)
{
    free(run->in_sample); /* and the sets behind it */
    truth_fini(&run->truth);
    catalogue_unref(run->catalogue);
}

static bool fit(struct run *run, struct error *err)
{
    static const char *const NAMES[] = {"cards", "sources", "families"};
    struct fit_answer *const *unseen = &run->sets[CROSS_SOURCE]; /* and families behind them */

    ranges_reset(run->catalogue);
    if (!fitting_run(run->catalogue, &run->truth, NULL, run->is_identified, err)) {
        return false;
    }
    for (int by = 0; by < CROSS_COUNT; by++) {
        (void)fprintf(stderr, "leaving out %s\n", NAMES[by]);
        if (!cross_validate(run->catalogue, &run->truth, (enum cross_by)by, run->sets[by], err)) {
            return false;
        }
    }
    if (!ranges_choose(run->catalogue, &run->truth, unseen, 2, err)) {
        return false;
    }
    ranges_apply(run->catalogue, &run->truth, run->sets, CROSS_COUNT, run->in_sample);
    return true;
}

static bool take_measures(struct run *run, struct error *err)
{
    bool is_good = measures_take(&run->truth, run->in_sample, &run->report.in_sample, err);

    for (int by = 0; is_good && by < CROSS_COUNT; by++) {
        is_good = measures_take(&run->truth, run->sets[by], &run->report.left_out[by], err);
    }
    run->report.observations = run->truth.observation_count;
    run->report.fitted = fitted_number_count;
    run->report.ranges = range_number_count;
    return is_good;
}

static bool write_report(const struct report *report, const char *path, struct error *err)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        return error_set(err, ERROR_BAD_FILE, "%.300s: %s", path, strerror(errno));
    }
    report_write(file, report);
    report_write(stdout, report);
    return fclose(file) == 0 || error_set(err, ERROR_BAD_FILE, "%.300s: %s", path, strerror(errno));
}

static bool run_fit(struct run *run, const struct places *places, struct error *err)
{
    struct date date = {0};

    if (places->date != NULL && !day_parse(places->date, strlen(places->date), &date.day)) {
        return error_set(err, ERROR_BAD_PARAMETER, "DATE must be a day as 2026-11-30, not %.40s",
                         places->date);
    }
    if (!fit(run, err) || !take_measures(run, err) ||
        !calibration_file_write(places->calibration, &run->catalogue->calibration, &run->truth,
                                run->is_identified, places->date, run->report.date, err)) {
        return false;
    }
    return write_report(&run->report, places->report, err);
}

static bool run_measure(struct run *run, struct error *err)
{
    answers_ask(run->catalogue, &run->truth, run->in_sample);
    if (!measures_take(&run->truth, run->in_sample, &run->report.in_sample, err)) {
        return false;
    }
    report_write_measures(stdout, &run->report.in_sample);
    return true;
}

int main(int argc, char **argv)
{
    struct run run = {0};
    struct error err = {0};
    bool is_run = (argc == 5 || argc == 6) && strcmp(argv[1], "run") == 0;
    bool is_good = false;

    if (!is_run && (argc != 3 || strcmp(argv[1], "measure") != 0)) {
        (void)fprintf(stderr, "usage: fit run TRUTH CALIBRATION REPORT [DATE]\n"
                              "       fit measure TRUTH\n");
        return EXIT_WRONG;
    }
    if (load(argv[2], &run, &err)) {
        struct places places = {is_run ? argv[3] : NULL, is_run ? argv[4] : NULL,
                                argc == 6 && *argv[5] != '\0' ? argv[5] : NULL};

        is_good = is_run ? run_fit(&run, &places, &err) : run_measure(&run, &err);
    }
    if (!is_good) {
        (void)fprintf(stderr, "fit: %s\n", err.text);
    }
    unload(&run);
    return is_good ? EXIT_DONE : EXIT_WRONG;
}
