/* Asks the rows of an observation and joins their answers. One thread. */
#include "answers.h"

#include "median.h"
#include "numbers.h"

#include <math.h>

enum { PRINTED_DIGITS = 9 }; /* by `gpuwise predict`: what is equal there has one rank */

static struct fit_answer ask_member(const struct catalogue *catalogue, const struct truth *truth,
                                    const struct truth_member *member)
{
    const struct truth_row *row = &truth->rows[member->row];
    double unknown = (double)NAN;
    struct prediction found = {unknown, unknown, unknown, ANSWER_UNASKED};

    if (row->is_read) {
        predict_answer(catalogue, &row->one, &found);
        found.value = number_rounded(found.value, PRINTED_DIGITS);
    }
    struct fit_answer answer = {found.value, found.low, found.high, 0, found.fits};

    if (isfinite(found.low) && isfinite(found.high) && found.value > 0) {
        answer.half_width = (found.high - found.low) / 2 / found.value;
    }
    if (member->is_time) {
        answer.predicted = 1 / found.value;
        answer.low = 1 / found.high;
        answer.high = found.low > 0 ? 1 / found.low : (double)INFINITY;
    } else {
        answer.predicted /= member->divisor;
        answer.low /= member->divisor;
        answer.high /= member->divisor;
    }
    return answer;
}

static struct fit_answer ask_observation(const struct catalogue *catalogue,
                                         const struct truth *truth,
                                         const struct observation *observation)
{
    double predicted[TRUTH_ITEM_ROWS_MAX], low[TRUTH_ITEM_ROWS_MAX], high[TRUTH_ITEM_ROWS_MAX],
        width[TRUTH_ITEM_ROWS_MAX];
    struct fit_answer joined = {0};
    size_t count = 0;

    for (size_t i = 0; i < observation->count; i++) {
        struct fit_answer answer =
            ask_member(catalogue, truth, &truth->members[observation->first + i]);

        joined.fits = answer.fits;
        if (!isnan(answer.predicted)) {
            predicted[count] = answer.predicted;
            low[count] = answer.low;
            high[count] = answer.high;
            width[count++] = answer.half_width;
        }
    }
    joined.predicted = median_of(predicted, count);
    joined.low = median_of(low, count);
    joined.high = median_of(high, count);
    joined.half_width = count == 0 ? 0 : median_of(width, count);
    return joined;
}

void answers_ask_some(const struct catalogue *catalogue, const struct truth *truth, size_t first,
                      size_t count, const bool *left_out, struct fit_answer *answers)
{
    for (size_t i = first; i < first + count; i++) {
        double unknown = (double)NAN;

        answers[i] = left_out != NULL && left_out[i]
                         ? (struct fit_answer){unknown, unknown, unknown, 0, ANSWER_UNASKED}
                         : ask_observation(catalogue, truth, &truth->observations[i]);
    }
}

void answers_ask(const struct catalogue *catalogue, const struct truth *truth,
                 struct fit_answer *answers)
{
    answers_ask_some(catalogue, truth, 0, truth->observation_count, NULL, answers);
}
