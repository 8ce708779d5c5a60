/* SPDX-License-Identifier: MIT */
/* Error reports of the library: a code for programs and a message for people. The library never
 * prints and never exits. */
#ifndef SL_FAILURE_H
#define SL_FAILURE_H

#include "sluice.h"

/* Fills `f`, which may be NULL, and returns `code`, so that callers can write
 * `return sl_fail(f, SL_EFORMAT, ...)`. The message says what is wrong, where, and what to do. */
int sl_fail(struct sl_failure *f, enum sl_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills `f` (which may be NULL) with "out of memory" and returns SL_ENOMEM. */
int sl_out_of_memory(struct sl_failure *f);

/* As sl_fail() with SL_EUSAGE; the error is in the configuration's field `setting`, a literal. */
int sl_fail_setting(struct sl_failure *f, const char *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns SL_EUSAGE from a public function unless its arguments fulfil the condition. */
#define SL_REQUIRE(f, condition)                          \
    do {                                                  \
        if (!(condition))                                 \
            return sl_fail_call(f, __func__, #condition); \
    } while (0)
int sl_fail_call(struct sl_failure *f, const char *function, const char *condition);

/* As sl_fail(), and appends ": " and the system's message for `errno`. */
int sl_fail_errno(struct sl_failure *f, enum sl_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
