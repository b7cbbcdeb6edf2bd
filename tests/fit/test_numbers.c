/* The table of fitted numbers against the calibration that ships and, where the measurements lie
 * beside this tree, against what each number changes. */
#include "../../server/fit/numbers.h"

#include "../../db/catalogue_load.h"
#include "../tap.h"

#include <stdlib.h>
#include <unistd.h>

static const char TRUTH[] = "../shared/ground-truth";

/* Whether a table names the field at the offset. */
static size_t count_named(size_t offset, const char *name)
{
    size_t found = 0;

    for (size_t k = 0; k < fitted_number_count; k++) {
        found += FITTED_NUMBERS[k].offset == offset && strcmp(FITTED_NUMBERS[k].name, name) == 0;
    }
    for (size_t k = 0; k < range_number_count; k++) {
        found += RANGE_NUMBERS[k].offset == offset && strcmp(RANGE_NUMBERS[k].name, name) == 0;
    }
    return found;
}

static void check_rows(const struct catalogue *catalogue)
{
    size_t known = 0, outside = 0;

    for (size_t i = 0; i < catalogue->calibration_count; i++) {
        const struct calibration_row *row = &catalogue->calibration_rows[i];
        size_t found = 0;

        for (size_t k = 0; k < fitted_number_count; k++) {
            const struct fitted_number *number = &FITTED_NUMBERS[k];

            found += strcmp(number->name, row->name) == 0;
            outside += strcmp(number->name, row->name) == 0 &&
                       (row->value < number->low || row->value > number->high);
        }
        for (size_t k = 0; k < range_number_count; k++) {
            found += strcmp(RANGE_NUMBERS[k].name, row->name) == 0;
        }
        known += found == 1;
        if (found != 1) {
            printf("# %s is named %zu times\n", row->name, found);
        }
    }
    tap_ok(known == catalogue->calibration_count, "every row of the calibration is fitted once");
    tap_ok(fitted_number_count + range_number_count == catalogue->calibration_count,
           "and nothing else is");
    tap_ok(catalogue->calibration_count <= NUMBERS_MAX, "%zu numbers, at most %d",
           catalogue->calibration_count, (int)NUMBERS_MAX);
    tap_ok(outside == 0, "what ships lies within its bounds");
}

static void check_table(void)
{
    size_t bad = 0, doubled = 0;

    for (size_t k = 0; k < fitted_number_count; k++) {
        const struct fitted_number *number = &FITTED_NUMBERS[k];

        bad += !(number->low > 0 && number->low < number->prior && number->prior < number->high &&
                 number->width > 0 && number->kinds != 0);
        doubled += count_named(number->offset, number->name) != 1;
    }
    tap_ok(bad == 0, "every prior lies between its bounds, and has a width and observations");
    tap_ok(doubled == 0, "no number stands there twice");
    tap_ok(number_rounded(0.0123456, 3) == 0.0123 && number_rounded(1234567, 3) == 1230000,
           "rounding keeps three digits");
}

static unsigned changed_kinds(const struct truth *truth, const struct fit_answer *before,
                              const struct fit_answer *after)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < truth->observation_count; i++) {
        bool is_same = before[i].predicted == after[i].predicted || isnan(before[i].predicted);

        kinds |= is_same ? 0 : truth_bit(truth->observations[i].kind);
    }
    return kinds & (truth_bit(TRUTH_FACT) - 1); /* facts and sizes are not fitted */
}

/* The kinds in the table are those that a number changes, no more and no less. */
static void check_kinds(struct catalogue *catalogue, const struct truth *truth)
{
    struct fit_answer *before = calloc(2 * truth->observation_count, sizeof *before);
    size_t wrong = 0;

    if (before == NULL) {
        (void)tap_ok(false, "there is memory");
        return;
    }
    struct fit_answer *after = before + truth->observation_count;

    answers_ask(catalogue, truth, before);
    for (size_t k = 0; k < fitted_number_count; k++) {
        double *number = number_at(&catalogue->calibration, FITTED_NUMBERS[k].offset);
        double kept = *number;
        unsigned kinds = 0;

        for (double factor = 0.5; factor <= 2; factor *= 2) {
            *number = kept * factor;
            answers_ask(catalogue, truth, after);
            kinds |= changed_kinds(truth, before, after);
        }
        *number = kept;
        if (kinds != FITTED_NUMBERS[k].kinds) {
            printf("# %s changes", FITTED_NUMBERS[k].name);
            for (int kind = 0; kind < TRUTH_KIND_COUNT; kind++) {
                if ((kinds & truth_bit((enum truth_kind)kind)) != 0) {
                    printf(" %s,", truth_kind_name((enum truth_kind)kind));
                }
            }
            printf("\n");
            wrong++;
        }
    }
    free(before);
    tap_ok(wrong == 0, "every number changes the kinds of observations that the table says");
}

int main(void)
{
    struct database *database = NULL;
    struct catalogue *catalogue = NULL;
    struct truth truth = {0};
    struct error err = {0};

    check_table();
    if (tap_ok(database_open_shipped(&database, &err) && catalogue_load(database, &catalogue, &err),
               "the facts load %s", err.text)) {
        check_rows(catalogue);
        if (access(TRUTH, F_OK) != 0) {
            tap_skip("%s is not there", TRUTH);
        } else if (tap_ok(truth_read(catalogue, TRUTH, &truth, &err), "the measurements load %s",
                          err.text)) {
            check_kinds(catalogue, &truth);
        }
    }
    truth_fini(&truth);
    catalogue_unref(catalogue);
    database_close(database);
    return tap_done();
}
