/* SPDX-License-Identifier: MIT */
/* A synthetic RISC-V program as a source of chunks, for the test bench of a front end if the user
 * gives no trace. It has functions with branches, loops, loads, calls and indirect jumps;
 * compressed instructions; calls that are deeper than hardware stacks, and returns that leave
 * several functions at once. It is the same each time. */
#ifndef SL_SYNTHETIC_PROGRAM_H
#define SL_SYNTHETIC_PROGRAM_H

#include "source.h"

/* Opens the source, for sl_source_close(). Returns 0 or SL_ENOMEM. */
int sl_made_program_open(struct sl_source **source, struct sl_failure *f);

#endif
