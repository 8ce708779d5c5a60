/* SPDX-License-Identifier: MIT */
/* Main loops of the detector `path`: one processes block by block; the other processes eight blocks
 * at once (ngrams.h), and is used if every path has the weight 1.
 *
 * The entry on top of the path stack is held in registers (struct cursor). The most common branches
 * change only that. For all others the cursor is stored, the stack is changed (path.h), and
 * the cursor is loaded again. */
#include <stdlib.h>
#include <string.h>

#include "block_pairs.h"
#include "failure.h"
#include "path.h"

/* A branch finishes at most two paths: one at its maximum length, and the one that it ends. */
_Static_assert(SL_EVENTS_MAX > 2 * SL_CHUNK_BLOCKS, "the paths of a chunk fit");

/* ---- block by block ---- */

/* The meaning of an uncommon transfer. The stack follows signal handlers that begin or end. */
static __attribute__((noinline)) uint32_t look(struct sl_path *p, struct sl_path_thread *t,
                                               uint32_t next)
{
    uint32_t word = sl_flow_step_slow(&p->flow, &t->flow, next);
    if (t->flow.signal == SL_FLOW_BEGAN)
        sl_path_stack_interrupt(&t->stack, next);
    else if (t->flow.signal == SL_FLOW_ENDED)
        sl_path_stack_resume(&t->stack, t->flow.n_interrupted);
    t->flow.signal = SL_FLOW_NO_SIGNAL;
    return word;
}

/* The position of a thread, and the entry on top of its stack. */
struct cursor {
    uint32_t block, from;
    uint64_t since, current_weight;
    uint64_t start, trail; /* the two parts of sl_path_entry.path */
    uint64_t events;
    uint64_t trail_max; /* 0: no entry */
};

static inline void load(const struct sl_path *p, const struct sl_path_stack *s, bool weighed,
                        struct cursor *c)
{
    c->from = s->from;
    c->trail_max = 0;
    if (weighed)
        c->since = s->since;
    if (sl_path_stack_empty(s))
        return;
    const struct sl_path_entry *e = sl_path_stack_top(s);
    c->start = e->path & ~SL_PATH_TRAIL;
    c->trail = e->path & SL_PATH_TRAIL;
    if (weighed)
        c->events = e->events;
    c->trail_max = p->rules.trail_max;
}

static inline void store(struct sl_path_stack *s, bool weighed, const struct cursor *c)
{
    s->from = c->from;
    if (weighed)
        s->since = c->since;
    if (!c->trail_max)
        return;
    struct sl_path_entry *e = sl_path_stack_top(s);
    e->path = c->start | c->trail;
    if (weighed)
        e->events = c->events;
}

/* The most common branches: update, or update and replace. */
static inline size_t update_top(const struct sl_path *p, struct cursor *c, uint32_t word,
                                uint32_t next, bool weighed, const struct sl_path_outlet *out,
                                size_t n)
{
    c->block = c->from = next;
    c->trail = 2 * c->trail + (word & SL_TURN_TAKEN);
    if (weighed) {
        c->events = sl_path_sum(&p->rules, c->events, c->since);
        c->since = 0;
    }
    if (word & SL_TURN_POP) {
        n = sl_path_put(out, n, c->start | c->trail, c->events, weighed);
        c->start = (uint64_t)next << SL_PATH_TRAIL_BITS;
        c->trail = 1;
        c->events = 0;
    }
    return n;
}

/* Follows the blocks of the slice from `i` to `high`. Sets `operations` of each block if it is not
 * NULL. Returns the number of finished paths, n of them from before. */
static inline __attribute__((always_inline)) size_t
follow_blocks(struct sl_path *p, struct sl_path_thread *t, struct cursor *at,
              const struct sl_slice *slice, uint32_t i, uint32_t high, bool weighed,
              uint8_t *operations, struct sl_path_outlet *out, size_t n)
{
    const uint64_t *weight = slice->active ? slice->block_weight : NULL;
    const uint32_t *block = slice->chunk->block;
    /* Copies, so that the compiler knows that no store changes them; only sync does. */
    const struct sl_flow_successors *const successors = p->flow.successors;
    const size_t n_successors = p->flow.n_blocks;
    struct cursor c = *at;
    for (; i < high; i++) {
        uint32_t next = block[i];
        uint32_t word = sl_flow_cached(successors, n_successors, c.block, next);
        if (weighed) {
            c.since += c.current_weight;
            c.current_weight = weight ? weight[i] : 0;
            out->at = i;
        }
        if (!(word & SL_TURN_MORE) && c.trail < c.trail_max) {
            n = update_top(p, &c, word, next, weighed, out, n);
            if (operations)
                operations[i] = sl_turn_operations(word);
        } else if (word == SL_TURN_NONE) {
            c.block = next;
        } else {
            store(&t->stack, weighed, &c);
            out->n = n;
            if (word == SL_FLOW_UNKNOWN) {
                t->flow.block = c.block;
                word = look(p, t, next);
                c.block = t->flow.block;
            } else {
                c.block = next;
            }
            if (word != SL_FLOW_NOTHING && word != SL_TURN_NONE)
                sl_path_branch(&p->rules, &t->stack, word, next, out);
            if (operations) {
                operations[i] = (uint8_t)out->operations;
                out->operations = 0;
            }
            n = out->n;
            load(p, &t->stack, weighed, &c);
        }
    }
    *at = c;
    return n;
}

