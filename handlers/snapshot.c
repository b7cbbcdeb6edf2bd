/* A catalogue with everything that can be written before the first request. Built by one thread,
 * then immutable; the references are counted from any thread. */
#include "snapshot.h"

#include <stdlib.h>

static bool build(struct app_snapshot *snapshot, struct error *err)
{
    return rows_build(snapshot->catalogue, &snapshot->memory, &snapshot->rows, err) &&
           assets_build(EMBEDDED_STATIC, EMBEDDED_STATIC_COUNT, &snapshot->memory,
                        &snapshot->assets, err) &&
           freshness_build(snapshot->catalogue, &snapshot->memory, &snapshot->ages, err);
}

struct app_snapshot *app_snapshot_new(struct catalogue *catalogue, struct error *err)
{
    struct app_snapshot *snapshot = calloc(1, sizeof *snapshot);

    if (snapshot == NULL) {
        (void)error_set(err, ERROR_OUT_OF_MEMORY,
                        "no memory for a snapshot"); /* NULL says it failed */
        catalogue_unref(catalogue);
        return NULL;
    }
    snapshot->catalogue = catalogue;
    snapshot->reference_count = 1;
    arena_init(&snapshot->memory, LIMIT_CATALOGUE_ARENA_BYTES);
    if (!build(snapshot, err)) {
        app_snapshot_unref(snapshot);
        return NULL;
    }
    return snapshot;
}

struct app_snapshot *app_snapshot_ref(struct app_snapshot *snapshot)
{
    (void)__atomic_add_fetch(&snapshot->reference_count, 1, __ATOMIC_RELAXED);
    return snapshot;
}

void app_snapshot_unref(struct app_snapshot *snapshot)
{
    if (snapshot == NULL) {
        return;
    }
    /* whoever frees must see everything the other threads did before they let go */
    if (__atomic_sub_fetch(&snapshot->reference_count, 1, __ATOMIC_ACQ_REL) == 0) {
        catalogue_unref(snapshot->catalogue);
        arena_fini(&snapshot->memory);
        free(snapshot);
    }
}

const struct catalogue *app_snapshot_catalogue(const struct app_snapshot *snapshot)
{
    return snapshot->catalogue;
}
