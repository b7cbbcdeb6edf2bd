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

const char ROUTER_ALL_METHODS[] = "GET, HEAD, POST, DELETE, OPTIONS";
const struct route ROUTES[] = {
    {"/", false, false, READ_ONLY, handle_page, NULL, NULL},
    {"/static/", true, false, READ_ONLY, handle_asset, NULL, NULL},
    {"/openapi.json", false, false, READ_ONLY, handle_openapi, NULL, NULL},
    {"/docs", false, false, READ_ONLY, handle_docs, NULL, NULL},
    {"/recommend", false, true, READ_ONLY, handle_recommend, NULL, NULL},
    {"/deal", false, true, READ_ONLY, handle_deal, NULL, NULL},
    {"/compare", false, true, READ_ONLY, handle_compare, NULL, NULL},
    {"/estimate", false, true, READ_OR_POST, handle_estimate, handle_estimate_posted, NULL},
    {"/gpus", false, true, READ_ONLY, handle_gpus, NULL, NULL},
    {"/gpus/", true, true, READ_ONLY, handle_gpu, NULL, NULL},
    {"/models", false, true, READ_ONLY, handle_models, NULL, NULL},
    {"/models/", true, true, READ_ONLY, handle_model, NULL, NULL},
    {"/tiers", false, true, READ_ONLY, handle_tiers, NULL, NULL},
    {"/cloud", false, true, READ_ONLY, handle_cloud, NULL, NULL},
    {"/prices", false, true, POST_ONLY, NULL, handle_prices, &ADMIN_PRICES},
    {"/imports", false, true, READ_OR_POST, handle_imports, handle_imports_posted, &ADMIN_FILES},
    {"/imports/", true, true, READ_OR_DELETE, handle_import, NULL, &ADMIN_IMPORT},
    {"/healthz", false, false, READ_ONLY, handle_healthz, NULL, NULL},
    {"/readyz", false, false, READ_ONLY, handle_readyz, NULL, NULL},
    {"/metrics", false, false, READ_ONLY, handle_metrics, NULL, NULL},
};
_Static_assert(sizeof ROUTES / sizeof ROUTES[0] < METRICS_ROUTES_MAX, "each is counted");
const size_t ROUTE_COUNT = sizeof ROUTES / sizeof ROUTES[0];

const struct route *router_find(const char *path, size_t path_bytes)
{
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        size_t length = strlen(ROUTES[i].path);
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
            list = arena_format(arena, "%s%s%s%s", list, *list == '\0' ? "" : ", ", ROUTES[i].path,
                                ROUTES[i].has_argument ? "{id}" : "");
        }
    }
    return list;
}
