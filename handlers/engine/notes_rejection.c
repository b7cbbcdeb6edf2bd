/* Says why a card is no pick, every reason with its figures. Which reasons apply is decided in
 * constraint.c. Pure; any thread. */
#include "notes.h"

#include "machine.h"
#include "phrase.h"
#include "support.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void say_form_factor(struct phrase_book *book, const struct question *question,
                            const struct option *option)
{
    const struct ask *ask = question->ask;
    const struct gpu *gpu = option->gpu;
    enum machine_fault fault = machine_card_fault(ask, gpu);
    const char *form = gpu->form_factor == NULL ? "-" : phrase_upper(book, gpu->form_factor);

    if (fault == MACHINE_FINE) {
        fault = machine_set_fault(ask, gpu, option->count);
    }
    switch (fault) {
    case MACHINE_MODULE:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_USUAL, form, NULL);
        break;
    case MACHINE_PASSIVE:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_PASSIVE, NULL, NULL);
        break;
    case MACHINE_COOLING_UNKNOWN:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_COOLING_UNKNOWN, NULL, NULL);
        break;
    case MACHINE_TOO_LONG:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_LENGTH,
                   phrase_number(book, gpu->board_length_mm, 1, "mm"),
                   phrase_number(book, ask->max_length_mm, 1, "mm"));
        break;
    case MACHINE_LENGTH_UNKNOWN:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_LENGTH_UNKNOWN,
                   phrase_number(book, ask->max_length_mm, 1, "mm"), NULL);
        break;
    case MACHINE_COUNT:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_BOARD_COUNT,
                   phrase_number(book, (double)option->count, 0, ""), form);
        break;
    case MACHINE_SLOTS:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_SLOTS,
                   phrase_number(book, gpu->slots * (double)option->count, 1, ""),
                   phrase_number(book, ask->max_slots, 1, ""));
        break;
    case MACHINE_SLOTS_UNKNOWN:
        phrase_add(book, MESSAGE_FORM_FACTOR, VARIANT_SLOTS_UNKNOWN,
                   phrase_number(book, ask->max_slots, 1, ""), NULL);
        break;
    case MACHINE_FINE:
        break; /* a fault is what brought us here */
    }
}

static void say_memory(struct phrase_book *book, const struct question *question,
                       const struct option *option)
{
    double needed_gib = option->needed_gib;
    double available_gib = option->available_gib;

    if (needed_gib <= available_gib) { /* the work fits; what was asked beyond it does not */
        needed_gib = question->ask->min_memory_gib;
        available_gib = option->gpu->memory_per_process_gib;
    }
    phrase_add(book, MESSAGE_MEMORY_TOO_SMALL, VARIANT_USUAL, phrase_gib(book, needed_gib),
               phrase_gib(book, available_gib));
}

static void say_dropped(struct phrase_book *book, const struct question *question,
                        const struct gpu *gpu)
{
    enum framework framework = question->ask->framework;
    enum framework stack = FRAMEWORK_DRIVER;
    const struct support *own = support_own_stack(gpu, &stack);
    const struct support *row = support_row(gpu, framework, question->ask->os);
    const char *last = row == NULL ? NULL : row->last_version;
    const char *own_last = support_status_of(own) == SUPPORT_DROPPED ? own->last_version : NULL;

    if (last != NULL && own_last != NULL && framework != stack) {
        const char *const arguments[NOTE_MAX_ARGUMENTS] = {phrase_framework(stack), own_last,
                                                           phrase_framework(framework), last};

        phrase_add_all(book, MESSAGE_SUPPORT_DROPPED, VARIANT_BOTH, arguments);
    } else {
        phrase_add(book, MESSAGE_SUPPORT_DROPPED, last != NULL ? VARIANT_USUAL : VARIANT_NO_VERSION,
                   phrase_framework(framework), last);
    }
}

/* "bf16, fp8" of what is asked and missing. */
static const char *missing_features(struct phrase_book *book, const struct question *question,
                                    const struct gpu *gpu)
{
    const struct ask *ask = question->ask;
    const char *list = NULL;

    for (size_t feature = 0; feature < FEATURE_COUNT; feature++) {
        if (!ask->needs[feature] || support_has_feature(gpu, (enum feature)feature, ask->os)) {
            continue;
        }
        list = list == NULL ? FEATURE_NAMES[feature]
                            : arena_format(book->arena, "%s, %s", list, FEATURE_NAMES[feature]);
        if (list == NULL) {
            book->is_out_of_memory = true;
            return "";
        }
    }
    return list == NULL ? FEATURE_NAMES[FEATURE_NVLINK] : list; /* for that many cards */
}

static void say_psu(struct phrase_book *book, const struct question *question,
                    const struct option *option)
{
    double watts = machine_psu_watts(question->catalogue, option->gpu, option->count);
    const char *supply = phrase_number(book, question->ask->psu_watts, 0, "W");

    if (isnan(watts)) {
        phrase_add(book, MESSAGE_PSU_TOO_SMALL, VARIANT_NO_VALUE, supply, NULL);
    } else {
        phrase_add(book, MESSAGE_PSU_TOO_SMALL, VARIANT_USUAL, phrase_number(book, watts, 0, "W"),
                   supply);
    }
}

