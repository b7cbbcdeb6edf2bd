/* Which way memory and speed must move, on every shipped model and card: more tokens, users and
 * batch take no less, fewer bits no more, adapters less than full training, and a card with more
 * bandwidth decodes no slower. */
#include "work_fixture.h"

/* What is computed in parts may differ in the last bits. */
static const double ROUNDING = 1e-9;

static bool is_at_most(double a, double b)
{
    return a <= b * (1 + ROUNDING);
}

static bool is_llm(const struct model *model)
{
    return text_is(model->kind, "llm");
}

/* False: the model takes no such question. */
static bool need_of(const struct catalogue *catalogue, const struct ask *asked,
                    struct memory_need *need)
{
    struct ask ask = *asked;
    struct error err;

    if (!ask_complete(catalogue, &ask, &err)) {
        return false;
    }
    *need = test_need(catalogue, &ask, STRATEGY_SINGLE, 1);
    return true;
}

/* One of the figures that make a job larger. */
enum figure { FIGURE_CONTEXT, FIGURE_USERS, FIGURE_BATCH, FIGURE_COUNT };
static const char *const FIGURE_NAMES[FIGURE_COUNT] = {"context or seq_len", "users", "batch"};

static void set_figure(struct ask *ask, enum figure figure, double value)
{
    double *const tokens = ask_is_training(ask) ? &ask->seq_len : &ask->context;
    double *const figures[FIGURE_COUNT] = {
        [FIGURE_CONTEXT] = tokens, [FIGURE_USERS] = &ask->users, [FIGURE_BATCH] = &ask->batch};

    *figures[figure] = figure == FIGURE_CONTEXT ? 128 * value : value;
}

/* 1, 2, 4 and so on, as far as the model goes. Cache and total, where there is a cache. */
static bool grows_with(const struct catalogue *catalogue, const struct model *model, enum task task,
                       enum figure figure)
{
    struct memory_need before = {0};

    for (double value = 1; value <= 1024; value *= 2) {
        struct ask ask = test_ask(catalogue, task, model->id, NULL);
        struct memory_need need;

        set_figure(&ask, figure, value);
        if (!need_of(catalogue, &ask, &need)) {
            break;
        }
        if (before.kv_cache_gib > need.kv_cache_gib * (1 + ROUNDING) ||
            !is_at_most(before.total_gib, need.total_gib) || need.low_gib > need.total_gib ||
            need.total_gib > need.high_gib) {
            printf("# %s %s, %s at %g: cache %.6g to %.6g, total %.6g to %.6g\n", TASK_NAMES[task],
                   model->id, FIGURE_NAMES[figure], value, before.kv_cache_gib, need.kv_cache_gib,
                   before.total_gib, need.total_gib);
            return false;
        }
        before = need;
    }
    return true;
}

static void test_size_of_job(const struct catalogue *catalogue)
{
    for (enum figure figure = 0; figure < FIGURE_COUNT; figure++) {
        size_t wrong = 0;

        for (size_t i = 0; i < catalogue->model_count; i++) {
            for (enum task task = TASK_TRAIN; task < TASK_COUNT; task++) {
                wrong += !grows_with(catalogue, &catalogue->models[i], task, figure);
            }
        }
        (void)tap_ok(wrong == 0, "more %s never takes less memory, whatever the model and task",
                     FIGURE_NAMES[figure]);
    }
}

/* Letters before the first digit: q, iq, tq. */
static size_t letters_of(const char *name)
{
    return strcspn(name, "0123456789");
}

/* Formats that give more bits to the same tensors: of one kind, and of GGUF of one series (q*_k,
 * iq*, tq*, and the older q*_0 and q*_1). Between series head and tables differ, which weighs where
 * the vocabulary is large. */
static bool is_one_series(const struct quant *a, const struct quant *b)
{
    size_t letters = letters_of(a->name);

    if (!text_is(a->kind, b->kind)) {
        return false;
    }
    return !text_is(a->kind, "gguf") ||
           (letters == letters_of(b->name) && strncmp(a->name, b->name, letters) == 0 &&
            (strstr(a->name, "_k") == NULL) == (strstr(b->name, "_k") == NULL));
}

