/* SPDX-License-Identifier: MIT */
/* Unit tests of the error curve of a profile, which is its error as a function of the number of
 * events: the positions of the points on the curve, the errors at these points, and the number of
 * messages that the table had sent at each point. */
#include <stdio.h>
#include <stdlib.h>

#include "session.h"
#include "tap.h"

#define EVENTS 200000u
#define EVERY 1000u

static const struct sl_evaluated_table *measured(const struct sl_session *session, size_t which)
{
    return &session->profile[which].table;
}

static struct sl_session *run(uint64_t points)
{
    const char *spec[] = {"value@H[P16]64", "value@exact"};
    struct sl_session_config config = {
        .size = sizeof config, .spec = spec, .n_specs = 2, .every = EVERY, .curve_points = points};
    struct sl_session *session;
    struct sl_source *source;
    struct sl_failure f;
    if (sl_session_open(&session, &config, &f) < 0 ||
        sl_source_open(&source, "synth:zipf(events=200000)", &f) < 0) {
        printf("# %s\n", f.text);
        abort();
    }
    if (sl_session_run(session, source, NULL, NULL, &f) < 0) {
        printf("# %s\n", f.text);
        abort();
    }
    sl_source_close(source);
    return session;
}

/* The first points may be missing: nothing was executed often enough. */
static void evenly(void)
{
    struct sl_session *session = run(0);
    const struct sl_curve *curve = &measured(session, 0)->curve;
    bool even = curve->n > 1;
    for (size_t i = 1; i < curve->n; i++)
        even &= curve->point[i].events - curve->point[i - 1].events == EVERY;
    ok(even && curve->point[curve->n - 1].events == EVENTS,
       "a point after each step of events, and at the end");
    sl_session_close(session);
}

static void sparsely(uint64_t points)
{
    struct sl_session *session = run(points), *all = run(0);
    const struct sl_curve *curve = &measured(session, 0)->curve, *dense = &measured(all, 0)->curve;
    uint64_t widest = 0;
    size_t same = 0;
    bool near = curve->n > 1;
    for (size_t i = 0, j = 0; i < curve->n; i++) {
        const struct sl_curve_point *p = &curve->point[i];
        while (j < dense->n && dense->point[j].events < p->events)
            j++;
        same += j < dense->n && dense->point[j].events == p->events &&
                !(p->error < dense->point[j].error) && !(p->error > dense->point[j].error);
        uint64_t gap = i ? p->events - p[-1].events : EVERY;
        near &= gap <= EVERY || gap <= p->events / points;
        widest = gap > widest ? gap : widest;
    }
    ok(near, "%llu points for a doubling: two are no further apart than that",
       (unsigned long long)points);
    ok(widest >= EVENTS / points / 4 && curve->n < dense->n,
       "%llu points for a doubling: but nearly as far (%llu)", (unsigned long long)points,
       (unsigned long long)widest);
    ok(same == curve->n && curve->point[curve->n - 1].events == EVENTS,
       "%llu points for a doubling: errors are those of the curve with all points",
       (unsigned long long)points);
    sl_session_close(session);
    sl_session_close(all);
}

static void messages(void)
{
    struct sl_session *session = run(16);
    const struct sl_evaluated_table *m = measured(session, 0), *silent = measured(session, 1);
    struct sl_table_status status = sl_profile_status(&session->profile[0]);
    bool grows = m->curve.n > 1;
    for (size_t i = 1; i < m->curve.n; i++)
        grows &= m->curve.point[i].sent >= m->curve.point[i - 1].sent &&
                 m->curve.point[i].sent <= m->curve.point[i].events / 16;
    ok(grows && m->curve.point[m->curve.n - 1].sent == status.messages,
       "messages by each point, at most one of 16 events, and at the end all");
    ok(silent->curve.point[silent->curve.n - 1].sent == 0, "none of a table that sends none");
    ok(m->by_instruction && m->curve.point[m->curve.n - 1].invariance == m->invariance.error,
       "the invariance by each point, too, and at the end that of all");
    sl_session_close(session);
}

int main(void)
{
    evenly();
    sparsely(4);
    sparsely(16);
    messages();
    return done_testing();
}
