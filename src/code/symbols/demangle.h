/* SPDX-License-Identifier: MIT */
/* Demangles C++ and Rust names with libiberty, with limits on the time and memory of each call. */
#ifndef SL_DEMANGLE_H
#define SL_DEMANGLE_H

#include <stddef.h>

#define SL_DEMANGLED_MAX ((size_t)1 << 17) /* bytes of a demangled name, its end included */

/* Returns the demangled name, as `c++filt -i` prints it (a suffix of a Rust name is not dropped:
 * a::f.llvm.17). The caller frees it. Returns NULL if the name is not mangled, is not valid,
 * exceeds a bound, or if out of memory.
 *
 * `budget` is the number of bytes that all names of a program may still take (elf_bounds.h). It is
 * reduced only if the name ran into the time limit, so that a file full of such names cannot cost
 * more than a few seconds; the caller subtracts the names that it stores. Nothing is demangled once
 * the budget is 0. May be NULL. Thread-safe. */
char *sl_demangle(const char *name, size_t *budget);

#endif
