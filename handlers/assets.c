/* Prepares the embedded files for serving. Built once per snapshot; read by any thread. */
#include "assets.h"

#include <string.h>

static const char PAGE_NAME[] = "index.html";
static const char DOCS_NAME[] = "docs.html";
static const char CONTRACT_NAME[] = "openapi.json";
static const char FOLDER[] = "/static/";

const char *const ASSETS_CONTRACT_MEDIA_TYPES[ASSETS_CONTRACT_TYPES] = {
    "application/json", "application/openapi+json", "application/vnd.oai.openapi+json"};

static const char *media_type_of(const char *name)
{
    static const struct {
        const char *ending, *media_type;
    } TYPES[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".json", "application/json"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < sizeof TYPES / sizeof TYPES[0]; i++) {
        if (strcmp(dot, TYPES[i].ending) == 0) {
            return TYPES[i].media_type;
        }
    }
    return "application/octet-stream";
}

/* Those have an address that does not change. */
static bool has_own_address(const char *name)
{
    return strcmp(name, PAGE_NAME) == 0 || strcmp(name, DOCS_NAME) == 0 ||
           strcmp(name, CONTRACT_NAME) == 0;
}

/* The file whose name stands at text, followed by a quotation mark; NULL: none. */
static const struct embedded_file *named_at(const struct embedded_file *files, size_t count,
                                            const char *text, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        size_t bytes = strlen(files[i].name);

        if (bytes < length && text[bytes] == '"' && memcmp(text, files[i].name, bytes) == 0 &&
            !has_own_address(files[i].name)) {
            return &files[i];
        }
    }
    return NULL;
}

/* Replaces a page's bytes by a copy in which "app.js" reads "/static/<hash>/app.js". */
static bool rewrite_page(const struct embedded_file *files, size_t count, struct arena *arena,
                         const char *hash, struct asset *page)
{
    size_t prefix_bytes = sizeof FOLDER - 1 + ASSETS_HASH_BYTES; /* folder, hash, '/' */
    size_t references = 0;
    size_t used = 0;

    for (size_t i = 1; i < page->size_bytes; i++) {
        references += page->bytes[i - 1] == '"' &&
                              named_at(files, count, page->bytes + i, page->size_bytes - i) != NULL
                          ? 1
                          : 0;
    }
    char *out = arena_alloc(arena, page->size_bytes + references * prefix_bytes);

    if (out == NULL) {
        return false;
    }
    for (size_t i = 0; i < page->size_bytes; i++) {
        if (i > 0 && page->bytes[i - 1] == '"' &&
            named_at(files, count, page->bytes + i, page->size_bytes - i) != NULL) {
            memcpy(out + used, FOLDER, sizeof FOLDER - 1);
            used += sizeof FOLDER - 1;
            memcpy(out + used, hash, ASSETS_HASH_BYTES - 1);
            used += ASSETS_HASH_BYTES - 1;
            out[used++] = '/';
        }
        out[used++] = page->bytes[i];
    }
    page->bytes = out;
    page->size_bytes = used;
    return true;
}

/* One hash over names and contents, from the hashes of the files. */
static bool hash_files(const struct embedded_file *files, size_t count,
                       char hash[ASSETS_HASH_BYTES], struct arena *arena)
{
    char etag[CACHE_RULES_ETAG_BYTES] = "\"0000000000000000\"";

    for (size_t i = 0; i < count; i++) {
        const char *text = arena_format(arena, "%s%s", etag, files[i].name);

        if (text == NULL) {
            return false;
        }
        cache_rules_etag(text, strlen(text), files[i].hash, "", etag);
    }
    memcpy(hash, etag + 1, ASSETS_HASH_BYTES - 1);
    hash[ASSETS_HASH_BYTES - 1] = '\0';
    return true;
}

bool assets_build(const struct embedded_file *files, size_t count, struct arena *arena,
                  struct assets *assets, struct error *err)
{
    struct asset *items = arena_alloc_array(arena, count, sizeof *items);

    *assets = (struct assets){.items = items, .count = count};
    if (items == NULL || !hash_files(files, count, assets->hash, arena)) {
        return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the files of the page");
    }
    for (size_t i = 0; i < count; i++) {
        struct asset *asset = &items[i];

        asset->name = files[i].name;
        asset->media_type = media_type_of(files[i].name);
        asset->bytes = (const char *)files[i].bytes;
        asset->size_bytes = files[i].size_bytes;
        if (strcmp(files[i].name, PAGE_NAME) == 0) {
            assets->page = asset;
        } else if (strcmp(files[i].name, DOCS_NAME) == 0) {
            assets->docs = asset;
        } else if (strcmp(files[i].name, CONTRACT_NAME) == 0) {
            assets->contract = asset;
        }
        if ((asset == assets->page || asset == assets->docs) &&
            !rewrite_page(files, count, arena, assets->hash, asset)) {
            return error_set(err, ERROR_OUT_OF_MEMORY, "no memory for the page");
        }
        cache_rules_etag(asset->bytes, asset->size_bytes, asset->media_type, "", asset->etag);
    }
    for (size_t i = 0; assets->contract != NULL && i < ASSETS_CONTRACT_TYPES; i++) {
        cache_rules_etag(assets->contract->bytes, assets->contract->size_bytes,
                         ASSETS_CONTRACT_MEDIA_TYPES[i], "", assets->contract_etags[i]);
    }
    return true;
}

const struct asset *assets_find(const struct assets *assets, const char *path, size_t path_bytes)
{
    const size_t hash_bytes = ASSETS_HASH_BYTES - 1;

    if (path_bytes <= hash_bytes + 1 || memcmp(path, assets->hash, hash_bytes) != 0 ||
        path[hash_bytes] != '/') {
        return NULL;
    }
    const char *name = path + hash_bytes + 1;
    size_t name_bytes = path_bytes - hash_bytes - 1;

    for (size_t i = 0; i < assets->count; i++) {
        const struct asset *asset = &assets->items[i];

        if (!has_own_address(asset->name) && strlen(asset->name) == name_bytes &&
            memcmp(asset->name, name, name_bytes) == 0) {
            return asset;
        }
    }
    return NULL;
}
