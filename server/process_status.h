/* What the system knows of this process. Any thread. */
#ifndef GPUWISE_PROCESS_STATUS_H
#define GPUWISE_PROCESS_STATUS_H

#include "../handlers/metrics.h"

/* Everything but start_time_s; -1 where the system does not tell. */
void process_status_read(struct metrics_process *process);

/* Unix time now, in seconds. */
double process_status_now_s(void);

#endif
