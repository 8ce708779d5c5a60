/* SPDX-License-Identifier: MIT */
/* Generates the instruction stream of a synthetic RISC-V program, for the test bench of a front end
 * if the user gives no trace. The program has functions with branches, loops, loads, calls,
 * indirect jumps and compressed instructions. It also has calls that are nested deeper than
 * small hardware stacks, and returns that leave several functions at once. Every run generates the
 * same program. */
#ifndef SL_SYNTHETIC_PROGRAM_H
#define SL_SYNTHETIC_PROGRAM_H

#include "source.h"

/* Opens the source, for sl_source_close(). Returns 0 or SL_ENOMEM. */
int sl_synthetic_program_open(struct sl_source **source, struct sl_failure *f);

#endif
