/* Reads clocks. Any thread. */
#include "clock.h"

#include <time.h>

enum { SECONDS_PER_DAY = 86400 };

uint64_t clock_now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int32_t clock_today(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME_COARSE, &now); /* cannot fail for this clock */
    return (int32_t)(now.tv_sec / SECONDS_PER_DAY);
}
