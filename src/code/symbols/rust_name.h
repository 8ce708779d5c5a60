/* SPDX-License-Identifier: MIT */
/* Rust's older names are C++'s, with a hash at their end and what C++ has no letters for between
 * dollars: alloc::vec::Vec$LT$T$GT$::push::h0123456789abcdef is alloc::vec::Vec<T>::push. */
#ifndef SL_RUST_NAME_H
#define SL_RUST_NAME_H

/* Makes it readable in place if it is one, as demangled from C++. */
void sl_rust_name(char *name);

#endif
