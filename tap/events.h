/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hot path: callbacks that write what the guest does, as it does it.
 *
 * An entry to a block or an access to memory becomes a few words in the thread's
 * stage (src/stream/ring.h). Which callback goes where is decided once, when a
 * block is translated (tap.c).
 *
 * QEMU before 8.0 forgets to forget the callbacks of an instruction that ends a
 * block and runs a helper function (a return does, to find where to go on). It
 * then calls them for accesses of its own, when it makes a signal frame, and for
 * those of helper functions of instructions that have no callback. So an access
 * counts only in its turn: an implied load when its block has just so many
 * words, that of a block's last instruction only in that block, and only once.
 * And the last instruction of a block never begins one. */
#ifndef SL_TAP_EVENTS_H
#define SL_TAP_EVENTS_H

#include "guest.h"
#include "qemu_api.h"

/* An instruction whose accesses are not implied. Asking QEMU about its opaque
 * `info` word is a call, so the first one that proves to be a store's is kept. */
struct event_site {
    uint32_t insn;
    uint32_t block; /* whose last instruction it is; EVENT_ANY_BLOCK: not that */
    _Atomic uint32_t store_info;
    bool simple; /* at most one load, then one store */
};
#define EVENT_ANY_BLOCK UINT32_MAX
#define EVENT_NO_INFO UINT32_MAX

/* An implied load of an instruction that also stores. */
struct event_load_before_store {
    struct event_site site;
    uint32_t place;
    api_access_cb load;
};

/* Before anything else. `wants` is the ring's. */
void events_start(const struct guest *guest, unsigned needs);

/* Before the first access: what is added to a guest address to get ours. */
void events_set_base(uint64_t base);

/* Entries to blocks; the user data is the block's number. */
void on_block_only(unsigned vcpu, void *block);         /* in a stream of nothing else */
void on_block(unsigned vcpu, void *block);              /* it has no loads */
void on_block_before_loads(unsigned vcpu, void *block); /* its implied loads are to come */
void on_open_block(unsigned vcpu, void *block);         /* its accesses will be named */

/* Implied loads: nothing is said but the value. The first one of a block says that
 * it was entered, too, which spares a callback; the last one finishes it. The
 * user data of FIRST and ONLY is the block's number, of the others their place in
 * the block, in words. */
enum event_order { EVENT_FIRST, EVENT_MIDDLE, EVENT_LAST, EVENT_ONLY, EVENT_ORDERS };
api_access_cb event_load(int loads, enum event_order order);
void on_load_before_store(unsigned vcpu, uint32_t info, uint64_t address, void *load_before_store);

/* Accesses that name their instruction; the user data is an event_site. */
api_access_cb event_access(void);

#endif
