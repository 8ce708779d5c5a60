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

/* G<tagbits>/<r>x<n>[k<k>]: a stratified sampler, H[P<r>]<n>, which gathers k samples of the tuple
 * that most of a substream is of before it tells software.
 *
 *     | count (log2 r) | tag | samples not sent (log2 k) |
 *
 * Every r-th event of a substream is a sample of its tuple, as in H[P<r>]<n>. Then
 *
 *     the tag is its own      it is gathered; the k-th is sent, for all of them
 *     another's, none there   it is sent, and the tag is its own from now on
 *     another's, some there   it is sent; the tag stays
 *
 * What is not sent yet goes with the next sample that has the same tag, so no tuple is known to the
 * hardware by more than its tag, and none gets what another had (unless their tags are alike). At
 * first the tag is 0.
 *
 * How it differs from the document's tagged table (tagged.c): there a tuple that takes an entry
 * over takes the hits and the misses of the one before with it, which is wrong for both, and an
 * entry that is often missed is sent early. Here who is not gathered is sampled as if there were no
 * tag. So with the same messages the many rare tuples of a stream are sampled more often (r is half
 * as large), and the few frequent ones, of which T sends most, half as often. Entries are smaller,
 * too: no counter of misses, no ways.
 *
 * Beside T2/256x2048w2 (28,672 bits), G4/160x2048 (26,624) has less error with less overhead for
 * edges and paths, G4/128x2048 (24,576) for values: docs/results/designs.md has the figures.
 *
 * Nothing is lost: messages + counts + what is gathered = weight of the events. What an entry
 * has gathered of a tuple that never comes again stays there: at most (k - 1) r.
 *
 * Assumed: r and all weights together stay below 2^60. */
uint64_t sl_gathering_step(const struct sl_gathering_config *config, struct sl_gathering_entry *e,
                           uint16_t tag, uint64_t weight)
{
    e->count += weight;
    if (e->count < config->rate || !weight)
        return 0;
    uint64_t sent = e->count;
    e->count = 0;
    if (e->tag != tag) {
        e->tag = e->samples ? e->tag : tag;
        return sent;
    }
    e->gathered += sent;
    if (++e->samples < config->samples)
        return 0;
    sent = e->gathered;
    e->gathered = 0;
    e->samples = 0;
    return sent;
}
