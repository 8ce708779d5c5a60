/* SPDX-License-Identifier: MIT */
/* Software side of a stream compressor: adds up the messages of each tuple, and checks whether
 * the profile has converged.
 *
 * The table of sums grows up to the given memory; then messages of new tuples are dropped and
 * counted. */
#ifndef SL_SOFTWARE_H
#define SL_SOFTWARE_H

#include "index_map.h"
#include "sluice.h"

struct sl_software {
    struct sl_message *slot; /* open addressing; empty: samples == 0; to be freed with free() */
    uint64_t n_slots, n_used;
    uint64_t memory_bytes;
    uint64_t drops, drops_weight; /* messages, and the sum of their counts */
    bool full;
};

/* sl_table_host.deliver with a struct sl_software as context. */
void sl_software_add(void *software, const struct sl_message *message, size_t n);

/* The sum of the tuple's messages; NULL if it has none. */
const struct sl_message *sl_software_find(const struct sl_software *software,
                                          struct sl_tuple tuple);

/* ---- convergence and filter ---- */

/* Convergence checks and instruction filtering. The paper (Sastry, Bodik, Smith, 2001) takes both
 * from others by name, without a definition. Ours:
 *
 *   - For each instruction, software has the sum of its messages and the fraction of its most
 *     frequent tuple. After every `check` messages of an instruction, the fraction is compared with
 *     that of the previous check. If they differ by at most `converge`, the instruction has
 *     converged.
 *   - It is then written to the hardware's filter, if that has a free entry. Its later events
 *     bypass queue, hash and counters, so that they disturb no substream. The filter counts them,
 *     and software distributes the count over the known tuples of the instruction.
 *
 *     filter entry:   | pc (64) | passed (32) | valid |
 *
 * An instruction never leaves the filter: later changes of its behaviour are not seen. */

#define SL_FILTER_ENTRY_BITS (64u + 32u + 1u)

/* What software knows about an instruction. */
struct sl_filter_site {
    uint64_t messages, count, largest;
    uint64_t fraction; /* of the most frequent tuple at the last check, in units of 2^-32 */
    uint64_t passed;
    bool checked, converged, filtered;
};

struct sl_filter {
    uint64_t check, tolerance; /* messages; units of 2^-32 */
    uint64_t capacity;         /* entries in hardware */
    uint64_t memory_bytes;
    struct sl_index_map map; /* pc, 0 */
    struct sl_filter_site *site;
    size_t sites_capacity;
    uint64_t n_converged, n_filtered, passed, passed_weight;
};

/* Records a message of this count for a tuple of the instruction, whose sum is now `of_tuple`. */
void sl_filter_record(struct sl_filter *filter, uint64_t pc, uint64_t count, uint64_t of_tuple);

/* Whether an event bypasses the compressor; counts it if so. */
bool sl_filter_pass(struct sl_filter *filter, uint64_t pc, uint64_t weight);

/* A tuple's part of the events of its instruction that bypassed the compressor, in proportion to
 * the sum `count` of its messages. */
uint64_t sl_filter_part(const struct sl_filter *filter, uint64_t pc, uint64_t count);

void sl_filter_free(struct sl_filter *filter);

#endif