static __attribute__((noinline)) size_t
follow_unweighted(struct sl_path *p, struct sl_path_thread *t, struct cursor *c,
                  const struct sl_slice *slice, uint32_t low, uint32_t high,
                  struct sl_path_outlet *out, size_t n)
{
    return follow_blocks(p, t, c, slice, low, high, false, NULL, out, n);
}

/* ---- cached n-grams ----
 *
 * The effect of a sequence of eight blocks on the path stack, computed once (struct
 * sl_path_ngram). */

struct making {
    const uint32_t *block;
    struct sl_path_ngram *ngram;
    struct sl_path_ngram_part *part; /* the one being made */
    uint32_t *whole;                 /* end of the ids so far */
};

/* The branch before block `at` updates the path on top. False if it has its maximum length. */
static bool update(struct making *m, uint32_t taken, uint8_t at, const struct sl_path_rules *rules)
{
    struct sl_path_ngram_part *part = m->part;
    part->from = at;
    if (part->start) {
        bool fits = part->trail < rules->trail_max;
        part->trail = (uint8_t)(part->trail << 1 | taken);
        return fits;
    }
    part->head = (uint8_t)(part->head << 1 | taken);
    part->capacity = part->head_bits++;
    return true;
}

/* The branch also replaces the path on top. */
static void replace(struct making *m, uint8_t at, struct sl_path_ids *ids)
{
    struct sl_path_ngram_part *part = m->part;
    if (part->start) {
        uint64_t start = (uint64_t)m->block[part->start] << SL_PATH_TRAIL_BITS;
        *m->whole = sl_path_id(ids, start | part->trail);
        part->n_whole = (uint8_t)(part->n_whole + (*m->whole != SL_NO_INDEX));
        m->whole += *m->whole != SL_NO_INDEX;
    }
    part->start = at;
    part->trail = 1;
}

/* Adds the branch before block `at`. False if its effect cannot be cached. */
static bool turn(struct making *m, uint32_t word, uint8_t at, const struct sl_path_rules *rules,
                 struct sl_path_ids *ids)
{
    if (word == SL_FLOW_UNKNOWN)
        return false;
    if (word & SL_TURN_MORE) {
        m->part->end = at;
        m->part++->word = word;
        return true;
    }
    if (!update(m, word & SL_TURN_TAKEN, at, rules))
        return false;
    if (word & SL_TURN_POP)
        replace(m, at, ids);
    return true;
}

/* Caches the effect of the n-gram of these blocks, whose transfers were followed one by one. */
static void cache_ngram(struct sl_path_ngram *ngram, uint32_t serial, const uint32_t *block,
                        const struct sl_flow *flow, const struct sl_path_rules *rules,
                        struct sl_path_ids *ids)
{
    struct making m = {block, ngram, ngram->part, ngram->whole};
    *ngram = (struct sl_path_ngram){.serial = serial, .usable = true};
    for (uint8_t at = 1; at <= SL_NGRAM_TRANSFERS && ngram->usable; at++) {
        uint32_t word = sl_flow_known(flow, block[at - 1], block[at]);
        if (word != SL_TURN_NONE && word != SL_FLOW_NOTHING)
            ngram->usable = turn(&m, word, at, rules, ids);
    }
    m.part->end = SL_NGRAM_TRANSFERS;
    ngram->single = ngram->usable && m.part == ngram->part && m.part->from;
}

/* ---- by n-grams ---- */

/* The part of the cursor that a part of an n-gram changes. */
struct top {
    uint64_t start, trail; /* as in struct cursor */
    size_t n;              /* finished paths */
};

/* Applies a part of an n-gram. The copy may extend beyond the ids of its paths: there are fewer
 * paths than blocks. */
static inline __attribute__((always_inline)) struct top
apply_part(const struct sl_path_ngram_part *part, const uint32_t *whole, const uint32_t *block,
           struct top at, const struct sl_path_outlet *out)
{
    at.trail = at.trail << part->head_bits | part->head;
    if (part->start) {
        at.n = sl_path_put(out, at.n, at.start | at.trail, 0, false);
        memcpy(out->tuple_id + at.n, whole, (SL_NGRAM_TRANSFERS - 1) * sizeof *whole);
        at.n += part->n_whole;
        at.start = (uint64_t)block[part->start] << SL_PATH_TRAIL_BITS;
        at.trail = part->trail;
    }
    return at;
}

