/* SPDX-License-Identifier: MIT */
/* A number that nobody can foresee, for keys of hashes: who chooses what is hashed could otherwise
 * choose what collides. Nothing that is told may depend on it. */
#ifndef SL_UNFORESEEN_H
#define SL_UNFORESEEN_H

#include <stdint.h>

uint64_t sl_unforeseen(void);

#endif
