/* Requests to app_handle without a socket, on the shipped facts; every body is read back with
 * Jansson. */
#ifndef GPUWISE_TESTS_HANDLERS_FIXTURE_H
#define GPUWISE_TESTS_HANDLERS_FIXTURE_H

#include "../../handlers/app.h"
#include "../../handlers/metrics.h"
#include "../catalogue_fixture.h"
#include "../tap.h"
#include "record.h"

#include <jansson.h>

static struct app_view test_view;
static const struct metrics_values test_metrics = {.version = "test", .commit = ""};
static struct arena test_arena;
static struct http_response test_response;
static json_t *test_body; /* of the last request; NULL: no JSON */

__attribute__((unused)) static void test_open(void)
{
    struct error err = {0};
    struct app_snapshot *snapshot = app_snapshot_new(test_catalogue(), &err);

    if (snapshot == NULL) {
        test_bail_out("no snapshot", err.text);
    }
    test_view = (struct app_view){
        .snapshot = snapshot, .day = TEST_DAY, .is_ready = true, .metrics = &test_metrics};
    arena_init(&test_arena, LIMIT_REQUEST_ARENA_BYTES);
}

__attribute__((unused)) static int test_close(void)
{
    struct app_snapshot *snapshot =
        app_snapshot_ref((struct app_snapshot *)(uintptr_t)test_view.snapshot);

    json_decref(test_body);
    arena_fini(&test_arena);
    app_snapshot_unref(snapshot); /* the one just taken */
    app_snapshot_unref(snapshot); /* that of test_open */
    return tap_done();
}

/* Sends the request; its path and query are those of the target. Returns the status. */
__attribute__((unused)) static int test_send(const char *target, struct http_request request)
{
    const char *mark = strchr(target, '?');

    request.path = target;
    request.path_bytes = mark == NULL ? strlen(target) : (size_t)(mark - target);
    request.query = mark == NULL ? NULL : mark + 1;
    request.query_bytes = mark == NULL ? 0 : strlen(mark + 1);
    arena_reset(&test_arena);
    json_decref(test_body);
    test_response = app_handle(&test_view, &request, &test_arena);
    record_reply(request.method, target, &test_response);
    test_body =
        json_loadb(test_response.body, test_response.body_bytes, JSON_REJECT_DUPLICATES, NULL);
    return test_response.status;
}

__attribute__((unused)) static int test_get(const char *target)
{
    return test_send(target, (struct http_request){.method = HTTP_GET});
}

/* A header of the last response; NULL: absent. */
__attribute__((unused)) static const char *test_header(const char *name)
{
    for (size_t i = 0; i < test_response.header_count; i++) {
        if (strcmp(test_response.headers[i].name, name) == 0) {
            return test_response.headers[i].value;
        }
    }
    return NULL;
}

/* The value at a path such as "picks.0.gpu.id" in the last body; NULL: absent. */
__attribute__((unused)) static json_t *test_at_in(json_t *from, const char *path)
{
    json_t *value = from;
    char key[64];

    while (value != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");

        if (length >= sizeof key) {
            return NULL;
        }
        memcpy(key, path, length);
        key[length] = '\0';
        value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                     : json_object_get(value, key);
        path += length + (path[length] == '.' ? 1 : 0);
    }
    return value;
}

__attribute__((unused)) static json_t *test_at(const char *path)
{
    return test_at_in(test_body, path);
}

__attribute__((unused)) static const char *test_text(const char *path)
{
    return json_string_value(test_at(path));
}

__attribute__((unused)) static double test_number(const char *path)
{
    json_t *value = test_at(path);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The detail of an error of the last problem; "": that parameter is not named. */
__attribute__((unused)) static const char *test_detail(const char *parameter)
{
    json_t *errors = test_at("errors");

    for (size_t i = 0; i < json_array_size(errors); i++) {
        json_t *item = json_array_get(errors, i);

        if (strcmp(json_string_value(json_object_get(item, "parameter")), parameter) == 0) {
            return json_string_value(json_object_get(item, "detail"));
        }
    }
    return "";
}

#endif
