/* Says what to beware of and what speaks for a pick (the codes of DESIGN.md section 4). Why a card
 * is no pick is said in notes_rejection.c. Decides no rank. Pure; any thread. */
#include "notes.h"

#include "notes_parts.h"
#include "phrase.h"
#include "price_sample.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* A card released within these years has most of its support ahead of it: CUDA, ROCm and PyTorch
 * drop architectures after seven and more years (support.csv). */
static const double RECENT_YEARS = 4;

/* Less to spare would be printed as nothing. */
static const double LEAST_SPARE_GIB = 0.05;

static const double DAYS_PER_MONTH = 365.2425 / 12;

static const double LEAST_LIMIT_SHARE = 0.5; /* of the board power */

/* For what a card is looked at: a pick for its work, a card alone for anything. */
struct setting {
    enum framework framework;
    enum os os;
    bool trains, attends, shows, is_in_china;
    bool is_fp8; /* the weights are */
};

static void warn_support(struct phrase_book *book, const struct gpu *gpu,
                         const struct setting *setting)
{
    enum framework stack = FRAMEWORK_DRIVER;
    const struct support *own = support_own_stack(gpu, &stack);
    const struct support *row = support_row(gpu, setting->framework, setting->os);
    enum support_status status = support_status_of(row);

    if (status == SUPPORT_ENDING) {
        bool has_version = row->last_version != NULL;

        phrase_add(book, MESSAGE_SUPPORT_ENDING, has_version ? VARIANT_USUAL : VARIANT_NO_VERSION,
                   phrase_framework(setting->framework), row->last_version);
    } else if (status != SUPPORT_DROPPED && support_status_of(own) == SUPPORT_ENDING) {
        bool has_version = own->last_version != NULL;

        phrase_add(book, MESSAGE_SUPPORT_ENDING, has_version ? VARIANT_USUAL : VARIANT_NO_VERSION,
                   phrase_framework(stack), own->last_version);
    }
}

/* The stack or the framework has left the card behind. A pick runs all the same, on old versions.
 */
static void warn_dropped(struct phrase_book *book, const struct gpu *gpu,
                         const struct setting *setting)
{
    enum framework stack = FRAMEWORK_DRIVER;
    const struct support *own = support_own_stack(gpu, &stack);
    const struct support *row = support_row(gpu, setting->framework, setting->os);
    bool is_own_dropped = support_status_of(own) == SUPPORT_DROPPED;
    bool is_row_dropped = support_status_of(row) == SUPPORT_DROPPED;
    const char *own_last = is_own_dropped ? own->last_version : NULL;
    const char *row_last = is_row_dropped ? row->last_version : NULL;

    if (own_last != NULL && row_last != NULL) {
        const char *const arguments[NOTE_MAX_ARGUMENTS] = {
            phrase_framework(stack), own_last, phrase_framework(setting->framework), row_last};

        phrase_add_all(book, MESSAGE_SUPPORT_DROPPED, VARIANT_BOTH, arguments);
    } else if (is_own_dropped) {
        phrase_add(book, MESSAGE_SUPPORT_DROPPED,
                   own_last != NULL ? VARIANT_USUAL : VARIANT_NO_VERSION, phrase_framework(stack),
                   own_last);
    } else if (is_row_dropped) {
        phrase_add(book, MESSAGE_SUPPORT_DROPPED,
                   row_last != NULL ? VARIANT_USUAL : VARIANT_NO_VERSION,
                   phrase_framework(setting->framework), row_last);
    }
}

