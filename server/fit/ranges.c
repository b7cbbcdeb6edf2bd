/* Quantiles of left-out errors into half-widths and ends. One thread. */
#include "ranges.h"

#include "measures.h"
#include "median.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>

static const double COVERED = 0.85; /* of speeds; promised are 80 % */
/* Versions of software alone are 10 % apart (median), more than that of one machine. */
static const double HALF_WIDTH_MIN = 0.12;
static const double MEAN_MAX = 0.1875; /* of the half-widths of relative speed */
static const double INFERENCE_HALF = 0.1, TRAINING_HALF = 0.2;
static const double CENT = 0.01;
enum { NO_NUMBER = -1, NARROWING_ROUNDS = 8 };

struct choosing {
    struct catalogue *catalogue;
    const struct truth *truth;
    struct fit_answer *const *sets;
    size_t set_count;
    int *users;                 /* the half-width each observation uses, by index; NO_NUMBER */
    double *ratios;             /* room for one per observation and set */
    struct fit_answer *answers; /* of the fit */
};

void ranges_reset(struct catalogue *catalogue)
{
    for (size_t k = 0; k < range_number_count; k++) {
        *number_at(&catalogue->calibration, RANGE_NUMBERS[k].offset) = RANGE_NUMBERS[k].prior;
    }
}

/* An observation uses the half-width that changes its range when it changes. */
static void find_users(struct choosing *choosing, struct fit_answer *changed)
{
    const struct truth *truth = choosing->truth;

    answers_ask(choosing->catalogue, truth, choosing->answers);
    for (size_t i = 0; i < truth->observation_count; i++) {
        choosing->users[i] = NO_NUMBER;
    }
    for (size_t k = 0; k < range_number_count; k++) {
        double *number = number_at(&choosing->catalogue->calibration, RANGE_NUMBERS[k].offset);
        double kept = *number;

        if (RANGE_NUMBERS[k].form != RANGE_HALF_WIDTH) {
            continue;
        }
        *number = kept * 1.5;
        answers_ask(choosing->catalogue, truth, changed);
        *number = kept;
        for (size_t i = 0; i < truth->observation_count; i++) {
            if (changed[i].half_width != choosing->answers[i].half_width) {
                choosing->users[i] = (int)k;
            }
        }
    }
}

/* measured / predicted, centred in groups, of the observations of a kind or that use a half-width.
 */
static size_t collect_ratios(const struct choosing *choosing, const struct fit_answer *answers,
                             int kind, int user, double *ratios)
{
    const struct truth *truth = choosing->truth;
    size_t count = 0;

    for (size_t i = 0; i < truth->observation_count;) {
        const struct observation *observation = &truth->observations[i];
        size_t length = measures_group_length(truth, i);
        double scale = observation->group == TRUTH_NO_GROUP
                           ? 1
                           : measures_scale(observation, &answers[i], length);

        for (size_t j = i; j < i + length; j++) {
            double ratio = truth->observations[j].measured / (answers[j].predicted * scale);
            bool is_meant =
                user == NO_NUMBER ? (int)observation->kind == kind : choosing->users[j] == user;

            if (is_meant && isfinite(ratio)) {
                ratios[count++] = ratio;
            }
        }
        i += length;
    }
    return count;
}

static void choose_half_width(struct choosing *choosing, int k)
{
    double half_width = 0;

    for (size_t s = 0; s < choosing->set_count; s++) {
        size_t count = collect_ratios(choosing, choosing->sets[s], 0, k, choosing->ratios);

        for (size_t i = 0; i < count; i++) {
            choosing->ratios[i] = fabs(choosing->ratios[i] - 1);
        }
        half_width = fmax(half_width, quantile_of(choosing->ratios, count, COVERED)); /* not NAN */
    }
    if (half_width > 0) {
        *number_at(&choosing->catalogue->calibration, RANGE_NUMBERS[k].offset) =
            number_rounded(ceil(fmax(half_width, HALF_WIDTH_MIN) / CENT) * CENT, NUMBER_DIGITS);
    }
}

static void scale_half_widths(struct choosing *choosing, const struct calibration *chosen,
                              double factor)
{
    for (size_t k = 0; k < range_number_count; k++) {
        const struct range_number *number = &RANGE_NUMBERS[k];

        if (number->form == RANGE_HALF_WIDTH) {
            *number_at(&choosing->catalogue->calibration, number->offset) = number_rounded(
                fmax(number_of(chosen, number->offset) * factor, HALF_WIDTH_MIN), NUMBER_DIGITS);
        }
    }
}

/* Of relative speed; a time is printed wider than a speed of the same half-width, and the low end
 * of an unproven card is no half-width at all. */
