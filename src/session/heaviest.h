/* SPDX-License-Identifier: MIT */
/* The heaviest entries of a profile, in order.
 *
 * Entries of contexts mean something by those of their callers. One of these may weigh nothing (no
 * miss was its own, all its code is that of inlined functions) and not be in the table: it is
 * added, with a count of 0, behind all others. */
#ifndef SL_HEAVIEST_H
#define SL_HEAVIEST_H

#include "measured.h"

struct sl_heaviest {
    size_t wanted;
    bool tagged; /* only those with this tag, and without it */
    uint64_t tag;
    bool linked;            /* callers are added */
    struct sl_entry *entry; /* to be freed */
    uint64_t *intervals;    /* in how many each was a candidate, or NULL; to be freed */
    size_t n;
    uint64_t distinct; /* how many there are, with those left out */
};

int sl_heaviest_find(struct sl_heaviest *heaviest, const struct sl_measured *table,
                     const struct sl_names *names, struct sl_failure *f);

#endif