/* Applies a branch that does more than update or replace the path on top, which exists. Most are
 * calls that push and returns that pop as expected. */
static inline size_t apply_branch(struct sl_path *p, struct sl_path_thread *t, uint32_t word,
                                  uint32_t next, struct cursor *c, struct sl_path_outlet *out,
                                  size_t n)
{
    const uint32_t all = SL_TURN_UPDATE | SL_TURN_POP | SL_TURN_PUSH | SL_TURN_CALL |
                         SL_TURN_RETURN | SL_TURN_EXTENDS;
    const uint32_t does = word & all, address = word >> SL_TURN_ADDRESS;
    struct sl_path_stack *s = &t->stack;
    struct sl_path_entry *e = sl_path_stack_top(s);
    if (does == (SL_TURN_CALL | SL_TURN_PUSH)) {
        e->path = c->start | c->trail;
        sl_path_stack_push(s, next, address);
        c->start = (uint64_t)next << SL_PATH_TRAIL_BITS;
        c->trail = 1;
        c->from = next;
        return n;
    }
    if (does == (SL_TURN_RETURN | SL_TURN_POP) && !s->inner &&
        (e->expects == address || e->expects == SL_PATH_ANYWHERE)) {
        n = sl_path_put(out, n, c->start | c->trail, 0, false);
        s->top--;
        s->from = next;
        load(p, s, false, c);
        return n;
    }
    store(s, false, c);
    out->n = n;
    sl_path_branch(&p->rules, s, word, next, out);
    load(p, s, false, c);
    return out->n;
}

/* Applies parts while their outcomes fit the path on top, usually all of them. Returns the number
 * of transfers followed. */
static inline uint32_t apply_parts(struct sl_path *p, struct sl_path_thread *t,
                                   const struct sl_path_ngram *ngram, const uint32_t *block,
                                   struct cursor *at, struct sl_path_outlet *out, size_t *n)
{
    const struct sl_path_ngram_part *part = ngram->part;
    const uint32_t *whole = ngram->whole;
    struct cursor c = *at;
    uint32_t done = 0;
    for (; done < SL_NGRAM_TRANSFERS && c.trail << part->capacity < c.trail_max; part++) {
        struct top to = apply_part(part, whole, block, (struct top){c.start, c.trail, *n}, out);
        c.start = to.start;
        c.trail = to.trail;
        c.from = part->from ? block[part->from] : c.from;
        *n = to.n;
        whole += part->n_whole;
        done = part->end;
        if (part->word)
            *n = apply_branch(p, t, part->word, block[done], &c, out, *n);
    }
    c.block = block[done];
    *at = c;
    return done;
}

/* Runs an n-gram at block `i` of the slice that is not cached or has several parts. */
static __attribute__((noinline)) size_t run_ngram(struct sl_path *p, struct sl_path_thread *t,
                                                  struct cursor *c, const struct sl_slice *slice,
                                                  uint32_t i, struct sl_ngram_ref ref,
                                                  struct sl_path_outlet *out, size_t n)
{
    struct sl_path_ngram *ngram = &p->ngram[ref.slot];
    const uint32_t *block = slice->chunk->block + i;
    const bool known = ngram->serial == ref.serial;
    uint32_t done = 0;
    if (known && ngram->usable && c->block == block[0])
        done = apply_parts(p, t, ngram, block, c, out, &n);
    if (done < SL_NGRAM_TRANSFERS)
        n = follow_unweighted(p, t, c, slice, i + 1 + done, i + 1 + SL_NGRAM_TRANSFERS, out, n);
    if (!known)
        cache_ngram(ngram, ref.serial, block, &p->flow, &p->rules, &p->ids);
    return n;
}

