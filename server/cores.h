/* How many processors this process may use. */
#ifndef GPUWISE_CORES_H
#define GPUWISE_CORES_H

/* Processors of the affinity mask, or fewer when a control group grants less time than that; at
 * least 1. */
unsigned cores_usable(void);

/* Whole processors that a quota allows, rounded up: quota and period are microseconds, as in
 * "200000 100000" of cpu.max. 0: no limit ("max 100000", a quota of -1) or not readable as one. */
unsigned cores_of_quota(const char *text);

#endif
