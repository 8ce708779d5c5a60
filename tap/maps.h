/* Which file a guest address is mapped from, by the process's own mappings:
 * QEMU maps the guest's files into its own address space.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SL_TAP_MAPS_H
#define SL_TAP_MAPS_H

#include <stdint.h>

/* The mappings may have changed: look again before the next answer. */
void maps_changed(void);

/* Sends an object record for the mapping that holds `address`, if it is of a
 * file and has not been sent before. */
void maps_tell(uint64_t address, uint64_t guest_base);

#endif
