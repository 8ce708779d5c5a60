/* SPDX-License-Identifier: MIT */
/* Components T and G of the stream compressors: tables of counters, whose tags of a few bits
 * distinguish tuples with the same table index. T is the component of the paper (Sastry, Bodik,
 * Smith, 2001), and G is our variant of T.
 *
 * T<tagbits>/<r>x<n>w<ways>. Paper: Sastry, Bodik, Smith, "Rapid Profiling via Stratified
 * Sampling", 2001, section 4.1 and figure 6.
 *
 * A stratified sampler counts the events of an index, whichever tuples they have. Here tags of a
 * few bits distinguish the tuples of an index. The tuple is not stored, so that an entry's count
 * can be sent only with the next event of its tuple (or of one with the same tag). Until then the
 * entry counts its misses, events of other tuples.
 *
 *     | hits (8 bits for r = 256) | tag | misses (3) | valid (1) |
 *
 * Transition for an event of weight 1, at the entry chosen by sl_tagged_choose():
 *
 *     empty               takes it: hits += 1 (carried hits may be present), misses = 0
 *     hit, misses = 0     hits += 1
 *     hit, misses > 0     hits += 1; if hits >= r/4 and misses >= r/hits: sends hits, becomes
 *                         empty, and carries its misses as hits for the next tuple
 *     miss                misses += 1; if misses = 7 (saturated), or hits = 1, or hits > 1 and
 *                         hits < 2 misses: the new tuple takes the entry, hits = hits + misses,
 *                         misses = 0
 *     hits = r            sends hits, becomes empty, carries nothing
 *
 * The last line applies after each of the others with misses = 0. In all of them a message is due
 * when min(max(misses, 1), 4) * hits >= r, and the misses are carried.
 *
 * Nothing is lost: messages + hits + misses of all entries (including hits that empty ones carry) =
 * weight of the events.
 *
 * Where figure 6 is ambiguous. r/4 and r/hits are real quotients: an eviction is due if 4 hits >= r
 * and misses * hits >= r; with quotient=integer they are rounded down. Transition E4, the first
 * miss of an entry, only counts the miss with first_miss=counts: the tuple stays even if it has one
 * hit, unless the weight saturates the miss counter.
 *
 * Departure: weights are added instead of 1; events of weight 0 change nothing.
 *
 * Assumed, for T and G: r and the sum of all weights stay below 2^60. */
#include "tagged.h"

#include "byte_hash.h"

uint16_t sl_tagged_tag(unsigned tag_bits, struct sl_tuple tuple, unsigned word)
{
    return (uint16_t)sl_xorfold((tuple.pc ^ tuple.value) << (64 - word) >> (64 - word), tag_bits);
}

/* G<tagbits>/<r>x<n>[k<k>]: a stratified sampler H[P<r>]<n> that collects k samples of the dominant
 * tuple of a substream in one message. Not in the paper.
 *
 *     | count (log2 r) | tag | samples not sent (log2 k) |
 *
 * Every r-th event of a substream is a sample of its tuple. Then
 *
 *     the tag matches                    it is collected; the k-th is sent, for all of them
 *     it differs, none is collected      it is sent, and the tag becomes that of its tuple
 *     it differs, some are collected     it is sent; the tag stays
 *
 * Collected samples are sent with a later sample of the same tag, so no tuple gets the samples of
 * another one, unless their tags are equal. The initial tag is 0.
 *
 * Compared with T: there a tuple that takes over an entry inherits its hits and misses, which is
 * wrong for both tuples, and an entry with many misses is sent early. Here other tuples are sampled
 * as without a tag, so that for the same number of messages rare tuples are sampled more often and
 * frequent ones less. Entries are smaller: no miss counter, no ways. docs/results/designs.md has
 * the measurements.
 *
 * Nothing is lost: messages + counts + collected weight = weight of the events. At most (k - 1) r
 * of a tuple that never occurs again stay in an entry. */
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
