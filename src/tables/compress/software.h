/* SPDX-License-Identifier: MIT */
/* The software that a compressor sends to: what the messages of each tuple add up to.
 * Grows up to the memory given; then messages of new tuples are dropped, and counted. */
#ifndef SL_SOFTWARE_H
#define SL_SOFTWARE_H

#include "index_map.h"
#include "sluice.h"

struct sl_software {
    struct sl_message *slot; /* open addressing; empty: samples == 0 */
    uint64_t n_slots, n_used;
    uint64_t memory_bytes;
    uint64_t drops, drops_weight; /* messages, and what they counted */
    bool full;
};

/* As sl_table_host.deliver, `software` being the context. */
void sl_software_add(void *software, const struct sl_message *message, size_t n);

/* The sum of the tuple's messages; NULL if none came. */
const struct sl_message *sl_software_find(const struct sl_software *software,
                                          struct sl_tuple tuple);

void sl_software_free(struct sl_software *software);

/* ---- convergence and filter ---- */

/* Convergence checks and instruction filtering: what the document of the stream compressors
 * takes from others by name, without a definition. Ours:
 *
 *   - software keeps, of each instruction, what its messages add up to and how much of that the
 *     largest of its tuples has. After every `check` messages of it, that share is compared with
 *     the one at the check before. If they differ by at most `converge`, the instruction has
 *     converged: what is known of its tuples will do.
 *   - it is then written into the hardware's filter, as long as that has room. What comes of it
 *     from now on goes past queue, hash and counters, so that it disturbs no substream; the filter
 *     counts it, and software shares that out among the tuples, as far as it knows them.
 *
 *     filter entry:   | pc (64) | passed (32) | valid |
 *
 * An instruction never leaves the filter: one that changes its ways afterwards is not noticed. */

#define SL_FILTER_ENTRY_BITS (64u + 32u + 1u)

/* An instruction, as software knows it. */
struct sl_filter_site {
    uint64_t messages, count, largest;
    uint64_t share; /* of 2^32, at the last check */
    uint64_t passed;
    bool checked, converged, filtered;
};

struct sl_filter {
    uint64_t check, near; /* messages; of 2^32 */
    uint64_t room;        /* entries in hardware */
    uint64_t memory_bytes;
    struct sl_index_map map; /* pc, 0 */
    struct sl_filter_site *site;
    size_t room_sites;
    uint64_t n_converged, n_filtered, passed, passed_weight;
};

/* Software got messages of the instruction that count so much, of a tuple that has `of_tuple` by
 * now. */
void sl_filter_learn(struct sl_filter *filter, uint64_t pc, uint64_t count, uint64_t of_tuple);

/* Whether an event goes past the table. */
bool sl_filter_pass(struct sl_filter *filter, uint64_t pc, uint64_t weight);

/* What passed of the instruction, shared out: the part of a tuple whose messages count so much. */
uint64_t sl_filter_part(const struct sl_filter *filter, uint64_t pc, uint64_t count);

void sl_filter_free(struct sl_filter *filter);

#endif
