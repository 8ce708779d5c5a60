/* SPDX-License-Identifier: MIT */
/* Storage of the memoized block timings of the in-order core model (in_order_memo.h): arrays of
 * limited size, and a set of the pipeline states that occurred at the ends of blocks. */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "hash.h"
#include "in_order_memo.h"

#define WORDS_MAX (UINT32_C(1) << 21)
#define FORKS_MAX (UINT32_C(1) << 19)
#define EXITS_MAX (UINT32_C(1) << 18)
#define PENDING_MAX (UINT32_C(1) << 21)

/* Most words that one block adds. */
#define PATH_WORDS_MAX (3 * SL_IN_ORDER_REQUESTS + 4)

static void free_arrays(struct sl_in_order_memos *p)
{
    free(p->word);
    free(p->context);
    free(p->fork);
    free(p->exit);
    free(p->state);
    free(p->pending);
    free(p->entry_word);
    sl_index_free(&p->states);
    sl_index_free(&p->entries);
}

void sl_in_order_free_memos(void *core)
{
    struct sl_in_order *c = core;
    if (c->memos)
        free_arrays(c->memos);
    free(c->memos);
    c->memos = NULL;
}

bool sl_in_order_memos_full(const struct sl_in_order_memos *p)
{
    return p->n_words + PATH_WORDS_MAX > WORDS_MAX ||
           p->n_forks + SL_IN_ORDER_REQUESTS > FORKS_MAX || p->n_exits == EXITS_MAX ||
           p->entries.n_keys >= EXITS_MAX || p->n_pending + 2 * SL_OP_REGISTERS > PENDING_MAX;
}

/* Exits are aligned to cache lines, so that SL_GROW() cannot be used. */
static bool grow_exits(struct sl_in_order_memos *p)
{
    if (p->n_exits < p->exits_capacity)
        return true;
    size_t capacity = p->exits_capacity ? 2 * p->exits_capacity : 1024;
    struct sl_memo_exit *exit = aligned_alloc(sizeof *exit, capacity * sizeof *exit);
    if (!exit)
        return false;
    if (p->exits_capacity)
        memcpy(exit, p->exit, p->exits_capacity * sizeof *exit);
    free(p->exit);
    p->exit = exit;
    p->exits_capacity = capacity;
    return true;
}

bool sl_in_order_memos_reserve(struct sl_in_order_memos *p)
{
    p->n_words += !p->n_words;
    p->n_forks += !p->n_forks;
    p->n_exits += !p->n_exits;
    return SL_GROW(p->word, p->words_capacity, p->n_words + PATH_WORDS_MAX) &&
           SL_GROW(p->context, p->contexts_capacity, p->n_words + PATH_WORDS_MAX) &&
           SL_GROW(p->fork, p->forks_capacity, p->n_forks + SL_IN_ORDER_REQUESTS) &&
           grow_exits(p) && SL_GROW(p->state, p->states_capacity, p->states.n_keys + 2) &&
           SL_GROW(p->pending, p->pending_capacity, p->n_pending + 2 * SL_OP_REGISTERS) &&
           SL_GROW(p->entry_word, p->entries_capacity, p->entries.n_keys + 1);
}

bool sl_in_order_memos_prepare(struct sl_in_order *c)
{
    if (!c->memos)
        c->memos = calloc(1, sizeof *c->memos);
    return c->memos && sl_in_order_memos_reserve(c->memos);
}

/* ---- pipeline states ---- */

/* Cycles from now until `cycle`; returns false if they do not fit. */
static bool from_now(const struct sl_in_order *c, uint64_t cycle, uint32_t *left)
{
    uint64_t n = cycle > c->now ? cycle - c->now : 0;
    *left = (uint32_t)n;
    return n <= UINT32_MAX;
}

/* Describes the core's fields as a state, whose registers follow those of all others. */
static bool describe(const struct sl_in_order *c, struct sl_in_order_memos *p,
                     struct sl_in_order_in_flight *s)
{
    bool fits = true;
    *s = (struct sl_in_order_in_flight){.pending_at = p->n_pending};
    memcpy(s->begun, c->begun, sizeof s->begun);
    fits &= from_now(c, c->memory_free, &s->memory_free);
    fits &= from_now(c, c->store_free, &s->store_free);
    for (unsigned i = 0; i < 2; i++)
        fits &= from_now(c, c->unit_free[i], &s->unit_free[i]);
    for (unsigned i = 0; i < SL_OP_NEVER_WRITTEN; i++) {
        if (c->ready[i] <= c->now && c->written[i] <= c->now)
            continue;
        struct sl_in_order_pending *pending = &p->pending[p->n_pending + s->n_pending++];
        *pending = (struct sl_in_order_pending){.reg = (uint16_t)i, .cause = c->cause[i]};
        fits &= from_now(c, c->ready[i], &pending->ready);
        fits &= from_now(c, c->written[i], &pending->written);
        if (!pending->ready)
            pending->cause = 0;
    }
    return fits;
}

static uint64_t hash_of(uint64_t hash, const uint32_t *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = sl_mix(hash ^ word[i]) + i;
    return hash;
}

static bool same_state(const struct sl_in_order_memos *p, const struct sl_in_order_in_flight *a,
                       const struct sl_in_order_in_flight *b)
{
    return !memcmp(a, b, offsetof(struct sl_in_order_in_flight, pending_at)) &&
           !memcmp(p->pending + a->pending_at, p->pending + b->pending_at,
                   a->n_pending * sizeof *p->pending);
}

uint32_t sl_in_order_find_state(const struct sl_in_order *c, struct sl_in_order_memos *p)
{
    struct sl_in_order_in_flight s;
    if (!describe(c, p, &s))
        return 0;
    const uint32_t *word = (const uint32_t *)(p->pending + s.pending_at);
    size_t n_words = s.n_pending * sizeof *p->pending / sizeof *word;
    uint64_t hash[2];
    for (uint64_t i = 0; i < 2; i++)
        hash[i] = hash_of(
            hash_of(i, &s.memory_free,
                    offsetof(struct sl_in_order_in_flight, pending_at) / sizeof *word),
            word, n_words);
    size_t n_known = p->states.n_keys;
    uint32_t number = sl_index_add(&p->states, hash[0], hash[1]);
    if (number == SL_NO_INDEX)
        return 0;
    if (number < n_known)
        return same_state(p, &s, &p->state[number]) ? number + 1 : 0;
    p->state[number] = s;
    p->n_pending += s.n_pending;
    return number + 1;
}

void sl_in_order_restore(struct sl_in_order *c)
{
    struct sl_in_order_memos *p = c->memos;
    if (!p || !p->state_id)
        return;
    const struct sl_in_order_in_flight *s = &p->state[p->state_id - 1];
    const struct sl_in_order_pending *pending = p->pending + s->pending_at;
    memcpy(c->begun, s->begun, sizeof c->begun);
    c->memory_free = c->now + s->memory_free;
    c->store_free = c->now + s->store_free;
    for (unsigned i = 0; i < 2; i++)
        c->unit_free[i] = c->now + s->unit_free[i];
    memset(c->ready, 0, sizeof c->ready);
    memset(c->written, 0, sizeof c->written);
    for (uint32_t i = 0; i < s->n_pending; i++) {
        unsigned reg = pending[i].reg;
        c->ready[reg] = c->now + pending[i].ready;
        c->written[reg] = c->now + pending[i].written;
        c->cause[reg] = (uint8_t)pending[i].cause;
    }
    p->state_id = p->last_exit = 0;
}
