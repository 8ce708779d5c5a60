/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which file a guest address is mapped from, by the process's own mappings:
 * QEMU maps the guest's files into its own address space. */
#ifndef SL_TAP_MAPS_H
#define SL_TAP_MAPS_H

#include <stdint.h>

#include "guest.h"

/* What this thread asks the system for in a call, by its first arguments, and the call's result:
 * whether it changes mappings is seen from its number. */
void maps_call(uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
void maps_call_returns(const struct guest *guest, int64_t number, int64_t result);

/* From now on the child of a fork finds what is known whole, and can go on with it. */
void maps_keep_for_forks(void);

/* Sends an object record for the mapping that holds `address`, if it is of a
 * file and has not been sent before. */
void maps_tell(uint64_t address, uint64_t guest_base);

#endif
