/* The measures, over all groups and rows. One thread, no state. */
#include "measures.h"

#include "median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 256, GROUP_MIN = 3, RANKED_MIN = 5 };

static const double NEARLY = 1e-9; /* for ends of a range */

const char *measure_name(enum measure measure)
{
    static const char *const NAMES[] = {
        [MEASURE_RANK_MEDIAN] = "rank_median",
        [MEASURE_RANK_MEAN] = "rank_mean",
        [MEASURE_WRONG_ORDER] = "wrong_order",
        [MEASURE_ANCHOR_MEDIAN] = "anchor_median",
        [MEASURE_ANCHOR_10] = "anchor_10",
        [MEASURE_ANCHOR_20] = "anchor_20",
        [MEASURE_CENTRED_MEDIAN] = "centred_median",
        [MEASURE_CENTRED_20] = "centred_20",
        [MEASURE_DECODE_MEDIAN] = "decode_median",
        [MEASURE_DECODE_20] = "decode_20",
        [MEASURE_PREFILL_MEDIAN] = "prefill_median",
        [MEASURE_PREFILL_20] = "prefill_20",
        [MEASURE_IMAGE_MEDIAN] = "image_median",
        [MEASURE_IMAGE_20] = "image_20",
        [MEASURE_INFERENCE_MEDIAN] = "inference_median",
        [MEASURE_INFERENCE_10] = "inference_10",
        [MEASURE_INFERENCE_20] = "inference_20",
        [MEASURE_TRAINING_MEDIAN] = "training_median",
        [MEASURE_TRAINING_10] = "training_10",
        [MEASURE_TRAINING_20] = "training_20",
        [MEASURE_INFERENCE_LOW] = "inference_low",
        [MEASURE_TRAINING_LOW] = "training_low",
        [MEASURE_FIT_RIGHT] = "fit_right",
        [MEASURE_FIT_FALSE] = "fit_false",
        [MEASURE_GGUF_MEDIAN] = "gguf_median",
        [MEASURE_KV_MEDIAN] = "kv_median",
        [MEASURE_BAND_SPEED] = "band_speed",
        [MEASURE_BAND_INFERENCE] = "band_inference",
        [MEASURE_BAND_TRAINING] = "band_training",
        [MEASURE_WIDTH_SPEED] = "width_speed",
        [MEASURE_WIDTH_INFERENCE] = "width_inference",
        [MEASURE_WIDTH_TRAINING] = "width_training",
    };

    return NAMES[measure];
}

/* Values of one measure until all are there. */
struct heap {
    double *values;
    size_t count;
};

enum heap_name {
    HEAP_RANK,
    HEAP_ORDER,
    HEAP_ANCHOR,
    HEAP_CENTRED,
    HEAP_INSIDE,
    HEAP_WIDTH,
    HEAP_COUNT
};

struct taking {
    struct measures *measures;
    struct heap heaps[HEAP_COUNT]; /* values of the kind or of relative speed */
};

static void put(struct taking *taking, enum heap_name name, double value)
{
    struct heap *heap = &taking->heaps[name];

    heap->values[heap->count++] = value;
}

static void set(struct measures *measures, enum measure measure, double value, size_t rows)
{
    measures->values[measure] = value;
    measures->rows[measure] = rows;
}

static double mean_of(const struct heap *heap)
{
    double sum = 0;

    for (size_t i = 0; i < heap->count; i++) {
        sum += heap->values[i];
    }
    return sum / (double)heap->count; /* NAN of none */
}

/* Per cent of the values whose size is at most the limit. */
static double share_within(const struct heap *heap, double limit)
{
    size_t within = 0;

    for (size_t i = 0; i < heap->count; i++) {
        within += fabs(heap->values[i]) <= limit ? 1 : 0;
    }
    return 100 * (double)within / (double)heap->count;
}

static double median_size(struct heap *heap)
{
    for (size_t i = 0; i < heap->count; i++) {
        heap->values[i] = fabs(heap->values[i]);
    }
    return median_of(heap->values, heap->count);
}

static double error_percent(const struct observation *observation, const struct fit_answer *answer,
                            double scale)
{
    return 100 * (answer->predicted * scale / observation->measured - 1);
}

