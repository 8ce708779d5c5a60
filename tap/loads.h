/* SPDX-License-Identifier: MIT */
/* What instructions of each guest certainly load: `loads` of struct guest.
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * To answer "unknown" costs time: the block that the instruction is in has to
 * name its loads. To answer wrongly gives wrong profiles. So the answers are
 * those that the architecture's manual and QEMU (7.2, user mode; read in its
 * translators) agree on, and instructions that QEMU makes in several accesses,
 * in helper functions or atomically are unknown: pairs, vectors, x87, string
 * and locked instructions. That includes what stores in helper functions, so
 * that a certain instruction's accesses come from translated code (events.h).
 *
 * tests/oracle/tap_guest.t compares the answers with objdump's text over whole C
 * libraries, tests/oracle/stream.t what comes of them with the stream in which
 * every load is named. */
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
