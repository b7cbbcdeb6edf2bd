/* The page at "/", the contract and the page that shows it, and their files. What a page shows
 * depends on its own script: any query is welcome. */
#include "handle.h"

#include "negotiate.h"
#include "problem.h"
#include "snapshot.h"

#include <stddef.h>
#include <string.h>

static void serve(struct exchange *exchange, const struct asset *asset)
{
    *exchange->response = (struct http_response){
        .status = 200,
        .body = asset->bytes,
        .body_bytes = asset->size_bytes,
        .place =
            HTTP_BODY_SNAPSHOT, /* so that the tag, which lives there too, outlasts the reply */
    };
}

/* A file at its own address; NULL: the response is a problem. */
static const struct asset *own_file(struct exchange *exchange, size_t offset)
{
    const struct app_snapshot *snapshot = exchange->view->snapshot;
    const struct asset *asset = NULL;

    if (snapshot == NULL) {
        problem_reply(exchange, PROBLEM_NOT_READY, SAY(TEXT_NO_CATALOGUE));
        return NULL;
    }
    memcpy(&asset, (const char *)&snapshot->assets + offset, sizeof asset);
    if (asset == NULL) {
        problem_reply(exchange, PROBLEM_NOT_FOUND, SAY(TEXT_NO_PAGE));
        return NULL;
    }
    serve(exchange, asset);
    return asset;
}

static void reply_page(struct exchange *exchange, const struct asset *page)
{
    if (page != NULL) {
        cache_rules_page(exchange, page->media_type, page->etag);
        exchange->response->is_cacheable = true;
    }
}

void handle_page(struct exchange *exchange)
{
    reply_page(exchange, own_file(exchange, offsetof(struct assets, page)));
}

void handle_docs(struct exchange *exchange)
{
    reply_page(exchange, own_file(exchange, offsetof(struct assets, docs)));
}

void handle_openapi(struct exchange *exchange)
{
    size_t type = 0;

    while (type < ASSETS_CONTRACT_TYPES &&
           !negotiate_accepts(exchange->request->accept, ASSETS_CONTRACT_MEDIA_TYPES[type])) {
        type++;
    }
    if (type == ASSETS_CONTRACT_TYPES) {
        problem_reply(exchange, PROBLEM_NOT_ACCEPTABLE, SAY(TEXT_SERVED_TYPES, "application/json"));
        return;
    }
    const struct asset *contract = own_file(exchange, offsetof(struct assets, contract));

    if (contract != NULL) {
        cache_rules_contract(exchange, ASSETS_CONTRACT_MEDIA_TYPES[type],
                             exchange->view->snapshot->assets.contract_etags[type]);
        exchange->response->is_cacheable = true;
    }
}

void handle_asset(struct exchange *exchange)
{
    const struct app_snapshot *snapshot = exchange->view->snapshot;
    size_t prefix_bytes = strlen(exchange->path);
    const struct asset *asset =
        snapshot == NULL ? NULL
                         : assets_find(&snapshot->assets, exchange->request->path + prefix_bytes,
                                       exchange->request->path_bytes - prefix_bytes);

    if (asset == NULL) {
        problem_reply(exchange, PROBLEM_NOT_FOUND, SAY(TEXT_NO_FILE));
        return;
    }
    serve(exchange, asset);
    cache_rules_asset(exchange, asset->media_type, asset->etag);
    exchange->response->is_cacheable = true;
}
