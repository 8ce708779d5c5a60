/* SPDX-License-Identifier: MIT */
#ifndef SL_TEXT_FUNCTIONS_H
#define SL_TEXT_FUNCTIONS_H

#include "saved.h"

/* Whether the i-th profile is shown as the functions of the source: it says what functions cost
 * themselves, exactly, and the program was looked at as a whole. */
bool sl_text_is_functions(const struct sl_saved_profiles *profiles, size_t i);

/* Whether it is not shown by itself, since the one above has it: contexts beside functions. */
bool sl_text_is_in_functions(const struct sl_saved_profiles *profiles, size_t i);

/* Prints the n costliest (0: all). `symbols`: as the linker has them. */
int sl_text_functions(struct sl_database *database, const struct sl_saved_profile *profile,
                      uint64_t n, bool symbols, size_t width, FILE *out, struct sl_failure *f);

#endif
