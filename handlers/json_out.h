/* A JSON writer into a text_out, which remembers running out of memory.
 *
 * Calls follow the document: open, key, value, close; commas are set by the writer. */
#ifndef GPUWISE_JSON_OUT_H
#define GPUWISE_JSON_OUT_H

#include "text_out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_OUT_NUMBER_BYTES = 32 };

struct json_out {
    struct text_out text;
};

void json_out_init(struct json_out *out, struct arena *arena);

void json_out_open_object(struct json_out *out);
void json_out_close_object(struct json_out *out);
void json_out_open_array(struct json_out *out);
void json_out_close_array(struct json_out *out);
void json_out_key(struct json_out *out, const char *key);

/* Values. Unknown (NULL, NAN, infinite, MONEY_UNKNOWN) is null. Text must be UTF-8. */
void json_out_text(struct json_out *out, const char *text);
void json_out_number(struct json_out *out, double number);   /* a fact, or what was asked: exact */
void json_out_estimate(struct json_out *out, double number); /* a result of a model: 6 digits */
void json_out_count(struct json_out *out, size_t count);
void json_out_money(struct json_out *out, int64_t micros);       /* rounded half-even to the cent */
void json_out_money_exact(struct json_out *out, int64_t micros); /* a price an hour or a kWh */
void json_out_bool(struct json_out *out, bool value);
void json_out_null(struct json_out *out);

/* Finished JSON: a value, or the members of an object without its braces. Empty: nothing. */
void json_out_raw(struct json_out *out, const char *bytes, size_t length);

/* Key and value in one call. */
void json_out_open_object_at(struct json_out *out, const char *key);
void json_out_open_array_at(struct json_out *out, const char *key);
void json_out_text_at(struct json_out *out, const char *key, const char *text);
void json_out_number_at(struct json_out *out, const char *key, double number);
void json_out_estimate_at(struct json_out *out, const char *key, double number);
void json_out_count_at(struct json_out *out, const char *key, size_t count);
void json_out_money_at(struct json_out *out, const char *key, int64_t micros);
void json_out_money_exact_at(struct json_out *out, const char *key, int64_t micros);
void json_out_bool_at(struct json_out *out, const char *key, bool value);
void json_out_null_at(struct json_out *out, const char *key);

/* Shortest decimal that keeps 15 significant digits, so that a decimal of so many comes out as it
 * went in; whole numbers below 2^53 keep all; "null" when it is not finite. Returns the length. */
size_t json_out_number_text(double number, char text[JSON_OUT_NUMBER_BYTES]);

/* The same with 6 significant digits, the rest zeros: a model knows no more, and one would take
 * further digits for knowledge. */
size_t json_out_estimate_text(double number, char text[JSON_OUT_NUMBER_BYTES]);

#endif
