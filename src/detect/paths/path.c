/* SPDX-License-Identifier: MIT */
/* Paths: <first pc, branches> (the document of the programmable path profiler). What a
 * path is, and what every branch does to the stack of those under way, is programmed:
 * path_control.h; the stack is in path_stack.h, what a branch does to it in path_branch.h,
 * the tuple in path_descriptor.h.
 *
 * What a branch does is decided once for each pair of blocks (flow.h) and kept as a
 * word; along a path under way, a branch is then an addition to its entry. A finished
 * path gets its number by a look into a table of those finished before; only what is
 * not there goes to the dictionary. What blocks do that followed one another before is known for
 * all of them at once (path_ngram.h), where paths are not weighed.
 *
 * With a metric, a path weighs what its entry's event counter has when it is finished:
 * the blocks from its start up to and including the one that ends in its last branch
 * that updates. The document's counter has 8 bits (bits=8); here it has 64 unless told.
 * One of less counts by the metric's unit (an access to the instruction cache, where the
 * metric is cachepower, as the document's costs are), to the nearest when the path is
 * finished. By `count`, each path weighs 1.
 *
 * Paths that are still under way at the end, or were lost, are no events; they are
 * counted (struct sl_path_counts). With --range, a path counts if it starts there;
 * between marks, if it ends there, with what it weighs between them.
 *
 * Not known: whether a conditional branch to the instruction behind it was taken. It
 * counts as taken. */
#include "path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "path_ngram.h"
#include "block_pairs.h"
#include "threads.h"

/* Blocks that paths start with have numbers below this, so that they fit beside a trail. */
#define BLOCKS_MAX (UINT64_C(1) << (64 - SL_PATH_TRAIL_BITS))

/* A branch finishes two paths at most: one that is at its longest, one that it ends. */
_Static_assert(SL_EVENTS_MAX > 2 * SL_CHUNK_BLOCKS, "a chunk's paths have room");

struct path {
    struct sl_path_config config;
    struct sl_path_rules rules;
    struct sl_flow flow;
    struct sl_path_turns turns;
    struct sl_path_numbers numbers;
    struct sl_path_ngram *ngram; /* by place; NULL before the first */
    struct sl_threads threads;
    struct sl_path_counts ended; /* of threads that have */
};

struct thread {
    struct sl_flow_thread flow;
    uint64_t here; /* weight of the current block */
    struct sl_path_stack stack;
};

/* ---- slices ---- */

/* What an uncommon transfer means; where a signal handler begins or ends, the stack is
 * told. */
static __attribute__((noinline)) uint32_t look(struct path *p, struct thread *t, uint32_t next)
{
    uint32_t word = sl_flow_look(&p->flow, &t->flow, next);
    if (t->flow.signal == SL_FLOW_BEGAN)
        sl_path_stack_interrupt(&t->stack, next);
    else if (t->flow.signal == SL_FLOW_ENDED)
        sl_path_stack_resume(&t->stack, t->flow.n_waiting);
    t->flow.signal = SL_FLOW_NO_SIGNAL;
    return word;
}

/* What the thread is at, in registers: the entry on top, above all. */
struct cursor {
    uint32_t block, from;
    uint64_t since, here;
    uint64_t start, trail; /* the two parts of the path on top */
    uint64_t events;
    uint64_t trail_max; /* 0 if there is no entry */
};

