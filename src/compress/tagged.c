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
 * The last line is for all that ends with misses = 0 (with misses > 0 an eviction is due
 * at hits = r anyway). With r > 7 and unit weights an empty entry cannot come to it;
 * otherwise it has to, as r is more than the hit counter holds. So in all of these a
 * message is due when min(max(misses, 1), 4) * hits >= r, and the misses are carried.
 *
 * Nothing is lost: messages + hits + misses of all entries (the hits that empty ones
 * carry included) = weight of the events.
 *
 * r/4 and r/hits are quotients of real numbers: the two conditions for an eviction are
 * 4 hits >= r and misses * hits >= r. With quotient=integer they are what a divider of whole
 * numbers gives, rounded down. And the figure's transition E4, a miss of an entry that had none,
 * only says that the miss is counted: with first_miss=counts, it leaves the tuple where it is,
 * also if that has one hit. (With a weight that fills the miss counter at once it cannot.)
 *
 * Weights are added where 1 is; an event that weighs
 * nothing changes nothing.
 *
 * Assumed: r and all weights together stay below 2^60. */
#include "tagged.h"

#include "byte_hash.h"

#define MISSES_FULL 7u

uint16_t sl_tagged_tag(unsigned tag_bits, struct sl_tuple tuple, unsigned word)
{
    return (uint16_t)sl_xorfold((tuple.pc ^ tuple.value) << (64 - word) >> (64 - word),
                                tag_bits);
}

/* The entry that has the tag; else the first empty one; else the first of those with
 * the fewest hits. An entry that is not empty has at least one. */
static struct sl_tagged_entry *choose(struct sl_tagged_entry *set, uint64_t ways, uint16_t tag)
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

/* Whether a hit makes the entry send what it has. */
static bool is_due(const struct sl_tagged_config *config, uint64_t hits, uint64_t misses)
{
    if (config->integer && misses)
        return hits >= config->rate / 4 && misses >= config->rate / hits;
    /* One comparison, not two: each by itself would be hard to predict. */
    uint64_t times = misses < 1 ? 1 : misses < 4 ? misses : 4;
    return times * hits >= config->rate;
}

uint64_t sl_tagged_step(const struct sl_tagged_config *config, struct sl_tagged_entry *set,
                        uint16_t tag, uint64_t weight)
{
    if (!weight)
        return 0;
    struct sl_tagged_entry *e = choose(set, config->ways, tag);
    uint64_t hits = e->hits, misses = e->misses;
    if (e->valid && e->tag != tag) {
        misses += weight;
        bool stays = hits >= 2 * misses; /* which hits = 1 is not */
        if (misses < MISSES_FULL && (stays || (config->first_counts && !e->misses))) {
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
    if (!is_due(config, hits, misses))
        return 0;
    *e = (struct sl_tagged_entry){.hits = misses};
    return hits;
}
