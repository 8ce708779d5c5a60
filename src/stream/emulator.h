/* SPDX-License-Identifier: MIT */
/* Starting QEMU with the tap inside. */
#ifndef SL_EMULATOR_H
#define SL_EMULATOR_H

#include <sys/types.h>

#include "executable.h"
#include "sluice.h"
#include "statics.h"

/* Starts `executable` under QEMU with the ring behind `ring_fd`. Address-space
 * randomisation is off and QEMU's own random numbers are seeded, so that a
 * single-threaded program does the same in every run.
 *
 * `in_place`: this process becomes the guest, and what returns is another one, whose number is in
 * `reader`, which both have in common, before the guest begins. */
int sl_emulator_start(pid_t *pid, enum sl_tap *tap, const struct sl_guest *guest,
                      const struct sl_executable *executable, int ring_fd, int32_t *reader,
                      struct sl_failure *f);

/* For a guest that runs already, with an engine: what returns is another process, likewise. */
void sl_emulator_join(enum sl_tap *tap, int32_t *reader);

#endif
