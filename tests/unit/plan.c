/* SPDX-License-Identifier: MIT */
/* Unit tests of execution plans, which determine how a table gets its events. A session that
 * selects its own plans must give the same table contents as a session with --exact, which
 * processes every block. The streams are random walks of several threads, with signals, jumps out
 * of procedures and gaps. */

#include "../support/walk_stream.h"
#include "session.h"
#include "tap.h"

/* With the plan that each one must get. The first comes with `context`, the second does not. */
static const struct {
    const char *spec;
    enum sl_plan plan, alone;
} wanted[] = {
    {"edge", SL_PLAN_PAIR_TOTALS, SL_PLAN_PAIR_TOTALS},
    {"edge:instructions", SL_PLAN_EVENTS, SL_PLAN_EVENTS},
    {"call", SL_PLAN_PAIR_TOTALS, SL_PLAN_PAIR_TOTALS},
    {"block", SL_PLAN_PAIR_TOTALS, SL_PLAN_PAIR_TOTALS},
    {"block:instructions", SL_PLAN_PAIR_TOTALS, SL_PLAN_PAIR_TOTALS},
    {"function", SL_PLAN_DERIVED, SL_PLAN_EXIT_TOTALS},
    {"function(depth=3)", SL_PLAN_EXIT_TOTALS, SL_PLAN_EXIT_TOTALS},
    {"function:count", SL_PLAN_EXIT_TOTALS, SL_PLAN_EXIT_TOTALS},
    {"function(inclusive=1)", SL_PLAN_EXIT_TOTALS, SL_PLAN_EXIT_TOTALS},
    {"function(tail=0)", SL_PLAN_EVENTS, SL_PLAN_EVENTS},
    {"function(repair=0)@hpt(8x2)", SL_PLAN_EXITS, SL_PLAN_EXITS},
    {"loop", SL_PLAN_EXITS, SL_PLAN_EXITS},
    {"loop(entries=1):count", SL_PLAN_EXITS, SL_PLAN_EXITS},
    {"path", SL_PLAN_NGRAMS, SL_PLAN_NGRAMS},
    {"path(kind=loop)@hpt(64x4)", SL_PLAN_NGRAMS, SL_PLAN_NGRAMS},
    {"path:instructions", SL_PLAN_EVENTS, SL_PLAN_EVENTS},
    {"edge+call", SL_PLAN_EVENTS, SL_PLAN_EVENTS},
    {"context", SL_PLAN_EXIT_TOTALS, SL_PLAN_EXIT_TOTALS},
};
#define N_WANTED (sizeof wanted / sizeof *wanted)

static struct sl_failure f;

static void must(int result)
{
    if (result >= 0)
        return;
    printf("# gives up: %s\n", f.text);
    exit(1);
}

/* ---- sessions ---- */

/* Runs the first n specs. */
static struct sl_session *run(struct stream *s, size_t n, bool exact)
{
    const char *spec[N_WANTED];
    struct sl_session_config config = {
        .size = sizeof config, .spec = spec, .n_specs = n, .exact = exact, .threads = 1};
    struct sl_session *session;
    for (size_t i = 0; i < n; i++)
        spec[i] = wanted[i].spec;
    must(sl_session_open(&session, &config, &f));
    must(sl_session_run(session, &s->source, NULL, NULL, &f));
    return session;
}

static bool same_lists(const struct sl_profile_list *a, const struct sl_profile_list *b)
{
    bool same = a->n == b->n && a->sum == b->sum;
    for (size_t i = 0; same && i < a->n; i++)
        same = !sl_tuple_order(a->entry[i].tuple, b->entry[i].tuple) &&
               a->entry[i].count == b->entry[i].count;
    return same;
}

/* The same tuples with the same counts, as many events, of the same weight. */
static bool same_profiles(const struct sl_profile *a, const struct sl_profile *b, size_t *entries)
{
    struct sl_profile_list list[2] = {{0}};
    bool same = sl_profile_list(a, &list[0]) && sl_profile_list(b, &list[1]) &&
                same_lists(&list[0], &list[1]) && sl_profile_weight(a) == sl_profile_weight(b) &&
                sl_profile_total_weight(a) == sl_profile_total_weight(b) &&
                a->group->detectors.member[0].events == b->group->detectors.member[0].events;
    *entries += list[0].n;
    sl_profile_list_free(&list[0]);
    sl_profile_list_free(&list[1]);
    return same;
}

/* The first n specs of one stream; adds the equal entries by plan. False if a profile differs. */
static bool compare(uint64_t seed, size_t n, size_t entries[SL_PLANS])
{
    struct stream *stream[2] = {stream_new(seed), stream_new(seed)};
    struct sl_session *planned = run(stream[0], n, false), *plain = run(stream[1], n, true);
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        const struct sl_profile *a = &planned->profile[i];
        const struct sl_profile *b = &plain->profile[i];
        enum sl_plan plan = n == N_WANTED ? wanted[i].plan : wanted[i].alone;
        bool equal = a->group->plan == plan && b->group->plan == SL_PLAN_EVENTS &&
                     same_profiles(a, b, &entries[plan]);
        if (!equal)
            printf("# seed %llu: %s, plan %d and not %d, or it differs\n", (unsigned long long)seed,
                   wanted[i].spec, a->group->plan, plan);
        same = same && equal;
    }
    sl_session_close(planned);
    sl_session_close(plain);
    stream_free(stream[0]);
    stream_free(stream[1]);
    return same;
}

int main(void)
{
    size_t entries[SL_PLANS] = {0};
    bool all = true, alone = true, covered = true;
    for (uint64_t seed = 1; seed <= 9; seed++) {
        all = compare(seed, N_WANTED, entries) && all;
        alone = compare(seed, N_WANTED - 1, entries) && alone;
    }
    for (int plan = 0; plan < SL_PLANS; plan++) {
        printf("# plan %d: %zu entries\n", plan, entries[plan]);
        covered = covered && entries[plan] > 50;
    }
    ok(all, "with context: each profile has its plan, and the table of SL_PLAN_EVENTS");
    ok(alone, "without context, from which function is derived, too");
    ok(covered, "every plan was compared");
    return done_testing();
}
