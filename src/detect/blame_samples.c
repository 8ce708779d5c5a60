/* SPDX-License-Identifier: MIT */
/* Applies the sampling rules of hardware profilers (blame_samples.h): selects the instruction that
 * a rule blames for a sampled cycle, and computes the fraction of samples for which the rule blames
 * a wrong instruction. */
#include "blame_samples.h"

#include <math.h>
#include <stdlib.h>

#include "grow.h"
#include "hash.h"

/* ---- when samples are taken ---- */

/* The cycle of sample n, which is in period n. */
static uint64_t cycle_of(const struct sl_blame_config *c, uint64_t n)
{
    uint64_t offset = c->seed ? sl_mix_pair(c->seed, n) % c->period : c->period - 1;
    return n * c->period + offset + 1;
}

static void advance(const struct sl_blame_samples *s, struct sl_blame_cursor *cursor)
{
    cursor->cycle = cycle_of(&s->config, ++cursor->n);
}

void sl_blame_samples_init(struct sl_blame_samples *s, const struct sl_blame_config *config)
{
    *s = (struct sl_blame_samples){.config = *config};
    s->blamed.cycle = s->evaluated.cycle = cycle_of(config, 0);
}

bool sl_blame_samples_reserve(struct sl_blame_samples *s, size_t n)
{
    return SL_GROW(s->credit, s->credits_capacity, n) &&
           SL_GROW(s->touched, s->touched_capacity, n);
}

/* ---- credit ---- */

static void add_credit(struct sl_blame_samples *s, uint32_t tuple_id, uint64_t credit)
{
    if (!s->active || tuple_id == SL_NO_INDEX)
        return;
    if (s->credit[tuple_id] < SL_BLAME_CYCLE && s->credit[tuple_id] + credit >= SL_BLAME_CYCLE)
        s->touched[s->n_touched++] = tuple_id;
    s->credit[tuple_id] += credit;
}

/* Divides the credit. The first, oldest one gets the remainder. */
static void add_credits(struct sl_blame_samples *s, const uint32_t *tuple_id, uint32_t n,
                        uint64_t credit)
{
    for (uint32_t i = 0; i < n; i++)
        add_credit(s, tuple_id[i], credit / n + (i ? 0 : credit % n));
}

bool sl_blame_samples_next(struct sl_blame_samples *s, uint32_t *tuple_id, uint64_t *cycles)
{
    if (!s->n_touched)
        return false;
    *tuple_id = s->touched[--s->n_touched];
    *cycles = s->credit[*tuple_id] / SL_BLAME_CYCLE;
    s->credit[*tuple_id] %= SL_BLAME_CYCLE;
    return true;
}

/* ---- errors ---- */

static void push(struct sl_blame_samples *s, uint32_t word)
{
    if (s->n_pending == s->pending_capacity) {
        size_t capacity = s->pending_capacity;
        if (!SL_GROW(s->pending, s->pending_capacity, capacity + 1)) {
            s->out_of_memory = true;
            return;
        }
        /* The ring has doubled: the part that had wrapped moves after the old end. */
        for (size_t i = 0; i < s->first_pending; i++)
            s->pending[(capacity + i) % s->pending_capacity] = s->pending[i];
    }
    s->pending[(s->first_pending + s->n_pending++) % s->pending_capacity] = word;
}

static uint32_t pop(struct sl_blame_samples *s)
{
    if (!s->n_pending)
        return SL_NO_INDEX; /* only if out of memory */
    uint32_t word = s->pending[s->first_pending];
    s->first_pending = (s->first_pending + 1) % s->pending_capacity;
    s->n_pending--;
    return word;
}

/* Adds a sample to the statistics. Of n correct instructions, `matches` equal the blamed one. */
static void add_sample(struct sl_blame_samples *s, uint32_t matches, uint32_t n)
{
    if (!s->active)
        return;
    s->samples_counted++;
    s->correct += n ? matches * (SL_BLAME_CYCLE / n) : 0;
}

static uint32_t times_in(uint32_t tuple_id, const uint32_t *correct, uint32_t n)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < n; i++)
        times += correct[i] == tuple_id;
    return times;
}

