/* notes.c and notes_rejection.c: every code that DESIGN.md section 4 lists has its name, and comes
 * up in some answer on the shipped facts, with a sentence in both languages. */
#include "machine.h"
#include "notes.h"

#include "recommend_fixture.h"

/* The lists of DESIGN.md section 4, word for word, and behind them the codes added since. */
static const char *const REJECTIONS[] = {
    "over-budget",        "memory-too-small",   "no-price",      "os-unsupported",
    "support-dropped",    "feature-missing",    "psu-too-small", "framework-unsupported",
    "form-factor",        "too-slow",           "speed-unknown", "vendor-excluded",
    "segment-excluded",   "condition-excluded", "outside-tier",  "power-plug-missing",
    "heads-not-divisible"};
static const char *const WARNINGS[] = {"support-ending",
                                       "support-dropped",
                                       "passive-cooling",
                                       "loud-blower",
                                       "psu-tight",
                                       "no-nvlink",
                                       "split-memory",
                                       "rocm-linux-only",
                                       "ecosystem-gaps",
                                       "speed-unproven",
                                       "price-stale",
                                       "price-other-market",
                                       "price-unverified",
                                       "used-risk",
                                       "memory-tight",
                                       "fp16-slow",
                                       "no-tensor-cores",
                                       "no-bf16",
                                       "no-flash-attention-2",
                                       "eps-power",
                                       "no-display-output",
                                       "export-controlled",
                                       "discontinued",
                                       "not-shared-memory",
                                       "needs-baseboard",
                                       "psu-large",
                                       "many-slots",
                                       "long-board",
                                       "pcie-lanes",
                                       "no-fp8",
                                       "power-limit-low",
                                       "vat-included",
                                       "resale-doubtful",
                                       "open-cooler"};
static const char *const REASONS[] = {
    "best-score",  "fits-with-headroom", "fastest-in-budget", "cheapest-that-fits",
    "most-memory", "lowest-power",       "long-support",      "own-card-enough"};
static const char *const ADVICE[] = {"more-budget",     "allow-used", "quantize",     "checkpoint",
                                     "shorter-context", "two-cards",  "rent-instead", "keep-own"};

/* Of what is rented. */
static const char *const RENTED[] = {"quota", "spot-eviction", "session-limit",
                                     "offer-other-market"};

/* too-cheap is of an offer (test_handle_deal.c). On the shipped facts a nearer plan always does the
 * work, and TPUs are rows of /cloud. */
static const char *const UNUSED[] = {"regional-access", "xla-only", "too-cheap"};

/* What came up, by code. */
struct seen {
    bool rejections[MESSAGE_COUNT], warnings[MESSAGE_COUNT], reasons[MESSAGE_COUNT],
        advice[MESSAGE_COUNT], rented[MESSAGE_COUNT];
    size_t notes, without_text;
};

static void look(struct seen *seen, bool *codes, const struct note *notes, size_t count,
                 struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        codes[notes[i].code] = true;
        seen->notes++;
        for (enum language language = LANGUAGE_EN; language < LANGUAGE_COUNT; language++) {
            const char *text = message_text(&notes[i], language, arena);

            seen->without_text += text == NULL || text[0] == '\0' || strchr(text, '{') != NULL;
        }
    }
}

static void ask_and_look(const struct catalogue *catalogue, struct ask ask, struct seen *seen)
{
    struct recommendation answer;
    struct arena arena;

    ask.limit = 100;
    ask.explain = EXPLAIN_ALL;
    arena_init(&arena, FIXTURE_ARENA_BYTES);
    fixture_recommend(catalogue, &ask, &arena, &answer);
    for (size_t i = 0; i < answer.pick_count; i++) {
        const struct pick *pick = &answer.picks[i];

        look(seen, seen->warnings, pick->warnings, pick->warning_count, &arena);
        look(seen, seen->reasons, pick->reasons, pick->reason_count, &arena);
    }
    for (size_t i = 0; i < answer.rejection_count; i++) {
        look(seen, seen->rejections, answer.rejections[i].reasons,
             answer.rejections[i].reason_count, &arena);
    }
    for (size_t i = 0; i < answer.advice_count; i++) {
        look(seen, seen->advice, &answer.advice[i].note, 1, &arena);
    }
    for (size_t i = 0; i < answer.cloud_count; i++) {
        look(seen, seen->rented, answer.cloud[i].warnings, answer.cloud[i].warning_count, &arena);
    }
    arena_fini(&arena);
}

