/* SPDX-License-Identifier: MIT */
/* What a symbol is called in the source.
 *
 *     f.cold  f.part.0  f.isra.2.constprop.0      f           code that a compiler has split off or
 *                                                             made
 *     f(int) [clone .cold]                        f(int)      again for some arguments; demangled
 *     puts@plt                                    puts        a linker's stub
 *     non-virtual thunk to B::f()                 B::f()      adjusts a pointer, and jumps there */
#ifndef SL_SOURCE_NAME_H
#define SL_SOURCE_NAME_H

#include <stdbool.h>

/* To be freed; NULL when memory ran out. `stub` says whether it is a linker's, which may lead to a
 * function of another file. */
char *sl_source_name(const char *symbol, bool *stub);

#endif
