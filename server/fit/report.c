/* Figures as text. No state. */
#include "report.h"

#include <math.h>

static const char *const LABELS[] = {
    [MEASURE_RANK_MEDIAN] = "rank correlation in a group, median",
    [MEASURE_RANK_MEAN] = "rank correlation in a group, mean",
    [MEASURE_WRONG_ORDER] = "wrong order, pairs over 10 % apart",
    [MEASURE_ANCHOR_MEDIAN] = "ratio to an anchor card, median",
    [MEASURE_ANCHOR_10] = "ratio to an anchor card, within 10 %",
    [MEASURE_ANCHOR_20] = "ratio to an anchor card, within 20 %",
    [MEASURE_CENTRED_MEDIAN] = "centred speed, median",
    [MEASURE_CENTRED_20] = "centred speed, within 20 %",
    [MEASURE_DECODE_MEDIAN] = "LLM decode, median",
    [MEASURE_DECODE_20] = "LLM decode, within 20 %",
    [MEASURE_PREFILL_MEDIAN] = "LLM prefill, median",
    [MEASURE_PREFILL_20] = "LLM prefill, within 20 %",
    [MEASURE_IMAGE_MEDIAN] = "image inference, median",
    [MEASURE_IMAGE_20] = "image inference, within 20 %",
    [MEASURE_INFERENCE_MEDIAN] = "inference memory, median",
    [MEASURE_INFERENCE_10] = "inference memory, within 10 %",
    [MEASURE_INFERENCE_20] = "inference memory, within 20 %",
    [MEASURE_TRAINING_MEDIAN] = "training memory, median",
    [MEASURE_TRAINING_10] = "training memory, within 10 %",
    [MEASURE_TRAINING_20] = "training memory, within 20 %",
    [MEASURE_INFERENCE_LOW] = "inference memory, 10 % too low",
    [MEASURE_TRAINING_LOW] = "training memory, 10 % too low",
    [MEASURE_FIT_RIGHT] = "fits or not, right",
    [MEASURE_FIT_FALSE] = "said fits but did not",
    [MEASURE_GGUF_MEDIAN] = "GGUF file size, median",
    [MEASURE_KV_MEDIAN] = "KV cache, median",
    [MEASURE_BAND_SPEED] = "inside low..high, speed",
    [MEASURE_BAND_INFERENCE] = "inside low..high, inference memory",
    [MEASURE_BAND_TRAINING] = "inside low..high, training memory",
    [MEASURE_WIDTH_SPEED] = "mean half-width, speed",
    [MEASURE_WIDTH_INFERENCE] = "mean half-width, inference memory",
    [MEASURE_WIDTH_TRAINING] = "mean half-width, training memory",
};

static void write_value(FILE *file, const struct measures *measures, enum measure measure)
{
    double value = measures->values[measure];
    bool is_rank = measure == MEASURE_RANK_MEDIAN || measure == MEASURE_RANK_MEAN;

    if (measures->rows[measure] == 0 || isnan(value)) {
        (void)fprintf(file, " %9s", "-");
    } else {
        (void)fprintf(file, " %9.*f", is_rank ? 3 : 1, value);
    }
}

void report_write(FILE *file, const struct report *report)
{
    (void)fprintf(file,
                  "Fit of %s: %zu numbers by %zu observations, %zu ends of ranges by the errors "
                  "left out\n\n",
                  report->date, report->fitted, report->observations, report->ranges);
    (void)fprintf(file, "%-37s %5s %9s %9s %9s %9s\n", "left out of the fit:", "rows", "nothing",
                  "card", "source", "family");
    for (int m = 0; m < MEASURE_COUNT; m++) {
        enum measure measure = (enum measure)m;

        (void)fprintf(file, "%-37s %5zu", LABELS[m], report->in_sample.rows[m]);
        write_value(file, &report->in_sample, measure);
        for (int by = 0; by < CROSS_COUNT; by++) {
            write_value(file, &report->left_out[by], measure);
        }
        (void)fprintf(file, "\n");
    }
}

void report_write_measures(FILE *file, const struct measures *measures)
{
    for (int m = 0; m < MEASURE_COUNT; m++) {
        (void)fprintf(file, "%s %.9g %zu\n", measure_name((enum measure)m), measures->values[m],
                      measures->rows[m]);
    }
}
