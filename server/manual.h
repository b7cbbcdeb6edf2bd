/* `gpuwise man`: the manual page, from the tables of commands and settings. */
#ifndef GPUWISE_MANUAL_H
#define GPUWISE_MANUAL_H

#include <stdio.h>

struct manual_command {
    const char *name;
    const char *argument; /* that must follow; NULL: none */
    const char *help;
};

/* Writes the page in the mdoc language. */
void manual_print(FILE *file, const struct manual_command *commands, size_t count);

#endif
