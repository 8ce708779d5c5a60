/* SPDX-License-Identifier: MIT */
/* An inlined call: the function, and where it was called. */
#ifndef SL_INLINED_H
#define SL_INLINED_H

#include <stdbool.h>
#include <stdint.h>

struct sl_inlined {
    uint32_t parent;  /* the inlined call that it is in; SL_NO_INDEX: the function with the code */
    const char *name; /* demangled */
    const char *file; /* where it is declared; NULL if unknown */
    int line;
    const char *call_file; /* where it was called; NULL if unknown */
    int call_line;
    uint64_t start; /* the lowest address of its code; UINT64_MAX: it has none */
    bool settled;   /* start is one at which it is found (sl_symbols_inlined_starts) */
};

#endif
