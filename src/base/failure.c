/* SPDX-License-Identifier: MIT */
/* Fills the library's error struct with a code and a formatted message (failure.h). A message that
 * is too long is truncated. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(struct sl_failure *f, enum sl_error code, const char *format, va_list arguments)
{
    f->code = code;
    f->setting = NULL;
    vsnprintf(f->text, sizeof f->text, format, arguments);
}

int sl_fail(struct sl_failure *f, enum sl_error code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (f)
        say(f, code, format, arguments);
    va_end(arguments);
    return code;
}

int sl_out_of_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory");
}

int sl_fail_setting(struct sl_failure *f, const char *setting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (f) {
        say(f, SL_EUSAGE, format, arguments);
        f->setting = setting;
    }
    va_end(arguments);
    return SL_EUSAGE;
}

int sl_fail_errno(struct sl_failure *f, enum sl_error code, const char *format, ...)
{
    int saved = errno;
    va_list arguments;
    va_start(arguments, format);
    if (f) {
        say(f, code, format, arguments);
        size_t used = strlen(f->text);
        snprintf(f->text + used, sizeof f->text - used, ": %s", strerror(saved));
    }
    va_end(arguments);
    return code;
}

int sl_fail_call(struct sl_failure *f, const char *function, const char *condition)
{
    return sl_fail(f, SL_EUSAGE,
                   "%s() was called with a wrong argument, or in a wrong order: it requires %s",
                   function, condition);
}
