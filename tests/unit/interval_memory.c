/* Results of intervals are counted against the session's memory: what is kept is right, and what
 * is not is counted and said. */
#include <string.h>

#include "outcome.h"
#include "tap.h"

#define EVENTS 200000u
#define LITTLE (UINT64_C(4) << 20)

static const char *const specs[] = {"value@multihash(interval=1,threshold=100%)"};

static struct sl_session *run(uint64_t memory_bytes, bool exact)
{
    struct sl_session_config config = {.spec = specs, .n_specs = 1, .exact = exact,
                                       .memory_bytes = memory_bytes};
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (sl_session_open(&session, &config, &f) < 0 ||
        sl_source_open(&source, "synth:zipf(events=200000,s=0.5)", &f) < 0 ||
        sl_session_run(session, source, NULL, NULL, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    sl_source_close(source);
    return session;
}

static const struct sl_intervals *intervals_of(const struct sl_session *session)
{
    return &sl_profile_measured(sl_session_profile(session, 0))->intervals;
}

static uint64_t sum_of(const struct sl_session *session)
{
    struct sl_profile_list all = {0};
    uint64_t sum = 0;
    if (!sl_profile_list(sl_session_profile(session, 0), &all))
        abort();
    for (size_t i = 0; i < all.n; i++)
        sum += all.entry[i].count;
    sl_profile_list_free(&all);
    return sum;
}

/* The room of all that grows, which is what it takes. */
static uint64_t bytes_of(const struct sl_intervals *i)
{
    return i->room * sizeof *i->series + i->errors.room * sizeof *i->errors.interval +
           i->room_sums * sizeof *i->sum + i->room_candidates * sizeof *i->candidate;
}

static void compare(bool exact)
{
    struct sl_session *enough = run(UINT64_C(1) << 30, exact), *little = run(LITTLE, exact);
    const struct sl_intervals *all = intervals_of(enough), *some = intervals_of(little);
    const char *how = exact ? "with errors" : "without errors";
    struct sl_table_status status = sl_profile_status(sl_session_profile(enough, 0));
    ok(all->n == EVENTS && !all->rows_left_out && !all->tuples_left_out &&
           !strstr(status.note, "memory"),
       "%s, enough memory: all intervals are there, and nothing is said", how);
    status = sl_profile_status(sl_session_profile(little, 0));
    ok(some->n && some->n < EVENTS && some->n + some->rows_left_out == EVENTS &&
           strstr(status.note, "memory"),
       "%s, little memory: %zu intervals are, the others are counted, and it is said", how, some->n);
    ok(bytes_of(some) <= LITTLE, "%s, little memory: no more was taken", how);
    bool same = true;
    for (size_t i = 0; i < some->n; i++)
        same &= some->series[i].number == all->series[i].number &&
                some->series[i].candidates == all->series[i].candidates &&
                some->series[i].entered == all->series[i].entered;
    ok(same, "%s, little memory: those that are there are right", how);
    ok(sum_of(little) + some->weight_left_out == sum_of(enough),
       "%s, little memory: what is kept and left out is everything", how);
    sl_session_close(enough);
    sl_session_close(little);
}

int main(void)
{
    compare(false);
    compare(true);
    return done_testing();
}