/* Runs a slice that is a whole chunk by its n-grams. */
static size_t run_ngrams(struct sl_path *p, struct sl_path_thread *t, struct cursor *c,
                         const struct sl_slice *slice, struct sl_path_outlet *out)
{
    const struct sl_ngram_refs *const ngrams = &slice->exits->ngrams;
    const struct sl_ngram_ref *ref = ngrams->ref, *const end = ref + ngrams->n;
    const struct sl_path_ngram *const cached = p->ngram;
    const struct sl_path_outlet to = *out; /* a copy that no store changes */
    const uint32_t *const first = slice->chunk->block, *block = first;
    const uint32_t high = slice->block_high;
    size_t n = follow_unweighted(p, t, c, slice, 0, high ? 1 : 0, out, 0);
    struct top at = {c->start, c->trail, n};
    /* 0, so that no n-gram fits, if the thread is not at its first block or has no path. */
    uint64_t trail_max = ref < end && c->block == *block ? c->trail_max : 0;
    for (; ref < end; ref++, block += SL_NGRAM_TRANSFERS) {
        const struct sl_path_ngram *ngram = &cached[ref->slot];
        __builtin_prefetch(&cached[ref[SL_NGRAM_PREFETCH].slot]);
        if (ngram->serial == ref->serial && ngram->single &&
            at.trail << ngram->part->capacity < trail_max) {
            c->from = block[ngram->part->from];
            at = apply_part(ngram->part, ngram->whole, block, at, &to);
            continue;
        }
        if (trail_max)
            c->block = *block;
        c->start = at.start;
        c->trail = at.trail;
        at.n = run_ngram(p, t, c, slice, (uint32_t)(block - first), *ref, out, at.n);
        at.start = c->start;
        at.trail = c->trail;
        trail_max = c->block == block[SL_NGRAM_TRANSFERS] ? c->trail_max : 0;
    }
    if (trail_max)
        c->block = *block;
    c->start = at.start;
    c->trail = at.trail;
    uint32_t done = high ? (uint32_t)(block - first) + 1 : 0;
    return follow_unweighted(p, t, c, slice, done, high, out, at.n);
}

static inline __attribute__((always_inline)) size_t
follow(struct sl_path *p, struct sl_path_thread *t, const struct sl_slice *slice, bool weighed,
       uint8_t *operations, struct sl_path_outlet *out)
{
    struct cursor c = {.block = t->flow.block, .current_weight = t->current_weight};
    size_t n;
    load(p, &t->stack, weighed, &c);
    if (!weighed && slice->exits && !slice->block_low)
        n = run_ngrams(p, t, &c, slice, out);
    else if (!weighed)
        n = follow_unweighted(p, t, &c, slice, slice->block_low, slice->block_high, out, 0);
    else
        n = follow_blocks(p, t, &c, slice, slice->block_low, slice->block_high, true, operations,
                          out, 0);
    store(&t->stack, weighed, &c);
    t->flow.block = c.block;
    t->current_weight = c.current_weight;
    return n;
}

/* The largest value of an event counter of `bits` bits that counts in units of `unit`. */
static uint64_t events_max(uint64_t bits, uint64_t unit)
{
    uint64_t most = UINT64_MAX >> (64 - bits);
    return most > UINT64_MAX / unit ? UINT64_MAX : most * unit;
}

static void round_to(uint64_t unit, uint64_t *weight, size_t n)
{
    for (size_t i = 0; i < n; i++)
        weight[i] = (weight[i] + unit / 2) / unit * unit;
}

/* Allocates the cache of n-grams. Called when a slice first has n-grams. */
static bool allocate_ngrams(struct sl_path *p)
{
    const size_t size = SL_NGRAM_SLOTS * sizeof *p->ngram;
    if (!p->ngram && (p->ngram = aligned_alloc(_Alignof(struct sl_path_ngram), size)))
        memset(p->ngram, 0, size);
    return p->ngram;
}

int sl_path_feed(struct sl_path *p, const struct sl_slice *slice, struct sl_events *out,
                 uint8_t *operations, struct sl_failure *f)
{
    size_t n;
    int fresh;
    struct sl_path_thread *t = sl_threads_state(&p->ids.base.threads, slice->chunk->thread,
                                                sizeof *t, &fresh);
    if (!t || (fresh && !sl_path_stack_init(&t->stack, &p->config)) ||
        (slice->exits && !allocate_ngrams(p)))
        return sl_out_of_memory(f);
    if (fresh || !slice->joined) {
        sl_path_stack_cut(&t->stack);
        t->flow = (struct sl_flow_thread){.block = SL_FLOW_NONE};
        t->current_weight = 0;
    }
    bool weighed = slice->block_weight || out->position, whole = p->config.bits == 64;
    uint64_t unit = slice->step && !whole ? slice->step : 1;
    p->rules.events_max = events_max(p->config.bits, unit);
    struct sl_path_outlet outlet = {.ids = &p->ids,
                                    .tuple_id = out->tuple_id + out->n,
                                    .weight = weighed ? out->weight + out->n : NULL,
                                    .position = out->position ? out->position + out->n : NULL};
    if (operations)
        n = follow(p, t, slice, true, operations, &outlet);
    else
        n = weighed ? follow(p, t, slice, true, NULL, &outlet)
                    : follow(p, t, slice, false, NULL, &outlet);
    if (unit > 1 && slice->block_weight)
        round_to(unit, out->weight + out->n, n);
    if (slice->active)
        out->n += n;
    return p->flow.out_of_memory || p->turns.out_of_memory || p->ids.out_of_memory ||
                   t->stack.out_of_memory
               ? sl_out_of_memory(f)
               : 0;
}
