/* Reading a prompt: many tokens at once, so matrix products bound by arithmetic. Layers are counted
 * one by one in batches of tokens, for the path that the software takes on the card. Fitted on runs
 * of llama.cpp, 2024 to 2025; which kernels run where is from its source. Any thread; no state. */
#include "speed_parts.h"

#include <math.h>

static const double BATCH_TOKENS = 512; /* default of -ub in ggml-org/llama.cpp */

/* Years from which builds of llama.cpp have kernels on INT8 matrix units, and matrix units under
 * Vulkan. */
static const double INT8_YEAR = 2024.5;
static const double VULKAN_MATRIX_YEAR = 2025;

/* The last wave of output tiles is half filled: elements of half a tile of a library's kernels, and
 * of what is joined where kernels share a tile between multiprocessors. */
const double SPEED_LIBRARY_TILE = 8192;
static const double SHARED_TILE = 2048;

/* Share of the printed bandwidth that long streams reach; how much faster a large cache is (both
 * chosen). */
static const double STREAM_SHARE = 0.9;
static const double CACHE_RATIO = 4;

/* FP32 values of a token that a layer moves between kernels, per hidden unit and MLP unit: six
 * tenths of a count kernel by kernel (28 and 6), for those that are fused. The share and the tiles
 * above are chosen on open measurements, not fitted. */
static const double HIDDEN_MOVES = 16.8;
static const double MLP_MOVES = 3.6;

/* Attention scores without flash attention: written, read and written by softmax, read. */
static const double SCORE_PASSES = 4;

/* Unpacked weights are written and read again as 16-bit numbers. */
static const double UNPACKED_BYTES = 4;

/* Operations per clock of a multiprocessor's FP16 matrix units that older instructions keep busy.
 */
static const double EASY_FEED = 1024;

/* Where the units are slower than half of that, feeding them is no easier still. */
static const double EASIEST_FEED = 0.5;

enum kernel_kind { KIND_INT8, KIND_DOT, KIND_LIBRARY, KIND_MATRIX_SHADER, KIND_PLAIN_SHADER };

struct path {
    enum kernel_kind kind;
    bool unpacks; /* weights to 16-bit numbers first */
};

static bool has_matrix(const struct speed_card *card)
{
    return card->matrix_tflops > 0;
}

/* Plain cores with four-way INT8 dot products; of Pascal all but GP100, which has fast FP16. */
static bool has_dot(const struct speed_card *card)
{
    switch (card->kernels) {
    case SPEED_KERNELS_PASCAL:
        return !(card->plain_tflops > card->fp32_tflops);
    case SPEED_KERNELS_TURING:
    case SPEED_KERNELS_GCN_DOT:
    case SPEED_KERNELS_RDNA:
    case SPEED_KERNELS_XE_HPG:
    case SPEED_KERNELS_XE:
        return true;
    case SPEED_KERNELS_OLDER:
    case SPEED_KERNELS_VOLTA:
    case SPEED_KERNELS_AMPERE:
    case SPEED_KERNELS_AMPERE_DC:
    case SPEED_KERNELS_ADA:
    case SPEED_KERNELS_HOPPER:
    case SPEED_KERNELS_BLACKWELL:
    case SPEED_KERNELS_BLACKWELL_DC:
    case SPEED_KERNELS_GCN:
    case SPEED_KERNELS_CDNA:
    case SPEED_KERNELS_OTHER:
    case SPEED_KERNELS_COUNT:
        break;
    }
    return false;
}

static bool is_before(const struct speed_work *work, double year)
{
    return work->build_year < year; /* false for a build of today, whose year is NAN */
}

static struct path vulkan_path(const struct speed_work *work, const struct speed_card *card)
{
    bool is_old = is_before(work, VULKAN_MATRIX_YEAR);
    bool has_dots = work->is_quantised && has_dot(card) && !is_old;

    if (has_matrix(card) && !is_old && card->kernels != SPEED_KERNELS_XE_HPG) {
        return (struct path){KIND_MATRIX_SHADER, false};
    }
    return (struct path){has_dots ? KIND_DOT : KIND_PLAIN_SHADER, false};
}

static struct path path_of(const struct speed_work *work, const struct speed_card *card)
{
    enum speed_backend backend = speed_card_backend(work, card);
    bool has_int8 = card->int8_tops > card->matrix_tflops && card->kernels != SPEED_KERNELS_VOLTA;

    if (backend == SPEED_BACKEND_VULKAN) {
        return vulkan_path(work, card);
    }
    if (work->is_quantised && card->kernels == SPEED_KERNELS_CDNA) {
        return (struct path){KIND_INT8, false};
    }
    if (work->is_quantised && !has_matrix(card) && has_dot(card)) {
        return (struct path){KIND_DOT, false};
    }
    if (work->is_quantised && backend == SPEED_BACKEND_CUDA && has_int8 &&
        !is_before(work, INT8_YEAR)) {
        return (struct path){KIND_INT8, false};
    }
    return (struct path){KIND_LIBRARY, work->is_quantised};
}

bool speed_prompt_is_rare(const struct speed_work *work, const struct speed_card *card)
{
    return speed_card_backend(work, card) != SPEED_BACKEND_CUDA ||
           !(card->kernels == SPEED_KERNELS_AMPERE || card->kernels == SPEED_KERNELS_AMPERE_DC ||
             card->kernels == SPEED_KERNELS_ADA || card->kernels == SPEED_KERNELS_HOPPER ||
             card->kernels == SPEED_KERNELS_BLACKWELL);
}

