/* Tests handlers/engine/review.c, and that an alias added later makes rows kept under a name count
 * for its card (catalogue_build.c), on copies of the shipped facts. */
#include "review.h"

#include "recommend_fixture.h"

static const char NEW_NAME[] = "Hyper 9000";

static const struct review_name *find_name(const struct review_name *names, size_t count,
                                           enum review_kind kind, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i].kind == kind && strcmp(names[i].name, name) == 0) {
            return &names[i];
        }
    }
    return NULL;
}

static void list(const struct catalogue *catalogue, struct arena *memory,
                 struct review_name **names, size_t *count)
{
    struct error err;

    if (!review_list(catalogue, memory, names, count, &err)) {
        test_bail_out("no list", err.text);
    }
}

static void test_shipped(const struct catalogue *catalogue)
{
    struct arena memory;
    struct review_name *names = NULL;
    size_t count = 0;
    size_t unknown = 0;
    bool is_sorted = true;

    arena_init(&memory, FIXTURE_ARENA_BYTES);
    list(catalogue, &memory, &names, &count);
    for (size_t i = 0; i < count; i++) {
        unknown += names[i].outcome == NAMES_UNKNOWN ? 1 : 0;
        is_sorted = is_sorted && (i == 0 || names[i - 1].kind < names[i].kind ||
                                  strcmp(names[i - 1].name, names[i].name) < 0);
    }
    (void)tap_ok(unknown == 0 && count > 0,
                 "of the shipped rows no name is unknown, some are open");
    (void)tap_ok(is_sorted, "by kind, then name, each once");
    const struct review_name *open =
        find_name(names, count, REVIEW_OFFER, "RTX PRO 6000 (edition not named)");

    (void)tap_ok(open != NULL && open->row_count == 8 && open->gpu_count == 3 &&
                     open->outcome == NAMES_AMBIGUOUS,
                 "an edition that is not named: 8 rows, three cards to choose from");
    open = find_name(names, count, REVIEW_PRICE, "nvidia-geforce-gtx-1060");
    (void)tap_ok(open != NULL && open->row_count == 2 && open->gpu_count == 1,
                 "a name that means the 3 GB card too is open, with the card it may be");
    (void)tap_ok(find_name(names, count, REVIEW_PRICE, "nvidia-geforce-gtx-680") == NULL &&
                     find_name(names, count, REVIEW_OFFER, "RTX 4090 (48 GB mod)") == NULL &&
                     find_name(names, count, REVIEW_OFFER, "tpu-v5p-8") == NULL &&
                     find_name(names, count, REVIEW_PLAN, "CPU") == NULL,
                 "known cards outside the catalogue, modified ones, TPUs and no card are not");
    arena_fini(&memory);
}

/* A copy in which one price, offer and plan stand under a name of nobody. */
static struct catalogue *with_new_name(const struct catalogue *original)
{
    struct catalogue *copy = fixture_copy(original, 1);

    copy->prices[0].gpu_slug = NEW_NAME;
    copy->cloud_offers[0].gpu_slug = NULL;
    copy->cloud_offers[0].tpu_slug = NULL;
    copy->cloud_offers[0].accelerator = NEW_NAME;
    copy->cloud_offers[0].gpu_memory_gb = (double)NAN;
    copy->notebook_plans[0].gpu_slug = NULL;
    copy->notebook_plans[0].tpu_slug = NULL;
    copy->notebook_plans[0].accelerator = "Hyper 9001";
    return copy;
}

/* The offers and prices that stand under the new name, by whether they have a card. */
static size_t count_rows(const struct catalogue *catalogue, const struct gpu *gpu)
{
    size_t rows = 0;

    for (size_t i = 0; i < catalogue->price_count; i++) {
        rows +=
            strcmp(catalogue->prices[i].gpu_slug, NEW_NAME) == 0 && catalogue->prices[i].gpu == gpu
                ? 1
                : 0;
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        rows += strcmp(catalogue->cloud_offers[i].accelerator, NEW_NAME) == 0 &&
                        catalogue->cloud_offers[i].gpu == gpu
                    ? 1
                    : 0;
    }
    return rows;
}

static void test_later_alias(const struct catalogue *catalogue)
{
    struct catalogue *copy = with_new_name(catalogue);
    struct arena memory;
    struct review_name *names = NULL;
    size_t count = 0;
    struct error err;

    arena_init(&memory, FIXTURE_ARENA_BYTES);
    if (!catalogue_build(copy, &err)) {
        test_bail_out("no copy", err.text);
    }
    list(copy, &memory, &names, &count);
    const struct review_name *price = find_name(names, count, REVIEW_PRICE, NEW_NAME);
    const struct review_name *offer = find_name(names, count, REVIEW_OFFER, NEW_NAME);
    const struct review_name *plan = find_name(names, count, REVIEW_PLAN, "Hyper 9001");

    (void)tap_ok(price != NULL && offer != NULL && plan != NULL, "unknown names of all kinds");
    (void)tap_ok(price != NULL && price->outcome == NAMES_UNKNOWN && price->row_count == 1 &&
                     price->source != NULL && price->source[0] != '\0',
                 "with rows and source");
    (void)tap_ok(count_rows(copy, NULL) == 2, "and their rows have no card");
    catalogue_unref(copy);

    copy = with_new_name(catalogue);
    copy->aliases[copy->alias_count++] = /* the fixture leaves room for one */
        (struct alias){.alias = "hyper9000", .gpu_id = REFERENCE_ID, .kind = "short"};
    if (!catalogue_build(copy, &err)) {
        test_bail_out("no copy", err.text);
    }
    const struct gpu *gpu = fixture_gpu(copy, REFERENCE_ID);
    size_t own = 0;

    for (size_t i = 0; i < gpu->price_count; i++) {
        own += strcmp(gpu->prices[i].gpu_slug, NEW_NAME) == 0 ? 1 : 0;
    }
    list(copy, &memory, &names, &count);
    (void)tap_ok(count_rows(copy, gpu) == 2 && own == 1,
                 "an alias added later gives the rows their card, without a new import");
    (void)tap_ok(find_name(names, count, REVIEW_PRICE, NEW_NAME) == NULL &&
                     find_name(names, count, REVIEW_OFFER, NEW_NAME) == NULL &&
                     find_name(names, count, REVIEW_PLAN, "Hyper 9001") != NULL,
                 "and takes the name off the list, and only this one");
    catalogue_unref(copy);
    arena_fini(&memory);
}

int main(void)
{
    struct catalogue *catalogue = test_catalogue();

    test_shipped(catalogue);
    test_later_alias(catalogue);
    catalogue_unref(catalogue);
    return tap_done();
}