static bool is_inside(const struct observation *observation, const struct fit_answer *answer,
                      double scale)
{
    double measured = observation->measured * (1 + NEARLY);

    return answer->low * scale <= measured &&
           observation->measured <= answer->high * scale * (1 + NEARLY); /* false for NAN */
}

size_t measures_group_length(const struct truth *truth, size_t first)
{
    size_t end = first + 1;
    int group = truth->observations[first].group;

    while (group != TRUTH_NO_GROUP && end < truth->observation_count &&
           truth->observations[end].group == group) {
        end++;
    }
    return end - first;
}

double measures_scale(const struct observation *observations, const struct fit_answer *answers,
                      size_t count)
{
    double logs[GROUP_MAX];
    size_t given = 0;

    for (size_t i = 0; i < count && given < GROUP_MAX; i++) {
        if (!isnan(answers[i].predicted)) {
            logs[given++] = log(observations[i].measured) - log(answers[i].predicted);
        }
    }
    return given < 2 ? (double)NAN : exp(median_of(logs, given));
}

/* Ranks from 0, equal values share the mean of theirs. */
static void find_ranks(const double *values, size_t count, double *ranks)
{
    for (size_t i = 0; i < count; i++) {
        double below = 0, equal = 0;

        for (size_t j = 0; j < count; j++) {
            below += values[j] < values[i] ? 1 : 0;
            equal += values[j] == values[i] ? 1 : 0;
        }
        ranks[i] = below + (equal - 1) / 2;
    }
}

static double spearman(const double *a, const double *b, size_t count)
{
    double ranks_a[GROUP_MAX], ranks_b[GROUP_MAX];
    double mean = (double)(count - 1) / 2, joint = 0, square_a = 0, square_b = 0;

    find_ranks(a, count, ranks_a);
    find_ranks(b, count, ranks_b);
    for (size_t i = 0; i < count; i++) {
        joint += (ranks_a[i] - mean) * (ranks_b[i] - mean);
        square_a += (ranks_a[i] - mean) * (ranks_a[i] - mean);
        square_b += (ranks_b[i] - mean) * (ranks_b[i] - mean);
    }
    return square_a * square_b > 0 ? joint / sqrt(square_a * square_b) : 0;
}

/* The cards of a group that were not declined. */
struct given {
    const struct observation *observations[GROUP_MAX];
    const struct fit_answer *answers[GROUP_MAX];
    double measured[GROUP_MAX], predicted[GROUP_MAX];
    size_t count;
};

static void collect_given(const struct observation *observations, const struct fit_answer *answers,
                          size_t count, struct given *given)
{
    given->count = 0;
    for (size_t i = 0; i < count && given->count < GROUP_MAX; i++) {
        if (!isnan(answers[i].predicted)) {
            given->observations[given->count] = &observations[i];
            given->answers[given->count] = &answers[i];
            given->measured[given->count] = observations[i].measured;
            given->predicted[given->count++] = answers[i].predicted;
        }
    }
}

static void take_order(struct taking *taking, const struct given *given)
{
    for (size_t i = 0; i < given->count; i++) {
        for (size_t j = 0; j < i; j++) {
            double measured = given->measured[i] - given->measured[j];
            double predicted = given->predicted[i] - given->predicted[j];

            if (fabs(log(given->measured[i] / given->measured[j])) > log(1.1)) {
                put(taking, HEAP_ORDER, predicted * measured <= 0 ? 0 : 1);
            }
        }
    }
}

/* The others by one card whose value is known: the first of these that the group has. */
static void take_anchor(struct taking *taking, const struct given *given)
{
    static const char *const ANCHORS[] = {
        "nvidia-geforce-rtx-3090",    "nvidia-a100-sxm4-40gb",       "nvidia-a100-sxm4-80gb",
        "nvidia-a100-pcie-80gb",      "nvidia-tesla-v100-sxm2-16gb", "nvidia-geforce-rtx-4090",
        "nvidia-geforce-rtx-2080-ti",
    };
    size_t anchor = given->count;

    for (size_t a = 0; a < sizeof ANCHORS / sizeof ANCHORS[0] && anchor == given->count; a++) {
        for (anchor = 0;
             anchor < given->count && strcmp(given->observations[anchor]->card, ANCHORS[a]) != 0;) {
            anchor++;
        }
    }
    for (size_t i = 0; i < given->count && anchor < given->count; i++) {
        double scale = given->measured[anchor] / given->predicted[anchor];

        if (i != anchor) {
            put(taking, HEAP_ANCHOR,
                error_percent(given->observations[i], given->answers[i], scale));
        }
    }
}

