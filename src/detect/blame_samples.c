/* SPDX-License-Identifier: MIT */
/* Sampling rules of hardware profilers, and their errors (blame_samples.h). */
#include "blame_samples.h"

#include <math.h>
#include <stdlib.h>

#include "grow.h"
#include "hash.h"

/* ---- when samples are taken ---- */

/* The cycle of sample n, which is in period n. */
static uint64_t cycle_of(const struct sl_blame_config *c, uint64_t n)
{
    uint64_t place = c->seed ? sl_mix_pair(c->seed, n) % c->period : c->period - 1;
    return n * c->period + place + 1;
}

static void advance(const struct sl_blame_samples *s, struct sl_blame_cursor *cursor)
{
    cursor->cycle = cycle_of(&s->config, ++cursor->n);
}

void sl_blame_samples_init(struct sl_blame_samples *s, const struct sl_blame_config *config)
{
    *s = (struct sl_blame_samples){.config = *config};
    s->blamed.cycle = s->judged.cycle = cycle_of(config, 0);
}

bool sl_blame_samples_room(struct sl_blame_samples *s, size_t n)
{
    return SL_GROW(s->credit, s->credits_capacity, n) &&
           SL_GROW(s->touched, s->touched_capacity, n);
}

/* ---- credit ---- */

static void give(struct sl_blame_samples *s, uint32_t number, uint64_t credit)
{
    if (!s->active || number == SL_NO_INDEX)
        return;
    if (s->credit[number] < SL_BLAME_CYCLE && s->credit[number] + credit >= SL_BLAME_CYCLE)
        s->touched[s->n_touched++] = number;
    s->credit[number] += credit;
}

/* The oldest gets the remainder. */
static void give_all(struct sl_blame_samples *s, const uint32_t *number, uint32_t n,
                     uint64_t credit)
{
    for (uint32_t i = 0; i < n; i++)
        give(s, number[i], credit / n + (i ? 0 : credit % n));
}

bool sl_blame_samples_take(struct sl_blame_samples *s, uint32_t *number, uint64_t *cycles)
{
    if (!s->n_touched)
        return false;
    *number = s->touched[--s->n_touched];
    *cycles = s->credit[*number] / SL_BLAME_CYCLE;
    s->credit[*number] %= SL_BLAME_CYCLE;
    return true;
}

/* ---- errors ---- */

static void push(struct sl_blame_samples *s, uint32_t word)
{
    if (s->n_waiting == s->waiting_capacity) {
        size_t capacity = s->waiting_capacity;
        if (!SL_GROW(s->waiting, s->waiting_capacity, capacity + 1)) {
            s->out_of_memory = true;
            return;
        }
        /* The ring has doubled: the part that had wrapped moves behind the old end. */
        for (size_t i = 0; i < s->first_waiting; i++)
            s->waiting[(capacity + i) % s->waiting_capacity] = s->waiting[i];
    }
    s->waiting[(s->first_waiting + s->n_waiting++) % s->waiting_capacity] = word;
}

static uint32_t pop(struct sl_blame_samples *s)
{
    if (!s->n_waiting)
        return SL_NO_INDEX; /* only if out of memory */
    uint32_t word = s->waiting[s->first_waiting];
    s->first_waiting = (s->first_waiting + 1) % s->waiting_capacity;
    s->n_waiting--;
    return word;
}

/* Adds a sample: of n correct instructions, `share` equal the blamed one. */
static void judge(struct sl_blame_samples *s, uint32_t share, uint32_t n)
{
    if (!s->active)
        return;
    s->taken++;
    s->right += n ? share * (SL_BLAME_CYCLE / n) : 0;
}

static uint32_t times_in(uint32_t number, const uint32_t *right, uint32_t n)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < n; i++)
        times += right[i] == number;
    return times;
}

