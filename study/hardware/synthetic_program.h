/* SPDX-License-Identifier: MIT */
/* A made-up program for RISC-V as a source of chunks: for a front end's bench where the user has no
 * trace. Functions with branches, loops, loads, calls, jumps through registers; some instructions
 * compressed; calls deeper than stacks in hardware, and returns that leave several functions at
 * once. The same each time. */
#ifndef SL_SYNTHETIC_PROGRAM_H
#define SL_SYNTHETIC_PROGRAM_H

#include "source.h"

int sl_made_program_open(struct sl_source **source, struct sl_failure *f);

#endif
