/* SPDX-License-Identifier: MIT */
/* The profiling tables of sluice, for use in another program: errors, tuples, events, batches and
 * tables. This file is a part of sluice.h, which documents the conventions (errors, threads).
 * docs/embed.md is the guide. */
#ifndef SLUICE_TABLE_H
#define SLUICE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* exports the declarations of this header only */
#endif

/* ---- errors ---- */

enum sl_error {
    SL_EUSAGE = -1,       /* arguments, options or a spec are wrong */
    SL_ENOTFOUND = -2,    /* the program to run does not exist */
    SL_ENOEXEC = -3,      /* it exists but cannot be executed */
    SL_EUNSUPPORTED = -4, /* its architecture is unknown, or QEMU is missing */
    SL_EFORMAT = -5,      /* a file is damaged or of another format */
    SL_EIO = -6,          /* reading or writing failed */
    SL_ENOMEM = -7,       /* out of memory */
    SL_EKILLED = -8,      /* a signal ended the program before its first instruction */
};

struct sl_failure {
    enum sl_error code;
    /* Name of the configuration member that is wrong, for example "range" of sl_session_config;
     * NULL: none, or several. `text` does not name it, since only the caller knows how its user
     * sets it. */
    const char *setting;
    char text[1024]; /* the message, one line */
};

/* ---- tuples and tables ---- */

/* What a detector counts: an instruction and what it did, for example the value that it loaded or
 * the target of a branch. `value` is 0 for detectors whose tuples have one field. */
struct sl_tuple {
    uint64_t pc, value;
};

/* The first and second fields of tuples, by tuple id. `value` is NULL if each event carries its
 * second field. */
struct sl_tuple_names {
    const uint64_t *pc;
    const uint64_t *value;
    size_t n;
};

#define SL_PARTS 7 /* components of a weight: struct sl_parts */

/* Events in program order. Event i is the tuple
 *     (names->pc[tuple_id[i]], value ? value[i] : names->value[tuple_id[i]])
 * with the weight (weight ? weight[i] : 1). */
struct sl_batch {
    size_t n;
    const uint32_t *tuple_id;
    const uint64_t *value;
    const uint64_t *weight;
    const struct sl_tuple_names *names;
    const uint64_t (*part)[SL_PARTS]; /* components of each weight, or NULL */
    uint32_t thread;                  /* of all events of the batch, from 0 */
    const uint64_t *time;             /* cycle of each event, from 1; NULL: unknown */
};

/* A single event. Tables that model hardware read the tuple, `exact` and tables of
 * counters read the tuple id. */
struct sl_event {
    uint32_t tuple_id;
    struct sl_tuple tuple;
    uint64_t weight;
    const uint64_t *part; /* SL_PARTS components of the weight, or NULL */
    uint32_t thread;
    uint64_t time; /* its cycle; 0: unknown */
};

/* An entry of a table. The true count is between `low` and `high`; sl_table_status.bounds says how
 * certain that is. `resident` is the part of `count` that is still in the table and was not sent to
 * software. */
struct sl_entry {
    struct sl_tuple tuple;
    uint64_t count, low, high, resident;
};

enum sl_bounds {
    SL_BOUNDS_NONE,    /* low and high are meaningless */
    SL_BOUNDS_CERTAIN, /* the true count is between them */
    SL_BOUNDS_95,      /* it is between them with a probability of 95 % */
};

/* A queue of a table and its statistics. Times are in cycles, or in events if cycles are unknown
 * (sl_table_status.clocked). */
struct sl_table_queue {
    uint64_t capacity, service;   /* capacity (0: no queue), and service time per element */
    uint64_t arrived, late, lost; /* elements: all; those that waited; those that found it full */
    uint64_t lost_weight;         /* weight of the lost ones */
    uint64_t max_length;          /* largest number of elements at once */
    uint64_t wait, wait_max;      /* waiting time of the late ones: sum and maximum */
};

#define SL_GAPS 65 /* classes of gaps, by powers of two */

/* Statistics of a table. */
struct sl_table_status {
    uint64_t events, weight;      /* observed: number and sum */
    uint64_t drops, drops_weight; /* of those, lost because the table was full */
    uint64_t distinct;            /* tuples that sl_table_drain() would emit */
    uint64_t storage_bits;        /* hardware storage of the present contents */
    enum sl_bounds bounds;
    bool sends;                    /* it sends messages to software, and the following are valid: */
    uint64_t messages, interrupts; /* sent so far; one interrupt per full buffer */
    uint64_t message_weight;       /* sum of the messages' counts */
    uint64_t residue;              /* weight that is in the table and was not sent */
    uint64_t gap_min, gap_median;  /* time between messages; the median to a power of two */
    uint64_t gap[SL_GAPS];         /* [i]: gaps g with 2^(i-1) <= g < 2^i; [0]: gaps of 0 */
    bool clocked;                  /* times are in cycles; false: in events */
    struct sl_table_queue input, output; /* of tuples; of messages */
    uint64_t check_cycles;               /* of software per message, to test for convergence */
    uint64_t converged, filtered;        /* instructions that converged; that are filtered since */
    uint64_t passed, passed_weight;      /* events of the filtered instructions */
    bool failed;                         /* the table is incomplete; `note` says why */
    char note[400];                      /* a warning for the user, or "" */
};