/* Of cards without CUDA always, but for llama.cpp on listed ROCm, which lacks nothing there. */
static void warn_ecosystem(struct phrase_book *book, const struct gpu *gpu,
                           const struct setting *setting)
{
    enum support_status status = support_of(gpu, setting->framework, setting->os);
    enum support_status rocm = support_of(gpu, FRAMEWORK_ROCM, setting->os);
    const char *framework = phrase_framework(setting->framework);

    if (status == SUPPORT_UNKNOWN) {
        phrase_add(book, MESSAGE_ECOSYSTEM_GAPS, VARIANT_NOT_KNOWN, framework, NULL);
    } else if (status == SUPPORT_UNOFFICIAL) {
        phrase_add(book, MESSAGE_ECOSYSTEM_GAPS, VARIANT_UNOFFICIAL, framework, NULL);
    } else if (text_is(gpu->vendor, "nvidia")) {
        return;
    } else if (rocm == SUPPORT_SUPPORTED) {
        if (setting->framework != FRAMEWORK_LLAMA_CPP) {
            phrase_add(book, MESSAGE_ECOSYSTEM_GAPS, VARIANT_USUAL, NULL, NULL);
        }
    } else if (rocm == SUPPORT_UNOFFICIAL) {
        phrase_add(book, MESSAGE_ECOSYSTEM_GAPS, VARIANT_UNOFFICIAL, "ROCm", NULL);
    } else {
        phrase_add(book, MESSAGE_ECOSYSTEM_GAPS, VARIANT_OTHER_STACK, phrase_vendor(gpu->vendor),
                   NULL);
    }
}

static void warn_rocm_linux_only(struct phrase_book *book, const struct gpu *gpu)
{
    enum support_status on_linux = support_of(gpu, FRAMEWORK_ROCM, OS_LINUX);

    if ((on_linux == SUPPORT_SUPPORTED || on_linux == SUPPORT_UNOFFICIAL) &&
        support_of(gpu, FRAMEWORK_ROCM, OS_WINDOWS) == SUPPORT_NONE) {
        phrase_add(book, MESSAGE_ROCM_LINUX_ONLY, VARIANT_USUAL, NULL, NULL);
    }
}

static void warn_split_memory(struct phrase_book *book, const struct gpu *gpu)
{
    if (gpu->memory_per_process_gib < gpu->memory_gib) {
        phrase_add(book, MESSAGE_SPLIT_MEMORY, VARIANT_USUAL,
                   phrase_gib(book, gpu->memory_per_process_gib),
                   phrase_gib(book, gpu->memory_gib));
    }
}

/* Where no row speaks of the system, the word of the architecture does. */
static void warn_flash_attention(struct phrase_book *book, const struct gpu *gpu,
                                 const struct setting *setting)
{
    const struct architecture *architecture = gpu->architecture_row;
    enum support_status status = support_of(gpu, FRAMEWORK_FLASH_ATTENTION_2, setting->os);

    if (status == SUPPORT_UNKNOWN && architecture != NULL &&
        text_is(architecture->flash_attention_2, "no")) {
        status = SUPPORT_NONE;
    }
    if (status == SUPPORT_NONE || status == SUPPORT_DROPPED) {
        phrase_add(book, MESSAGE_NO_FLASH_ATTENTION_2, VARIANT_USUAL, NULL, NULL);
    } else if (status == SUPPORT_UNOFFICIAL) {
        phrase_add(book, MESSAGE_NO_FLASH_ATTENTION_2, VARIANT_SOMEHOW, phrase_os(setting->os),
                   NULL);
    }
}

static void warn_arithmetic(struct phrase_book *book, const struct gpu *gpu,
                            const struct setting *setting)
{
    const struct architecture *architecture = gpu->architecture_row;

    if (!(gpu->tensor_fp16_tflops > 0) && gpu->fp16_tflops < gpu->fp32_tflops) {
        phrase_add(book, MESSAGE_FP16_SLOW, VARIANT_USUAL,
                   phrase_number(book, gpu->fp16_tflops, 2, "TFLOPS"),
                   phrase_number(book, gpu->fp32_tflops, 1, "TFLOPS"));
    }
    if (gpu->tensor_cores <= 0) { /* unknown is not below */
        phrase_add(book, MESSAGE_NO_TENSOR_CORES, VARIANT_USUAL, NULL, NULL);
    }
    if (setting->trains && architecture != NULL && text_is(architecture->bf16, "no")) {
        phrase_add(book, MESSAGE_NO_BF16, VARIANT_USUAL, NULL, NULL);
    }
    if (setting->is_fp8 && !support_has_feature(gpu, FEATURE_FP8, setting->os)) {
        phrase_add(book, MESSAGE_NO_FP8, VARIANT_USUAL, NULL, NULL);
    }
    if (setting->attends) {
        warn_flash_attention(book, gpu, setting);
    }
}

