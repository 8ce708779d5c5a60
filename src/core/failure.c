#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int sl_fail(struct sl_failure *f, enum sl_error code, const char *format, ...)
{
    if (f) {
        va_list arguments;
        f->code = code;
        va_start(arguments, format);
        vsnprintf(f->text, sizeof f->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

int sl_fail_errno(struct sl_failure *f, enum sl_error code, const char *format, ...)
{
    int saved = errno;
    if (f) {
        va_list arguments;
        f->code = code;
        va_start(arguments, format);
        vsnprintf(f->text, sizeof f->text, format, arguments);
        va_end(arguments);
        size_t used = strlen(f->text);
        snprintf(f->text + used, sizeof f->text - used, ": %s", strerror(saved));
    }
    return code;
}
