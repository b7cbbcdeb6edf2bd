/* The time, for server/ only: handlers are told the day. */
#ifndef GPUWISE_CLOCK_H
#define GPUWISE_CLOCK_H

#include <stdint.h>

/* Microseconds of a clock that never jumps. No system call (vDSO). */
uint64_t clock_now_us(void);

/* The UTC day, in days since 1970-01-01. No system call. */
int32_t clock_today(void);

#endif
