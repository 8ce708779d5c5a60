/* SPDX-License-Identifier: MIT */
/* How the library says that something went wrong: a code for programs, a
 * sentence for people. The library never prints and never exits. */
#ifndef SL_FAILURE_H
#define SL_FAILURE_H

#include "sluice.h"

/* Fills `f` (which may be NULL) and returns `code`, so that callers can write
 * `return sl_fail(f, SL_EFORMAT, ...)`. The sentence says what is wrong, where,
 * and what to do about it. */
int sl_fail(struct sl_failure *f, enum sl_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills `f` (which may be NULL) with "out of memory" and returns SL_ENOMEM. */
int sl_out_of_memory(struct sl_failure *f);

/* As sl_fail; what is wrong is the configuration's field called `setting`, a literal. */
int sl_fail_setting(struct sl_failure *f, const char *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As sl_fail, and adds ": " and the system's word for `errno`. */
int sl_fail_errno(struct sl_failure *f, enum sl_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
