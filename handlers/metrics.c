/* Bounds of durations. Read by the server, which counts, and by handle_metrics.c, which tells. */
#include "metrics.h"

const uint64_t METRICS_BUCKET_US[METRICS_BUCKETS - 1] = {
    50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 500000, 2500000};
