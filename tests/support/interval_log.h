/* SPDX-License-Identifier: MIT */
/* Test helper that stores the intervals that an interval profiler reports through its callback. */
#ifndef SL_TESTS_INTERVAL_LOG_H
#define SL_TESTS_INTERVAL_LOG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sluice.h"

/* What was reported, one interval after the other, entries in a common array. */
struct interval_log {
    struct sl_interval *interval; /* entry is NULL */
    size_t *first;                /* of its entries */
    size_t n, capacity;
    struct sl_entry *entry;
    size_t n_entries, entries_capacity;
};

static inline void log_interval(void *context, const struct sl_interval *interval)
{
    struct interval_log *log = context;
    if (log->n == log->capacity) {
        log->capacity = 2 * log->capacity + 64;
        log->interval = realloc(log->interval, log->capacity * sizeof *log->interval);
        log->first = realloc(log->first, log->capacity * sizeof *log->first);
    }
    if (log->n_entries + interval->n_entries > log->entries_capacity) {
        log->entries_capacity = 2 * log->entries_capacity + interval->n_entries + 64;
        log->entry = realloc(log->entry, log->entries_capacity * sizeof *log->entry);
    }
    log->first[log->n] = log->n_entries;
    log->interval[log->n] = *interval;
    log->interval[log->n++].entry = NULL;
    if (interval->n_entries)
        memcpy(log->entry + log->n_entries, interval->entry,
               interval->n_entries * sizeof *log->entry);
    log->n_entries += interval->n_entries;
}

static inline void log_free(struct interval_log *log)
{
    free(log->interval);
    free(log->first);
    free(log->entry);
    memset(log, 0, sizeof *log);
}

/* All but the entries. */
static inline bool same_interval(const struct sl_interval *a, const struct sl_interval *b)
{
    return a->number == b->number && a->first_event == b->first_event && a->events == b->events &&
           a->weight == b->weight && a->drops == b->drops && a->threshold == b->threshold &&
           a->partial == b->partial && a->n_entries == b->n_entries;
}

#endif