static double mean_half_width(struct choosing *choosing)
{
    const struct truth *truth = choosing->truth;
    double sum = 0, count = 0;

    answers_ask(choosing->catalogue, truth, choosing->answers);
    for (size_t i = 0; i < truth->observation_count; i++) {
        if (truth->observations[i].kind == TRUTH_RELATIVE &&
            !isnan(choosing->answers[i].predicted)) {
            sum += choosing->answers[i].half_width;
            count++;
        }
    }
    return sum / count;
}

/* All by the same factor, which is found in a few rounds, until their mean is narrow enough. */
static void narrow_half_widths(struct choosing *choosing)
{
    struct calibration chosen = choosing->catalogue->calibration;
    double factor = 1;

    for (int round = 0; round < NARROWING_ROUNDS; round++) {
        double mean = mean_half_width(choosing);

        if (isnan(mean) || (factor == 1 && mean <= MEAN_MAX)) {
            return;
        }
        factor = fmin(factor * MEAN_MAX / mean, 1);
        scale_half_widths(choosing, &chosen, factor);
    }
}

static size_t count_inside(const double *ratios, size_t count, double low, double high)
{
    size_t inside = 0;

    for (size_t i = 0; i < count; i++) {
        inside += ratios[i] >= low && ratios[i] <= high ? 1 : 0;
    }
    return inside;
}

/* The lower end of the range of a kind of memory, in whole cents: the middle of those that cover
 * most; NAN: there are no observations. */
static double low_end(struct choosing *choosing, enum truth_kind kind, double half)
{
    int steps = (int)round(2 * half / CENT), first = 0, last = 0;
    size_t count = 0, best = 0;

    for (size_t s = 0; s < choosing->set_count; s++) {
        count += collect_ratios(choosing, choosing->sets[s], (int)kind, NO_NUMBER,
                                choosing->ratios + count);
    }
    for (int step = 1; step < steps; step++) {
        double low = 1 - 2 * half + step * CENT;
        size_t inside = count_inside(choosing->ratios, count, low, low + 2 * half);

        if (inside > best) {
            best = inside;
            first = step;
        }
        last = inside == best ? step : last;
    }
    int middle = (first + last + 1) / 2; /* the higher of two: too low is the worse error */

    return best == 0 ? (double)NAN : 1 - 2 * half + middle * CENT;
}

static void choose_ends(struct choosing *choosing)
{
    for (size_t k = 0; k < range_number_count; k++) {
        const struct range_number *number = &RANGE_NUMBERS[k];

        if (number->form == RANGE_HALF_WIDTH) {
            continue;
        }
        double half = number->kind == TRUTH_INFERENCE ? INFERENCE_HALF : TRAINING_HALF;
        double low = low_end(choosing, number->kind, half);

        if (!isnan(low)) {
            *number_at(&choosing->catalogue->calibration, number->offset) =
                number_rounded(number->form == RANGE_LOW ? low : low + 2 * half, NUMBER_DIGITS);
        }
    }
}

/* A range is in proportion to its value. */
void ranges_apply(const struct catalogue *catalogue, const struct truth *truth,
                  struct fit_answer *const *sets, size_t set_count, struct fit_answer *fitted)
{
    answers_ask(catalogue, truth, fitted);
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < truth->observation_count; i++) {
            struct fit_answer *answer = &sets[s][i];

            answer->low = answer->predicted * fitted[i].low / fitted[i].predicted;
            answer->high = answer->predicted * fitted[i].high / fitted[i].predicted;
            answer->half_width = isnan(answer->predicted) ? 0 : fitted[i].half_width;
        }
    }
}

bool ranges_choose(struct catalogue *catalogue, const struct truth *truth,
                   struct fit_answer *const *sets, size_t set_count, struct error *err)
{
    size_t count = truth->observation_count + 1;
    struct fit_answer *answers = calloc(2 * count, sizeof *answers);
    int *users = calloc(count, sizeof *users);
    double *ratios = calloc(count * (set_count + 1), sizeof *ratios);
    struct choosing choosing = {catalogue, truth, sets, set_count, users, ratios, answers};
    bool is_good = answers != NULL && users != NULL && ratios != NULL;

    if (is_good) {
        find_users(&choosing, answers + count);
        for (size_t k = 0; k < range_number_count; k++) {
            if (RANGE_NUMBERS[k].form == RANGE_HALF_WIDTH) {
                choose_half_width(&choosing, (int)k);
            }
        }
        narrow_half_widths(&choosing);
        choose_ends(&choosing);
    } else {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the ranges");
    }
    free(answers);
    free(users);
    free(ratios);
    return is_good;
}
