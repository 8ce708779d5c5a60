/* SPDX-License-Identifier: MIT */
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
#include "gathering.h"

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
