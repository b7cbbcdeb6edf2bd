/* Folds, and that a prediction has not seen what it predicts. */
#include "../../server/fit/cross_validation.h"

#include "../tap.h"

#include "fit_fixture.h"

enum { OBSERVATIONS_MAX = 64 };

/* The place of an observation in the answers. */
static size_t place_of(struct fit_fixture *fixture, enum truth_kind kind, const char *id)
{
    const struct observation *found = fixture_find(fixture, kind, id);

    return found == NULL ? 0 : (size_t)(found - fixture->truth.observations);
}

static void check_folds(struct fit_fixture *fixture)
{
    int folds[OBSERVATIONS_MAX], count = 0;
    struct error err = {0};
    size_t b = place_of(fixture, TRUTH_DECODE, "tp-14"),
           c = place_of(fixture, TRUTH_DECODE, "tp-16");
    size_t prompt = place_of(fixture, TRUTH_PREFILL, "tp-18");
    size_t memory = place_of(fixture, TRUTH_INFERENCE, "mem-1");
    size_t card = place_of(fixture, TRUTH_RELATIVE, "tp-3");

    tap_ok(cross_folds(&fixture->truth, CROSS_SOURCE, folds, &count, &err) && count == 5,
           "the five sources of speed are folds: %d", count);
    tap_ok(folds[b] == folds[prompt] && folds[b] != folds[c], "rows of a source stay together");
    tap_ok(folds[memory] >= 0, "memory has folds of its sources");
    tap_ok(cross_folds(&fixture->truth, CROSS_CARD, folds, &count, &err) && count == 5,
           "the five cards are folds: %d", count);
    tap_ok(folds[memory] == -1, "memory knows no card");
    tap_ok(folds[card] == folds[c] && folds[card] != folds[b], "rows of a card stay together");
}

static void check_unseen(struct fit_fixture *fixture)
{
    struct fit_answer before[OBSERVATIONS_MAX], after[OBSERVATIONS_MAX];
    struct calibration kept = fixture->catalogue->calibration;
    struct observation *changed = fixture_find(fixture, TRUTH_INFERENCE, "mem-2");
    size_t own = place_of(fixture, TRUTH_INFERENCE, "mem-2");
    size_t other = place_of(fixture, TRUTH_INFERENCE, "mem-1");
    struct error err = {0};

    tap_ok(cross_validate(fixture->catalogue, &fixture->truth, CROSS_SOURCE, before, &err),
           "validation by source %s", err.text);
    changed->measured *= 0.85; /* was over what the priors say, is under it */
    tap_ok(cross_validate(fixture->catalogue, &fixture->truth, CROSS_SOURCE, after, &err),
           "and again with a value changed %s", err.text);
    tap_ok(before[own].predicted > 0 && before[own].predicted == after[own].predicted,
           "its own prediction does not see it: %.4g", before[own].predicted);
    tap_ok(before[other].predicted != after[other].predicted,
           "that of the other source does: %.5g and %.5g", before[other].predicted,
           after[other].predicted);
    tap_ok(memcmp(&kept, &fixture->catalogue->calibration, sizeof kept) == 0,
           "the calibration is as before");
}

int main(void)
{
    struct fit_fixture fixture;

    if (tap_ok(fixture_init(&fixture) && fixture.truth.observation_count <= OBSERVATIONS_MAX,
               "the tables are read %s", fixture.err.text)) {
        check_folds(&fixture);
        check_unseen(&fixture);
    }
    fixture_fini(&fixture);
    return tap_done();
}
