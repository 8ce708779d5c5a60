/* SPDX-License-Identifier: MIT */
/* Unit tests of the memory limit for the results of interval profilers. The stored results are
 * correct, and omitted results are counted and reported. Long lists of results are moved to a file
 * to save memory, without changing their contents. */
#include <string.h>

#include "session.h"
#include "tap.h"

#define EVENTS 200000u
#define LITTLE \
    (UINT64_C(8) << 20) /* enough for sums to leave memory, and too little for all of them */

static const char *const specs[] = {"value@multihash(interval=1,threshold=100%)"};

static struct sl_session *run(uint64_t memory_bytes, bool exact)
{
    struct sl_session_config config = {.size = sizeof config,
                                       .spec = specs,
                                       .n_specs = 1,
                                       .exact = exact,
                                       .memory_bytes = memory_bytes};
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (sl_session_open(&session, &config, &f) < 0 ||
        sl_source_open(&source, "synth:zipf(events=200000,s=0.5,tuples=50000)", &f) < 0 ||
        sl_session_run(session, source, NULL, NULL, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    sl_source_close(source);
    return session;
}

static const struct sl_intervals *intervals_of(const struct sl_session *session)
{
    return &session->profile[0].table.intervals;
}

static uint64_t sum_of(const struct sl_session *session)
{
    struct sl_profile_list all = {0};
    uint64_t sum = 0;
    if (!sl_profile_list(&session->profile[0], &all))
        abort();
    for (size_t i = 0; i < all.n; i++)
        sum += all.entry[i].count;
    sl_profile_list_free(&all);
    return sum;
}

/* What all that grows takes, in memory and on disk. */
static uint64_t bytes_of(const struct sl_intervals *i)
{
    return i->series.n * sizeof(struct sl_interval_row) +
           i->errors.capacity * sizeof *i->errors.interval +
           (i->sums_capacity + i->on_disk.n) * sizeof *i->sum +
           i->candidates.n * sizeof(struct sl_interval_candidate);
}

/* Every event is a candidate of its interval. */
static bool adds_up(const struct sl_session *session)
{
    struct sl_profile_list said = {0}, exact = {0};
    bool same = sl_profile_list(&session->profile[0], &said) &&
                sl_profile_exact_list(&session->profile[0], &exact) && said.n == exact.n;
    for (size_t i = 0; same && i < said.n; i++)
        same = !sl_tuple_order(said.entry[i].tuple, exact.entry[i].tuple) &&
               said.entry[i].count == exact.entry[i].count;
    sl_profile_list_free(&said);
    sl_profile_list_free(&exact);
    return same;
}

static void compare(bool exact)
{
    struct sl_session *enough = run(UINT64_C(1) << 30, exact), *little = run(LITTLE, exact);
    const struct sl_intervals *all = intervals_of(enough), *some = intervals_of(little);
    const char *how = exact ? "with errors" : "without errors";
    struct sl_table_status status = sl_profile_status(&enough->profile[0]);
    struct sl_interval_row *all_rows = sl_spool_read(&all->series),
                           *some_rows = sl_spool_read(&some->series);
    const size_t n = some->series.n;
    ok(all->series.n == EVENTS && !all->rows_left_out && !all->tuples_left_out &&
           !strstr(status.note, "memory"),
       "%s, enough memory: all intervals are there, and nothing is reported", how);
    status = sl_profile_status(&little->profile[0]);
    ok(n && n < EVENTS && n + some->rows_left_out == EVENTS && strstr(status.note, "memory"),
       "%s, little memory: %zu intervals are, the others are counted, and it is reported", how, n);
    ok(bytes_of(some) <= LITTLE, "%s, little memory: no more was taken", how);
    bool same = some_rows && all_rows;
    for (size_t i = 0; same && i < n; i++)
        same = some_rows[i].number == all_rows[i].number &&
               some_rows[i].candidates == all_rows[i].candidates &&
               some_rows[i].entered == all_rows[i].entered;
    ok(same, "%s, little memory: those that are there are right", how);
    ok(sum_of(little) + some->weight_left_out == sum_of(enough),
       "%s, little memory: what is kept and left out is everything", how);
    if (exact)
        ok(all->on_disk.n && adds_up(enough),
           "what leaves memory and comes back adds up to the exact profile");
    free(all_rows);
    free(some_rows);
    sl_session_close(enough);
    sl_session_close(little);
}

static bool same_rows(const struct sl_intervals *a, const struct sl_intervals *b)
{
    struct sl_interval_row *one = sl_spool_read(&a->series), *other = sl_spool_read(&b->series);
    bool same = one && other && a->series.n == b->series.n;
    for (size_t i = 0; same && i < a->series.n; i++)
        same = one[i].number == other[i].number && one[i].first_event == other[i].first_event &&
               one[i].candidates == other[i].candidates && one[i].entered == other[i].entered &&
               one[i].left == other[i].left;
    free(one);
    free(other);
    return same;
}

static bool same_candidates(const struct sl_intervals *a, const struct sl_intervals *b)
{
    struct sl_interval_candidate *one = sl_spool_read(&a->candidates),
                                 *other = sl_spool_read(&b->candidates);
    size_t n = a->candidates.n;
    bool same = one && other && n == b->candidates.n && !memcmp(one, other, n * sizeof *one);
    free(one);
    free(other);
    return same;
}

static bool same_sums(const struct sl_intervals *a, const struct sl_intervals *b)
{
    size_t n, m;
    struct sl_interval_sum *one = sl_intervals_sums(a, &n), *other = sl_intervals_sums(b, &m);
    bool same = one && other && n == m;
    for (size_t i = 0; same && i < n; i++)
        same = !memcmp(&one[i].entry, &other[i].entry, sizeof one->entry) &&
               one[i].intervals == other[i].intervals && one[i].listed == other[i].listed &&
               sl_intervals_of(other, m, one[i].entry.tuple) == one[i].intervals;
    free(one);
    free(other);
    return same;
}

/* Where no file can be made, it is all in memory. */
static void compare_places(void)
{
    struct sl_session *on_disk = run(UINT64_C(1) << 30, false);
    setenv("TMPDIR", "/nonexistent", 1);
    struct sl_session *in_memory = run(UINT64_C(1) << 30, false);
    unsetenv("TMPDIR");
    const struct sl_intervals *a = intervals_of(on_disk), *b = intervals_of(in_memory);
    size_t taken = a->series.capacity + a->candidates.capacity + a->on_disk.capacity +
                   a->sums_capacity * sizeof *a->sum;
    ok(a->series.file_bytes && a->candidates.file_bytes && a->on_disk.file_bytes &&
           !b->series.file_bytes,
       "long results are on disk, or, where that cannot be, in memory");
    ok(taken < UINT64_C(6) << 20 && bytes_of(a) > UINT64_C(30) << 20,
       "%zu bytes of %zu are in memory", taken, (size_t)bytes_of(a));
    ok(same_rows(a, b), "the intervals are the same");
    ok(same_candidates(a, b), "and the candidates");
    ok(same_sums(a, b), "and what they add up to");
    sl_session_close(on_disk);
    sl_session_close(in_memory);
}

int main(void)
{
    compare_places();
    compare(false);
    compare(true);
    return done_testing();
}
