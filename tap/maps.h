/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the file that is mapped at an address of the guest. QEMU maps the guest's files into its
 * own address space, so the tap (sluice's code inside QEMU) reads the mappings of QEMU's
 * process. */
#ifndef SL_TAP_MAPS_H
#define SL_TAP_MAPS_H

#include <stdint.h>

#include "guest.h"

/* Call the first before each system call of the thread, with its first arguments, and the second
 * after it, with its number and result. Calls other than mmap, munmap and mremap are ignored. */
void maps_call(uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4);
void maps_call_returns(const struct guest *guest, int64_t number, int64_t result);

/* Call once at start: registers fork handlers that hold the lock during a fork, so that the child
 * has a consistent cache. */
void maps_register_fork_handlers(void);

/* Sends an OBJECT record for the mapping that contains `address`, if it maps a file and was not
 * sent yet. */
void maps_send(uint64_t address, uint64_t guest_base);

#endif
