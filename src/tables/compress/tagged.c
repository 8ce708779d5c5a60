/* SPDX-License-Identifier: MIT */
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

uint16_t sl_tagged_tag(unsigned tag_bits, struct sl_tuple tuple, unsigned word)
{
    return (uint16_t)sl_xorfold((tuple.pc ^ tuple.value) << (64 - word) >> (64 - word), tag_bits);
}