/* The rule blames `number` for the next sample. */
static void blame(struct sl_blame_samples *s, uint32_t number)
{
    give(s, number, s->config.period * SL_BLAME_CYCLE);
    if (s->blamed.n < s->judged.n) {
        uint32_t n = pop(s), times = 0;
        for (uint32_t i = 0; i < n && s->n_waiting; i++)
            times += pop(s) == number;
        judge(s, times, n);
    } else {
        push(s, number);
    }
    advance(s, &s->blamed);
}

/* Sets the correct instructions of the next sample. */
static void find_right(struct sl_blame_samples *s, const uint32_t *right, uint32_t n)
{
    if (s->config.rule == SL_BLAME_PROPORTIONAL) {
        give_all(s, right, n, s->config.period * SL_BLAME_CYCLE);
        judge(s, n, n);
    } else if (s->judged.n < s->blamed.n) {
        judge(s, times_in(pop(s), right, n), n);
    } else {
        push(s, n);
        for (uint32_t i = 0; i < n; i++)
            push(s, right[i]);
    }
    advance(s, &s->judged);
}

/* ---- rules ---- */

static void blame_by_rule(struct sl_blame_samples *s, uint32_t number, uint64_t dispatched,
                          uint64_t cycle)
{
    bool first = !s->n_group;
    switch (s->config.rule) {
    case SL_BLAME_NEXT:
        while (s->blamed.cycle <= cycle)
            blame(s, number);
        break;
    case SL_BLAME_LAST:
        while (s->blamed.cycle < cycle)
            blame(s, first ? number : s->group[s->n_group - 1]);
        break;
    case SL_BLAME_DISPATCH:
        while (s->blamed.cycle <= dispatched)
            blame(s, number);
        break;
    case SL_BLAME_INTERRUPT:
        while (s->blamed.cycle + s->config.skid <= dispatched)
            blame(s, number);
        break;
    default:
        break;
    }
}

/* All samples up to cycle `last` have the same correct instruction. */
static void find_right_until(struct sl_blame_samples *s, uint64_t last, const uint32_t *right,
                             uint32_t n)
{
    while (s->judged.cycle <= last)
        find_right(s, right, n);
}

/* The cycles since the last commit, and that of this instruction. */
static void close_cycles(struct sl_blame_samples *s, uint32_t number, const struct sl_commit *c)
{
    uint64_t cycle = s->now + c->after;
    const uint32_t *last = s->n_group ? &s->group[s->n_group - 1] : &number;
    if (s->config.rule == SL_BLAME_ORACLE) {
        give_all(s, s->group, s->n_group, SL_BLAME_CYCLE);
        give(s, *last, c->flushed * SL_BLAME_CYCLE);
        give(s, number, (c->after - 1 - c->flushed) * SL_BLAME_CYCLE);
        return;
    }
    if (s->n_group)
        find_right_until(s, s->now, s->group, s->n_group);
    find_right_until(s, s->now + c->flushed, last, 1);
    find_right_until(s, cycle - 1, &number, 1);
}

void sl_blame_samples_step(struct sl_blame_samples *s, uint32_t number, const struct sl_commit *c)
{
    uint64_t cycle = s->now + c->after;
    blame_by_rule(s, number, cycle - c->early, cycle);
    if (c->after) {
        close_cycles(s, number, c);
        s->n_group = 0;
        s->now = cycle;
    }
    if (s->n_group < SL_BLAME_GROUP)
        s->group[s->n_group++] = number;
}

uint64_t sl_blame_samples_taken(const struct sl_blame_samples *s)
{
    return s->taken;
}

double sl_blame_samples_wrong(const struct sl_blame_samples *s)
{
    return s->taken ? 1 - (double)s->right / (double)s->taken / (double)SL_BLAME_CYCLE
                    : (double)NAN;
}

void sl_blame_samples_free(struct sl_blame_samples *s)
{
    free(s->waiting);
    free(s->credit);
    free(s->touched);
}