static void take_group(struct taking *taking, const struct observation *observations,
                       const struct fit_answer *answers, size_t count)
{
    double scale = measures_scale(observations, answers, count);
    struct given given;

    collect_given(observations, answers, count, &given);
    if (given.count < GROUP_MIN) {
        return;
    }
    for (size_t i = 0; i < given.count; i++) {
        put(taking, HEAP_CENTRED, error_percent(given.observations[i], given.answers[i], scale));
        put(taking, HEAP_INSIDE, is_inside(given.observations[i], given.answers[i], scale) ? 0 : 1);
        put(taking, HEAP_WIDTH, 100 * given.answers[i]->half_width);
    }
    take_anchor(taking, &given);
    take_order(taking, &given);
    if (given.count >= RANKED_MIN) {
        put(taking, HEAP_RANK, spearman(given.predicted, given.measured, given.count));
    }
}

static void empty(struct taking *taking)
{
    for (size_t i = 0; i < HEAP_COUNT; i++) {
        taking->heaps[i].count = 0;
    }
}

static void take_relative(struct taking *taking, const struct truth *truth,
                          const struct fit_answer *answers)
{
    struct heap *heaps = taking->heaps;
    struct measures *measures = taking->measures;

    empty(taking);
    for (size_t i = 0; i < truth->observation_count;) {
        size_t length = measures_group_length(truth, i);

        if (truth->observations[i].kind == TRUTH_RELATIVE) {
            take_group(taking, &truth->observations[i], &answers[i], length);
        }
        i += length;
    }
    size_t near = heaps[HEAP_ANCHOR].count, rows = heaps[HEAP_CENTRED].count;

    set(measures, MEASURE_RANK_MEAN, mean_of(&heaps[HEAP_RANK]), heaps[HEAP_RANK].count);
    set(measures, MEASURE_RANK_MEDIAN, median_of(heaps[HEAP_RANK].values, heaps[HEAP_RANK].count),
        heaps[HEAP_RANK].count);
    set(measures, MEASURE_WRONG_ORDER, share_within(&heaps[HEAP_ORDER], 0),
        heaps[HEAP_ORDER].count);
    set(measures, MEASURE_ANCHOR_10, share_within(&heaps[HEAP_ANCHOR], 10), near);
    set(measures, MEASURE_ANCHOR_20, share_within(&heaps[HEAP_ANCHOR], 20), near);
    set(measures, MEASURE_ANCHOR_MEDIAN, median_size(&heaps[HEAP_ANCHOR]), near);
    set(measures, MEASURE_CENTRED_20, share_within(&heaps[HEAP_CENTRED], 20), rows);
    set(measures, MEASURE_CENTRED_MEDIAN, median_size(&heaps[HEAP_CENTRED]), rows);
    set(measures, MEASURE_BAND_SPEED, share_within(&heaps[HEAP_INSIDE], 0), rows);
    set(measures, MEASURE_WIDTH_SPEED, mean_of(&heaps[HEAP_WIDTH]), rows);
}

/* The measures of one kind that stands for itself; MEASURE_COUNT: has none. */
struct single_measures {
    enum truth_kind kind;
    enum measure median, within_10, within_20, low, band, width;
};

#define NO_MEASURE MEASURE_COUNT

static const struct single_measures SINGLES[] = {
    {TRUTH_DECODE, MEASURE_DECODE_MEDIAN, NO_MEASURE, MEASURE_DECODE_20, NO_MEASURE, NO_MEASURE,
     NO_MEASURE},
    {TRUTH_PREFILL, MEASURE_PREFILL_MEDIAN, NO_MEASURE, MEASURE_PREFILL_20, NO_MEASURE, NO_MEASURE,
     NO_MEASURE},
    {TRUTH_IMAGE, MEASURE_IMAGE_MEDIAN, NO_MEASURE, MEASURE_IMAGE_20, NO_MEASURE, NO_MEASURE,
     NO_MEASURE},
    {TRUTH_INFERENCE, MEASURE_INFERENCE_MEDIAN, MEASURE_INFERENCE_10, MEASURE_INFERENCE_20,
     MEASURE_INFERENCE_LOW, MEASURE_BAND_INFERENCE, MEASURE_WIDTH_INFERENCE},
    {TRUTH_TRAINING, MEASURE_TRAINING_MEDIAN, MEASURE_TRAINING_10, MEASURE_TRAINING_20,
     MEASURE_TRAINING_LOW, MEASURE_BAND_TRAINING, MEASURE_WIDTH_TRAINING},
    {TRUTH_GGUF, MEASURE_GGUF_MEDIAN, NO_MEASURE, NO_MEASURE, NO_MEASURE, NO_MEASURE, NO_MEASURE},
    {TRUTH_KV, MEASURE_KV_MEDIAN, NO_MEASURE, NO_MEASURE, NO_MEASURE, NO_MEASURE, NO_MEASURE},
};