/* The rule attributes the next sample to `tuple_id`. */
static void blame(struct sl_blame_samples *s, uint32_t tuple_id)
{
    add_credit(s, tuple_id, s->config.period * SL_BLAME_CYCLE);
    if (s->blamed.n < s->evaluated.n) {
        uint32_t n = pop(s), times = 0;
        for (uint32_t i = 0; i < n && s->n_pending; i++)
            times += pop(s) == tuple_id;
        add_sample(s, times, n);
    } else {
        push(s, tuple_id);
    }
    advance(s, &s->blamed);
}

/* Sets the correct instructions of the next sample. */
static void set_correct(struct sl_blame_samples *s, const uint32_t *correct, uint32_t n)
{
    if (s->config.rule == SL_BLAME_PROPORTIONAL) {
        add_credits(s, correct, n, s->config.period * SL_BLAME_CYCLE);
        add_sample(s, n, n);
    } else if (s->evaluated.n < s->blamed.n) {
        add_sample(s, times_in(pop(s), correct, n), n);
    } else {
        push(s, n);
        for (uint32_t i = 0; i < n; i++)
            push(s, correct[i]);
    }
    advance(s, &s->evaluated);
}

/* ---- rules ---- */

static void blame_by_rule(struct sl_blame_samples *s, uint32_t tuple_id, uint64_t dispatched,
                          uint64_t cycle)
{
    bool first = !s->n_group;
    switch (s->config.rule) {
    case SL_BLAME_NEXT:
        while (s->blamed.cycle <= cycle)
            blame(s, tuple_id);
        break;
    case SL_BLAME_LAST:
        while (s->blamed.cycle < cycle)
            blame(s, first ? tuple_id : s->group[s->n_group - 1]);
        break;
    case SL_BLAME_DISPATCH:
        while (s->blamed.cycle <= dispatched)
            blame(s, tuple_id);
        break;
    case SL_BLAME_INTERRUPT:
        while (s->blamed.cycle + s->config.skid <= dispatched)
            blame(s, tuple_id);
        break;
    default:
        break;
    }
}

/* All samples up to cycle `last` have the same correct instruction. */
static void set_correct_until(struct sl_blame_samples *s, uint64_t last, const uint32_t *correct,
                              uint32_t n)
{
    while (s->evaluated.cycle <= last)
        set_correct(s, correct, n);
}

/* Attributes the cycles since the last commit and the cycle of this instruction. */
static void attribute_cycles(struct sl_blame_samples *s, uint32_t tuple_id,
                             const struct sl_commit *c)
{
    uint64_t cycle = s->now + c->after;
    const uint32_t *last = s->n_group ? &s->group[s->n_group - 1] : &tuple_id;
    if (s->config.rule == SL_BLAME_ORACLE) {
        add_credits(s, s->group, s->n_group, SL_BLAME_CYCLE);
        add_credit(s, *last, c->flushed * SL_BLAME_CYCLE);
        add_credit(s, tuple_id, (c->after - 1 - c->flushed) * SL_BLAME_CYCLE);
        return;
    }
    if (s->n_group)
        set_correct_until(s, s->now, s->group, s->n_group);
    set_correct_until(s, s->now + c->flushed, last, 1);
    set_correct_until(s, cycle - 1, &tuple_id, 1);
}

void sl_blame_samples_step(struct sl_blame_samples *s, uint32_t tuple_id, const struct sl_commit *c)
{
    uint64_t cycle = s->now + c->after;
    blame_by_rule(s, tuple_id, cycle - c->early, cycle);
    if (c->after) {
        attribute_cycles(s, tuple_id, c);
        s->n_group = 0;
        s->now = cycle;
    }
    if (s->n_group < SL_BLAME_GROUP)
        s->group[s->n_group++] = tuple_id;
}

double sl_blame_samples_wrong(const struct sl_blame_samples *s)
{
    return s->samples_counted
               ? 1 - (double)s->correct / (double)s->samples_counted / (double)SL_BLAME_CYCLE
               : (double)NAN;
}

void sl_blame_samples_free(struct sl_blame_samples *s)
{
    free(s->pending);
    free(s->credit);
    free(s->touched);
}
