/* The version of the program, here and nowhere else. */
#ifndef GPUWISE_VERSION_H
#define GPUWISE_VERSION_H

#include <stddef.h>

#define VERSION_TEXT "0.1.0"
#define VERSION_DATE "November 30, 2026" /* of the manual page */

/* Of the sources, as `git describe` names it; "": they came without their history. Written at build
 * time by the Makefile. */
extern const char VERSION_COMMIT[];

enum { VERSION_PARTS_MAX = 8 };

struct version_part {
    const char *name;    /* of a library, or "compiler" */
    const char *running; /* as linked now; NULL: the library does not tell */
    const char *built;   /* as compiled against; NULL: the library does not tell */
};

/* The program's parts, in a fixed order; the texts live for ever. Returns how many. */
size_t version_parts(struct version_part parts[VERSION_PARTS_MAX]);

/* A line of the program, then one of each part, on standard output. */
void version_print(void);

#endif
