/* The route table; the table in README.md and static/openapi.json are held equal to it by tests.
 * Pure. */
#include "router.h"

#include "handle.h"
#include "metrics.h"

#include <string.h>

static const char READ_ONLY[] = "GET, HEAD, OPTIONS";
static const char READ_OR_POST[] = "GET, HEAD, POST, OPTIONS";
static const char POST_ONLY[] = "POST, OPTIONS";
static const char READ_OR_DELETE[] = "GET, HEAD, DELETE, OPTIONS";

static const struct route_admin ADMIN_PRICES = {NULL, handle_prices_finish, false};
static const struct route_admin ADMIN_FILES = {NULL, handle_imports_finish, true};
static const struct route_admin ADMIN_IMPORT = {handle_import_deleted, handle_imports_finish,
                                                false};

#define EXACT(path) path, sizeof(path) - 1, path, false
#define BELOW(path, argument) path, sizeof(path) - 1, path argument, true
const char ROUTER_ALL_METHODS[] = "GET, HEAD, POST, DELETE, OPTIONS";
const struct route ROUTES[] = {
    {EXACT("/"), false, READ_ONLY, handle_page, NULL, NULL},
    {BELOW("/static/", "{hash}/{name}"), false, READ_ONLY, handle_asset, NULL, NULL},
    {EXACT("/openapi.json"), false, READ_ONLY, handle_openapi, NULL, NULL},
    {EXACT("/docs"), false, READ_ONLY, handle_docs, NULL, NULL},
    {EXACT("/recommend"), true, READ_ONLY, handle_recommend, NULL, NULL},
    {EXACT("/deal"), true, READ_ONLY, handle_deal, NULL, NULL},
    {EXACT("/compare"), true, READ_ONLY, handle_compare, NULL, NULL},
    {EXACT("/estimate"), true, READ_OR_POST, handle_estimate, handle_estimate_posted, NULL},
    {EXACT("/gpus"), true, READ_ONLY, handle_gpus, NULL, NULL},
    {BELOW("/gpus/", "{id}"), true, READ_ONLY, handle_gpu, NULL, NULL},
    {EXACT("/models"), true, READ_ONLY, handle_models, NULL, NULL},
    {BELOW("/models/", "{id}"), true, READ_ONLY, handle_model, NULL, NULL},
    {EXACT("/tiers"), true, READ_ONLY, handle_tiers, NULL, NULL},
    {EXACT("/cloud"), true, READ_ONLY, handle_cloud, NULL, NULL},
    {EXACT("/prices"), true, POST_ONLY, NULL, handle_prices, &ADMIN_PRICES},
    {EXACT("/imports"), true, READ_OR_POST, handle_imports, handle_imports_posted, &ADMIN_FILES},
    {BELOW("/imports/", "{id}"), true, READ_OR_DELETE, handle_import, NULL, &ADMIN_IMPORT},
    {EXACT("/healthz"), false, READ_ONLY, handle_healthz, NULL, NULL},
    {EXACT("/readyz"), false, READ_ONLY, handle_readyz, NULL, NULL},
    {EXACT("/metrics"), false, READ_ONLY, handle_metrics, NULL, NULL},
};
#undef EXACT
#undef BELOW
_Static_assert(sizeof ROUTES / sizeof ROUTES[0] < METRICS_ROUTES_MAX, "each is counted");
const size_t ROUTE_COUNT = sizeof ROUTES / sizeof ROUTES[0];

const struct route *router_find(const char *path, size_t path_bytes)
{
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        size_t length = ROUTES[i].path_bytes;
        bool is_match = ROUTES[i].has_argument ? path_bytes > length : path_bytes == length;

        if (is_match && memcmp(path, ROUTES[i].path, length) == 0) {
            return &ROUTES[i];
        }
    }
    return NULL;
}

const char *router_list(struct arena *arena)
{
    const char *list = "";

    for (size_t i = 0; i < ROUTE_COUNT && list != NULL; i++) {
        if (ROUTES[i].handle != handle_asset) {
            list = arena_format(arena, "%s%s%s", list, *list == '\0' ? "" : ", ", ROUTES[i].name);
        }
    }
    return list;
}
