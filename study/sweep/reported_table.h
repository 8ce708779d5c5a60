/* SPDX-License-Identifier: MIT */
/* Tables that say what others have reported of the same events (bank.h): they do not look at these,
 * but count them. They stand in for tables in a session, which then measures as if those were
 * there:
 *
 *     interval table   tells at the end of each interval what was found in it
 *     compressor       sends on what the first component has sent, at the same events
 *     hot path table   has at the end the entries that the other had */
#ifndef SL_REPORTED_TABLE_H
#define SL_REPORTED_TABLE_H

#include "bank.h"
#include "table.h"

/* What their configuration is. */
struct sl_reported_config {
    const struct sl_table_kind *kind; /* the other's, and its configuration */
    const void *like;
    const struct sl_bank_stream *stream;
    const struct sl_bank_reports *reports;
};

/* The stand-in for a kind, in a bank or elsewhere. */
const struct sl_table_kind *sl_reported_kind(enum sl_bank_kind kind);

#endif
