/* The page at "/" and its files. What the page shows depends on its own script: any query is
 * welcome. */
#include "handle.h"

#include "problem.h"
#include "snapshot.h"

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

void handle_page(struct exchange *exchange)
{
    const struct app_snapshot *snapshot = exchange->view->snapshot;

    if (snapshot == NULL) {
        problem_reply(exchange, PROBLEM_NOT_READY, SAY(TEXT_NO_CATALOGUE));
        return;
    }
    const struct asset *page = snapshot->assets.page;

    if (page == NULL) {
        problem_reply(exchange, PROBLEM_NOT_FOUND, SAY(TEXT_NO_PAGE));
        return;
    }
    serve(exchange, page);
    cache_rules_page(exchange, page->media_type, page->etag);
    exchange->response->is_cacheable = true;
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
