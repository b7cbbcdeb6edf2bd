/* Machines whose host and accelerators are priced in rows of their own (struct import_host): keeps
 * both, and makes rows of whole machines of them at the end. One thread. */
#ifndef GPUWISE_DB_IMPORT_HOSTS_H
#define GPUWISE_DB_IMPORT_HOSTS_H

#include "import_map.h"

enum { IMPORT_HOST_COLUMNS_MAX = 6, IMPORT_HOST_TEXT_BYTES = 32 };

struct import_host_row;

struct import_hosts {
    const struct import_map *map;
    size_t instance, accelerator, count, place; /* columns of the file */
    size_t columns[IMPORT_HOST_COLUMNS_MAX];    /* that a host has something to say about */
    bool is_sum[IMPORT_HOST_COLUMNS_MAX];       /* added, else taken */
    size_t column_count;
    struct import_seen seen; /* hosts by name and place; numbers are places of hosts, from 1 */
    struct import_host_row *hosts;
    size_t host_count, host_room;
    char *parts; /* records of accelerators: line, then each field with its NUL */
    size_t part_bytes, part_room;
};

/* In place; the map is lent, bound, and of a format with hosts. */
void import_hosts_init(struct import_hosts *hosts, const struct import_map *map);

/* Accepts a zeroed one. */
void import_hosts_fini(struct import_hosts *hosts);

enum import_part { IMPORT_PART_NONE, IMPORT_PART_HOST, IMPORT_PART_ACCELERATOR };

/* Keeps the record where it is a part of a machine. ERROR_TOO_LARGE: LIMIT_IMPORT_HOSTS of hosts or
 * LIMIT_IMPORT_PARTS_BYTES of accelerators were kept before. */
bool import_hosts_keep(struct import_hosts *hosts, const struct import_record *record,
                       enum import_part *part, struct error *err) MUST_CHECK;

/* Calls take with a record for every machine that can be made; *alone: accelerators without any
 * host. */
bool import_hosts_join(struct import_hosts *hosts,
                       bool (*take)(void *context, const struct import_record *record,
                                    struct error *err),
                       void *context, size_t *alone, struct error *err) MUST_CHECK;

#endif
