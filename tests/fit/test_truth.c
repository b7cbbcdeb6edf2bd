/* Which rows become observations, of which kind and group, with which value. */
#include "../tap.h"

#include "fit_fixture.h"

static size_t count_kind(const struct truth *truth, enum truth_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < truth->observation_count; i++) {
        count += truth->observations[i].kind == kind;
    }
    return count;
}

static void check_counts(const struct truth *truth)
{
    static const size_t COUNTS[TRUTH_KIND_COUNT] = {
        [TRUTH_RELATIVE] = 6, [TRUTH_DECODE] = 3,    [TRUTH_PREFILL] = 1,
        [TRUTH_IMAGE] = 1,    [TRUTH_INFERENCE] = 3, [TRUTH_TRAINING] = 1,
        [TRUTH_FACT] = 2,     [TRUTH_GGUF] = 1,      [TRUTH_KV] = 1,
    };

    for (int kind = 0; kind < TRUTH_KIND_COUNT; kind++) {
        size_t count = count_kind(truth, (enum truth_kind)kind);

        tap_ok(count == COUNTS[kind], "%zu of %s", count, truth_kind_name((enum truth_kind)kind));
    }
    tap_ok(truth->group_count == 2, "two groups have three cards: %zu", truth->group_count);
}

static void check_values(struct fit_fixture *fixture)
{
    const struct observation *fast = fixture_find(fixture, TRUTH_RELATIVE, "tp-2");
    const struct observation *slow = fixture_find(fixture, TRUTH_RELATIVE, "tp-3");
    const struct observation *server = fixture_find(fixture, TRUTH_RELATIVE, "tp-10");
    const struct observation *eight = fixture_find(fixture, TRUTH_RELATIVE, "tp-9");
    const struct observation *fact = fixture_find(fixture, TRUTH_FACT, "mem-8");
    const struct observation *training = fixture_find(fixture, TRUTH_TRAINING, "mem-6");

    if (!tap_ok(fast != NULL && slow != NULL && server != NULL && eight != NULL && fact != NULL &&
                    training != NULL,
                "the observations are there")) {
        return;
    }
    tap_near(fast->measured, 0.25, 1e-12, "a time becomes a speed");
    tap_ok(fast->group == slow->group && fast->group != eight->group, "groups are kept apart");
    tap_near(eight->measured, 100, 1e-12, "MLPerf counts by the card");
    tap_ok(server->count == 2, "a card with two rows is one observation");
    tap_near(server->measured, 1100, 1e-12, "of their median");
    tap_ok(fact->fits && isnan(fact->measured), "a fact has no value");
    tap_near(training->measured, 21, 1e-12, "memory is in GiB");
    tap_text(training->source, "y", "an observation knows its source");
    tap_text(training->family, "llama2", "and its family");
}

static void check_forgotten(const struct truth *truth)
{
    const struct predict_table *sizes = &truth->tables[PREDICT_SIZE];

    tap_text(predict_table_text(&truth->tables[PREDICT_SPEED], 0, "value"), "",
             "no measured speed is left in the table");
    tap_text(predict_table_text(&truth->tables[PREDICT_MEMORY], 0, "measured_gib"), "",
             "no measured memory");
    tap_text(predict_table_text(&truth->tables[PREDICT_MEMORY], 7, "fact"), "", "no fact");
    tap_text(predict_table_text(sizes, 0, "size"), "", "no size");
    tap_text(predict_table_text(sizes, 0, "bits_per_weight"), "", "nor the bits of a file");
    tap_text(predict_table_text(sizes, 1, "bits_per_weight"), "4.64", "but those beside a cache");
}

static void check_faults(struct fit_fixture *fixture)
{
    struct truth truth = {0};
    struct error err = {0};

    tap_ok(!truth_read(fixture->catalogue, "/nonexistent", &truth, &err) &&
               strstr(err.text, "throughput.csv") != NULL,
           "a folder without tables is an error: %s", err.text);
    (void)fixture_write(fixture, "kv.csv", FIXTURE_MEMORY);
    tap_ok(!truth_read(fixture->catalogue, fixture->folder, &truth, &err) &&
               strstr(err.text, "kv.csv") != NULL,
           "as is a table under the name of another: %s", err.text);
}

int main(void)
{
    struct fit_fixture fixture;

    if (tap_ok(fixture_init(&fixture), "the tables are read %s", fixture.err.text)) {
        check_counts(&fixture.truth);
        check_values(&fixture);
        check_forgotten(&fixture.truth);
        check_faults(&fixture);
    }
    fixture_fini(&fixture);
    return tap_done();
}
