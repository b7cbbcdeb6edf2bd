/* Sets errors. Any thread; no state. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *err, enum error_code code, const char *format, ...)
{
    va_list arguments;

    err->code = code;
    va_start(arguments, format);
    (void)vsnprintf(err->text, sizeof err->text, format, arguments); /* cut to fit, as promised */
    va_end(arguments);
    return false;
}
