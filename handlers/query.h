/* The parameters behind '?', decoded and checked before anything reads them. */
#ifndef GPUWISE_QUERY_H
#define GPUWISE_QUERY_H

#include "complaints.h"
#include "http.h"

struct query_parameter {
    const char *name, *value; /* decoded, valid UTF-8 without control or invisible
                                   characters, NUL behind them */
    size_t name_length, value_length;
};

struct query {
    struct query_parameter items[LIMIT_PARAMETERS];
    size_t count;
};

/* Reads the query of the request into *query; what cannot be read (bad percent encoding, invalid
 * UTF-8, control or invisible characters, an empty or repeated name, too many, too long) becomes a
 * complaint and is left out. */
void query_read(const struct http_request *request, struct query *query,
                struct complaints *complaints);

/* By exact name; NULL: not given. */
const struct query_parameter *query_find(const struct query *query, const char *name);

/* Takes a parameter out; false: it was not given. */
bool query_remove(struct query *query, const char *name) MUST_CHECK;

/* Takes out every parameter with an empty value. */
void query_drop_empty(struct query *query);

/* The first 64 bytes as ASCII, to name what cannot be repeated as it is; "": out of memory. */
const char *query_printable(struct arena *arena, const char *raw, size_t raw_length);

/* Percent-decodes into a new text of the arena ('+' stays unless plus_is_blank). False: *why says
 * what is wrong, TEXT_COUNT for out of memory. */
bool query_decode(struct arena *arena, const char *raw, size_t raw_length, bool plus_is_blank,
                  const char **text, size_t *length, enum text *why) MUST_CHECK;

/* The path with the given parameters, that of the name replaced by the value, or left out for NULL;
 * in what stands behind the path only characters that a URI has as they are. NULL: out of memory.
 */
const char *query_target(const struct query *query, const char *path, const char *name,
                         const char *value, struct arena *arena) MUST_CHECK;

#endif
