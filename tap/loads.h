/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Load layouts: which loads an instruction of each guest certainly makes (`loads` of struct guest).
 *
 * The answer is a size if the instruction makes exactly one load, whenever it is executed, 0 if it
 * makes none, and LOADS_UNKNOWN otherwise. LOADS_UNKNOWN costs time: every load of the block then
 * names its instruction. A wrong size or a wrong 0 gives a wrong profile. So an instruction is
 * certain only if the architecture's manual and QEMU's translator (7.2, user mode) agree. Unknown
 * are the instructions that QEMU executes with several accesses, in helper functions or atomically:
 * pairs, vectors, x87, string and locked instructions, and stores made in helper functions (the
 * accesses of a certain instruction come from translated code; see events.h).
 *
 * src/code/isa decodes the same instructions in full. It cannot serve here: for x86-64 and AArch64
 * it needs Capstone, which QEMU is not linked with, and it describes the architecture, not how QEMU
 * executes an instruction (a load to MIPS's register 0 may be a prefetch, a branch-likely may skip
 * its delay slot).
 *
 * Tests: tests/unit/isa_loads.c compares the answers with src/code/isa over all forms of
 * instructions, tests/oracle/tap_guest.t with objdump over whole C libraries, and
 * tests/oracle/stream.t compares a run with load layouts with one in which every load names its
 * instruction. */
#ifndef SL_TAP_LOADS_H
#define SL_TAP_LOADS_H

#include "guest.h"

int loads_x86(const uint8_t *bytes, size_t size);
int loads_aarch64(const uint8_t *bytes, size_t size);
int loads_riscv64(const uint8_t *bytes, size_t size);
int loads_riscv32(const uint8_t *bytes, size_t size);
int loads_mipsel(const uint8_t *bytes, size_t size);
int loads_mips(const uint8_t *bytes, size_t size);

#endif