static void set_single(struct measures *measures, enum measure measure, double value, size_t rows)
{
    if (measure != NO_MEASURE) {
        set(measures, measure, value, rows);
    }
}

static void take_single(struct taking *taking, const struct truth *truth,
                        const struct fit_answer *answers, const struct single_measures *wanted)
{
    struct heap *errors = &taking->heaps[HEAP_CENTRED];
    size_t too_low = 0;

    empty(taking);
    for (size_t i = 0; i < truth->observation_count; i++) {
        const struct observation *observation = &truth->observations[i];

        if (observation->kind != wanted->kind || isnan(answers[i].predicted)) {
            continue;
        }
        double error = error_percent(observation, &answers[i], 1);

        too_low += error < -10 ? 1 : 0;
        put(taking, HEAP_CENTRED, error);
        put(taking, HEAP_INSIDE, is_inside(observation, &answers[i], 1) ? 0 : 1);
        put(taking, HEAP_WIDTH, 100 * answers[i].half_width);
    }
    size_t rows = errors->count;

    set_single(taking->measures, wanted->within_10, share_within(errors, 10), rows);
    set_single(taking->measures, wanted->within_20, share_within(errors, 20), rows);
    set_single(taking->measures, wanted->median, median_size(errors), rows);
    set_single(taking->measures, wanted->low, 100 * (double)too_low / (double)rows, rows);
    set_single(taking->measures, wanted->band, share_within(&taking->heaps[HEAP_INSIDE], 0), rows);
    set_single(taking->measures, wanted->width, mean_of(&taking->heaps[HEAP_WIDTH]), rows);
}

static void take_facts(struct measures *measures, const struct truth *truth,
                       const struct fit_answer *answers)
{
    size_t said = 0, right = 0, false_fits = 0;

    for (size_t i = 0; i < truth->observation_count; i++) {
        const struct observation *observation = &truth->observations[i];

        if (observation->kind == TRUTH_FACT && answers[i].fits != ANSWER_UNASKED) {
            bool says_fits = answers[i].fits == ANSWER_YES;

            said++;
            right += says_fits == observation->fits ? 1 : 0;
            false_fits += says_fits && !observation->fits ? 1 : 0;
        }
    }
    set(measures, MEASURE_FIT_RIGHT, 100 * (double)right / (double)said, said);
    set(measures, MEASURE_FIT_FALSE, 100 * (double)false_fits / (double)said, said);
}

/* A pair of cards is in one heap; no group has more than GROUP_MAX. */
static size_t largest_heap(const struct truth *truth)
{
    size_t pairs = 1;

    for (size_t i = 0; i < truth->observation_count;) {
        size_t length = measures_group_length(truth, i);

        pairs += length * length;
        i += length;
    }
    return pairs;
}

bool measures_take(const struct truth *truth, const struct fit_answer *answers,
                   struct measures *measures, struct error *err)
{
    size_t size = largest_heap(truth);
    double *room = calloc(HEAP_COUNT * size, sizeof *room);
    struct taking taking = {.measures = measures};

    if (room == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the measures");
    }
    for (size_t i = 0; i < HEAP_COUNT; i++) {
        taking.heaps[i].values = room + i * size;
    }
    take_relative(&taking, truth, answers);
    for (size_t i = 0; i < sizeof SINGLES / sizeof SINGLES[0]; i++) {
        take_single(&taking, truth, answers, &SINGLES[i]);
    }
    take_facts(measures, truth, answers);
    free(room);
    return true;
}
