/* Processors: affinity and the CPU quota of control groups (both versions). Reads a few files of
 * the kernel at start-up; any thread. */
#include "cores.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 512, TEXT_BYTES = 128 };

unsigned cores_of_quota(const char *text)
{
    long long quota = 0, period = 0;

    if (sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0) {
        return 0;
    }
    long long cores = quota / period + (quota % period != 0 ? 1 : 0);

    return cores > 65536 ? 65536 : (unsigned)cores;
}

/* First line of a file without its end; false: there is none. */
static bool read_line(const char *path, char *line, size_t room)
{
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        return false;
    }
    bool is_read = fgets(line, (int)room, file) != NULL;

    (void)fclose(file); /* read only: nothing can be lost */
    if (is_read) {
        line[strcspn(line, "\n")] = '\0';
    }
    return is_read;
}

/* Quota of one group folder: cpu.max of version 2, cpu.cfs_* of version 1. */
static unsigned group_quota(const char *root, const char *group)
{
    char path[PATH_BYTES + 64], text[TEXT_BYTES], quota[TEXT_BYTES / 4], period[TEXT_BYTES / 4];

    (void)snprintf(path, sizeof path, "%s%s/cpu.max", root, group);
    if (read_line(path, text, sizeof text)) {
        return cores_of_quota(text);
    }
    (void)snprintf(path, sizeof path, "%s%s/cpu.cfs_quota_us", root, group);
    bool has_quota = read_line(path, quota, sizeof quota);

    (void)snprintf(path, sizeof path, "%s%s/cpu.cfs_period_us", root, group);
    if (!has_quota || !read_line(path, period, sizeof period)) {
        return 0;
    }
    (void)snprintf(text, sizeof text, "%s %s", quota, period);
    return cores_of_quota(text);
}

/* The smallest quota of a group and all groups above it; 0: none. Shortens group. */
static unsigned tightest_quota(const char *root, char *group)
{
    unsigned tightest = 0;

    for (;;) {
        unsigned quota = group_quota(root, strcmp(group, "/") == 0 ? "" : group);

        tightest = quota > 0 && (tightest == 0 || quota < tightest) ? quota : tightest;
        char *slash = strrchr(group, '/');

        if (slash == NULL || slash[1] == '\0') {
            return tightest;
        }
        slash[slash == group ? 1 : 0] = '\0';
    }
}

/* Lines of /proc/self/cgroup are "0::/group" (version 2) or "N:cpu,cpuacct:/group". */
static unsigned quota_of_process(void)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[PATH_BYTES];
    unsigned tightest = 0;

    if (file == NULL) {
        return 0;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');

        if (group == NULL || (group != controllers + 1 && strstr(controllers, "cpu") == NULL)) {
            continue;
        }
        const char *root = group == controllers + 1 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
        unsigned quota = tightest_quota(root, group + 1);

        tightest = quota > 0 && (tightest == 0 || quota < tightest) ? quota : tightest;
    }
    (void)fclose(file); /* read only: nothing can be lost */
    return tightest;
}

unsigned cores_usable(void)
{
    cpu_set_t mask;
    unsigned quota = quota_of_process();
    unsigned cores = 1;

    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) > 0) {
        cores = (unsigned)CPU_COUNT(&mask);
    }
    return quota > 0 && quota < cores ? quota : cores;
}
