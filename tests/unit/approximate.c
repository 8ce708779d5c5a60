/* SPDX-License-Identifier: MIT */
/* Unit tests of the approximate counters morris and fpc. After each event, the counters are
 * compared with a plain implementation. Counting several events at once must give the same
 * distribution of counts as counting them one by one, and counters that have reached their maximum
 * must stay there. */
#include "draws.h"
#include "random.h"
#include "support/counter_trials.h"
#include "tap.h"

/* ---- the definition ---- */

/* A table of counters, each draw made with the register. */
struct plain {
    const struct sl_approximate_config *config;
    struct sl_draws draws; /* for its generator */
    uint64_t *state;
    uint32_t *value;
};

static struct plain plain_open(const struct sl_approximate_config *c)
{
    size_t n = c->counters * c->group;
    struct sl_draws_config draws = {&sl_lfsrs[c->lfsr], c->base,
                                    (unsigned)(c->top >> c->mantissa) + 1, c->steps, c->seed};
    struct plain p = {.config = c, .state = calloc(n, 8), .value = calloc(n, 4)};
    sl_draws_init(&p.draws, &draws, calloc(1, sl_draws_bytes(&draws)));
    for (size_t i = 0; i < n; i++)
        p.state[i] = sl_lfsr_begin(draws.lfsr, sl_random_next(&p.draws.random));
    return p;
}

static void plain_close(struct plain *p)
{
    free(p->state);
    free(p->value);
    free(p->draws.jumps);
}

static void plain_event(struct plain *p, size_t counter)
{
    const struct sl_approximate_config *c = p->config;
    const struct sl_lfsr *l = &sl_lfsrs[c->lfsr];
    uint32_t *value = &p->value[counter];
    unsigned level = *value >> c->mantissa;
    if (*value == c->top)
        return;
    unsigned steps = c->steps == SL_STEPS_ALL ? l->width : c->steps == SL_STEPS_X ? level : 1;
    uint64_t number = 0;
    for (unsigned i = 0; i < l->width; i++)
        number = 2 * number + (p->state[counter] >> i & 1);
    bool success = !level || number < p->draws.chance[level];
    if (level)
        p->state[counter] = sl_lfsr_move(l, p->state[counter], steps);
    *value += success;
}

static void plain_skip(struct plain *p, size_t counter, uint64_t weight)
{
    const struct sl_approximate_config *c = p->config;
    uint32_t *value = &p->value[counter];
    while (weight && *value < c->top) {
        unsigned level = *value >> c->mantissa;
        uint64_t gap = level ? sl_draws_gap(&p->draws, level) : 1;
        *value += gap <= weight;
        weight -= gap < weight ? gap : weight;
    }
    p->state[counter] = sl_lfsr_begin(&sl_lfsrs[c->lfsr], sl_random_next(&p->draws.random));
}

static void plain_count(struct plain *p, uint32_t tuple_id, uint64_t weight)
{
    size_t from = tuple_id * p->config->group;
    bool full = true;
    for (size_t i = from; i < from + p->config->group; i++)
        full = full && p->value[i] == p->config->top;
    for (size_t i = from; i < from + p->config->group && !full; i++)
        if (weight > SL_APPROXIMATE_SKIP_ABOVE)
            plain_skip(p, i, weight);
        else
            for (uint64_t n = 0; n < weight; n++)
                plain_event(p, i);
}

static bool same_values(const struct trials *t, const struct plain *p)
{
    uint32_t value[SL_APPROXIMATE_GROUP_MAX];
    for (uint32_t i = 0; i < t->n; i++) {
        sl_approximate_values(t->state, i, value);
        if (memcmp(value, p->value + i * t->config->group, t->config->group * sizeof *value))
            return false;
    }
    return true;
}

/* One table by steps, one by batches, one plainly; compared now and then. */
static void definition(const char *spec)
{
    enum { BATCH = 500 };
    struct trials steps = trials_open(spec), batches = trials_open(spec);
    struct plain plain = plain_open(steps.config);
    struct sl_tuple_names names = {steps.pc, NULL, steps.n};
    uint64_t random = 3, total = 0;
    bool same = true;
    for (unsigned round = 0; round < 60; round++) {
        uint32_t tuple_id[BATCH];
        uint64_t weight[BATCH];
        struct sl_batch batch = {BATCH,  tuple_id, NULL, round % 4 ? weight : NULL,
                                 &names, NULL,     0,    NULL};
        for (size_t i = 0; i < BATCH; i++) {
            uint64_t r = sl_random_next(&random);
            tuple_id[i] = (uint32_t)(r >> 32) % steps.n;
            weight[i] = !batch.weight   ? 1
                        : r % 4001 == 0 ? SL_APPROXIMATE_SKIP_ABOVE + 1 + r % 1000
                        : r % 301 == 0  ? r % 3000
                                        : r % 12;
            struct sl_event event = {
                tuple_id[i], {steps.pc[tuple_id[i]], 0}, weight[i], NULL, 0, 0};
            steps.kind->step(steps.state, &event);
            plain_count(&plain, tuple_id[i], weight[i]);
            total += weight[i];
        }
        batches.kind->observe(batches.state, &batch);
        if (round % 7 == 0)
            same = same && same_values(&steps, &plain) && same_values(&batches, &plain);
    }
    same = same && same_values(&steps, &plain) && same_values(&batches, &plain);
    struct sl_table_status s, b;
    sl_table_status_kind(steps.kind, steps.state, &s);
    sl_table_status_kind(batches.kind, batches.state, &b);
    ok(same, "%s: steps and batches are draw by draw", spec);
    ok(s.events == 60 * BATCH && s.weight == total && b.events == s.events &&
           b.weight == s.weight && !s.drops,
       "%s: events and weight are counted", spec);
    plain_close(&plain);
    trials_close(&steps);
    trials_close(&batches);
}

