/* SPDX-License-Identifier: MIT */
/* Test helpers that make thousands of independent trials of an approximate counter in one table.
 * Each tuple of the table is one trial and has its own random bits. */
#ifndef SL_TESTS_COUNTER_TRIALS_H
#define SL_TESTS_COUNTER_TRIALS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "approximate.h"

struct trials {
    const struct sl_table_kind *kind;
    struct sl_approximate_config *config;
    void *state;
    uint64_t *pc; /* of tuple i: i + 1 */
    uint32_t n;
};

static inline struct trials trials_open(const char *spec)
{
    struct trials t;
    struct sl_failure f;
    size_t end;
    void *config;
    if (sl_table_parse(&t.kind, &config, spec, 0, &end, &f) < 0) {
        printf("# %s: %s\n", spec, f.text);
        abort();
    }
    size_t size = (t.kind->size(config, NULL) + 63) / 64 * 64;
    t.config = config;
    t.state = memset(aligned_alloc(64, size), 0, size);
    t.kind->init(t.state, config, NULL, &f);
    t.n = (uint32_t)t.config->counters;
    t.pc = malloc(t.n * sizeof *t.pc);
    for (uint32_t i = 0; i < t.n; i++)
        t.pc[i] = i + 1;
    return t;
}

static inline void trials_close(struct trials *t)
{
    free(t->config);
    free(t->state);
    free(t->pc);
}

/* The number of events in each trial, all of one weight. */
static inline void trials_add(struct trials *t, uint64_t weight)
{
    struct sl_tuple_names names = {t->pc, NULL, t->n};
    for (uint32_t i = 0; i < t->n; i++) {
        struct sl_batch batch = {1, &i, NULL, &weight, &names, NULL, 0, NULL};
        t->kind->observe(t->state, &batch);
    }
}

/* Each in several weights of all sizes; what is skipped, at once. */
static inline void trials_add_slowly(struct trials *t, uint64_t weight)
{
    for (uint64_t part = 1; weight; part = part < 10000 ? part * 3 + 1 : UINT64_MAX) {
        uint64_t n = part < weight ? part : weight;
        trials_add(t, n);
        weight -= n;
    }
}

/* What the trials say: relative errors of the readings. */
struct verdict {
    double bias, variance, absolute; /* means of e, e^2, |e| */
    double inside;                   /* share within the bounds */
    double error;                    /* standard error of the bias */
};

struct comparison {
    struct verdict *verdict;
    double truth;
};

static inline bool judge_entry(void *context, const struct sl_entry *entry)
{
    struct comparison *j = context;
    double e = (double)entry->count / j->truth - 1;
    j->verdict->bias += e;
    j->verdict->variance += e * e;
    j->verdict->absolute += fabs(e);
    j->verdict->inside += (double)entry->low <= j->truth && j->truth <= (double)entry->high;
    return true;
}

static inline struct verdict trials_judge(const struct trials *t, double truth)
{
    struct verdict v = {0};
    struct comparison j = {.verdict = &v, .truth = truth};
    sl_table_drain_kind(t->kind, t->state, NULL, judge_entry, &j);
    v.bias /= t->n;
    v.variance /= t->n;
    v.absolute /= t->n;
    v.inside /= t->n;
    v.error = sqrt(v.variance / t->n);
    return v;
}

#endif
