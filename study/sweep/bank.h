/* SPDX-License-Identifier: MIT */
/* Banks: many tables that are given the same stream, on an accelerator. What the library of one
 * (study/gpu/) is given, and what it gives back; sluice loads it when it is asked for.
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
#define SL_BANK_INDEX_BITS 16u                 /* of a table of counters */

/* Event i is the tuple (pc[number[i]], value ? value[i] : second[number[i]]), and counts 1. */
struct sl_bank_stream {
    size_t n, n_names;
    const uint32_t *number;
    const uint64_t *value;
    const uint64_t *pc, *second;
};

enum sl_bank_kind {
    SL_BANK_INTERVAL,   /* interval_table.h; reports its candidates at the end of each interval, and
                         * of the   last one, which may be shorter */
    SL_BANK_COMPRESSOR, /* the first component of one (sampler.h, tagged.h): reports what it sends
                           on */
    SL_BANK_HPT,        /* hpt.h; reports its entries, at the end */
};

/* All that decides what a table reports. What is not of its kind is 0. */
struct sl_bank_wanted {
    uint32_t kind;       /* the enum above */
    uint32_t index_bits; /* of a table of counters; of the substream, or of the set */
    uint64_t seed;
    uint32_t word; /* bits of a tuple's words that are hashed */
    /* Of an interval table: */
    uint32_t tables, counter_max, conservative, reset, retain;
    uint64_t length, threshold;
    uint32_t capacity; /* entries; also of a hot path table and of a tagged one */
    uint32_t ways;     /* of these two */
    /* Of a compressor: */
    uint32_t component; /* enum sl_component */
    uint32_t tag_bits, integer, first_counts;
    uint64_t rate;
    /* Of a hot path table: */
    uint32_t most;                        /* that a counter holds */
    uint32_t turn, by_start, replacement; /* enum sl_hpt_replacement */
};

struct sl_bank_report {
    uint64_t first; /* of what it found, in `found` */
    uint32_t n, drops;
    uint32_t held; /* entries of an interval table that count something */
    uint32_t full; /* there was no room for all */
};

/* An event of the tuple, and what that counts: a candidate, an entry (one that counts 0 is empty),
 * or a message, which is sent at that event. */
struct sl_bank_found {
    uint32_t event, count;
};

struct sl_bank_reports {
    struct sl_bank_report *report; /* by interval; one of the others */
    struct sl_bank_found *found;
    size_t n, n_found;
};

/* What the library has under the name sl_bank. */
struct sl_bank {
    uint32_t version;
    /* Whether there is a card, in words: "H200, 132 multiprocessors"; otherwise why there is none.
     */
    int (*look)(char *words, size_t capacity);
    /* Runs them all over the stream. 0, or -1 with a sentence in `why`; `out` is to be freed then,
     * too. */
    int (*run)(const struct sl_bank_stream *stream, const struct sl_bank_wanted *table, size_t n,
               struct sl_bank_reports *out, char *why, size_t capacity);
};

#endif
