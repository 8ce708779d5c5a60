/* T<tagbits>/<r>x<n>w<ways>: the document's tagged table (section 4.1, figure 6).
 *
 * A stratified sampler counts the events of an index, whichever tuples they are of. Here
 * a few bits of tag tell the tuples of an index apart. The tuple itself is not kept, so
 * an entry's count can only be sent when its tuple comes again (or one that looks like
 * it); until then the entry counts how often others came in between, its misses.
 *
 *     | hits (8 bits for r = 256) | tag | misses (3) | valid (1) |
 *
 * One event of weight 1, at the entry that its set has for it (`choose`):
 *
 *     empty               takes it: hits += 1 (carried ones may be there), misses = 0
 *     hit, misses = 0     hits += 1
 *     hit, misses > 0     hits += 1; if hits >= r/4 and misses >= r/hits: sends hits, is
 *                         empty, and carries its misses as hits for the next tuple
 *     miss                misses += 1; if misses = 7 (full), or hits = 1, or hits > 1 and
 *                         hits < 2 misses: the new tuple takes the entry, with
 *                         hits = hits + misses, misses = 0
 *     hits = r            sends hits, is empty, carries nothing
 *
 * The last line holds after each of the others, an eviction excepted, which is due
 * anyway when hits reaches r. With r > 7 and unit weights an empty entry cannot reach
 * it; otherwise it must not, as r is more than the hit counter holds.
 *
 * Nothing is lost: messages + hits + misses of all entries (the hits that empty ones
 * carry included) = weight of the events.
 *
 * r/4 and r/hits are quotients of real numbers: misses >= r/hits is misses * hits >= r.
 * Weights are added where 1 is; an event that weighs nothing changes nothing.
 *
 * Assumed: r and all weights together stay below 2^60. */
#include "tagged.h"

#include "byte_hash.h"

#define MISSES_FULL 7u

uint16_t sl_tagged_tag(const struct sl_tagged_config *config, struct sl_tuple tuple)
{
    return (uint16_t)sl_xorfold(tuple.pc ^ tuple.value, config->tag_bits);
}

/* The entry that has the tag; else the first empty one; else the first of those with
 * the fewest hits. */
static struct sl_tagged_entry *choose(struct sl_tagged_entry *set, uint64_t ways, uint16_t tag)
{
    struct sl_tagged_entry *other = set;
    for (struct sl_tagged_entry *e = set; e < set + ways; e++) {
        if (e->valid && e->tag == tag)
            return e;
        if (other->valid && (!e->valid || e->hits < other->hits))
            other = e;
    }
    return other;
}

/* Sends all hits and leaves an empty entry with `carried` ones. */
static uint64_t send(struct sl_tagged_entry *e, uint64_t carried)
{
    uint64_t count = e->hits;
    *e = (struct sl_tagged_entry){.hits = carried};
    return count;
}

uint64_t sl_tagged_step(const struct sl_tagged_config *config, struct sl_tagged_entry *set,
                        uint16_t tag, uint64_t weight)
{
    if (!weight)
        return 0;
    const uint64_t r = config->rate;
    struct sl_tagged_entry *e = choose(set, config->ways, tag);
    if (e->valid && e->tag != tag) {
        uint64_t misses = e->misses + weight;
        /* hits = 1 is a case of the second condition. */
        if (misses < MISSES_FULL && e->hits >= 2 * misses) {
            e->misses = (uint8_t)misses;
            return 0;
        }
        *e = (struct sl_tagged_entry){.hits = e->hits + misses, .tag = tag, .valid = true};
    } else {
        e->hits += weight;
        e->tag = tag;
        e->valid = true;
        if (e->misses)
            return 4 * e->hits >= r && e->misses * e->hits >= r ? send(e, e->misses) : 0;
    }
    return e->hits >= r ? send(e, 0) : 0;
}
