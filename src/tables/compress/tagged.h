/* SPDX-License-Identifier: MIT */
/* Tables with tags, the components T and G of a stream compressor: their configuration, the layout
 * of an entry, and the change of an entry by an event. tagged.c explains the algorithms. */
#ifndef SL_TAGGED_H
#define SL_TAGGED_H

#include "sluice.h"
#include "gpu_inline.h"

#define SL_TAGGED_MISSES 7u /* maximum of the miss counter */

/* n entries, `ways` of them in a set; n / ways sets, a power of two. */
struct sl_tagged_config {
    uint64_t rate; /* r, the trigger threshold */
    uint64_t entries;
    uint64_t ways;
    uint64_t tag_bits; /* 1 to 16 */
    /* Readings of figure 6 where it is ambiguous (tagged.c): */
    bool integer;      /* r/4 and r/hits are rounded down */
    bool first_counts; /* the first miss of an entry never replaces its tuple */
};

struct sl_tagged_entry {
    uint64_t hits;
    uint16_t tag;
    uint8_t misses;
    bool valid; /* false: empty, but may hold carried hits */
};

/* xorfold(pc ^ value, tag_bits), of their low `word` bits, 64 or 32. */
uint16_t sl_tagged_tag(unsigned tag_bits, struct sl_tuple tuple, unsigned word);

/* The entry with the tag; else the first empty one; else the first one with the fewest hits. A
 * valid entry has at least one hit. */
SL_GPU_INLINE struct sl_tagged_entry *sl_tagged_choose(struct sl_tagged_entry *set, uint64_t ways,
                                                       uint16_t tag)
{
    for (struct sl_tagged_entry *e = set; e < set + ways; e++)
        if (e->valid && e->tag == tag)
            return e;
    struct sl_tagged_entry *chosen = set;
    uint64_t least = UINT64_MAX;
    for (struct sl_tagged_entry *e = set; e < set + ways; e++) {
        uint64_t hits = e->valid ? e->hits : 0;
        chosen = hits < least ? e : chosen;
        least = hits < least ? hits : least;
    }
    return chosen;
}

/* Whether the entry must be sent. */
SL_GPU_INLINE bool sl_tagged_is_due(const struct sl_tagged_config *config, uint64_t hits,
                                    uint64_t misses)
{
    if (config->integer && misses)
        return hits >= config->rate / 4 && misses >= config->rate / hits;
    /* One comparison instead of two, each of which is hard to predict. */
    uint64_t times = misses < 1 ? 1 : misses < 4 ? misses : 4;
    return times * hits >= config->rate;
}

/* The transition of a set for an event with this tag. Returns the count of the message to be sent
 * for its tuple, or 0. */
SL_GPU_INLINE uint64_t sl_tagged_step(const struct sl_tagged_config *config,
                                      struct sl_tagged_entry *set, uint16_t tag, uint64_t weight)
{
    if (!weight)
        return 0;
    struct sl_tagged_entry *e = sl_tagged_choose(set, config->ways, tag);
    uint64_t hits = e->hits, misses = e->misses;
    if (e->valid && e->tag != tag) {
        misses += weight;
        bool stays = hits >= 2 * misses; /* which hits = 1 is not */
        if (misses < SL_TAGGED_MISSES && (stays || (config->first_counts && !e->misses))) {
            e->misses = (uint8_t)misses;
            return 0;
        }
        hits += misses;
        misses = 0;
    } else {
        hits += weight;
    }
    e->hits = hits;
    e->tag = tag;
    e->misses = (uint8_t)misses;
    e->valid = true;
    if (!sl_tagged_is_due(config, hits, misses))
        return 0;
    e->hits = misses;
    e->tag = 0;
    e->misses = 0;
    e->valid = false;
    return hits;
}

/* ---- G ---- */

struct sl_gathering_config {
    uint64_t rate, entries; /* r; n, a power of two */
    uint64_t tag_bits;      /* 1 to 16 */
    uint64_t samples;       /* k, per message of the tag's tuple */
};

struct sl_gathering_entry {
    uint64_t count;        /* events since the last sample */
    uint64_t gathered;     /* events of the collected samples */
    uint16_t tag, samples; /* number of collected samples */
};

/* The transition of an entry. Returns the count of the message to be sent for the tuple, or 0. */
uint64_t sl_gathering_step(const struct sl_gathering_config *config,
                           struct sl_gathering_entry *entry, uint16_t tag, uint64_t weight);

#endif
