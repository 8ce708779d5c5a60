/* T<tagbits>/<r>x<n>[w<ways>]: the tagged table of a compressor. */
#ifndef SL_TAGGED_H
#define SL_TAGGED_H

#include "sluice.h"

/* n entries, `ways` of them in a set; n / ways sets, a power of two. */
struct sl_tagged_config {
    uint64_t rate;      /* r, the trigger threshold */
    uint64_t entries;
    uint64_t ways;
    uint64_t tag_bits;  /* 1 to 16 */
    /* How figure 6 is read where it can be read in two ways: */
    bool integer;       /* r/4 and r/hits are whole numbers, rounded down */
    bool first_counts;  /* an entry's first miss counts, and never replaces its tuple */
};

struct sl_tagged_entry {
    uint64_t hits;
    uint16_t tag;
    uint8_t misses;
    bool valid; /* not empty; an empty one may hold carried hits */
};

/* The set's entries, its transition for a tuple with this tag. Returns the count of
 * the message that is to be sent for the tuple, or 0. */
uint64_t sl_tagged_step(const struct sl_tagged_config *config, struct sl_tagged_entry *set,
                        uint16_t tag, uint64_t weight);

/* xorfold(pc ^ value, tag_bits), of their low `word` bits, 64 or 32. */
uint16_t sl_tagged_tag(unsigned tag_bits, struct sl_tuple tuple, unsigned word);

#endif
