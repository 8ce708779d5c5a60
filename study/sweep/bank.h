/* SPDX-License-Identifier: MIT */
/* Interface to an accelerator library (study/gpu/), which simulates a bank of tables: many tables
 * that process the same stream. sluice loads the library on demand.
 *
 * The interface contains only plain C types, so that a library may be written in another language.
 * The caller frees all results with free(3). */
#ifndef SL_BANK_H
#define SL_BANK_H

#include <stddef.h>
#include <stdint.h>

#define SL_BANK_VERSION 1u
#define SL_BANK_EVENTS_MAX (UINT32_C(1) << 30) /* events of a stream */
#define SL_BANK_LENGTH_MAX (UINT32_C(1) << 31) /* events of an interval */
#define SL_BANK_INDEX_BITS 16u                 /* of the index into a table of counters */

/* Event i is the tuple (pc[tuple_id[i]], value ? value[i] : second[tuple_id[i]]) and has weight 1.
 */
struct sl_bank_stream {
    size_t n, n_names;
    const uint32_t *tuple_id;
    const uint64_t *value;
    const uint64_t *pc, *second;
};

enum sl_bank_kind {
    SL_BANK_INTERVAL,   /* interval_table.h; reports its candidates at the end of each interval, and
                           of the last one, which may be shorter */
    SL_BANK_COMPRESSOR, /* the first component of a compressor (sampler.h, tagged.h); reports the
                           messages it sends */
    SL_BANK_HPT,        /* hpt.h; reports its entries at the end */
};

/* Everything that determines the reports of a table. Members of other kinds are 0. */
struct sl_bank_config {
    uint32_t kind;       /* enum sl_bank_kind */
    uint32_t index_bits; /* of a table of counters, of the substreams, or of the sets */
    uint64_t seed;
    uint32_t word; /* bits of each field of a tuple that are hashed */
    /* Interval table: */
    uint32_t tables, counter_max, conservative, reset, retain;
    uint64_t length, threshold;
    uint32_t capacity; /* entries; also of hot path tables and tagged tables */
    uint32_t ways;     /* of hot path tables and tagged tables */
    /* Compressor: */
    uint32_t component; /* enum sl_component */
    uint32_t tag_bits, integer, first_counts;
    uint64_t rate;
    /* Hot path table: */
    uint32_t most;                        /* largest value of a counter */
    uint32_t turn, by_start, replacement; /* enum sl_hpt_replacement */
};

struct sl_bank_report {
    uint64_t first; /* index in `found` */
    uint32_t n, drops;
    uint32_t held; /* entries of an interval table whose count is not 0 */
    uint32_t full; /* the list was too small for all of them */
};

/* An event with the tuple, and a count: of a candidate, of an entry (0: empty), or of a message,
 * which is sent at that event. */
struct sl_bank_found {
    uint32_t event, count;
};

struct sl_bank_reports {
    struct sl_bank_report *report; /* one per interval; a single one for the other kinds */
    struct sl_bank_found *found;
    size_t n, n_found;
};

/* The library exports it under the name sl_bank. */
struct sl_bank {
    uint32_t version;
    /* Returns 0 and a description of the GPU ("H200, 132 multiprocessors"), or -1 and the reason
     * why there is none. */
    int (*describe)(char *words, size_t capacity);
    /* Runs all tables over the stream. Returns 0, or -1 with a message in `why`; free `out` in
     * either case. */
    int (*run)(const struct sl_bank_stream *stream, const struct sl_bank_config *table, size_t n,
               struct sl_bank_reports *out, char *why, size_t capacity);
};

#endif
