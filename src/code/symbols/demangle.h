/* SPDX-License-Identifier: MIT */
/* Names of C++ and Rust as people write them, within bounds. */
#ifndef SL_DEMANGLE_H
#define SL_DEMANGLE_H

/* The readable form of a mangled name, to be freed; NULL if it is none, or could be too long. */
char *sl_demangle(const char *name);

#endif