/* A message from a compressor to software: a tuple, the number of events that it denotes, the
 * number of samples in that sum, and the substream that it comes from. */
struct sl_message {
    struct sl_tuple tuple;
    uint64_t count, samples;
    uint32_t stream;
};

/* An interval of an interval table, and its candidates. */
struct sl_interval {
    uint64_t number;      /* 0, 1, 2, ... */
    uint64_t first_event; /* events before it */
    uint64_t events, weight;
    uint64_t drops;     /* promotions that found the accumulator full */
    uint64_t threshold; /* minimum count of a candidate */
    bool partial;       /* cut short by the end of the run */
    const struct sl_entry *entry;
    size_t n_entries;
    uint64_t unlisted_high; /* upper bound of the count of any tuple that is no candidate */
};

/* ---- a table by itself, for embedding ---- */

/* The functions of a program, for tables that count by function. */
struct sl_function_list {
    const uint64_t *start; /* start address of each, in ascending order without duplicates */
    size_t n;
    /* Address ranges of their code, in ascending order and disjoint. Most functions have one, which
     * begins at their start address. */
    const struct sl_function_piece {
        uint64_t start, end; /* end: the first address after it */
        size_t function;     /* index of its function */
    } * piece;
    size_t n_pieces;
    bool stripped; /* the list has only functions that the program exports */
};

/* Components of weights, for tables that store them separately. Energy, for example, is a sum over
 * the instructions of six groups and the stall cycles, each with a fixed energy. */
struct sl_parts {
    uint64_t unit[SL_PARTS]; /* weight of one unit of each component, in 2^-unit_log2, with at least
                              * 20 significant bits */
    unsigned unit_log2;
    /* Weights are rounded to integers: a weight and the sum of its components differ by less than
     * this. 0: not known before the events are. */
    uint64_t slack;
};

/* Resources that a table may use, and its callbacks. All members may be zero. The table refers to
 * what the pointers point to until it is closed. */
struct sl_table_host {
    uint64_t memory_bytes;       /* limit for tables that grow */
    unsigned helpers;            /* threads that it may start; results do not depend on it */
    const char *spill_directory; /* for values beyond memory_bytes (`exact`); NULL: drop them */
    size_t names;                /* static tuples whose hashes may be cached */
    bool distinct_names;         /* two tuple ids never denote the same static tuple */
    /* The program's functions, or NULL. An empty list may be filled later, before the first event
     * in one of its functions. */
    const struct sl_function_list *functions;
    const struct sl_parts *parts; /* components of all weights; NULL: none */
    /* Gets messages, a buffer at a time. NULL: the table adds them up itself. */
    void (*deliver)(void *context, const struct sl_message *message, size_t n);
    /* Called at the end of each interval; `interval` is valid until it returns. */
    void (*interval)(void *context, const struct sl_interval *interval);
    void *context; /* of both */
};

struct sl_table;

/* Returns the memory in bytes of the table with this spec, for example "H[P256]2048+A16" or
 * "multihash(tables=4)". Returns 0 and fills `f` (SL_EUSAGE) if there is no such table. */
size_t sl_table_bytes(const char *spec, const struct sl_table_host *host, struct sl_failure *f);

/* Returns the hardware storage of the table with this spec, in bits. Returns 0 for a table that
 * grows (f->code is 0), and 0 with SL_EUSAGE in f->code if there is no such table. */
uint64_t sl_table_storage(const char *spec, struct sl_failure *f);

/* Initializes a table in `memory`: sl_table_bytes() bytes, zeroed, aligned to 64 bytes, which the
 * caller frees after sl_table_close(). Only `exact`, a compressor without `deliver`, and `leap` and
 * `snoopp` when they get the list of functions allocate more. Returns 0, SL_EUSAGE or SL_ENOMEM. */
int sl_table_place(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                   void *memory, struct sl_failure *f);

/* Opens a table in memory that sl_table_close() frees. Without a `host` (NULL), the table may
 * allocate 64 MiB and has no callbacks. An interval table without an `interval` callback adds up
 * its candidates: sl_table_drain() then emits, for each tuple, its sum over the intervals in which
 * it was a candidate. Returns 0, SL_EUSAGE or SL_ENOMEM. */
int sl_table_open(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                  struct sl_failure *f);

/* Observe one event (one hardware transition), or a batch, which gives the same result faster. A
 * table never fails on an event: it saturates or drops, and counts that in its status. */
void sl_table_step(struct sl_table *table, const struct sl_event *event);
void sl_table_observe(struct sl_table *table, const struct sl_batch *batch);

/* Sends the messages in the buffer and reports the last interval. Call once, after the last event.
 */
void sl_table_finish(struct sl_table *table);

/* Emits every entry, in any order, until `emit` returns false. `names` are those of the batches;
 * NULL is allowed for tables that model hardware. */
void sl_table_drain(const struct sl_table *table, const struct sl_tuple_names *names,
                    bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_table_status(const struct sl_table *table, struct sl_table_status *status);

/* Resets the table to its initial state, with the same seed. Returns 0 or SL_ENOMEM. */
int sl_table_reset(struct sl_table *table, struct sl_failure *f);

/* Frees the table, except for memory that the caller supplied to sl_table_place(). */
void sl_table_close(struct sl_table *table);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