static void warn_market(struct phrase_book *book, const struct gpu *gpu,
                        const struct setting *setting)
{
    if (setting->shows && gpu->display_outputs <= 0) {
        phrase_add(book, MESSAGE_NO_DISPLAY_OUTPUT, VARIANT_USUAL, NULL, NULL);
    }
    if (setting->is_in_china && text_is(gpu->export_controlled_cn, "yes")) {
        phrase_add(book, MESSAGE_EXPORT_CONTROLLED, VARIANT_USUAL, NULL, NULL);
    }
    if (gpu->discontinued.text != NULL) {
        phrase_add(book, MESSAGE_DISCONTINUED, VARIANT_USUAL, gpu->discontinued.text, NULL);
    }
}

static void warn_stale_price(struct phrase_book *book, const struct question *question,
                             const struct pick *pick)
{
    const struct plan_price *price = &pick->price;
    enum currency currency = question->ask->currency;
    double months = (question->day - price->observed_on.day) / DAYS_PER_MONTH;
    const char *arguments[NOTE_MAX_ARGUMENTS] = {NULL};

    if (!price->is_stale) {
        return;
    }
    arguments[0] = phrase_number(book, floor(months), 0, "months");
    arguments[1] = phrase_money(book, price->low_micros, currency);
    arguments[2] = phrase_money(book, price->high_micros, currency);
    if (pick->holds_up_to_micros != MONEY_UNKNOWN) {
        arguments[3] = phrase_money(book, pick->holds_up_to_micros, currency);
    }
    phrase_add_all(book, MESSAGE_PRICE_STALE,
                   arguments[3] != NULL ? VARIANT_USUAL : VARIANT_UNBOUNDED, arguments);
}

static void warn_fit(struct phrase_book *book, const struct pick *pick)
{
    if (pick->speed.is_unproven) {
        phrase_add(book, MESSAGE_SPEED_UNPROVEN, VARIANT_USUAL,
                   pick->gpu->architecture == NULL ? pick->gpu->name : pick->gpu->architecture,
                   NULL);
    }
    if (pick->is_tight) {
        phrase_add(book, MESSAGE_MEMORY_TIGHT, VARIANT_USUAL, phrase_gib(book, pick->needed_gib),
                   phrase_gib(book, pick->available_gib));
    }
}

/* The law by which speed follows power holds from about half of the board power on. */
static void warn_power_limit(struct phrase_book *book, const struct ask *ask, const struct gpu *gpu)
{
    if (ask->power_limit_watts < LEAST_LIMIT_SHARE * gpu->tdp_watts) {
        phrase_add(book, MESSAGE_POWER_LIMIT_LOW, VARIANT_USUAL,
                   phrase_number(book, ask->power_limit_watts, 0, "W"),
                   phrase_number(book, gpu->tdp_watts, 0, "W"));
    }
}

/* "PCIe 4.0 x16" of a link's id. */
static const char *link_name(const struct catalogue *catalogue, const struct set_link *link)
{
    for (size_t i = 0; i < catalogue->link_count; i++) {
        if (text_is(catalogue->links[i].id, link->name)) {
            return catalogue->links[i].name;
        }
    }
    return link->name == NULL ? "PCIe" : link->name;
}

static void warn_several(struct phrase_book *book, const struct question *question,
                         const struct pick *pick)
{
    if (pick->count > 1 && isnan(pick->link.bandwidth_per_direction_gb_s)) {
        phrase_add(book, MESSAGE_NO_NVLINK, VARIANT_NO_VALUE, NULL, NULL);
    } else if (pick->count > 1 && !pick->link.is_nvlink) {
        phrase_add(book, MESSAGE_NO_NVLINK, VARIANT_USUAL,
                   link_name(question->catalogue, &pick->link),
                   phrase_number(book, pick->link.bandwidth_per_direction_gb_s, 1, "GB/s"));
    }
    warn_split_memory(book, pick->gpu);
    if (pick->count > 1 && pick->strategy == STRATEGY_DDP) {
        phrase_add(book, MESSAGE_NOT_SHARED_MEMORY, VARIANT_USUAL,
                   phrase_number(book, (double)pick->count, 0, "cards"), NULL);
    }
}

