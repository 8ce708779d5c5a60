/* SPDX-License-Identifier: MIT */
/* What a table that works by intervals reported, put together for the whole run:
 * the series of intervals, their candidates, and each candidate's sum. Where errors
 * are measured, it is by an exact profile of the interval under way (cohort.h).
 *
 * The first two grow with every interval, and sums with tuples that were no candidates before. What
 * is long of it is on disk (spool.h):
 *
 *     memory   sums of those that were candidates lately, a tuple once
 *     disk     sums of others until they had not been for a while; a tuple as often as it came back
 *
 * When the latter are twice as many as their tuples, they are added up, for which all of them are
 * in memory for a moment, as when somebody wants to know them.
 *
 * All of it may grow to `memory_bytes`, wherever it is. Then intervals are no longer
 * in the series and not measured, and tuples that were in none before have no sum: both are
 * counted. What was kept is right. */
#ifndef SL_INTERVALS_H
#define SL_INTERVALS_H

#include <sys/types.h>

#include "index_map.h"
#include "interval_error.h"

/* ---- records on disk ---- */

/* A spool: a list of records of one size that grows during a run and is read after it.
 *
 *     file      | records | records | ... |            without a name; what is written never
 * changes memory                              | records |  at most SL_SPOOL_BYTES
 *
 * A short list is in memory only. If no file can be made or written, the list grows in memory. A
 * forked process reads its parent's file and stores what it adds in memory. */
#define SL_SPOOL_BYTES ((size_t)1 << 20)

/* Zeroed, except for `directory`, before its first use. */
struct sl_spool {
    const char *directory; /* for the file; NULL: any (nameless_file.h) */
    size_t n;              /* records */
    char *tail;            /* the last of them */
    size_t tail_bytes, room;
    uint64_t file_bytes;
    int file;     /* if it has any */
    pid_t owner;  /* of the file */
    bool refused; /* nothing more goes there */
};

/* Appends a record. Returns false if out of memory: the list is unchanged then. */
bool sl_spool_add(struct sl_spool *spool, const void *record, size_t size);

/* All records, in an array for free(3). NULL if out of memory, or if the file cannot be read. */
void *sl_spool_read(const struct sl_spool *spool);

void sl_spool_free(struct sl_spool *spool);

/* ---- intervals ---- */

/* One interval of a table that works by intervals. The errors are NAN where they
 * were not measured. */
struct sl_interval_row {
    uint64_t number, first_event, events, weight, threshold;
    uint64_t candidates, entered, left; /* since the interval before */
    uint64_t drops;
    uint64_t partial; /* a bool: no byte of a row is unset when it goes to disk */
    double error, false_positive, false_negative, neutral_positive, neutral_negative;
};

/* A candidate of an interval. */
struct sl_interval_candidate {
    uint64_t interval;
    struct sl_entry entry;
};

/* Sums of tuples that are kept in memory, at least; a table rarely has more candidates in an
 * interval. */
#define SL_SUMS_IN_MEMORY ((size_t)1 << 14)

struct sl_intervals {
    uint64_t memory_bytes;
    uint64_t n_intervals; /* that ended, in the series or not */
    uint64_t rows_left_out, tuples_left_out, weight_left_out;
    uint64_t candidates_before; /* of the interval before */
    struct sl_index_map tuples; /* to a place in `sum` */
    struct sl_interval_sum {
        struct sl_entry entry;
        uint64_t intervals, last; /* how many it was a candidate in, and the last of them */
        uint64_t listed;          /* the sum of unlisted_high over these */
    } * sum;
    size_t room_sums, settle_at; /* so many in memory */
    struct sl_spool settled;     /* of struct sl_interval_sum */
    size_t add_up_at;            /* so many there */
    uint64_t left_out_high;      /* of tuples of the interval under way that have no sum any more */
    uint64_t unlisted_high;      /* of all intervals so far */
    struct sl_spool series;      /* of struct sl_interval_row */
    struct sl_spool candidates;  /* of struct sl_interval_candidate: by interval, heaviest first */
    size_t candidates_max;
    struct sl_interval_candidate *now; /* those of an interval, while they are sorted */
    size_t n_now, room_now;
    uint64_t drops; /* of all intervals */
    struct {
        uint64_t events, entered; /* candidates */
        uint64_t foretold; /* events of candidates that were so in the interval before, too */
    } later;               /* behind the first interval */
    /* Measuring: */
    const struct sl_names *names; /* of the batch under way; NULL: nothing is measured */
    struct sl_interval_exact *exact;
    struct sl_interval_errors errors;
    bool out_of_memory;
    /* Told of each interval, first; NULL: nobody is. */
    void (*watch)(void *context, const struct sl_interval *interval);
    void *watch_context;
};

static inline uint64_t sl_saturating(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* As sl_table_host.interval, `intervals` being the context. */
void sl_intervals_add(void *intervals, const struct sl_interval *interval);

/* Gives each candidate's sum over the run: of the intervals in which it was one. The
 * bounds are of the whole run: in the others it may have been, unlisted. False without memory. */
bool sl_intervals_each(const struct sl_intervals *intervals,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* Says what was left out, if anything was, in a text of `room` bytes. */
void sl_intervals_note(const struct sl_intervals *intervals, char *out, size_t room);

/* Whether there may be so many bytes more. */
bool sl_intervals_may_take(const struct sl_intervals *intervals, uint64_t bytes);

/* An interval has ended: sums of what was no candidate in it leave memory, when there are many. */
void sl_intervals_settle(struct sl_intervals *intervals, uint64_t number);

/* The sums, in the order of their tuples, to be freed. NULL without memory. */
struct sl_interval_sum *sl_intervals_sums(const struct sl_intervals *intervals, size_t *n);

/* In how many intervals the tuple was a candidate, by these. */
uint64_t sl_intervals_of(const struct sl_interval_sum *sums, size_t n, struct sl_tuple tuple);

void sl_intervals_free(struct sl_intervals *intervals);

#endif
