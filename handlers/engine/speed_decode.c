/* Writing one token after the other: the active weights and the cache are read for each token, and
 * every layer has a fixed cost of launches. Fitted on llama.cpp, ExLlama, MLC and Ollama, 2023 to
 * 2025. Any thread; no state. */
#include "speed_parts.h"

#include <math.h>

/* Builds of llama.cpp from this year on launch the kernels of a token as one CUDA graph. */
static const double GRAPH_YEAR = 2024.45;

/* Share of the weights read by a step of several sequences, over that of one: each may call on
 * other experts. */
static double more_experts(const struct speed_work *work, double sequences)
{
    if (!(work->expert_share < 1) || sequences <= 1) {
        return 1;
    }
    double called = 1 - pow(1 - work->expert_share, sequences);

    return fmin(called / work->expert_share, work->weight_bytes / work->read_bytes);
}

/* CUDA graphs pay from Ampere on. */
static bool runs_as_graph(const struct speed_work *work, const struct speed_card *card)
{
    bool is_able = card->is_nvidia && card->kernels != SPEED_KERNELS_OLDER &&
                   card->kernels != SPEED_KERNELS_PASCAL && card->kernels != SPEED_KERNELS_VOLTA &&
                   card->kernels != SPEED_KERNELS_TURING;

    if (work->is_graph != ANSWER_UNASKED) {
        return work->is_graph == ANSWER_YES;
    }
    return is_able && !(work->build_year < GRAPH_YEAR) &&
           speed_card_backend(work, card) == SPEED_BACKEND_CUDA;
}

static double experts_factor(const struct catalogue *catalogue, const struct speed_work *work)
{
    return work->expert_share < 1 ? catalogue->parameters.decode_experts : 1;
}

double speed_decode_launch_us(const struct catalogue *catalogue, const struct speed_work *work)
{
    return catalogue->calibration.decode_layer_us * catalogue->calibration.decode_no_graph *
           experts_factor(catalogue, work);
}

double speed_decode_token_seconds(const struct catalogue *catalogue, const struct speed_work *work,
                                  const struct speed_card *card, double sequences, double ways,
                                  double latency_s)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct parameters *parameters = &catalogue->parameters;
    double rate = card->bandwidth_gb_s * 1e9 * card->decode_share;
    double bytes = work->read_bytes * more_experts(work, sequences) / ways +
                   work->kv_bytes * sequences / fmax(1, fmin(ways, work->kv_ways));
    double layer_us = figures->decode_layer_us * experts_factor(catalogue, work) *
                      (runs_as_graph(work, card) ? 1 : figures->decode_no_graph);
    double seconds = bytes / rate + work->layers * layer_us * 1e-6;

    if (work->is_unfused) { /* launches and traffic overlap, unpacking costs traffic */
        double share = work->is_quantised ? parameters->eager_quantised_share : 1;
        double launches = work->layers * parameters->eager_layer_us * 1e-6;

        seconds = bytes / (rate * share);
        seconds = seconds < launches ? launches : seconds; /* an unknown rate stays unknown */
    }
    if (sequences > 1) { /* many sequences are bounded by arithmetic, as a prompt is */
        double compute = sequences / (speed_prompt_tokens_per_s(catalogue, work, card) * ways);

        seconds = isnan(compute) ? compute : fmax(seconds, compute);
    }
    return seconds + work->layers * latency_s +
           (work->serves ? parameters->decode_server_ms * 1e-3 : 0);
}
