/* What stands behind struct app_snapshot: for handlers only. */
#ifndef GPUWISE_SNAPSHOT_H
#define GPUWISE_SNAPSHOT_H

#include "app.h"
#include "assets.h"
#include "engine/freshness.h"
#include "rows.h"

struct app_snapshot {
    struct arena memory; /* owns rows and assets */
    struct catalogue *catalogue;
    struct rows rows;
    struct assets assets;
    struct freshness ages;
    int reference_count; /* touched only by app_snapshot_ref and app_snapshot_unref */
};

#endif
