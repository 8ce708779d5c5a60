/* The software that a compressor sends to: what the messages of each tuple add up
 * to, and of each substream, for the two estimators.
 *
 *     sum     the counts of a tuple's messages, added up
 *     ratio   the tuple's share of its substream's samples, times the events that
 *             the substream's messages stand for
 *
 * They differ only for samplers that count (CR). Grows up to the memory given; then
 * messages of new tuples are dropped, and counted. What substreams add up to includes
 * the dropped messages, so that the shares of the tuples that are kept stay right. */
#ifndef SL_SOFTWARE_H
#define SL_SOFTWARE_H

#include "sluice.h"

enum sl_estimate { SL_ESTIMATE_SUM, SL_ESTIMATE_RATIO };

struct sl_software {
    struct sl_message *slot; /* open addressing; empty: samples == 0 */
    uint64_t n_slots, n_used;
    uint64_t (*stream)[2];   /* by substream: events counted, samples */
    size_t n_streams, room_streams;
    uint64_t memory_bytes;
    uint64_t drops, drops_weight; /* messages, and what they counted */
    bool full;
};

/* As sl_table_host.deliver, `software` being the context. */
void sl_software_add(void *software, const struct sl_message *message, size_t n);

/* Adds to the substreams of `software` what those of `other` add up to: estimates by
 * `software` then speak of the messages of both. False when memory ran out. */
bool sl_software_add_streams(struct sl_software *software, const struct sl_software *other);

/* The sum of the tuple's messages; NULL if none came. */
const struct sl_message *sl_software_find(const struct sl_software *software,
                                          struct sl_tuple tuple);

/* What a tuple's messages say, by the estimator; their sum where memory ran out before
 * their substream was counted. */
uint64_t sl_software_estimate(const struct sl_software *software, const struct sl_message *sum,
                              enum sl_estimate estimate);

void sl_software_free(struct sl_software *software);

#endif
