/* SPDX-License-Identifier: MIT */
/* Tables that replay the results of an accelerator (bank.h). In a session that processes the same
 * events as the accelerator, they replace the simulated tables and are evaluated in the same way.
 * They count the events, but do not read the tuples.
 *
 *     interval table   reports at the end of each interval the candidates found in it
 *     compressor       forwards the messages of the first component, at the same events
 *     hot path table   has at the end the entries of the original */
#ifndef SL_REPORTED_TABLE_H
#define SL_REPORTED_TABLE_H

#include "bank.h"
#include "table.h"

/* Configuration of such a table. */
struct sl_reported_config {
    const struct sl_table_kind *kind; /* the kind and configuration of the original */
    const void *like;
    const struct sl_bank_stream *stream;
    const struct sl_bank_reports *reports;
};

/* Returns the replaying table for a kind. */
const struct sl_table_kind *sl_reported_kind(enum sl_bank_kind kind);

#endif
