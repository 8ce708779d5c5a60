/* SPDX-License-Identifier: MIT */
/* Hints: places in the user's own code that could be improved, each with a suggestion:
 *
 *   - a function takes much of the run in few calls, which may compute the same again;
 *   - memcpy() or a similar function is often called for few bytes;
 *   - an indirect call nearly always calls the same function;
 *   - a division nearly always divides by the same value (x86-64);
 *   - a load nearly always reads the same small value;
 *   - a conditional forward branch is nearly always taken, so the common case should fall through.
 *
 * Only exact counts are used: a profile of blocks, and exact profiles of edges, calls and load
 * values. The profile of load values of a run with the default profiles is not exact. */
#ifndef SL_HINTS_H
#define SL_HINTS_H

#include "source_functions.h"

struct sl_hint {
    char *where;     /* "primes.c:23" */
    char *text;      /* printable */
    uint64_t weight; /* instructions of the run that it concerns */
};

struct sl_hints {
    struct sl_hint *hint; /* the highest weight first */
    size_t n, capacity;
};

/* Adds the hints of a process to `hints`; none if profiles are missing. `functions` may be NULL;
 * otherwise the functions of the run by instructions, with sl_modules_add(). Returns 0, SL_EFORMAT
 * if the database is damaged, or SL_ENOMEM. Call sl_hints_free() in either case. */
int sl_hints_add(struct sl_hints *hints, struct sl_database *database,
                 const struct sl_source_functions *functions, struct sl_failure *f);
void sl_hints_free(struct sl_hints *hints);

#endif
