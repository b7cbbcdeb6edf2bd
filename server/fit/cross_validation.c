/* Folds and their fits. One thread. */
#include "cross_validation.h"

#include "fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CARD_FOLDS = 8, FAMILY_FOLDS = 16, EVERY_KEY_ITS_FOLD = 0 };

/* What an observation is left out with. */
struct key {
    int table; /* the same key in two tables is two keys */
    const char *first, *second;
};

static bool is_speed(enum truth_kind kind)
{
    return kind == TRUTH_RELATIVE || kind == TRUTH_DECODE || kind == TRUTH_PREFILL ||
           kind == TRUTH_IMAGE;
}

static bool is_size(enum truth_kind kind)
{
    return kind == TRUTH_GGUF || kind == TRUTH_KV;
}

static bool find_key(const struct observation *observation, enum cross_by by, struct key *key)
{
    int table = is_speed(observation->kind)  ? PREDICT_SPEED
                : is_size(observation->kind) ? PREDICT_SIZE
                                             : PREDICT_MEMORY;

    if (by == CROSS_CARD) {
        *key = (struct key){table, observation->card, ""};
        return table == PREDICT_SPEED;
    }
    *key = (struct key){table, observation->source, by == CROSS_FAMILY ? observation->family : ""};
    return true;
}

static int compare_keys(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    int order = (a->table > b->table) - (a->table < b->table);

    order = order != 0 ? order : strcmp(a->first, b->first);
    return order != 0 ? order : strcmp(a->second, b->second);
}

/* Sorts and drops what is there twice. */
static size_t make_distinct(struct key *keys, size_t count)
{
    size_t kept = 0;

    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_keys(&keys[i], &keys[kept - 1]) != 0) {
            keys[kept++] = keys[i];
        }
    }
    return kept;
}

/* The place of a key among those of its table. */
static int place_of(const struct key *keys, size_t count, const struct key *key)
{
    const struct key *found = bsearch(key, keys, count, sizeof *keys, compare_keys);
    const struct key *first = found;

    while (first > keys && first[-1].table == key->table) {
        first--;
    }
    return (int)(found - first);
}

bool cross_folds(const struct truth *truth, enum cross_by by, int *folds, int *fold_count,
                 struct error *err)
{
    static const int FOLDS[] = {[CROSS_CARD] = CARD_FOLDS,
                                [CROSS_SOURCE] = EVERY_KEY_ITS_FOLD,
                                [CROSS_FAMILY] = FAMILY_FOLDS};
    struct key *keys = calloc(truth->observation_count + 1, sizeof *keys);
    size_t count = 0;

    if (keys == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the folds");
    }
    for (size_t i = 0; i < truth->observation_count; i++) {
        count += find_key(&truth->observations[i], by, &keys[count]) ? 1 : 0;
    }
    count = make_distinct(keys, count);
    *fold_count = 0;
    for (size_t i = 0; i < truth->observation_count; i++) {
        struct key key;

        folds[i] = -1;
        if (find_key(&truth->observations[i], by, &key)) {
            int place = place_of(keys, count, &key);

            folds[i] = FOLDS[by] == EVERY_KEY_ITS_FOLD ? place : place % FOLDS[by];
            *fold_count = folds[i] >= *fold_count ? folds[i] + 1 : *fold_count;
        }
    }
    free(keys);
    return true;
}

/* Fits without one fold and answers it. */
static bool validate_fold(struct catalogue *catalogue, const struct truth *truth, const int *folds,
                          int fold, bool *left_out, struct fit_answer *answers, struct error *err)
{
    for (size_t i = 0; i < truth->observation_count; i++) {
        left_out[i] = folds[i] == fold;
    }
    if (!fitting_run(catalogue, truth, left_out, NULL, err)) {
        return false;
    }
    for (size_t i = 0; i < truth->observation_count; i++) {
        if (left_out[i]) {
            answers_ask_some(catalogue, truth, i, 1, NULL, answers);
        }
    }
    return true;
}

bool cross_validate(struct catalogue *catalogue, const struct truth *truth, enum cross_by by,
                    struct fit_answer *answers, struct error *err)
{
    struct calibration kept = catalogue->calibration;
    int *folds = calloc(truth->observation_count + 1, sizeof *folds);
    bool *left_out = calloc(truth->observation_count + 1, sizeof *left_out);
    int fold_count = 0;
    bool is_good = folds != NULL && left_out != NULL
                       ? cross_folds(truth, by, folds, &fold_count, err)
                       : error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the folds");

    for (size_t i = 0; i < truth->observation_count; i++) {
        double unknown = (double)NAN;

        answers[i] = (struct fit_answer){unknown, unknown, unknown, 0, ANSWER_UNASKED};
    }
    for (int fold = 0; is_good && fold < fold_count; fold++) {
        is_good = validate_fold(catalogue, truth, folds, fold, left_out, answers, err);
    }
    catalogue->calibration = kept;
    free(folds);
    free(left_out);
    return is_good;
}