/* Questions about the purchase and the machine. */
static void ask_about_buying(const struct catalogue *catalogue, struct seen *seen)
{
    struct ask ask = fixture_ask(TASK_LEARN, 400);

    ask.own = fixture_gpu(catalogue, "nvidia-geforce-rtx-3080-10gb");
    ask.vendor = "nvidia";
    ask.segment = "consumer";
    ask.hours_per_month = 4;
    ask.needs[FEATURE_CUDA_13] = true;
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_TRAIN, 1000);
    ask.condition = ASKED_NEW;
    ask.psu_watts = 550;
    ask.plugs_is_given = machine_read_plugs("1x8-pin", ask.plugs);
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_TRAIN, 1000);
    ask.os = OS_WINDOWS;
    ask.max_gpus = 2;
    ask.max_slots = 4;
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_TRAIN, 1000);
    ask.checkpoint_hours = 1;
    ask.hours = 100;
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_TRAIN, 1000);
    ask.region = "cn";
    ask.min_memory_gib = 150; /* more than any card let in China has */
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_TRAIN, 0);
    ask.tier = "unlimited";
    ask.region = "cn";
    ask.currency = CURRENCY_CNY;
    ask.vat_share = 0.13;
    ask.power_limit_watts = 100;
    ask_and_look(catalogue, ask, seen);
}

/* Questions about language models. */
static void ask_about_models(const struct catalogue *catalogue, struct seen *seen)
{
    struct ask ask = fixture_ask(TASK_INFERENCE, 400);

    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.context = 65536;
    ask.min_tokens_per_s = 5;
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_INFERENCE, 500);
    ask.model = fixture_model(catalogue, "llama-3.1-8b");
    ask.quant = catalogue_find_quant(catalogue, "fp16");
    ask.context = 32768;
    ask_and_look(catalogue, ask, seen);
    ask = fixture_ask(TASK_LORA, 1000);
    ask.model = fixture_model(catalogue, "qwen2.5-7b");
    ask.checkpointing = ANSWER_NO;
    ask_and_look(catalogue, ask, seen);
    for (double tokens = 1; tokens < 100; tokens *= 1.5) { /* 25 heads are not for two cards */
        ask = fixture_ask(TASK_INFERENCE, 0);
        ask.model = fixture_model(catalogue, "gpt2-xl");
        ask.quant = catalogue_find_quant(catalogue, "fp8");
        ask.users = 64;
        ask.context = 1024;
        ask.strategy = STRATEGY_TP;
        ask.max_gpus = 2;
        ask.min_tokens_per_s = tokens;
        ask_and_look(catalogue, ask, seen);
    }
    ask = fixture_ask(TASK_INFERENCE, 0);
    ask.model = fixture_model(catalogue, "llama-3.1-70b");
    ask.max_gpus = 4;
    ask.chassis = CHASSIS_SERVER;
    ask_and_look(catalogue, ask, seen);
}

/* Cards that are no picks, as /gpus/{id} tells of them. */
static void look_at_cards(const struct catalogue *catalogue, struct seen *seen)
{
    for (size_t i = 0; i < catalogue->gpu_count; i++) {
        struct note warnings[RECOMMEND_MAX_NOTES];
        struct arena arena;

        arena_init(&arena, FIXTURE_ARENA_BYTES);
        size_t count = notes_of_card(&catalogue->gpus[i], &arena, warnings);

        look(seen, seen->warnings, warnings, count, &arena);
        arena_fini(&arena);
    }
}

static enum message_code code_of(const char *name)
{
    for (enum message_code code = 0; code < MESSAGE_COUNT; code++) {
        if (MESSAGE_TABLE[code].name != NULL && strcmp(MESSAGE_TABLE[code].name, name) == 0) {
            return code;
        }
    }
    return MESSAGE_COUNT;
}

static void check(const char *kind, const char *const *names, size_t count, const bool *codes)
{
    for (size_t i = 0; i < count; i++) {
        enum message_code code = code_of(names[i]);

        (void)tap_ok(code < MESSAGE_COUNT && codes[code], "%s %s comes up", kind, names[i]);
    }
}

#define CHECK(kind, names, codes) check(kind, names, sizeof(names) / sizeof(names)[0], codes)

int main(void)
{
    struct catalogue *catalogue = test_catalogue();
    struct seen seen = {0};

    ask_about_buying(catalogue, &seen);
    ask_about_models(catalogue, &seen);
    look_at_cards(catalogue, &seen);
    CHECK("rejection", REJECTIONS, seen.rejections);
    CHECK("warning", WARNINGS, seen.warnings);
    CHECK("reason", REASONS, seen.reasons);
    CHECK("advice", ADVICE, seen.advice);
    CHECK("warning", RENTED, seen.rented);
    for (size_t i = 0; i < sizeof UNUSED / sizeof UNUSED[0]; i++) {
        enum message_code code = code_of(UNUSED[i]);

        (void)tap_ok(code < MESSAGE_COUNT && !seen.warnings[code],
                     "warning %s has its sentence and is not used", UNUSED[i]);
    }
    (void)tap_ok(seen.notes > 1000 && seen.without_text == 0,
                 "all %zu notes have their text in both languages, with nothing left open",
                 seen.notes);
    catalogue_unref(catalogue);
    return tap_done();
}
