/* Keeps what app_handle answered for the last test, which holds every reply to the contract
 * (tests/api/recorded.mjs); the form of a line is that of tests/record.mjs. Nothing is kept unless
 * GPUWISE_EXCHANGES names a folder. */
#ifndef GPUWISE_TESTS_HANDLERS_RECORD_H
#define GPUWISE_TESTS_HANDLERS_RECORD_H

#include "../../handlers/engine/hash.h"
#include "../../handlers/http.h"

#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORD_REPLIES = 16 * 1024 }; /* told apart; later ones are all kept */

/* True when the same path was answered just so before, whatever the query was. */
static bool record_is_known(enum http_method method, const char *target,
                            const struct http_response *response)
{
    static uint64_t known[RECORD_REPLIES];
    static size_t count;
    uint64_t hash = hash_words(HASH_SEED, &method, sizeof method);

    hash = hash_words(hash, target, strcspn(target, "?"));
    hash = hash_words(hash, &response->status, sizeof response->status);
    for (size_t i = 0; i < response->header_count; i++) {
        hash = hash_words(hash, response->headers[i].value, strlen(response->headers[i].value));
    }
    hash = hash_words(hash, response->body, response->body_bytes);
    for (size_t i = 0; i < count; i++) {
        if (known[i] == hash) {
            return true;
        }
    }
    if (count < RECORD_REPLIES) {
        known[count++] = hash;
    }
    return false;
}

/* The target, bytes that cannot stand in one encoded. */
static json_t *record_target(const char *target)
{
    char text[16 * 1024] = "";
    size_t length = 0;

    for (const char *at = target; *at != '\0' && length + 4 < sizeof text; at++) {
        length += (size_t)snprintf(text + length, 4, *at > ' ' && *at < 127 ? "%c" : "%%%02x",
                                   (unsigned char)*at);
    }
    return json_string(text);
}

/* The headers as one object; one given twice is joined as HTTP has it. */
static json_t *record_headers(const struct http_response *response)
{
    json_t *headers = json_object();

    for (size_t i = 0; i < response->header_count; i++) {
        const char *name = response->headers[i].name;
        const char *before = json_string_value(json_object_get(headers, name));
        json_t *value = before == NULL ? json_string(response->headers[i].value)
                                       : json_sprintf("%s, %s", before, response->headers[i].value);

        json_object_set_new(headers, name, value);
    }
    return headers;
}

/* The server leaves the body out of replies to HEAD and of 304. */
__attribute__((unused)) static void record_reply(enum http_method method, const char *target,
                                                 const struct http_response *response)
{
    static const char *const METHODS[] = {"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT"};
    const char *folder = getenv("GPUWISE_EXCHANGES");
    bool is_empty = method == HTTP_HEAD || response->status == 304;
    char path[512];

    if (folder == NULL || response->command != NULL || /* no reply yet */
        record_is_known(method, target, response)) {
        return;
    }
    (void)snprintf(path, sizeof path, "%s/%s-%d.jsonl", folder, program_invocation_short_name,
                   (int)getpid());
    json_t *line = json_pack("{s:s,s:s,s:o,s:i,s:o,s:o}", "test", program_invocation_short_name,
                             "method", METHODS[method], "target", record_target(target), "status",
                             response->status, "headers", record_headers(response), "body",
                             json_stringn(response->body, is_empty ? 0 : response->body_bytes));
    FILE *file = fopen(path, "a");

    if (line == NULL || file == NULL || json_dumpf(line, file, JSON_COMPACT) != 0 ||
        fputc('\n', file) == EOF || fclose(file) != 0) {
        (void)fprintf(stderr, "%s cannot be written\n", path);
        abort(); /* a reply that is not kept would not be judged */
    }
    json_decref(line);
}

#endif