/* ---- distributions ---- */

/* How often each value is held, by the first counter of each group. */
static void histogram(const struct trials *t, double *count, size_t n)
{
    memset(count, 0, n * sizeof *count);
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t value[SL_APPROXIMATE_GROUP_MAX];
        sl_approximate_values(t->state, i, value);
        count[value[0] < n ? value[0] : n - 1]++;
    }
}

/* Chi-square of two samples of the same size, over its degrees of freedom and in standard
 * deviations of it. Rare values are put together. */
static double difference(const struct trials *one, const struct trials *other)
{
    enum { VALUES = 1024 };
    static double a[VALUES], b[VALUES];
    double sum = 0, in_a = 0, in_b = 0;
    unsigned degrees = 0;
    histogram(one, a, VALUES);
    histogram(other, b, VALUES);
    for (unsigned i = 0; i < VALUES; i++) {
        in_a += a[i];
        in_b += b[i];
        if (in_a + in_b < 20 && i + 1 < VALUES)
            continue;
        if (in_a + in_b > 0) {
            sum += (in_a - in_b) * (in_a - in_b) / (in_a + in_b);
            degrees++;
        }
        in_a = in_b = 0;
    }
    degrees -= degrees > 1;
    return (sum - degrees) / sqrt(2.0 * degrees);
}

/* 10,000 counters that saw all events draw by draw. */
static void reference(struct trials *t, const char *spec, uint64_t n)
{
    *t = trials_open(spec);
    while (n) {
        uint64_t part = n < SL_APPROXIMATE_SKIP_ABOVE ? n : SL_APPROXIMATE_SKIP_ABOVE;
        trials_add(t, part);
        n -= part;
    }
}

static void skipping(const char *options)
{
    char one[100], other[100];
    const uint64_t n = SL_APPROXIMATE_SKIP_ABOVE + 10000;
    struct trials draws, skips, fewer;
    snprintf(one, sizeof one, "%s,counters=4000)", options);
    snprintf(other, sizeof other, "%s,counters=4000,seed=99)", options);
    reference(&draws, one, n);
    skips = trials_open(other);
    trials_add(&skips, n);
    fewer = trials_open(other);
    trials_add(&fewer, SL_APPROXIMATE_SKIP_ABOVE * UINT64_C(4) / 3);
    double same = difference(&draws, &skips), differ = difference(&draws, &fewer);
    ok(same < 4 && differ > 8,
       "%s): skipped, counters are distributed as drawn (%.1f sigma; a sixth more: %.0f)", options,
       same, differ);
    trials_close(&draws);
    trials_close(&skips);
    trials_close(&fewer);
}

/* ---- ends ---- */

static bool collect(void *context, const struct sl_entry *entry)
{
    *(struct sl_entry *)context = *entry;
    return false;
}

static void ends(const char *spec, uint64_t read)
{
    struct trials t = trials_open(spec);
    struct sl_table_status status;
    struct sl_entry entry = {0};
    sl_table_drain_kind(t.kind, t.state, NULL, collect, &entry);
    sl_table_status_kind(t.kind, t.state, &status);
    ok(!entry.high && !status.distinct && !status.note[0], "%s: without events there is nothing",
       spec);
    uint64_t nothing = 0;
    trials_add(&t, nothing);
    sl_table_status_kind(t.kind, t.state, &status);
    ok(!status.distinct && status.events == t.n, "%s: nor after events that weigh nothing", spec);
    for (unsigned i = 0; i < 8; i++)
        trials_add(&t, UINT64_C(1) << 63);
    sl_table_drain_kind(t.kind, t.state, NULL, collect, &entry);
    sl_table_status_kind(t.kind, t.state, &status);
    ok(entry.count == read && status.distinct == t.n && strstr(status.note, "end of their range"),
       "%s: it stays at the end of its range, %llu, and says so", spec,
       (unsigned long long)entry.count);
    trials_add(&t, 1000);
    sl_table_drain_kind(t.kind, t.state, NULL, collect, &entry);
    ok(entry.count == read, "%s: whatever comes", spec);
    uint32_t beyond = t.n;
    struct sl_event event = {beyond, {7, 0}, 5, NULL, 0, 0};
    t.kind->step(t.state, &event);
    sl_table_status_kind(t.kind, t.state, &status);
    ok(status.drops == 1 && status.drops_weight == 5, "%s: a tuple too many is dropped", spec);
    trials_close(&t);
}

int main(void)
{
    definition("morris(counters=6)");
    definition("morris(counters=3,steps=1)");
    definition("morris(counters=4,steps=x)");
    definition("morris(counters=2,lfsr=16,group=3,bits=4)");
    definition("morris(counters=5,lfsr=32,group=2,base=1.4,bits=5)");
    definition("morris(counters=4,group=2,base=1.05,bits=9,steps=1)");
    definition("fpc(counters=7,lfsr=32)");
    definition("fpc(counters=3,mantissa=14)");
    definition("fpc(counters=3,mantissa=1,exponent=3)");
    skipping("morris(group=1");
    skipping("morris(base=1.3,bits=7,group=1");
    skipping("fpc(mantissa=3");
    ends("morris(counters=8)", UINT64_C(1) << 63);
    ends("morris(bits=7)", UINT64_MAX);
    ends("morris(bits=3,reading=plain)", 128);
    ends("morris(lfsr=16)", 65535);
    ends("fpc(exponent=4,mantissa=3)", (15 << 15) - 8);
    return done_testing();
}
