/* One profile of a session: a detector, a metric and a table, as written
 *
 *     DETECTOR[(options)][:METRIC][@TABLE[(options)]]
 *
 * Without a metric, the detector's usual one; without a table, exact. */
#ifndef SL_PROFILE_H
#define SL_PROFILE_H

#include "detector.h"
#include "metric.h"
#include "result.h"
#include "table.h"

struct sl_profile {
    const struct sl_detector_kind *detector;
    const struct sl_metric *metric;
    const struct sl_table_kind *table;
    void *detector_config, *detector_state;
    void *table_config, *table_memory;
    struct sl_table *kept;
    char *spec; /* resolved */
    bool opened;
    bool *thread_joined; /* by thread: its last slice was fed and nothing left out since */
    size_t room_threads;
};

/* Reads the spec; SL_EUSAGE with a sentence that points at what is wrong. */
int sl_profile_parse(struct sl_profile *profile, const char *spec, struct sl_failure *f);

int sl_profile_open(struct sl_profile *profile, const struct sl_watch *watch, uint64_t memory_bytes,
                    struct sl_failure *f);

/* Runs a slice through the detector and its events into the table. `buffer` is
 * room for events, empty. */
int sl_profile_feed(struct sl_profile *profile, struct sl_slice *slice, struct sl_events *buffer,
                    struct sl_failure *f);

/* Hands over what the detector held back. */
void sl_profile_finish(struct sl_profile *profile, struct sl_events *buffer);

void sl_profile_close(struct sl_profile *profile);

/* The `keep` heaviest entries in order; *entries is to be freed. Returns how many,
 * or a negative error. */
int64_t sl_profile_entries(struct sl_profile *profile, size_t keep, struct sl_entry **entries,
                           struct sl_failure *f);

#endif
