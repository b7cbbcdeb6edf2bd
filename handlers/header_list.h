/* The lists of Accept, Accept-Language and Accept-Encoding (RFC 9110 section 5.6.1 and 12.4.2). */
#ifndef GPUWISE_HEADER_LIST_H
#define GPUWISE_HEADER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct header_element { /* "text/html;level=1;q=0.5": the name is "text/html" */
    const char *name;
    size_t length;
    int quality; /* thousandths */
};

/* Takes the next element off the list; false at its end. */
bool header_list_next(const char **rest, struct header_element *element);

#endif
