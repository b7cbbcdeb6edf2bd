/* The objective: log(predicted / measured) of each observation over the noise of its kind; inside a
 * group of cards less the group's median, because only ratios are meant there. The numbers are
 * fitted by their logarithms. One thread. */
#include "fitting.h"

#include "measures.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>

/* How far apart equal measurements of a kind are, as standard deviation of the logarithm. Lambda's
 * hosts differ by 1 %, container generations by 10 %; memory is counted by an allocator. 0: the
 * kind is not fitted. */
static const double NOISE[TRUTH_KIND_COUNT] = {
    [TRUTH_RELATIVE] = 0.10, [TRUTH_DECODE] = 0.06,    [TRUTH_PREFILL] = 0.06,
    [TRUTH_IMAGE] = 0.08,    [TRUTH_INFERENCE] = 0.02, [TRUTH_TRAINING] = 0.04,
};

/* Memory that is said too low stops a job: it counts more than memory said too high. */
static const double TOO_LOW = 1.5;

static const double LINEAR_BEYOND = 1.5; /* times the noise */
static const double STEP = 1e-4;         /* of the logarithms */

struct fitting {
    struct catalogue *catalogue;
    const struct truth *truth;
    const bool *left_out;
    struct fit_answer *answers;
};

static double residual_of(enum truth_kind kind, double predicted, double measured)
{
    double off = log(predicted / measured) / NOISE[kind];
    bool is_memory = kind == TRUTH_INFERENCE || kind == TRUTH_TRAINING;

    if (!isfinite(off)) {
        return 0; /* declined or left out */
    }
    return is_memory && off < 0 ? off * TOO_LOW : off;
}

static void set_numbers(struct catalogue *catalogue, const double *logs)
{
    for (size_t k = 0; k < fitted_number_count; k++) {
        *number_at(&catalogue->calibration, FITTED_NUMBERS[k].offset) = exp(logs[k]);
    }
}

static void find_residuals(void *context, const double *logs, size_t changed, double *residuals)
{
    struct fitting *fitting = context;
    const struct truth *truth = fitting->truth;
    unsigned kinds = changed < fitted_number_count ? FITTED_NUMBERS[changed].kinds : ~0U;

    set_numbers(fitting->catalogue, logs);
    for (size_t i = 0; i < truth->observation_count;) {
        const struct observation *observation = &truth->observations[i];
        size_t length = measures_group_length(truth, i);

        if (NOISE[observation->kind] > 0 && (kinds & truth_bit(observation->kind)) != 0) {
            answers_ask_some(fitting->catalogue, truth, i, length, fitting->left_out,
                             fitting->answers);

            double scale = observation->group == TRUTH_NO_GROUP
                               ? 1
                               : measures_scale(observation, &fitting->answers[i], length);

            for (size_t j = i; j < i + length; j++) {
                residuals[j] = residual_of(observation->kind, fitting->answers[j].predicted * scale,
                                           truth->observations[j].measured);
            }
        }
        i += length;
    }
}

static void fill_numbers(struct least_squares_number *numbers)
{
    for (size_t k = 0; k < fitted_number_count; k++) {
        const struct fitted_number *number = &FITTED_NUMBERS[k];

        numbers[k] = (struct least_squares_number){log(number->prior), number->width,
                                                   log(number->low), log(number->high)};
    }
}

bool fitting_run(struct catalogue *catalogue, const struct truth *truth, const bool *left_out,
                 bool *is_identified, struct error *err)
{
    struct least_squares_number numbers[LEAST_SQUARES_NUMBERS_MAX] = {{0}};
    struct least_squares_result result = {0};
    size_t count = truth->observation_count;
    double *weights = calloc(count + 1, sizeof *weights);
    struct fitting fitting = {catalogue, truth, left_out,
                              calloc(count + 1, sizeof *fitting.answers)};
    bool is_good = weights != NULL && fitting.answers != NULL;

    if (!is_good) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the fit");
        goto free_all;
    }
    fill_numbers(numbers);
    for (size_t i = 0; i < count; i++) {
        weights[i] = left_out != NULL && left_out[i] ? 0 : 1;
    }
    struct least_squares_problem problem = {.number_count = fitted_number_count,
                                            .residual_count = count,
                                            .numbers = numbers,
                                            .weights = weights,
                                            .linear_beyond = LINEAR_BEYOND,
                                            .step = STEP,
                                            .residuals = find_residuals,
                                            .context = &fitting};

    is_good = least_squares_solve(&problem, &result, err);
    for (size_t k = 0; is_good && k < fitted_number_count; k++) {
        *number_at(&catalogue->calibration, FITTED_NUMBERS[k].offset) = number_rounded(
            result.is_identified[k] ? exp(result.x[k]) : FITTED_NUMBERS[k].prior, NUMBER_DIGITS);
        if (is_identified != NULL) {
            is_identified[k] = result.is_identified[k];
        }
    }
free_all:
    free(weights);
    free(fitting.answers);
    return is_good;
}