/* Watts for each FP16 TFLOPS of the largest card of a generation whose power limit does not hold it
 * back (data sheets: V100 SXM2, RTX 2080 Ti, RTX 3090, A100 SXM, RTX 4090, H100 SXM, RTX 5090,
 * B200); NAN: not known. */
static double watts_per_tflops(enum speed_kernels kernels)
{
    static const double WATTS[SPEED_KERNELS_COUNT] = {
        [SPEED_KERNELS_VOLTA] = 2.4,      [SPEED_KERNELS_TURING] = 2.32,
        [SPEED_KERNELS_AMPERE] = 2.46,    [SPEED_KERNELS_AMPERE_DC] = 1.28,
        [SPEED_KERNELS_ADA] = 1.36,       [SPEED_KERNELS_HOPPER] = 0.707,
        [SPEED_KERNELS_BLACKWELL] = 1.37, [SPEED_KERNELS_BLACKWELL_DC] = 0.444,
    };

    bool is_known = kernels < SPEED_KERNELS_COUNT && WATTS[kernels] > 0;

    return is_known ? WATTS[kernels] : (double)NAN;
}

/* What is left of the matrix units' rate by the power limit, and by instructions that cannot feed
 * fast units. */
static double matrix_share(const struct calibration *figures, const struct speed_card *card)
{
    double power = card->watts / card->matrix_tflops / watts_per_tflops(card->kernels);
    double feed = card->matrix_tflops * 1e3 / (card->units * card->clock_ghz) / EASY_FEED;
    double throttled = power < 1 ? pow(power, figures->prompt_power) : 1;

    return throttled * (isnan(feed) ? 1 : pow(fmax(feed, EASIEST_FEED), -figures->prompt_feed));
}

/* Rates in operations per second: of products with weights, and of attention. */
struct rates {
    double weights, attention;
};

static struct rates rates_of(const struct catalogue *catalogue, const struct speed_work *work,
                             const struct speed_card *card, struct path path)
{
    const struct calibration *figures = &catalogue->calibration;
    const struct parameters *parameters = &catalogue->parameters;
    double maker = card->is_nvidia ? 1 : figures->prompt_other_maker;
    double share = has_matrix(card) ? matrix_share(figures, card) : 1;
    double half = has_matrix(card) ? card->matrix_tflops : card->plain_tflops;
    double library = half * share * figures->prompt_library * maker * 1e12;
    double format = work->is_simple_quant ? 1 : parameters->prompt_kquant;
    double weights = library;

    switch (path.kind) {
    case KIND_INT8: /* Instinct: as fast as its 16-bit numbers, by the makers' factor */
        weights = (card->is_nvidia ? card->int8_tops : card->matrix_tflops) * share *
                  figures->prompt_int8 * maker * format * 1e12;
        break;
    case KIND_DOT:
        weights = 4 * card->fp32_tflops * figures->prompt_int8 * maker *
                  (speed_card_backend(work, card) == SPEED_BACKEND_VULKAN ? 1 : format) * 1e12;
        break;
    case KIND_MATRIX_SHADER:
        weights = library * parameters->prompt_vulkan;
        break;
    case KIND_PLAIN_SHADER:
        weights = card->plain_tflops * parameters->prompt_shader * maker *
                  parameters->prompt_vulkan * 1e12;
        break;
    case KIND_LIBRARY:
        break;
    }
    return (struct rates){weights, library};
}

double speed_prompt_filled_tokens(const struct speed_work *work, const struct speed_card *card,
                                  double tokens, double tile)
{
    double edges = 6 * work->hidden + work->mlp_width; /* output widths of a layer's products */

    return tokens + card->units * tile * edges / work->layer_params;
}

double speed_prompt_tokens_per_s(const struct catalogue *catalogue, const struct speed_work *work,
                                 const struct speed_card *card)
{
    struct path path = path_of(work, card);
    struct rates rates = rates_of(catalogue, work, card, path);
    bool shares_tiles = path.kind == KIND_INT8 || path.kind == KIND_DOT;
    double tile = shares_tiles && speed_card_backend(work, card) != SPEED_BACKEND_VULKAN
                      ? SHARED_TILE
                      : SPEED_LIBRARY_TILE;
    double batch = fmin(work->prompt_tokens, BATCH_TOKENS);
    double context = (work->prompt_tokens + batch) / 2;
    double filled = speed_prompt_filled_tokens(work, card, batch, tile);
    double products = 2 * filled * work->layer_params / rates.weights;
    double attention = 4 * batch * context * work->hidden / rates.attention;
    double bytes = work->weight_bytes / work->layers +
                   (path.unpacks ? UNPACKED_BYTES * work->layer_params : 0);
    double scores =
        work->has_flash_attention ? 0 : SCORE_PASSES * batch * context * work->heads * 4;
    double moves = batch * (HIDDEN_MOVES * work->hidden + MLP_MOVES * work->mlp_width) * 4;
    double band = card->bandwidth_gb_s * 1e9 * STREAM_SHARE;
    double traffic =
        (bytes + scores) / band + moves / (band * (card->has_large_cache ? CACHE_RATIO : 1));
    double launches = speed_decode_launch_us(catalogue, work) * 1e-6;

    return batch / (work->layers * (products + attention + traffic + launches));
}
