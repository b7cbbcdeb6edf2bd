/* Cards side by side as JSON: the cards themselves, and a row for each thing they differ in. */
#ifndef GPUWISE_COMPARE_OUT_H
#define GPUWISE_COMPARE_OUT_H

#include "card_out.h"
#include "engine/rank.h"

enum { COMPARE_CARDS_MAX = 8 };

/* One card for the question; unknown is NAN, MONEY_UNKNOWN, NULL. */
struct compare_card {
    const struct gpu *gpu;
    struct option option;                         /* the best way to take it */
    struct rejection rejection;                   /* why it is no pick; reason_count 0: it is one */
    const char *own_support;                      /* status of the vendor's own stack */
    const char *support[FRAMEWORK_ASKABLE_COUNT]; /* status under the system asked */
    const char *features;                         /* names joined by blanks */
    const char *strategy;
    double count, needed_gib, available_gib, headroom_gib, fits; /* fits: 1 or 0 */
    double speed, speed_low, speed_high, prefill_tokens_per_s, tokens_per_s_per_user, job_hours;
    double score;                                              /* NAN: it is no pick */
    int64_t price_new_micros, price_used_micros, price_micros; /* to plan with, of one card */
    int64_t cost_micros, cost_per_month_micros, energy_micros; /* of the set over the months */
};

/* Texts live in the arena, in the catalogue or are constant; fails when the arena is exhausted. */
bool compare_out_judge(const struct question *question, const struct gpu *gpu, struct arena *arena,
                       struct compare_card *card, struct error *err) MUST_CHECK;

/* "gpus":[...]: facts, prices, why it is no pick, warnings. */
void compare_out_cards(const struct exchange *exchange, struct json_out *out,
                       const struct question *question, const struct compare_card *cards,
                       size_t count);

/* "rows":[{field,label,unit,values,ratios,best}]: ratios to the first card; best are the places of
 * the best values, null where none is better than another. */
void compare_out_rows(const struct exchange *exchange, struct json_out *out,
                      const struct question *question, const struct compare_card *cards,
                      size_t count);

#endif
