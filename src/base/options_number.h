/* SPDX-License-Identifier: MIT */
/* Numbers as options write them (options.h), read without the C library: strtod
 * takes its decimal point from the locale and accepts what we do not want
 * ("inf", "0x1p3", white space). */
#ifndef SL_OPTIONS_NUMBER_H
#define SL_OPTIONS_NUMBER_H

#include "options.h"

/* Both read exactly `size` characters and return false if these are not a number.
 * `kilo` is what a K without an i is: 1000, or 1024 for sizes of memory. */
bool sl_number_unsigned(const char *text, size_t size, uint64_t kilo, uint64_t *out);
bool sl_number_real(const char *text, size_t size, double *out);

#endif
