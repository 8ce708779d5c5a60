/* SPDX-License-Identifier: MIT */
/* Code that nobody can name. */
#ifndef SL_SAVED_NAMELESS_H
#define SL_SAVED_NAMELESS_H

#include "saved.h"

/* Calls `each` for every object of whose code, by a profile of functions, at least `least` of all
 * was in functions without a name, the one with most first, and what part of all that was. As long
 * as what it returns is 0. */
int sl_saved_nameless(struct sl_database *database, const struct sl_saved_profile *profile,
                      double least, int (*each)(void *context, const char *object, double part),
                      void *context, struct sl_failure *f);

#endif
