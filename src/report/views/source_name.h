/* SPDX-License-Identifier: MIT */
/* Name of a function in the source, from its symbol: the suffixes and prefixes that compilers
 * and linkers add are removed.
 *
 *     f.cold  f.part.0  f.isra.2.constprop.0   f        split off or cloned by a compiler
 *     f(int) [clone .cold]                     f(int)   the same, demangled
 *     puts@plt                                 puts     PLT stub
 *     non-virtual thunk to B::f()              B::f()   adjusts `this` and jumps there */
#ifndef SL_SOURCE_NAME_H
#define SL_SOURCE_NAME_H

#include <stdbool.h>

/* The caller frees it; NULL if out of memory. Sets *stub if the symbol is a PLT stub, whose
 * function may be in another file. */
char *sl_source_name(const char *symbol, bool *stub);

#endif
