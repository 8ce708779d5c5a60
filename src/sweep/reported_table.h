/* A table that says what another has reported of the same events: it does not look at them, but counts
 * them, and when an interval ends it tells what was found elsewhere. It stands in for an interval table
 * in a session, which then measures as if that were there. */
#ifndef SL_REPORTED_TABLE_H
#define SL_REPORTED_TABLE_H

#include "bank.h"
#include "interval_table.h"

/* What its configuration is; the other's first, so that what depends on that alone is the same. */
struct sl_reported_config {
    struct sl_interval_config like;
    const struct sl_bank_stream *stream;
    const struct sl_bank_reports *reports;
};

extern const struct sl_table_kind sl_table_reported;

#endif
