/* Collecting complaints: copies, limits, no cut characters. */
#include "../../handlers/complaints.h"

#include "../tap.h"

#include <jansson.h>

static struct complaints complaints;

int main(void)
{
    struct arena arena;
    char name[] = "budget";
    char text[3001];

    arena_init(&arena, 1024 * 1024);
    complaints_init(&complaints, &arena);
    complaints_add(&complaints, name, 6, "must be %d", 5);
    name[0] = 'x';
    tap_text(complaints.items[0].parameter, "budget", "the name is copied");
    tap_text(complaints.items[0].detail, "must be 5", "the detail is formatted");
    for (size_t shift = 0; shift < 4; shift++) {
        for (size_t i = 0; i < sizeof text - 1; i++) {
            text[i] = "\xE6\x98\xBE"[i % 3]; /* a character of three bytes, 1000 times */
        }
        text[sizeof text - 1] = '\0';
        complaints_add(&complaints, "a", 1, "%.*s%s", (int)shift, "....", text);
        json_t *value = json_string(complaints.items[shift + 1].detail);

        tap_ok(value != NULL && json_string_length(value) > 1000, "cut between characters (%zu)",
               shift);
        json_decref(value);
    }
    struct error err = {ERROR_BAD_PARAMETER, "strategy: tp needs two cards"};

    tap_text(complaints_add_error(&complaints, &err), "strategy", "an engine's complaint");
    tap_text(complaints.items[complaints.count - 1].detail, "tp needs two cards", "its detail");
    for (int i = 0; i < LIMIT_PROBLEM_ERRORS; i++) {
        complaints_add(&complaints, "b", 1, "more");
    }
    tap_ok(complaints.count == LIMIT_PROBLEM_ERRORS && complaints.is_incomplete,
           "more than the maximum is only noted");
    tap_ok(complaints_add_error(&complaints, &err) == NULL, "also an engine's");
    arena_fini(&arena);
    arena_init(&arena, 8);
    complaints_init(&complaints, &arena);
    complaints_add(&complaints, "b", 1, "no memory for this");
    tap_ok(complaints.is_out_of_memory, "running out of memory is noted");
    arena_fini(&arena);
    return tap_done();
}
