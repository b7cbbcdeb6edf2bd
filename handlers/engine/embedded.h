/* Files that are part of the program: migrations/ (for db) and static/ (for handlers). The arrays
 * are written at build time by server/gen_embed.c; names are sorted. */
#ifndef GPUWISE_ENGINE_EMBEDDED_H
#define GPUWISE_ENGINE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name;           /* below its folder, as "0001_facts.sql" */
    const unsigned char *bytes; /* not NUL-terminated */
    size_t size_bytes;
    const char *hash; /* 16 hexadecimal digits of the contents (FNV-1a, 64 bit) */
};

extern const struct embedded_file EMBEDDED_MIGRATIONS[];
extern const size_t EMBEDDED_MIGRATION_COUNT;
extern const struct embedded_file EMBEDDED_STATIC[];
extern const size_t EMBEDDED_STATIC_COUNT;

#endif
