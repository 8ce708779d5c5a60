/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that determine, for each guest architecture, which loads an instruction makes each time
 * it is executed (member `loads` of struct guest). The tap, sluice's code inside QEMU, uses these
 * functions to build load layouts.
 *
 * The result is a size if each execution of the instruction makes exactly one load, 0 if none makes
 * a load, and LOADS_UNKNOWN otherwise. LOADS_UNKNOWN costs time: every load of the block then names
 * its instruction. A wrong size or a wrong 0 gives a wrong profile. So an instruction is certain
 * only if the architecture's manual and QEMU's translator (7.2, user mode) agree. Unknown are the
 * instructions that QEMU executes with several accesses, in helper functions or atomically: pairs,
 * vectors, x87, string and locked instructions, and stores made in helper functions (the accesses
 * of a certain instruction come from translated code; see events.h).
 *
 * For AArch64, RISC-V and MIPS, the library's decoders (src/code/isa) are compiled into the tap,
 * and loads_risc.c adds the cases in which QEMU's execution is not certain. For x86-64 the library
 * uses Capstone, with which QEMU is not linked, so that loads_x86.c has a table of its own.
 *
 * Tests: tests/unit/isa_loads.c compares the table for x86-64 with Capstone and checks all others
 * for exceptions, tests/oracle/tap_guest.t with objdump over whole C libraries, and
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