/* Shops of the euro markets and of China show prices with VAT; what the asker was quoted is the
 * asker's to judge. */
static bool includes_vat(const struct plan_price *price)
{
    return price->basis != PRICE_QUOTED &&
           (price_sample_is_own_market(price->market, CURRENCY_EUR) ||
            price_sample_is_own_market(price->market, CURRENCY_CNY));
}

static void warn_price(struct phrase_book *book, const struct ask *ask, const struct pick *pick)
{
    const struct plan_price *price = &pick->price;

    if (price->is_other_market) {
        phrase_add(book, MESSAGE_PRICE_OTHER_MARKET, VARIANT_USUAL,
                   price->market == NULL ? "-" : phrase_upper(book, price->market), NULL);
    }
    if (price->basis == PRICE_ESTIMATED) {
        phrase_add(book, MESSAGE_PRICE_UNVERIFIED, VARIANT_ESTIMATED, NULL, NULL);
    } else if (price->is_unverified) {
        phrase_add(book, MESSAGE_PRICE_UNVERIFIED, VARIANT_USUAL, NULL, NULL);
    }
    if (ask->vat_share > 0 && includes_vat(price)) {
        phrase_add(book, MESSAGE_VAT_INCLUDED, VARIANT_USUAL, phrase_upper(book, price->market),
                   NULL);
    }
    if (pick->cost.resale_high_micros != MONEY_UNKNOWN &&
        pick->cost.resale_high_micros < pick->cost.resale_micros) {
        phrase_add_all(book, MESSAGE_RESALE_DOUBTFUL, VARIANT_USUAL,
                       (const char *const[NOTE_MAX_ARGUMENTS]){
                           phrase_money(book, pick->cost.resale_micros, ask->currency),
                           phrase_money(book, pick->cost.resale_low_micros, ask->currency),
                           phrase_money(book, pick->cost.resale_high_micros, ask->currency), NULL});
    }
    if (price->condition == CONDITION_USED && !pick->is_owned) {
        phrase_add(book, MESSAGE_USED_RISK, VARIANT_USUAL, NULL, NULL);
    }
}

/* Support-dropped is told as a warning too, and a deal adds price-stale for what it compares. */
_Static_assert(MESSAGE_BEST_SCORE - MESSAGE_REJECTION_COUNT + 2 <= RECOMMEND_MAX_NOTES,
               "every warning once must find room");

bool notes_of_warnings(const struct question *question, struct pick *pick, struct arena *arena,
                       struct error *err)
{
    const struct ask *ask = question->ask;
    const struct gpu *gpu = pick->gpu;
    struct setting setting = {
        .framework = ask->framework,
        .os = ask->os,
        .trains = ask_is_training(ask),
        .attends = (ask_is_language(ask) || ask->domain == DOMAIN_DIFFUSION) &&
                   ask->framework != FRAMEWORK_LLAMA_CPP,
        .shows = ask->display == ANSWER_YES || ask->chassis != CHASSIS_SERVER,
        .is_in_china = text_is(ask->region, "cn"),
        .is_fp8 = ask->quant != NULL && text_is(ask->quant->kind, "fp8"),
    };
    struct phrase_book book = {arena, pick->warnings, 0, RECOMMEND_MAX_NOTES, false};

    warn_stale_price(&book, question, pick);
    warn_dropped(&book, gpu, &setting);
    warn_support(&book, gpu, &setting);
    warn_ecosystem(&book, gpu, &setting);
    warn_rocm_linux_only(&book, gpu);
    warn_fit(&book, pick);
    warn_power_limit(&book, ask, gpu);
    notes_machine_of_pick(&book, question, pick);
    warn_several(&book, question, pick);
    warn_price(&book, ask, pick);
    warn_arithmetic(&book, gpu, &setting);
    warn_market(&book, gpu, &setting);
    pick->warning_count = book.count;
    return !book.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the warnings of %s", gpu->id);
}

