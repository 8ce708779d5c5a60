/* SPDX-License-Identifier: MIT */
/* Output of C tests in the Test Anything Protocol (TAP), which `prove` reads: ok(), done_testing().
 * The name of a test is the statement that must be true. */
#ifndef SL_TESTS_TAP_H
#define SL_TESTS_TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int tap_count, tap_failed;

/* Prints the verdict; returns `holds` so that a caller can print more. */
__attribute__((format(printf, 2, 3), unused)) static int ok(int holds, const char *name, ...)
{
    va_list arguments;
    printf("%sok %d - ", holds ? "" : "not ", ++tap_count);
    va_start(arguments, name);
    vprintf(name, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    if (!holds) {
        /* The log of a build server has nothing else. */
        fprintf(stderr, "# %s: not ok %d - ", program_invocation_short_name, tap_count);
        va_start(arguments, name);
        vfprintf(stderr, name, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
    tap_failed += !holds;
    return holds;
}

/* Number of repetitions with other random numbers: `n`, or `least` under `make check-valgrind`,
 * which is about fifty times slower and sets TESTS_STEP_SLOWLY. */
__attribute__((unused)) static unsigned tap_rounds(unsigned n, unsigned least)
{
    return getenv("TESTS_STEP_SLOWLY") ? least : n;
}

/* Prints the plan; the return value of main(). */
__attribute__((unused)) static int done_testing(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
