/* Banks: many tables that are given the same stream, on an accelerator. What the library of one
 * (gpu/) is given, and what it gives back; sluice loads it when it is asked for.
 *
 * Plain words alone go through here, so that a library can be of another compiler and language. All
 * that is given back is the caller's to free(3). */
#ifndef SL_BANK_H
#define SL_BANK_H

#include <stddef.h>
#include <stdint.h>

#define SL_BANK_VERSION 1u
#define SL_BANK_EVENTS_MAX (UINT32_C(1) << 30) /* of a stream */
#define SL_BANK_LENGTH_MAX (UINT32_C(1) << 31) /* of an interval */
#define SL_BANK_INDEX_BITS 16u /* of a table of counters */

/* Event i is the tuple (pc[number[i]], value ? value[i] : second[number[i]]), and counts 1. */
struct sl_bank_stream {
    size_t n, n_names;
    const uint32_t *number;
    const uint64_t *value;
    const uint64_t *pc, *second;
};

/* An interval table (interval_table.h); all that decides what it reports. */
struct sl_bank_interval {
    uint64_t seed, length, threshold;
    uint32_t tables, index_bits, word, counter_max, capacity;
    uint32_t conservative, reset, retain;
};

/* What it has to say at the end of an interval, and of the last one, which may be shorter. */
struct sl_bank_report {
    uint64_t first; /* of its candidates, in `found` */
    uint32_t n, drops;
    uint32_t held;  /* entries that count something */
    uint32_t padding;
};

/* A candidate: an event of its tuple, and what it counts. */
struct sl_bank_found {
    uint32_t event, count;
};

struct sl_bank_reports {
    struct sl_bank_report *report; /* by interval */
    struct sl_bank_found *found;
    size_t n, n_found;
};

/* What the library has under the name sl_bank. */
struct sl_bank {
    uint32_t version;
    /* Whether there is a card, in words: "H200, 132 multiprocessors"; otherwise why there is none. */
    int (*look)(char *words, size_t room);
    /* Runs them all over the stream. 0, or -1 with a sentence in `why`; `out` is to be freed then, too. */
    int (*intervals)(const struct sl_bank_stream *stream, const struct sl_bank_interval *table, size_t n,
                     struct sl_bank_reports *out, char *why, size_t room);
};

#endif
