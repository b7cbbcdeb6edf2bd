/* Writes metrics as text. It knows none of them. One request, one thread. */
#include "metrics_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_ROOM = 16 * 1024, NUMBER_BYTES = 40 };

void metrics_out_init(struct metrics_out *out, struct arena *arena)
{
    *out = (struct metrics_out){.arena = arena};
}

static void put(struct metrics_out *out, const char *bytes, size_t count)
{
    if (count > out->room - out->length) {
        size_t room = out->room == 0 ? FIRST_ROOM : out->room;

        while (room - out->length < count) {
            room *= 2;
        }
        char *grown = out->has_failed ? NULL : arena_alloc(out->arena, room);

        if (grown == NULL) {
            out->has_failed = true;
            return;
        }
        if (out->length > 0) {
            memcpy(grown, out->bytes, out->length);
        }
        out->bytes = grown;
        out->room = room;
    }
    memcpy(out->bytes + out->length, bytes, count);
    out->length += count;
}

static void put_text(struct metrics_out *out, const char *text)
{
    put(out, text, strlen(text));
}

void metrics_out_family(struct metrics_out *out, const char *name, enum metrics_type type,
                        const char *help)
{
    static const char *const TYPES[] = {"counter", "gauge", "histogram"};
    const char *const parts[] = {"# HELP ", name, " ", help,        "\n",
                                 "# TYPE ", name, " ", TYPES[type], "\n"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        put_text(out, parts[i]);
    }
    out->family = name;
}

void metrics_out_sample(struct metrics_out *out, const char *suffix)
{
    put_text(out, out->family);
    put_text(out, suffix);
    out->has_labels = false;
}

void metrics_out_label(struct metrics_out *out, const char *name, const char *value)
{
    put_text(out, out->has_labels ? "," : "{");
    out->has_labels = true;
    put_text(out, name);
    put_text(out, "=\"");
    for (const char *byte = value; *byte != '\0'; byte++) {
        if (*byte == '\n') {
            put_text(out, "\\n");
            continue;
        }
        if (*byte == '"' || *byte == '\\') {
            put_text(out, "\\");
        }
        put(out, byte, 1);
    }
    put_text(out, "\"");
}

static void put_value(struct metrics_out *out, const char *text)
{
    put_text(out, out->has_labels ? "} " : " ");
    put_text(out, text);
    put_text(out, "\n");
}

void metrics_out_count(struct metrics_out *out, uint64_t value)
{
    char text[NUMBER_BYTES];

    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_value(out, text);
}

void metrics_out_number(struct metrics_out *out, double value)
{
    char text[NUMBER_BYTES];

    (void)snprintf(text, sizeof text, "%.15g", value);
    put_value(out, text);
}

void metrics_out_plain_count(struct metrics_out *out, const char *name, enum metrics_type type,
                             const char *help, uint64_t value)
{
    metrics_out_family(out, name, type, help);
    metrics_out_sample(out, "");
    metrics_out_count(out, value);
}

void metrics_out_plain_number(struct metrics_out *out, const char *name, enum metrics_type type,
                              const char *help, double value)
{
    if (value >= 0) {
        metrics_out_family(out, name, type, help);
        metrics_out_sample(out, "");
        metrics_out_number(out, value);
    }
}