static void test_bits(const struct catalogue *catalogue)
{
    size_t compared = 0;
    size_t wrong = 0;

    for (size_t m = 0; m < catalogue->model_count; m++) {
        const char *id = catalogue->models[m].id;

        for (size_t a = 0; a < catalogue->quant_count && is_llm(&catalogue->models[m]); a++) {
            for (size_t b = 0; b < catalogue->quant_count; b++) {
                const struct quant *few = &catalogue->quants[a];
                const struct quant *many = &catalogue->quants[b];
                struct ask ask_few = test_ask(catalogue, TASK_INFERENCE, id, few->name);
                struct ask ask_many = test_ask(catalogue, TASK_INFERENCE, id, many->name);
                struct memory_need need_few;
                struct memory_need need_many;

                if (!is_one_series(few, many) || few->bits_per_weight >= many->bits_per_weight ||
                    !need_of(catalogue, &ask_few, &need_few) ||
                    !need_of(catalogue, &ask_many, &need_many)) {
                    continue;
                }
                compared++;
                if (!is_at_most(need_few.weights_gib, need_many.weights_gib)) {
                    printf("# %s: %s %.6g GiB, %s %.6g GiB\n", id, few->name, need_few.weights_gib,
                           many->name, need_many.weights_gib);
                    wrong++;
                }
            }
        }
    }
    (void)tap_ok(wrong == 0 && compared > 1000,
                 "in %zu pairs of one series fewer bits never take more for the weights", compared);
}

static void test_ways_to_train(const struct catalogue *catalogue)
{
    static const enum task TASKS[] = {TASK_QLORA, TASK_LORA, TASK_FINETUNE};
    size_t wrong = 0;
    size_t compared = 0;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        double before_gib = 0;

        for (size_t t = 0; t < sizeof TASKS / sizeof TASKS[0] && is_llm(&catalogue->models[i]);
             t++) {
            struct ask ask = test_ask(catalogue, TASKS[t], catalogue->models[i].id, NULL);
            struct memory_need need;

            if (!need_of(catalogue, &ask, &need)) {
                continue;
            }
            compared++;
            if (!is_at_most(before_gib, need.total_gib)) {
                printf("# %s: %s takes %.6g GiB, the lighter way %.6g\n", catalogue->models[i].id,
                       TASK_NAMES[TASKS[t]], need.total_gib, before_gib);
                wrong++;
            }
            before_gib = need.total_gib;
        }
    }
    (void)tap_ok(wrong == 0 && compared > 100,
                 "full training takes no less than lora, that no less than qlora");
}

static void test_checkpointing(const struct catalogue *catalogue)
{
    size_t wrong = 0;
    size_t compared = 0;

    for (size_t i = 0; i < catalogue->model_count; i++) {
        for (enum task task = TASK_TRAIN; task < TASK_INFERENCE; task++) {
            struct ask ask = test_ask(catalogue, task, catalogue->models[i].id, NULL);
            struct memory_need with;
            struct memory_need without;

            ask.checkpointing = ANSWER_NO;
            bool is_asked = need_of(catalogue, &ask, &without);

            ask.checkpointing = ANSWER_YES;
            if (!is_asked || !need_of(catalogue, &ask, &with)) {
                continue;
            }
            compared++;
            if (!is_at_most(with.total_gib, without.total_gib)) {
                printf("# %s %s: %.6g GiB with checkpointing, %.6g without\n", TASK_NAMES[task],
                       catalogue->models[i].id, with.total_gib, without.total_gib);
                wrong++;
            }
        }
    }
    (void)tap_ok(wrong == 0 && compared > 100, "checkpointing never takes more memory");
}

/* Each card against itself with more bandwidth and nothing else. */
static void test_bandwidth(const struct catalogue *catalogue)
{
    static const double FACTORS[] = {1.02, 1.3, 2, 5};
    static const char *const MODELS[] = {"llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b"};
    size_t wrong = 0;
    size_t compared = 0;

    for (size_t m = 0; m < sizeof MODELS / sizeof MODELS[0]; m++) {
        struct ask ask = test_ask_complete(catalogue, TASK_INFERENCE, MODELS[m], "q4_k_m");

        for (size_t i = 0; i < catalogue->gpu_count; i++) {
            struct gpu gpu = catalogue->gpus[i];
            struct speed before;

            if (!speed_estimate(catalogue, &ask, &gpu, STRATEGY_SINGLE, 1, &before)) {
                continue;
            }
            for (size_t f = 0; f < sizeof FACTORS / sizeof FACTORS[0]; f++) {
                struct speed speed;

                gpu.memory_bandwidth_gb_s = catalogue->gpus[i].memory_bandwidth_gb_s * FACTORS[f];
                bool is_known = speed_estimate(catalogue, &ask, &gpu, STRATEGY_SINGLE, 1, &speed);

                compared++;
                if (!is_known || !is_at_most(before.value, speed.value) ||
                    !is_at_most(before.relative_low, speed.relative_low)) {
                    printf("# %s on %s: %.6g tokens/s, at %g times the bandwidth %.6g\n", MODELS[m],
                           gpu.id, before.value, FACTORS[f], speed.value);
                    wrong++;
                }
                before = speed;
            }
        }
    }
    (void)tap_ok(wrong == 0 && compared > 1000, "in %zu pairs more bandwidth never decodes slower",
                 compared);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_size_of_job(catalogue);
    test_bits(catalogue);
    test_ways_to_train(catalogue);
    test_checkpointing(catalogue);
    test_bandwidth(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
