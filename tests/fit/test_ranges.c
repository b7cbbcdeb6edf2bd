/* Ranges by errors that are given. */
#include "../../server/fit/ranges.h"

#include "../tap.h"

#include "fit_fixture.h"

enum { OBSERVATIONS_MAX = 64 };

/* The answer that an observation exceeds by the ratio. */
static void answer(struct fit_fixture *fixture, struct fit_answer *answers, enum truth_kind kind,
                   const char *id, double ratio)
{
    const struct observation *found = fixture_find(fixture, kind, id);

    answers[found - fixture->truth.observations] = (struct fit_answer){
        .predicted = found->measured / ratio, .low = (double)NAN, .high = (double)NAN};
}

/* Wider than may be on the mean, all are narrowed. */
static void check_narrowing(struct fit_fixture *fixture, struct fit_answer *const *sets)
{
    struct fit_answer fitted[OBSERVATIONS_MAX];
    struct error err = {0};
    double sum = 0, count = 0;

    fixture->catalogue->calibration.half_width_relative = 0.4;
    tap_ok(ranges_choose(fixture->catalogue, &fixture->truth, sets, 1, &err), "chosen again %s",
           err.text);
    answers_ask(fixture->catalogue, &fixture->truth, fitted);
    for (size_t i = 0; i < fixture->truth.observation_count; i++) {
        if (fixture->truth.observations[i].kind == TRUTH_RELATIVE && fitted[i].predicted > 0) {
            sum += fitted[i].half_width;
            count++;
        }
    }
    tap_near(sum / count, 0.1875, 0.01, "the mean half-width of relative speed is kept");
}

int main(void)
{
    struct fit_fixture fixture;
    struct fit_answer answers[OBSERVATIONS_MAX], fitted[OBSERVATIONS_MAX];
    struct fit_answer *sets[] = {answers};
    struct error err = {0};

    if (!tap_ok(fixture_init(&fixture) && fixture.truth.observation_count <= OBSERVATIONS_MAX,
                "the tables are read %s", fixture.err.text)) {
        return tap_done();
    }
    struct calibration *numbers = &fixture.catalogue->calibration;

    for (size_t i = 0; i < OBSERVATIONS_MAX; i++) {
        answers[i] =
            (struct fit_answer){.predicted = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    }
    answer(&fixture, answers, TRUTH_INFERENCE, "mem-1", 0.97);
    answer(&fixture, answers, TRUTH_INFERENCE, "mem-2", 1);
    answer(&fixture, answers, TRUTH_INFERENCE, "mem-5", 1.13);
    answer(&fixture, answers, TRUTH_DECODE, "tp-14", 1.05);
    answer(&fixture, answers, TRUTH_DECODE, "tp-15", 0.95);
    answer(&fixture, answers, TRUTH_DECODE, "tp-16", 1.31);
    answer(&fixture, answers, TRUTH_PREFILL, "tp-18", 1.01);

    ranges_reset(fixture.catalogue);
    double training = numbers->low_training;

    numbers->half_width_relative = numbers->half_width_wide = 0.1; /* nothing is to be narrowed */

    tap_ok(ranges_choose(fixture.catalogue, &fixture.truth, sets, 1, &err), "ranges are chosen %s",
           err.text);
    /* 20 cents hold 0.97 to 1.13 where they begin between 0.93 and 0.97 */
    tap_near(numbers->low_inference, 0.95, 1e-9, "memory: the middle of what covers all");
    tap_near(numbers->high_inference, 1.15, 1e-9, "and 20 % more");
    tap_ok(numbers->low_training == training, "without errors nothing changes");
    /* 85 % of 0.05, 0.05, 0.31 are 0.05 + 0.7 x 0.26 = 0.232 */
    tap_near(numbers->half_width_decode, 0.24, 1e-9, "speed: a quantile, in whole cents");
    tap_near(numbers->half_width_prompt, 0.12, 1e-9, "and not less than versions differ");

    ranges_apply(fixture.catalogue, &fixture.truth, sets, 1, fitted);
    const struct observation *decode = fixture_find(&fixture, TRUTH_DECODE, "tp-14");
    const struct fit_answer *renewed = &answers[decode - fixture.truth.observations];

    tap_near(renewed->high, renewed->predicted * 1.24, 1e-6, "an answer gets the new range");
    check_narrowing(&fixture, sets);
    fixture_fini(&fixture);
    return tap_done();
}
