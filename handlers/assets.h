/* The pages and their files, as they are part of the program (static/). index.html is served at
 * "/", docs.html at "/docs" and openapi.json at its own name; the others under /static/<hash of all
 * files>/, so that they may be cached for ever and still find each other by relative names. */
#ifndef GPUWISE_ASSETS_H
#define GPUWISE_ASSETS_H

#include "cache_rules.h"

#include "engine/embedded.h"

enum { ASSETS_HASH_BYTES = 17, ASSETS_CONTRACT_TYPES = 3 };

/* Types under which people ask for a description of an API, the plain one first. */
extern const char *const ASSETS_CONTRACT_MEDIA_TYPES[ASSETS_CONTRACT_TYPES];

struct asset {
    const char *name;       /* as "app.js" */
    const char *media_type; /* static */
    const char *bytes;
    size_t size_bytes;
    char etag[CACHE_RULES_ETAG_BYTES];
};

struct assets {
    struct asset *items;
    size_t count;
    const struct asset *page; /* index.html with the addresses of the others; NULL: not shipped */
    const struct asset *docs; /* docs.html, the same way */
    const struct asset *contract; /* openapi.json; NULL: not shipped */
    char contract_etags[ASSETS_CONTRACT_TYPES][CACHE_RULES_ETAG_BYTES]; /* one a media type */
    char hash[ASSETS_HASH_BYTES]; /* of all names and contents, hexadecimal */
};

/* Every reference "name" in a page (in quotation marks) to another file becomes its address. */
bool assets_build(const struct embedded_file *files, size_t count, struct arena *arena,
                  struct assets *assets, struct error *err) MUST_CHECK;

/* By the path below /static/: "<hash>/<name>"; NULL: none. */
const struct asset *assets_find(const struct assets *assets, const char *path, size_t path_bytes);

#endif