static inline void load(const struct path *p, const struct sl_path_stack *s, bool weighed,
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

/* The most common branches, on what is in registers: update, or update and replace. */
static inline size_t step_on(const struct path *p, struct cursor *c, uint32_t word, uint32_t next,
                             bool weighed, const struct sl_path_outlet *out, size_t n)
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

/* Goes from block to block, from the slice's `i` to `high`. `operations` of each block's branch are
 * counted if it is not NULL. */
static inline __attribute__((always_inline)) size_t
step_all(struct path *p, struct thread *t, struct cursor *at, const struct sl_slice *slice,
         uint32_t i, uint32_t high, bool weighed, uint8_t *operations, struct sl_path_outlet *out,
         size_t n)
{
    const uint64_t *weight = slice->active ? slice->block_weight : NULL;
    const uint32_t *block = slice->chunk->block;
    /* Copies, so that the compiler need not fear that a store changes them: that is only
     * done in sync. */
    const struct sl_flow_place *const place = p->flow.place;
    const size_t n_places = p->flow.n_places;
    struct cursor c = *at;
    for (; i < high; i++) {
        uint32_t next = block[i];
        uint32_t word = sl_flow_kept(place, n_places, c.block, next);
        if (weighed) {
            c.since += c.here;
            c.here = weight ? weight[i] : 0;
            out->at = i;
        }
        if (!(word & SL_TURN_MORE) && c.trail < c.trail_max) {
            n = step_on(p, &c, word, next, weighed, out, n);
            if (operations)
                operations[i] = sl_turn_operations(word);
        } else if (word == SL_TURN_NONE) {
            c.block = next;
        } else {
            store(&t->stack, weighed, &c);
            out->n = n;
            if (word == SL_FLOW_LOOK) {
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

static __attribute__((noinline)) size_t step_some(struct path *p, struct thread *t,
                                                  struct cursor *c, const struct sl_slice *slice,
                                                  uint32_t low, uint32_t high,
                                                  struct sl_path_outlet *out, size_t n)
{
    return step_all(p, t, c, slice, low, high, false, NULL, out, n);
}

/* ---- phrases ---- */

/* Where the thread is, as far as a part of a phrase changes it. */
struct place {
    uint64_t start, trail; /* as in struct cursor */
    size_t n;              /* finished paths */
};

/* A part of a phrase. There is room behind the numbers of its paths: they are fewer than the blocks
 * so far and those to come. */
static inline __attribute__((always_inline)) struct place
step_part(const struct sl_path_ngram_part *part, const uint32_t *whole, const uint32_t *block,
          struct place at, const struct sl_path_outlet *out)
{
    at.trail = at.trail << part->head_bits | part->head;
    if (part->start) {
        at.n = sl_path_put(out, at.n, at.start | at.trail, 0, false);
        memcpy(out->number + at.n, whole, (SL_NGRAM_TRANSFERS - 1) * sizeof *whole);
        at.n += part->n_whole;
        at.start = (uint64_t)block[part->start] << SL_PATH_TRAIL_BITS;
        at.trail = part->trail;
    }
    return at;
}

/* A branch that does more than others, as those of calls and returns; there is a path on top. The
 * usual ones push what is called, and pop what returns as expected. */
static inline size_t step_more(struct path *p, struct thread *t, uint32_t word, uint32_t next,
                               struct cursor *c, struct sl_path_outlet *out, size_t n)
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

/* As many of the parts as there is room for on the path on top: mostly all. Returns how many steps
 * that were. */
static inline uint32_t step_parts(struct path *p, struct thread *t,
                                  const struct sl_path_ngram *ngram, const uint32_t *block,
                                  struct cursor *at, struct sl_path_outlet *out, size_t *n)
{
    const struct sl_path_ngram_part *part = ngram->part;
    const uint32_t *whole = ngram->whole;
    struct cursor c = *at;
    uint32_t done = 0;
    for (; done < SL_NGRAM_TRANSFERS && c.trail << part->room < c.trail_max; part++) {
        struct place to = step_part(part, whole, block, (struct place){c.start, c.trail, *n}, out);
        c.start = to.start;
        c.trail = to.trail;
        c.from = part->from ? block[part->from] : c.from;
        *n = to.n;
        whole += part->n_whole;
        done = part->end;
        if (part->word)
            *n = step_more(p, t, part->word, block[done], &c, out, *n);
    }
    c.block = block[done];
    *at = c;
    return done;
}

/* A phrase that begins with the slice's block `i`, and is not known, or not of one part. */
static __attribute__((noinline)) size_t step_other(struct path *p, struct thread *t,
                                                   struct cursor *c, const struct sl_slice *slice,
                                                   uint32_t i, struct sl_ngram_ref ref,
                                                   struct sl_path_outlet *out, size_t n)
{
    struct sl_path_ngram *ngram = &p->ngram[ref.slot];
    const uint32_t *block = slice->chunk->block + i;
    const bool known = ngram->serial == ref.serial;
    uint32_t done = 0;
    if (known && ngram->kept && c->block == block[0])
        done = step_parts(p, t, ngram, block, c, out, &n);
    if (done < SL_NGRAM_TRANSFERS)
        n = step_some(p, t, c, slice, i + 1 + done, i + 1 + SL_NGRAM_TRANSFERS, out, n);
    if (!known)
        sl_path_ngram_keep(ngram, ref.serial, block, &p->flow, &p->rules, &p->numbers);
    return n;
}

/* The slice is a chunk whose phrases are known. */
static size_t run_ngrams(struct path *p, struct thread *t, struct cursor *c,
                         const struct sl_slice *slice, struct sl_path_outlet *out)
{
    const struct sl_ngram_refs *const ngrams = &slice->exits->ngrams;
    const struct sl_ngram_ref *ref = ngrams->ref, *const end = ref + ngrams->n;
    const struct sl_path_ngram *const kept = p->ngram;
    const struct sl_path_outlet to = *out; /* which no store can change */
    const uint32_t *const first = slice->chunk->block, *block = first;
    const uint32_t high = slice->block_high;
    size_t n = step_some(p, t, c, slice, 0, high ? 1 : 0, out, 0);
    struct place at = {c->start, c->trail, n};
    /* Where the thread is not where phrases begin, or has no path, there is room for none. */
    uint64_t trail_max = ref < end && c->block == *block ? c->trail_max : 0;
    for (; ref < end; ref++, block += SL_NGRAM_TRANSFERS) {
        const struct sl_path_ngram *ngram = &kept[ref->slot];
        __builtin_prefetch(&kept[ref[SL_NGRAM_PREFETCH].slot]);
        if (ngram->serial == ref->serial && ngram->single &&
            at.trail << ngram->part->room < trail_max) {
            c->from = block[ngram->part->from];
            at = step_part(ngram->part, ngram->whole, block, at, &to);
            continue;
        }
        if (trail_max)
            c->block = *block;
        c->start = at.start;
        c->trail = at.trail;
        at.n = step_other(p, t, c, slice, (uint32_t)(block - first), *ref, out, at.n);
        at.start = c->start;
        at.trail = c->trail;
        trail_max = c->block == block[SL_NGRAM_TRANSFERS] ? c->trail_max : 0;
    }
    if (trail_max)
        c->block = *block;
    c->start = at.start;
    c->trail = at.trail;
    uint32_t done = high ? (uint32_t)(block - first) + 1 : 0;
    return step_some(p, t, c, slice, done, high, out, at.n);
}

static inline __attribute__((always_inline)) size_t follow(struct path *p, struct thread *t,
                                                           const struct sl_slice *slice,
                                                           bool weighed, uint8_t *operations,
                                                           struct sl_path_outlet *out)
{
    struct cursor c = {.block = t->flow.block, .here = t->here};
    size_t n;
    load(p, &t->stack, weighed, &c);
    if (!weighed && slice->exits && !slice->block_low)
        n = run_ngrams(p, t, &c, slice, out);
    else if (!weighed)
        n = step_some(p, t, &c, slice, slice->block_low, slice->block_high, out, 0);
    else
        n = step_all(p, t, &c, slice, slice->block_low, slice->block_high, true, operations, out,
                     0);
    store(&t->stack, weighed, &c);
    t->flow.block = c.block;
    t->here = c.here;
    return n;
}

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    struct path *p = state;
    p->config = *(const struct sl_path_config *)config;
    p->rules = (struct sl_path_rules){.kind = p->config.kind,
                                      .repair = p->config.repair,
                                      .extend = p->config.extend,
                                      .trail_max = UINT64_C(1) << p->config.length};
    sl_path_turns_init(&p->turns, &p->config, watch->statics);
    sl_flow_init(&p->flow, watch->code, sl_path_turn, &p->turns);
    return sl_path_numbers_init(&p->numbers, watch) ? 0 : sl_out_of_memory(f);
}

static int sync(void *state, struct sl_failure *f)
{
    struct path *p = state;
    if (p->turns.statics->n_blocks >= BLOCKS_MAX)
        return sl_fail(f, SL_ENOMEM, "path: the program has more than %llu blocks",
                       (unsigned long long)BLOCKS_MAX);
    return sl_flow_sync(&p->flow, f);
}

/* What an event counter of so many bits holds, by this unit. */
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

/* Memory for what is kept of phrases, which only some are given. */
static bool allocate_ngrams(struct path *p)
{
    const size_t size = SL_NGRAM_SLOTS * sizeof *p->ngram;
    if (!p->ngram && (p->ngram = aligned_alloc(_Alignof(struct sl_path_ngram), size)))
        memset(p->ngram, 0, size);
    return p->ngram;
}

static int feed_counting(void *state, const struct sl_slice *slice, struct sl_events *out,
                         uint8_t *operations, struct sl_failure *f)
{
    struct path *p = state;
    size_t n;
    int fresh;
    struct thread *t = sl_threads_state(&p->threads, slice->chunk->thread, sizeof *t, &fresh);
    if (!t || (fresh && !sl_path_stack_init(&t->stack, &p->config)) ||
        (slice->exits && !allocate_ngrams(p)))
        return sl_out_of_memory(f);
    if (fresh || !slice->joined) {
        sl_path_stack_cut(&t->stack);
        t->flow = (struct sl_flow_thread){.block = SL_FLOW_NONE};
        t->here = 0;
    }
    bool weighed = slice->block_weight || out->place, whole = p->config.bits == 64;
    uint64_t unit = slice->step && !whole ? slice->step : 1;
    p->rules.events_max = events_max(p->config.bits, unit);
    struct sl_path_outlet outlet = {.numbers = &p->numbers,
                                    .number = out->number + out->n,
                                    .weight = weighed ? out->weight + out->n : NULL,
                                    .place = out->place ? out->place + out->n : NULL};
    if (operations)
        n = follow(p, t, slice, true, operations, &outlet);
    else
        n = weighed ? follow(p, t, slice, true, NULL, &outlet)
                    : follow(p, t, slice, false, NULL, &outlet);
    if (unit > 1 && slice->block_weight)
        round_to(unit, out->weight + out->n, n);
    if (slice->active)
        out->n += n;
    return p->flow.out_of_memory || p->turns.out_of_memory || p->numbers.out_of_memory ||
                   t->stack.out_of_memory
               ? sl_out_of_memory(f)
               : 0;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    return feed_counting(state, slice, out, NULL, f);
}

static int feed_timed(void *state, const struct sl_slice *slice, struct sl_events *out,
                      uint8_t *operations, struct sl_failure *f)
{
    memset(operations + slice->block_low, 0, slice->block_high - slice->block_low);
    return feed_counting(state, slice, out, operations, f);
}

/* ---- the rest ---- */

static void names(void *state, struct sl_names *names_out)
{
    struct path *p = state;
    sl_dictionary_names(&p->numbers.tuples, names_out);
}

static void add_counts(struct sl_path_counts *counts, const struct thread *t)
{
    counts->lost += t->stack.counts.lost;
    counts->spilled += t->stack.counts.spilled;
    counts->unwound += t->stack.counts.unwound;
    counts->purged += t->stack.counts.purged;
    counts->dropped += t->stack.counts.dropped;
    counts->unfinished += t->stack.top - t->stack.bottom;
}

void sl_path_count(const void *state, struct sl_path_counts *counts)
{
    const struct path *p = state;
    *counts = p->ended;
    for (size_t i = 0; i < p->threads.room; i++)
        if (p->threads.state[i])
            add_counts(counts, p->threads.state[i]);
}

/* What happened to paths that are no events, and to the stack. Those of the procedures that
 * are active at the end are unfinished in any run, which alone is not worth a note. */
static void warning(const void *state, char *out, size_t room)
{
    struct sl_path_counts c;
    sl_path_count(state, &c);
    const struct {
        uint64_t n;
        const char *what;
    } part[] = {{c.spilled, "spilled to memory"},
                {c.lost, "lost by a full stack"},
                {c.unwound + c.purged, "unwound by returns"},
                {c.dropped, "left by signal handlers or gaps"},
                {c.unfinished, "unfinished"}};
    size_t used = 0;
    if (!(c.spilled + c.lost + c.unwound + c.purged + c.dropped))
        return;
    for (size_t i = 0; i < sizeof part / sizeof *part && used < room; i++)
        if (part[i].n)
            used += (size_t)snprintf(out + used, room - used, "%s%llu %s",
                                     used ? ", " : "of the paths under way: ",
                                     (unsigned long long)part[i].n, part[i].what);
}

static double statistic(const void *state, const char *name)
{
    struct sl_path_counts c;
    sl_path_count(state, &c);
    return !strcmp(name, "lost") ? (double)c.lost : (double)NAN; /* by a full stack */
}

static void free_thread(void *state)
{
    sl_path_stack_free(&((struct thread *)state)->stack);
}

static void end_thread(void *state, uint32_t thread, struct sl_events *out)
{
    struct path *p = state;
    (void)out;
    if (thread < p->threads.room && p->threads.state[thread])
        add_counts(&p->ended, p->threads.state[thread]);
    sl_threads_end(&p->threads, thread, free_thread);
}

static void close_path(void *state)
{
    struct path *p = state;
    sl_flow_free(&p->flow);
    sl_path_turns_free(&p->turns);
    sl_path_numbers_free(&p->numbers);
    free(p->ngram);
    sl_threads_free(&p->threads, free_thread);
}

static const struct sl_detector_timing timing = {.feed = feed_timed};
static const struct sl_detector_facts facts = {
    .storage_bits = sl_path_storage_bits, .warning = warning, .statistic = statistic};

const struct sl_detector_kind sl_detector_path = {
    .name = "path",
    .summary = "paths through branches, as programmed: <first pc, branches>",
    .plural = "paths",
    .error_measure = SL_MEASURE_OVERLAP,
    .first = SL_READS_CODE,
    .second = {"path", "outcomes", SL_READS_OUTCOMES},
    .feed_inactive = true,
    .unique_ids = true,
    .default_metric = "count",
    .no_only = "a path is of many instructions",
    .options = sl_path_options,
    .config_size = sizeof(struct sl_path_config),
    .state_size = sizeof(struct path),
    .resolve = sl_path_check,
    .init = init,
    .sync = sync,
    .feed = feed,
    .end_thread = end_thread,
    .names = names,
    .close = close_path,
    .timing = &timing,
    .facts = &facts,
    .ngrams = true,
};
