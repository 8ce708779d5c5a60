/* SPDX-License-Identifier: MIT */
/* Detectors of single transfers of control, <pc of the branch, where it went>:
 * what `edge` and `call` have in common. They differ in which branches count.
 *
 * With a metric, an event weighs what its thread has done since its last event
 * of this detector: the blocks up to and including the one that ends in the
 * branch. So the weights add up to the whole run (but for what came after the
 * last event). */
#ifndef SL_TRANSFER_H
#define SL_TRANSFER_H

#include "detector.h"
#include "dictionary.h"
#include "flow.h"
#include "threads.h"

struct sl_transfer {
    struct sl_flow flow;
    const struct sl_watch *watch;
    uint32_t branches; /* bit for each enum sl_branch that counts */
    struct sl_dictionary tuples;
    struct sl_threads threads;
};

/* The part of a detector's kind that is the same for all of them. */
#define SL_TRANSFER_KIND                                                                    \
    .per_instruction = true, .first = SL_READS_CODE, .default_metric = "count",             \
    .unique_ids = true, .state_size = sizeof(struct sl_transfer), .sync = sl_transfer_sync, \
    .feed = sl_transfer_feed, .pair_totals = &sl_transfer_totals,                           \
    .end_thread = sl_transfer_end_thread, .names = sl_transfer_names, .close = sl_transfer_close

int sl_transfer_init(struct sl_transfer *transfer, uint32_t branches, const struct sl_watch *watch);
int sl_transfer_sync(void *transfer, struct sl_failure *f);
int sl_transfer_feed(void *transfer, const struct sl_slice *slice, struct sl_events *out,
                     struct sl_failure *f);
extern const struct sl_detector_pair_totals sl_transfer_totals;
void sl_transfer_end_thread(void *transfer, uint32_t thread, struct sl_events *out);
void sl_transfer_names(void *transfer, struct sl_names *names);
void sl_transfer_close(void *transfer);

#endif
