/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of the QEMU plugin: while the guest runs, QEMU calls a callback for each block entry
 * and each memory access.
 *
 * A callback writes a few words to the thread's stage (src/stream/ring.h). tap.c selects the
 * callbacks of a block once, when the block is translated.
 *
 * Spurious callbacks. QEMU before 8.0 does not remove the callbacks of an instruction that ends a
 * block and runs a helper function, as a return does to look up its target. QEMU then also calls
 * them for its own accesses when it writes a signal frame, and for accesses of helper functions of
 * instructions without a callback. The callbacks therefore ignore accesses that are out of order.
 * An layout load counts only if its block has exactly the expected number of words. An access of a
 * block's last instruction counts only in that block, and only once. The last instruction of a
 * block never begins a block. */
#ifndef SL_TAP_EVENTS_H
#define SL_TAP_EVENTS_H

#include "guest.h"
#include "qemu_api.h"

/* An instruction whose accesses are not in a load layout. Decoding QEMU's opaque `info` word needs
 * a call, so the first `info` of a store is cached. */
struct event_site {
    uint32_t insn;
    uint32_t block; /* the block whose last instruction it is; EVENT_ANY_BLOCK: not a last one */
    _Atomic uint32_t store_info;
    bool simple; /* at most one load, then one store */
};
#define EVENT_ANY_BLOCK UINT32_MAX
#define EVENT_NO_INFO UINT32_MAX

/* An load of the layout of an instruction that also stores. */
struct event_load_before_store {
    struct event_site site;
    uint32_t position;
    api_access_cb load;
};

/* Call first. `needs` are the ring's. */
void events_start(const struct guest *guest, unsigned needs);

/* Call before the first access: guest address + `base` = host address. */
void events_set_base(uint64_t base);

/* Block entries; the user data is the block's word. */
void on_block_only(unsigned vcpu, void *block);         /* in a stream of blocks alone */
void on_block(unsigned vcpu, void *block);              /* a block without loads */
void on_block_before_loads(unsigned vcpu, void *block); /* layout loads follow */
void on_open_block(unsigned vcpu, void *block);         /* named accesses follow */

/* Layout loads: only the value is written. The first load of a block also enters the block, which
 * saves a callback; the last one finishes it. The user data of FIRST and ONLY is the block's word,
 * of the others their position in the block, in words. */
enum event_order { EVENT_FIRST, EVENT_MIDDLE, EVENT_LAST, EVENT_ONLY, EVENT_ORDERS };
api_access_cb event_load(int loads, enum event_order order);
void on_load_before_store(unsigned vcpu, uint32_t info, uint64_t address, void *load_before_store);

/* Accesses that name their instruction; the user data is an event_site. */
api_access_cb event_access(void);

#endif
