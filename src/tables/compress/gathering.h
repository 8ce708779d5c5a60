/* SPDX-License-Identifier: MIT */
/* G<tagbits>/<r>x<n>[k<k>]: the gathering sampler of a compressor, a tagged table of our own. */
#ifndef SL_GATHERING_H
#define SL_GATHERING_H

#include "sluice.h"

struct sl_gathering_config {
    uint64_t rate, entries; /* r; n, a power of two */
    uint64_t tag_bits;      /* 1 to 16 */
    uint64_t samples;       /* k, in a message of the tuple that is gathered */
};

struct sl_gathering_entry {
    uint64_t count;        /* events since the last sample */
    uint64_t gathered;     /* that samples stand for which were not sent */
    uint16_t tag, samples; /* and how many these are */
};

/* The transition of an entry. Returns the count of the message that is to be sent for the tuple, or
 * 0. */
uint64_t sl_gathering_step(const struct sl_gathering_config *config,
                           struct sl_gathering_entry *entry, uint16_t tag, uint64_t weight);

#endif