static void say_plugs(struct phrase_book *book, const struct option *option)
{
    const char *plugs = option->gpu->power_connectors;

    if (plugs == NULL) {
        phrase_add(book, MESSAGE_POWER_PLUG_MISSING, VARIANT_NO_VALUE, NULL, NULL);
        return;
    }
    if (option->count > 1) {
        plugs = arena_format(book->arena, "%zu x %s", option->count, plugs);
        book->is_out_of_memory |= plugs == NULL;
    }
    phrase_add(book, MESSAGE_POWER_PLUG_MISSING, VARIANT_USUAL, plugs == NULL ? "" : plugs, NULL);
}

/* The dearer of the price as observed and as planned with: either may break the budget. */
static int64_t dearer_micros(const struct plan_price *price)
{
    return price->planning_micros > price->amount_micros ? price->planning_micros
                                                         : price->amount_micros;
}

static void say_over_budget(struct phrase_book *book, const struct question *question,
                            const struct option *option)
{
    const struct ask *ask = question->ask;
    int64_t micros = constraint_purchase_micros(ask, option->count, dearer_micros(option->price));

    phrase_add(book, MESSAGE_OVER_BUDGET, VARIANT_USUAL,
               micros == MONEY_UNKNOWN ? "-" : phrase_money(book, micros, ask->currency),
               phrase_money(book, ask->budget_micros, ask->currency));
}

static void say_too_slow(struct phrase_book *book, const struct question *question,
                         const struct option *option)
{
    double low = constraint_tokens_per_s_low(&option->speed);
    const char *asked = phrase_number(book, question->ask->min_tokens_per_s, 1, "tokens/s");

    if (isnan(low)) {
        phrase_add(book, MESSAGE_TOO_SLOW, VARIANT_NO_VALUE, asked, NULL);
    } else {
        phrase_add(book, MESSAGE_TOO_SLOW, VARIANT_USUAL, phrase_number(book, low, 1, "tokens/s"),
                   asked);
    }
}

/* Reasons that hang on the money and the speed. */
static void say_money_or_speed(struct phrase_book *book, const struct question *question,
                               const struct option *option, enum message_code code)
{
    if (code == MESSAGE_OVER_BUDGET) {
        say_over_budget(book, question, option);
    } else if (code == MESSAGE_OUTSIDE_TIER) {
        phrase_add(book, code, VARIANT_USUAL,
                   phrase_money(book, option->price->planning_micros, question->ask->currency),
                   NULL);
    } else if (code == MESSAGE_TOO_SLOW) {
        say_too_slow(book, question, option);
    } else {
        phrase_add(book, code, VARIANT_USUAL, NULL, NULL); /* nothing to name */
    }
}

/* Reasons that hang on the machine and on how many cards there are. */
static void say_of_set(struct phrase_book *book, const struct question *question,
                       const struct option *option, enum message_code code)
{
    if (code == MESSAGE_FORM_FACTOR) {
        say_form_factor(book, question, option);
    } else if (code == MESSAGE_HEADS_NOT_DIVISIBLE) {
        phrase_add(book, code, VARIANT_USUAL,
                   phrase_number(book, question->ask->model->heads, 0, ""),
                   phrase_number(book, (double)option->count, 0, "cards"));
    } else if (code == MESSAGE_PSU_TOO_SMALL) {
        say_psu(book, question, option);
    } else if (code == MESSAGE_POWER_PLUG_MISSING) {
        say_plugs(book, option);
    } else {
        say_money_or_speed(book, question, option, code);
    }
}

static void say(struct phrase_book *book, const struct question *question,
                const struct option *option, enum message_code code)
{
    const struct ask *ask = question->ask;
    const struct gpu *gpu = option->gpu;
    const char *framework = phrase_framework(ask->framework);

    if (code == MESSAGE_VENDOR_EXCLUDED) {
        phrase_add(book, code, VARIANT_USUAL, phrase_vendor(gpu->vendor),
                   phrase_vendor(ask->vendor));
    } else if (code == MESSAGE_SEGMENT_EXCLUDED) {
        phrase_add(book, code, VARIANT_USUAL, gpu->segment == NULL ? "-" : gpu->segment,
                   ask->segment);
    } else if (code == MESSAGE_MEMORY_TOO_SMALL) {
        say_memory(book, question, option);
    } else if (code == MESSAGE_OS_UNSUPPORTED) {
        phrase_add(book, code, VARIANT_USUAL, framework, phrase_os(ask->os));
    } else if (code == MESSAGE_FRAMEWORK_UNSUPPORTED) {
        phrase_add(book, code, VARIANT_USUAL, framework, NULL);
    } else if (code == MESSAGE_SUPPORT_DROPPED) {
        say_dropped(book, question, gpu);
    } else if (code == MESSAGE_FEATURE_MISSING) {
        phrase_add(book, code, VARIANT_USUAL, missing_features(book, question, gpu), NULL);
    } else {
        say_of_set(book, question, option, code);
    }
}

bool notes_of_rejection(const struct question *question, const struct option *option,
                        struct arena *arena, struct rejection *rejection, struct error *err)
{
    struct phrase_book book = {arena, rejection->reasons, 0, MESSAGE_REJECTION_COUNT, false};

    assert(option->rejections != 0);
    for (size_t code = 0; code < MESSAGE_REJECTION_COUNT; code++) {
        if ((option->rejections >> code & 1) != 0) {
            say(&book, question, option, (enum message_code)code);
        }
    }
    rejection->gpu = option->gpu;
    rejection->reason_count = book.count;
    rejection->speed = option->has_speed ? option->speed.relative_low : 0;
    return !book.is_out_of_memory ||
           error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the reasons of %s", option->gpu->id);
}
