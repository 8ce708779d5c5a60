/* What a table that works by intervals reported, put together for the whole run:
 * the series of intervals, their candidates, and each candidate's sum. Where errors
 * are measured, it is by an exact profile of the interval under way (cohort.h).
 *
 * All of this grows with the run, and may grow to `memory_bytes`. Then intervals are no longer
 * in the series and not measured, and tuples that were in none before have no sum: both are
 * counted. What was kept is right. */
#ifndef SL_INTERVALS_H
#define SL_INTERVALS_H

#include "index_map.h"
#include "interval_error.h"
#include "interval_exact.h"

/* One interval of a table that works by intervals. The errors are NAN where they
 * were not measured. */
struct sl_interval_row {
    uint64_t number, first_event, events, weight, threshold;
    uint64_t candidates, entered, left; /* since the interval before */
    uint64_t drops;
    bool partial;
    double error, false_positive, false_negative, neutral_positive, neutral_negative;
};

/* A candidate of an interval. */
struct sl_interval_candidate {
    uint64_t interval;
    struct sl_entry entry;
};

struct sl_intervals {
    uint64_t memory_bytes;
    uint64_t n_intervals; /* that ended, in the series or not */
    uint64_t rows_left_out, tuples_left_out, weight_left_out;
    uint64_t candidates_before; /* of the interval before */
    struct sl_index_map tuples; /* to a place in `sum` */
    struct sl_interval_sum {
        struct sl_entry entry;
        uint64_t intervals, last; /* how many it was a candidate in, and the last of them */
        uint64_t listed; /* the sum of unlisted_high over these */
    } *sum;
    size_t room_sums;
    uint64_t unlisted_high; /* of all intervals so far */
    struct sl_interval_row *series;
    size_t n, room;
    struct sl_interval_candidate *candidate;
    size_t n_candidates, room_candidates, candidates_max;
    /* Measuring: */
    const struct sl_names *names; /* of the batch under way; NULL: nothing is measured */
    struct sl_interval_exact *exact;
    struct sl_interval_errors errors;
    bool out_of_memory;
    /* Told of each interval, first; NULL: nobody is. */
    void (*watch)(void *context, const struct sl_interval *interval);
    void *watch_context;
};

/* As sl_table_host.interval, `intervals` being the context. */
void sl_intervals_add(void *intervals, const struct sl_interval *interval);

/* Gives each candidate's sum over the run: of the intervals in which it was one. The
 * bounds are of the whole run: in the others it may have been, unlisted. */
void sl_intervals_each(const struct sl_intervals *intervals,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* Says what was left out, if anything was, in a text of `room` bytes. */
void sl_intervals_note(const struct sl_intervals *intervals, char *out, size_t room);

/* In how many intervals the tuple was a candidate. */
uint64_t sl_intervals_of(const struct sl_intervals *intervals, struct sl_tuple tuple);

void sl_intervals_free(struct sl_intervals *intervals);

#endif
