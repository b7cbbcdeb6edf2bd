/* Sets errors. Any thread; no state. */
#include "error.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *err, enum error_code code, const char *format, ...)
{
    va_list arguments;

    err->code = code;
    err->parameter = NULL;
    va_start(arguments, format);
    (void)vsnprintf(err->text, sizeof err->text, format, arguments); /* cut to fit, as promised */
    va_end(arguments);
    return false;
}

bool error_refuse(struct error *err, const char *parameter, const struct wording *wording)
{
    const char *const arguments[ERROR_ARGUMENTS] = {wording->first, wording->second,
                                                    wording->third};
    char text[ERROR_TEXT_BYTES];

    text_print(wording, LANGUAGE_EN, text, sizeof text);
    (void)error_set(err, ERROR_BAD_PARAMETER, "%s: %s", parameter, text);
    err->parameter = parameter;
    err->refusal = wording->text;
    for (size_t i = 0; i < ERROR_ARGUMENTS; i++) {
        /* without letters beyond ASCII in the names of the facts; posted names are not said */
        (void)snprintf(err->arguments[i], sizeof err->arguments[i], "%s",
                       arguments[i] == NULL ? "" : arguments[i]);
    }
    return false;
}
