/* The names of the catalogue that lead to no card, each once. No state. */
#include "review.h"

#include "catalogue_rows.h"

#include <stdlib.h>
#include <string.h>

const char *const REVIEW_KIND_NAMES[REVIEW_KIND_COUNT] = {"price", "offer", "plan"};

/* Rows without a card, as what the name was given as. */
struct unresolved {
    struct review_name *names;
    size_t count;
};

/* A row whose name means several cards or is not known; the others are no matter of review. */
static void add(const struct catalogue *catalogue, struct unresolved *list, enum review_kind kind,
                const char *name, const struct names_hints *hints, const char *source)
{
    struct names_result found;

    names_resolve(catalogue, name, strlen(name), hints, &found);
    if (found.outcome != NAMES_AMBIGUOUS && found.outcome != NAMES_UNKNOWN) {
        return;
    }
    struct review_name *row = &list->names[list->count++];

    *row = (struct review_name){
        .name = name, .kind = kind, .outcome = found.outcome, .row_count = 1, .source = source};
    for (; row->gpu_count < found.count && row->gpu_count < REVIEW_MAX_GPUS; row->gpu_count++) {
        row->gpus[row->gpu_count] = found.gpus[row->gpu_count];
    }
}

static int compare_names(const void *a, const void *b)
{
    const struct review_name *one = a;
    const struct review_name *other = b;
    int order = (one->kind > other->kind) - (one->kind < other->kind);

    order = order != 0 ? order : strcmp(one->name, other->name);
    order = order != 0 ? order : (one->outcome > other->outcome) - (one->outcome < other->outcome);
    return order != 0 ? order : catalogue_compare_texts(one->source, other->source);
}

static size_t rows_without_card(const struct catalogue *catalogue)
{
    size_t count = 0;

    for (size_t i = 0; i < catalogue->price_count; i++) {
        count += catalogue->prices[i].gpu == NULL ? 1 : 0;
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        count += catalogue->cloud_offers[i].gpu == NULL ? 1 : 0;
    }
    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        count += catalogue->notebook_plans[i].gpu == NULL ? 1 : 0;
    }
    return count;
}

static void collect(const struct catalogue *catalogue, struct unresolved *list)
{
    struct names_hints hints = names_no_hints();

    for (size_t i = 0; i < catalogue->price_count; i++) {
        const struct price *price = &catalogue->prices[i];

        if (price->gpu == NULL) {
            add(catalogue, list, REVIEW_PRICE, price->gpu_slug, NULL, price->source);
        }
    }
    for (size_t i = 0; i < catalogue->cloud_offer_count; i++) {
        const struct cloud_offer *offer = &catalogue->cloud_offers[i];

        hints.memory_gib = offer->gpu_memory_gb;
        hints.provider = offer->provider;
        hints.instance_type = offer->instance_type;
        if (offer->gpu == NULL && offer->tpu_slug == NULL) {
            add(catalogue, list, REVIEW_OFFER, offer->accelerator, &hints, offer->source);
        }
    }
    hints.provider = NULL;
    hints.instance_type = NULL;
    for (size_t i = 0; i < catalogue->notebook_plan_count; i++) {
        const struct notebook_plan *plan = &catalogue->notebook_plans[i];

        hints.memory_gib = plan->gpu_memory_gb;
        if (plan->gpu == NULL && plan->tpu_slug == NULL) {
            add(catalogue, list, REVIEW_PLAN, plan->accelerator, &hints, plan->source);
        }
    }
}

/* An unknown name comes with the nearest cards. */
static void suggest(const struct catalogue *catalogue, struct review_name *name)
{
    struct names_result found;

    names_find_gpu(catalogue, name->name, strlen(name->name), &found);
    for (; name->gpu_count < found.count && name->gpu_count < REVIEW_MAX_GPUS; name->gpu_count++) {
        name->gpus[name->gpu_count] = found.gpus[name->gpu_count];
    }
}

bool review_list(const struct catalogue *catalogue, struct arena *memory,
                 struct review_name **names, size_t *count, struct error *err)
{
    size_t room = rows_without_card(catalogue);
    struct unresolved list = {.names = arena_alloc_array(memory, room, sizeof(struct review_name))};
    size_t kept = 0;

    if (list.names == NULL) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the names to review");
    }
    collect(catalogue, &list);
    if (list.count > 1) {
        qsort(list.names, list.count, sizeof list.names[0], compare_names);
    }
    for (size_t i = 0; i < list.count; i++) {
        struct review_name *last = kept == 0 ? NULL : &list.names[kept - 1];

        if (last != NULL && last->kind == list.names[i].kind &&
            last->outcome == list.names[i].outcome && strcmp(last->name, list.names[i].name) == 0) {
            last->row_count++;
        } else {
            list.names[kept++] = list.names[i];
        }
    }
    for (size_t i = 0; i < kept; i++) {
        if (list.names[i].gpu_count == 0) {
            suggest(catalogue, &list.names[i]);
        }
    }
    *names = list.names;
    *count = kept;
    return true;
}
