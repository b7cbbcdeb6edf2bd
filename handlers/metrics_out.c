/* Writes metrics as text. It knows none of them. One request, one thread. */
#include "metrics_out.h"

#include <stdio.h>

enum { NUMBER_BYTES = 40 };

void metrics_out_init(struct metrics_out *out, struct arena *arena)
{
    *out = (struct metrics_out){.family = ""};
    text_out_init(&out->text, arena);
}

void metrics_out_family(struct metrics_out *out, const char *name, enum metrics_type type,
                        const char *help)
{
    static const char *const TYPES[] = {"counter", "gauge", "histogram"};
    const char *const parts[] = {"# HELP ", name, " ", help,        "\n",
                                 "# TYPE ", name, " ", TYPES[type], "\n"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        text_out_text(&out->text, parts[i]);
    }
    out->family = name;
}

void metrics_out_sample(struct metrics_out *out, const char *suffix)
{
    text_out_text(&out->text, out->family);
    text_out_text(&out->text, suffix);
    out->has_labels = false;
}

void metrics_out_label(struct metrics_out *out, const char *name, const char *value)
{
    text_out_text(&out->text, out->has_labels ? "," : "{");
    out->has_labels = true;
    text_out_text(&out->text, name);
    text_out_text(&out->text, "=\"");
    for (const char *byte = value; *byte != '\0'; byte++) {
        if (*byte == '\n') {
            text_out_text(&out->text, "\\n");
            continue;
        }
        if (*byte == '"' || *byte == '\\') {
            text_out_text(&out->text, "\\");
        }
        text_out_bytes(&out->text, byte, 1);
    }
    text_out_text(&out->text, "\"");
}

static void put_value(struct metrics_out *out, const char *text)
{
    text_out_text(&out->text, out->has_labels ? "} " : " ");
    text_out_text(&out->text, text);
    text_out_text(&out->text, "\n");
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
