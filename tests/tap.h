/* SPDX-License-Identifier: MIT */
/* Test Anything Protocol, for prove. The name of a test states what must hold. */
#ifndef SL_TESTS_TAP_H
#define SL_TESTS_TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int tap_count, tap_failed;

/* Prints the verdict; returns `holds` so that a caller can say more. */
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
        /* For the one who reads a build server's log and has nothing else. */
        fprintf(stderr, "# %s: not ok %d - ", program_invocation_short_name, tap_count);
        va_start(arguments, name);
        vfprintf(stderr, name, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
    tap_failed += !holds;
    return holds;
}

/* How often something is tried with other random numbers: `n` times, or `least` where each step
 * takes fifty times as long, which `make check-valgrind` says. What must hold must hold in each. */
__attribute__((unused)) static unsigned tap_rounds(unsigned n, unsigned least)
{
    return getenv("TESTS_STEP_SLOWLY") ? least : n;
}

/* The last line of main. */
__attribute__((unused)) static int done_testing(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
