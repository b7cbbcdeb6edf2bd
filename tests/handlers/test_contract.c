/* The contract (static/openapi.json) against the tables it follows: routes and methods, and the
 * parameters of questions with their ranges and choices, both ways. What the other tables accept is
 * asked of the running program by tests/api/test_contract.mjs. */
#include "handlers_fixture.h"

#include "../../handlers/ask_in.h"
#include "../../handlers/engine/embedded.h"
#include "../../handlers/router.h"

#include <ctype.h>

static const char *const METHODS[] = {"get", "head", "post", "put", "patch", "delete", "options"};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

static json_t *contract;

static void load_contract(void)
{
    for (size_t i = 0; i < EMBEDDED_STATIC_COUNT; i++) {
        if (strcmp(EMBEDDED_STATIC[i].name, "openapi.json") == 0) {
            contract = json_loadb((const char *)EMBEDDED_STATIC[i].bytes,
                                  EMBEDDED_STATIC[i].size_bytes, JSON_REJECT_DUPLICATES, NULL);
        }
    }
    if (contract == NULL) {
        test_bail_out("static/openapi.json", "is missing or no JSON");
    }
}

/* The value, or what its $ref names. */
static json_t *resolved(json_t *value)
{
    const char *reference = json_string_value(json_object_get(value, "$ref"));
    char path[128];

    if (reference == NULL) {
        return value;
    }
    (void)snprintf(path, sizeof path, "%s", reference + strlen("#/"));
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash, '/')) {
        *slash = '.';
    }
    return test_at_in(contract, path);
}

/* Methods that the address declares, as Allow has them; it may be in any order. */
static bool has_methods(const json_t *item, const char *allowed)
{
    size_t declared = 0;
    size_t listed = 1;

    for (const char *at = allowed; *at != '\0'; at++) {
        listed += *at == ',' ? 1 : 0;
    }
    for (size_t i = 0; i < METHOD_COUNT; i++) {
        char name[16] = "";

        for (size_t j = 0; METHODS[i][j] != '\0'; j++) {
            name[j] = (char)toupper((unsigned char)METHODS[i][j]);
        }
        if (json_object_get(item, METHODS[i]) != NULL) {
            declared++;
            if (strstr(allowed, name) == NULL) {
                return false;
            }
        }
    }
    return declared == listed;
}

static void test_routes(void)
{
    json_t *paths = json_object_get(contract, "paths");
    const char *path = NULL;
    json_t *item = NULL;

    tap_ok(json_object_size(paths) == ROUTE_COUNT, "%zu addresses are declared, %zu there are",
           json_object_size(paths), ROUTE_COUNT);
    json_object_foreach(paths, path, item)
    {
        size_t i = 0;

        while (i < ROUTE_COUNT && strcmp(path, ROUTES[i].name) != 0) {
            i++;
        }
        tap_ok(i < ROUTE_COUNT, "%s is a route", path);
        tap_ok(i < ROUTE_COUNT && has_methods(item, ROUTES[i].allowed_methods),
               "%s has the methods declared", path);
        tap_ok(i < ROUTE_COUNT &&
                   (json_object_get(item, "post") != NULL) == (ROUTES[i].handle_post != NULL),
               "%s takes POST or does not, as declared", path);
    }
}

/* The parameter that GET of the address declares; NULL: none. */
static json_t *declared_parameter(const json_t *item, const char *name)
{
    json_t *lists[] = {json_object_get(item, "parameters"),
                       json_object_get(json_object_get(item, "get"), "parameters")};

    for (size_t list = 0; list < 2; list++) {
        for (size_t i = 0; i < json_array_size(lists[list]); i++) {
            json_t *parameter = resolved(json_array_get(lists[list], i));

            if (strcmp(json_string_value(json_object_get(parameter, "name")), name) == 0) {
                return parameter;
            }
        }
    }
    return NULL;
}

static bool has_choices(const json_t *schema, const struct param *param)
{
    json_t *words = json_object_get(schema, "enum");

    if (json_array_size(words) != param->choice_count) {
        return false;
    }
    for (size_t i = 0; i < param->choice_count; i++) {
        if (strcmp(json_string_value(json_array_get(words, i)), param->choices[i]) != 0) {
            return false;
        }
    }
    return true;
}

static bool has_range(const json_t *schema, const struct param *param)
{
    const char *type = json_string_value(json_object_get(schema, "type"));
    bool is_whole = param->kind == PARAM_WHOLE || param->kind == PARAM_COUNT;

    return type != NULL && strcmp(type, is_whole ? "integer" : "number") == 0 &&
           json_number_value(json_object_get(schema, "minimum")) == param->minimum &&
           json_number_value(json_object_get(schema, "maximum")) == param->maximum;
}

static bool is_declared_so(const json_t *parameter, const struct param *param)
{
    const json_t *schema = json_object_get(parameter, "schema");

    switch (param->kind) {
    case PARAM_NUMBER:
    case PARAM_WHOLE:
    case PARAM_COUNT:
    case PARAM_PERCENT:
    case PARAM_MONEY:
        return has_range(schema, param);
    case PARAM_CHOICE:
        return has_choices(schema, param);
    case PARAM_FACT:
    case PARAM_TEXT:
    case PARAM_WORD:
    case PARAM_GPU:
    case PARAM_CUSTOM:
        return parameter != NULL && (param->choice_count == 0 || has_choices(schema, param));
    }
    return false;
}

/* Every parameter of the table that the address uses is declared as it is, and no other one. */
static void test_questions(const char *path, unsigned use, size_t further)
{
    const json_t *item = json_object_get(json_object_get(contract, "paths"), path);
    size_t declared = json_array_size(json_object_get(item, "parameters")) +
                      json_array_size(json_object_get(json_object_get(item, "get"), "parameters"));
    size_t used = 0;

    for (size_t i = 0; i < ASK_PARAM_COUNT; i++) {
        const struct param *param = &ASK_PARAMS[i];
        json_t *parameter = declared_parameter(item, param->name);

        if (params_in_is_used(param, use)) {
            used++;
            tap_ok(parameter != NULL && is_declared_so(parameter, param), "%s of %s", param->name,
                   path);
        }
    }
    tap_ok(declared == used + further, "%s: %zu parameters are declared, %zu there are", path,
           declared, used + further);
}

int main(void)
{
    enum { COMMON = 2 }; /* lang and format */

    load_contract();
    test_routes();
    test_questions("/recommend", ASK_RECOMMEND, COMMON);
    test_questions("/deal", ASK_DEAL, COMMON + 2);         /* gpu, price */
    test_questions("/compare", ASK_COMPARE, COMMON + 1);   /* gpus */
    test_questions("/estimate", ASK_ESTIMATE, COMMON + 2); /* gpu, gpus */
    test_questions("/tiers", ASK_TIERS, COMMON);
    json_decref(contract);
    return tap_done();
}