size_t notes_of_card(const struct gpu *gpu, struct arena *arena,
                     struct note warnings[RECOMMEND_MAX_NOTES])
{
    struct setting setting = {.framework = FRAMEWORK_PYTORCH,
                              .os = OS_LINUX,
                              .trains = true,
                              .attends = true,
                              .shows = true,
                              .is_in_china = true};
    struct phrase_book book = {arena, warnings, 0, RECOMMEND_MAX_NOTES, false};

    warn_dropped(&book, gpu, &setting);
    warn_support(&book, gpu, &setting);
    warn_ecosystem(&book, gpu, &setting);
    warn_rocm_linux_only(&book, gpu);
    notes_machine_of_card(&book, gpu);
    warn_split_memory(&book, gpu);
    warn_arithmetic(&book, gpu, &setting);
    warn_market(&book, gpu, &setting);
    return book.is_out_of_memory ? 0 : book.count;
}

static bool is_long_supported(const struct question *question, const struct gpu *gpu)
{
    enum framework stack = FRAMEWORK_DRIVER;
    const struct support *own = support_own_stack(gpu, &stack);

    return support_status_of(own) == SUPPORT_SUPPORTED &&
           support_of(gpu, question->ask->framework, question->ask->os) == SUPPORT_SUPPORTED &&
           gpu->release_date.day != DAY_UNKNOWN &&
           day_years_between(gpu->release_date.day, question->day) <= RECENT_YEARS;
}

static void say_labels(struct phrase_book *book, const struct pick *pick, double pooled_gib)
{
    if (pick->labels[LABEL_FASTEST_IN_BUDGET]) {
        phrase_add(book, MESSAGE_FASTEST_IN_BUDGET, VARIANT_USUAL, NULL, NULL);
    }
    if (pick->labels[LABEL_CHEAPEST_THAT_FITS]) {
        phrase_add(book, MESSAGE_CHEAPEST_THAT_FITS, VARIANT_USUAL, NULL, NULL);
    }
    if (pick->labels[LABEL_MOST_MEMORY]) {
        phrase_add(book, MESSAGE_MOST_MEMORY, VARIANT_USUAL, phrase_gib(book, pooled_gib), NULL);
    }
}

bool notes_of_reasons(const struct question *question, struct pick *pick,
                      const struct notes_standing *standing, struct arena *arena, struct error *err)
{
    const struct gpu *gpu = pick->gpu;
    struct phrase_book book = {arena, pick->reasons, 0, RECOMMEND_MAX_NOTES, false};
    bool is_by_speed = question->ask->prefer == PREFER_SPEED;

    if (pick->rank == 1) {
        phrase_add(&book, MESSAGE_BEST_SCORE, is_by_speed ? VARIANT_BY_SPEED : VARIANT_USUAL,
                   phrase_number(&book, (double)standing->fitting_count, 0, ""), NULL);
    }
    if (!pick->is_tight && pick->available_gib - pick->needed_gib >= LEAST_SPARE_GIB) {
        phrase_add(&book, MESSAGE_FITS_WITH_HEADROOM, VARIANT_USUAL,
                   phrase_gib(&book, pick->needed_gib),
                   phrase_gib(&book, pick->available_gib - pick->needed_gib));
    }
    say_labels(&book, pick, rank_pooled_gib(gpu, pick->strategy, pick->count));
    if (standing->has_lowest_power) {
        phrase_add(&book, MESSAGE_LOWEST_POWER, VARIANT_USUAL,
                   phrase_number(&book, gpu->tdp_watts * (double)pick->count, 0, "W"), NULL);
    }
    if (is_long_supported(question, gpu)) {
        phrase_add(&book, MESSAGE_LONG_SUPPORT, VARIANT_USUAL,
                   phrase_framework(question->ask->framework), NULL);
    }
    if (standing->is_own_enough) {
        phrase_add(&book, MESSAGE_OWN_CARD_ENOUGH, VARIANT_USUAL, NULL, NULL);
    }
    pick->reason_count = book.count;
    return !book.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the reasons of %s", gpu->id);
}
