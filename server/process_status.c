/* Reads /proc and resource limits. No state. */
#include "process_status.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* Entries of /proc/self/fd, without the one that counts. */
static double count_open_fds(void)
{
    DIR *folder = opendir("/proc/self/fd");
    double count = 0;

    if (folder == NULL) {
        return -1;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        count += entry->d_name[0] == '.' ? 0 : 1;
    }
    (void)closedir(folder);
    return count - 1;
}

static void read_memory(struct metrics_process *process)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long virtual_pages = 0, resident_pages = 0;
    double page_bytes = (double)sysconf(_SC_PAGESIZE);

    process->virtual_bytes = -1;
    process->resident_bytes = -1;
    if (file == NULL) {
        return;
    }
    if (fscanf(file, "%lu %lu", &virtual_pages, &resident_pages) == 2) {
        process->virtual_bytes = (double)virtual_pages * page_bytes;
        process->resident_bytes = (double)resident_pages * page_bytes;
    }
    (void)fclose(file); /* read only */
}

void process_status_read(struct metrics_process *process)
{
    struct rusage usage;
    struct rlimit limit;

    read_memory(process);
    process->open_fds = count_open_fds();
    process->cpu_s = getrusage(RUSAGE_SELF, &usage) == 0
                         ? seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime)
                         : -1;
    process->max_fds = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
                           ? (double)limit.rlim_cur
                           : -1;
}

double process_status_now_s(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now); /* cannot fail for this clock */
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
