/* Errors of every part of gpuwise.
 *
 * A function that can fail returns bool, takes `struct error *err` last, sets it once and leaves
 * its outputs untouched. Only handlers/problem.c knows which HTTP status a code means. */
#ifndef GPUWISE_ENGINE_ERROR_H
#define GPUWISE_ENGINE_ERROR_H

#include "text_ids.h"

#include <stdbool.h>

#define MUST_CHECK __attribute__((warn_unused_result))

/* The closed list. Add a code here and its status in handlers/problem.c, nowhere else. */
enum error_code {
    ERROR_NONE,
    ERROR_OUT_OF_MEMORY,
    ERROR_TOO_LARGE,     /* a stated maximum of handlers/limits.h or of an arena is exceeded */
    ERROR_BAD_PARAMETER, /* the asker's value is not allowed; the text names what is */
    ERROR_BAD_FILE,      /* a fact file: the text names file, line and column */
    ERROR_BAD_DATABASE,  /* unreadable, foreign, newer than the program, or damaged */
    ERROR_BAD_SETTING,   /* a flag or environment variable */
    ERROR_ADDRESS,       /* cannot listen there */
    ERROR_SYSTEM         /* the operating system said no; the text holds its reason */
};

enum { ERROR_TEXT_BYTES = 512, ERROR_ARGUMENTS = 3, ERROR_ARGUMENT_BYTES = 80 };

struct error {
    enum error_code code;
    char text[ERROR_TEXT_BYTES]; /* one line, English, UTF-8, no full stop, cut to fit */
    /* By error_refuse() and error_say(): what the text says, for every language. */
    const char *parameter; /* its name, static; "": none; NULL: there is only the text */
    enum text refusal;
    char arguments[ERROR_ARGUMENTS][ERROR_ARGUMENT_BYTES]; /* of the refusal, cut to fit */
};

/* Sets *err and returns false, so that callers can write `return error_set(...)`. */
bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with ERROR_BAD_PARAMETER, for a parameter whose value is not allowed; the wording is
 * copied. The text is "parameter: wording". */
bool error_refuse(struct error *err, const char *parameter, const struct wording *wording);

/* The same with any code and of no parameter: the text is the wording. */
bool error_say(struct error *err, enum error_code code, const struct wording *wording);

/* What an error says in every language, lent from it. */
struct wording error_wording(const struct error *err);

#endif
