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

static void keep(struct error *err, const char *parameter, const struct wording *wording)
{
    const char *const arguments[ERROR_ARGUMENTS] = {wording->first, wording->second,
                                                    wording->third};

    err->parameter = parameter;
    err->refusal = wording->text;
    for (size_t i = 0; i < ERROR_ARGUMENTS; i++) { /* cut between characters: this text is {0} */
        text_print(SAY(TEXT_SERVICE_FAULT, arguments[i] == NULL ? "" : arguments[i]), LANGUAGE_EN,
                   err->arguments[i], sizeof err->arguments[i]);
    }
}

bool error_refuse(struct error *err, const char *parameter, const struct wording *wording)
{
    char text[ERROR_TEXT_BYTES];

    text_print(wording, LANGUAGE_EN, text, sizeof text);
    (void)error_set(err, ERROR_BAD_PARAMETER, "%s: %s", parameter, text);
    keep(err, parameter, wording);
    return false;
}

bool error_say(struct error *err, enum error_code code, const struct wording *wording)
{
    char text[ERROR_TEXT_BYTES];

    text_print(wording, LANGUAGE_EN, text, sizeof text);
    (void)error_set(err, code, "%s", text);
    keep(err, "", wording);
    return false;
}

struct wording error_wording(const struct error *err)
{
    return err->parameter == NULL ? *SAY(TEXT_SERVICE_FAULT, err->text)
                                  : (struct wording){err->refusal, err->arguments[0],
                                                     err->arguments[1], err->arguments[2]};
}
