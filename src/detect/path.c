/* Paths: <first pc, branches> (the document of the programmable path profiler). What a
 * path is, and what every branch does to the stack of those under way, is programmed:
 * path_control.h; the stack is in path_stack.h, the tuple in path_descriptor.h.
 *
 * What a branch does is decided once for each pair of blocks (flow.h) and kept as a
 * word; along a path under way, a branch is then an addition to its entry. A finished
 * path gets its number by a look into a table of those finished before; only what is
 * not there goes to the dictionary.
 *
 * A path starts at what is executed behind the branch that pushes it. Where an `update`
 * finds a path that is at its longest, that one is finished before the branch is looked
 * at, and a new one starts at what was executed behind the last branch: so that it has
 * this branch as its first, each branch is in one path, and every path can be walked.
 * (The document has it start behind this branch, which would then be in none.)
 *
 * A path that ends within the procedure into which it went on (kind procedure) is
 * followed by one that will go on back to the caller as the first would have. (The
 * document starts it with nothing, and from then on there would be one entry less on
 * the stack than there are callers.)
 *
 * With a metric, a path weighs what its entry's event counter has when it is finished:
 * the blocks from its start up to and including the one that ends in its last branch
 * that updates. The document's counter has 8 bits (bits=8); here it has 64 unless told.
 * By `count`, each path weighs 1.
 *
 * Paths that are still under way at the end, or were lost, are no events; they are
 * counted (struct sl_path_counts). With --range, a path counts if it starts there;
 * between marks, if it ends there, with what it weighs between them.
 *
 * Not known: whether a conditional branch to the instruction behind it was taken. It
 * counts as taken. */
#include "path.h"

#include <stdlib.h>

#include "failure.h"
#include "path_number.h"
#include "path_turn.h"
#include "threads.h"

/* Blocks that paths start with have numbers below this, so that they fit beside a trail. */
#define BLOCKS_MAX (UINT64_C(1) << (64 - SL_PATH_TRAIL_BITS))

struct path {
    struct sl_path_config config;
    uint64_t events_max;
    uint64_t trail_max; /* the least trail of a path that is at its longest */
    struct sl_flow flow;
    struct sl_path_turns turns;
    struct sl_path_numbers numbers;
    struct sl_threads threads;
};

struct thread {
    struct sl_flow_thread flow;
    uint64_t here; /* weight of the current block */
    struct sl_path_stack stack;
};

/* Where events go, and the place in the chunk of the block behind them. */
struct outlet {
    uint32_t *number, *place;
    uint64_t *weight;
    size_t n;
    uint32_t at;
    bool active;
};

static inline void finish(struct path *p, uint64_t path, uint64_t events, bool weighed,
                          struct outlet *out)
{
    uint32_t number = sl_path_number(&p->numbers, path);
    out->number[out->n] = number;
    if (weighed) {
        out->weight[out->n] = events;
        if (out->place)
            out->place[out->n] = out->at + 1;
    }
    out->n += out->active & (number != SL_NO_INDEX);
}

/* ---- branches ------------------------------------------------------------ */

/* The block that is executed next, and the word of the branch in front of it. */
struct step {
    uint32_t word, next;
    uint32_t from;  /* block that was executed behind the branch before */
    uint64_t since; /* events since then */
};

/* In an event counter, which saturates. */
static inline uint64_t sum(const struct path *p, uint64_t a, uint64_t b)
{
    return a + b < a || a + b > p->events_max ? p->events_max : a + b;
}

static inline void start(struct sl_path_entry *e, uint32_t block)
{
    e->path = sl_path_begin(block);
    e->events = 0;
}

static inline void update(struct path *p, struct sl_path_entry *e, const struct step *step,
                          bool weighed, struct outlet *out)
{
    if ((e->path & SL_PATH_TRAIL) >= p->trail_max) {
        finish(p, e->path, e->events, weighed, out);
        start(e, step->from);
        if (p->config.kind != SL_PATH_PROCEDURE)
            e->extension = 0;
    }
    if (weighed)
        e->events = sum(p, e->events, step->since);
    e->path += (e->path & SL_PATH_TRAIL) + (step->word & SL_TURN_TAKEN);
}

/* The branch lets the path on top go on through a backward branch, a call, a return;
 * false if that is at its limit. */
static bool extend(struct path *p, struct sl_path_stack *s, const struct step *step, bool weighed,
                   struct outlet *out)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    bool back = step->word & SL_TURN_RETURN;
    if (back ? !e->extension : e->extension >= p->config.extend)
        return false;
    update(p, e, step, weighed, out);
    if (back) {
        e->extension--;
    } else {
        e->extension++;
        if (step->word & SL_TURN_CALL)
            *sl_path_stack_expected(s) = step->word >> SL_TURN_ADDRESS;
    }
    return true;
}

/* A return: the entry on top becomes the one that it fits. False if the stack is empty,
 * or is then. */
static bool settle(const struct path *p, struct sl_path_stack *s, uint32_t address)
{
    if (p->config.repair && !sl_path_stack_empty(s)) {
        uint32_t expected = *sl_path_stack_expected(s);
        if (expected != address && expected != SL_PATH_ANYWHERE)
            sl_path_stack_unwind(s, address);
    }
    return !sl_path_stack_empty(s);
}

/* The path on top is finished, and one that starts now takes its place. It is in the
 * same procedure unless the branch is a call or return. */
static inline void replace(const struct path *p, struct sl_path_stack *s, const struct step *step)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    start(e, step->next);
    if (p->config.kind != SL_PATH_PROCEDURE || step->word & (SL_TURN_CALL | SL_TURN_RETURN))
        e->extension = 0;
    if (step->word & SL_TURN_CALL) {
        e->expects = step->word >> SL_TURN_ADDRESS;
    } else if (step->word & SL_TURN_RETURN) {
        s->top--;
        uint32_t expects = sl_path_stack_empty(s) ? SL_PATH_ANYWHERE : *sl_path_stack_expected(s);
        s->top++;
        e->expects = expects;
    }
}

/* A call that pushed nothing, or a return that popped nothing: the entry on top has
 * gone on into another procedure, and where that returns to, it cannot know. */
static inline void lose_way(struct sl_path_stack *s)
{
    if (!sl_path_stack_empty(s))
        *sl_path_stack_expected(s) = SL_PATH_ANYWHERE;
}

static inline void push(struct sl_path_stack *s, const struct step *step)
{
    uint32_t expects = SL_PATH_ANYWHERE;
    if (step->word & SL_TURN_CALL)
        expects = step->word >> SL_TURN_ADDRESS;
    else if (!sl_path_stack_empty(s))
        expects = *sl_path_stack_expected(s);
    sl_path_stack_push(s, step->next, expects);
}

static inline __attribute__((always_inline)) void
branch(struct path *p, struct sl_path_stack *s, uint32_t word, uint32_t next, bool weighed,
       struct outlet *out)
{
    struct step step = {word, next, s->from, s->since};
    s->from = next;
    s->since = 0;
    if (word & SL_TURN_RETURN && !settle(p, s, word >> SL_TURN_ADDRESS)) {
        sl_path_stack_push(s, next, SL_PATH_ANYWHERE);
        return;
    }
    bool popped = false;
    if (!sl_path_stack_empty(s)) {
        if (word & SL_TURN_EXTENDS && extend(p, s, &step, weighed, out))
            return;
        struct sl_path_entry *e = sl_path_stack_top(s);
        if (word & SL_TURN_UPDATE)
            update(p, e, &step, weighed, out);
        else if (weighed && word & SL_TURN_UPDATE_COUNT)
            e->events = sum(p, e->events, step.since);
        if (word & SL_TURN_POP) {
            finish(p, e->path, e->events, weighed, out);
            if (word & SL_TURN_PUSH) {
                replace(p, s, &step);
                return;
            }
            s->top--;
            popped = true;
        }
    }
    if (word & SL_TURN_RETURN && !popped)
        lose_way(s);
    if (word & SL_TURN_PUSH)
        push(s, &step);
    else if (word & SL_TURN_CALL)
        lose_way(s);
}

/* ---- slices -------------------------------------------------------------- */

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
    uint64_t path, events;
    uint64_t trail_max; /* 0 if there is no entry */
};

static inline void load(const struct path *p, const struct thread *t, bool weighed,
                        struct cursor *c)
{
    const struct sl_path_stack *s = &t->stack;
    bool empty = sl_path_stack_empty(s);
    c->block = t->flow.block;
    c->from = s->from;
    c->trail_max = empty ? 0 : p->trail_max;
    if (!empty)
        c->path = sl_path_stack_top(s)->path;
    if (weighed) {
        c->since = s->since;
        c->events = empty ? 0 : sl_path_stack_top(s)->events;
    }
}

static inline void store(struct thread *t, bool weighed, const struct cursor *c)
{
    struct sl_path_stack *s = &t->stack;
    t->flow.block = c->block;
    s->from = c->from;
    if (weighed)
        s->since = c->since;
    if (c->trail_max) {
        sl_path_stack_top(s)->path = c->path;
        if (weighed)
            sl_path_stack_top(s)->events = c->events;
    }
}

/* The most common branches, on what is in registers: update, or update and replace. */
static inline void step_on(struct path *p, struct cursor *c, uint32_t word, uint32_t next,
                           bool weighed, struct outlet *out)
{
    c->block = c->from = next;
    c->path += (c->path & SL_PATH_TRAIL) + (word & SL_TURN_TAKEN);
    if (weighed) {
        c->events = sum(p, c->events, c->since);
        c->since = 0;
    }
    if (word & SL_TURN_POP) {
        finish(p, c->path, c->events, weighed, out);
        c->path = sl_path_begin(next);
        c->events = 0;
    }
}

static inline __attribute__((always_inline)) void
follow(struct path *p, struct thread *t, const struct sl_slice *slice, bool weighed,
       struct sl_events *events)
{
    const uint64_t *weight = slice->active ? slice->block_weight : NULL;
    const uint32_t *block = slice->chunk->block;
    struct outlet out = {.number = events->number, .place = events->place,
                         .weight = events->weight, .n = events->n, .active = slice->active};
    struct cursor c = {.here = t->here};
    load(p, t, weighed, &c);
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t next = block[i];
        uint32_t word = sl_flow_kept(&p->flow, c.block, next);
        if (weighed) {
            c.since += c.here;
            c.here = weight ? weight[i] : 0;
            out.at = i;
        }
        if (!((word & SL_TURN_MORE) | ((c.path & SL_PATH_TRAIL) >= c.trail_max))) {
            step_on(p, &c, word, next, weighed, &out);
        } else if (word == SL_TURN_NONE) {
            c.block = next;
        } else {
            store(t, weighed, &c);
            if (word == SL_FLOW_LOOK)
                word = look(p, t, next);
            else
                t->flow.block = next;
            if (word != SL_FLOW_NOTHING && word != SL_TURN_NONE)
                branch(p, &t->stack, word, next, weighed, &out);
            load(p, t, weighed, &c);
        }
    }
    store(t, weighed, &c);
    t->here = c.here;
    events->n = out.n;
}

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    struct path *p = state;
    p->config = *(const struct sl_path_config *)config;
    p->events_max = UINT64_MAX >> (64 - p->config.bits);
    p->trail_max = UINT64_C(1) << p->config.length;
    sl_path_turns_init(&p->turns, &p->config, watch->statics);
    sl_flow_init(&p->flow, watch->code, sl_path_turn, &p->turns);
    return sl_path_numbers_init(&p->numbers, watch) ? 0 : sl_fail(f, SL_ENOMEM, "out of memory");
}

static int sync(void *state, struct sl_failure *f)
{
    struct path *p = state;
    if (p->turns.statics->n_blocks >= BLOCKS_MAX)
        return sl_fail(f, SL_ENOMEM, "path: the program has more than %llu blocks",
                       (unsigned long long)BLOCKS_MAX);
    return sl_flow_sync(&p->flow, f);
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct path *p = state;
    int fresh;
    struct thread *t = sl_threads_state(&p->threads, slice->chunk->thread, sizeof *t, &fresh);
    if (!t || (fresh && !sl_path_stack_init(&t->stack, &p->config)))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    if (fresh || !slice->joined) {
        sl_path_stack_cut(&t->stack);
        t->flow = (struct sl_flow_thread){.block = SL_FLOW_NONE};
        t->here = 0;
    }
    if (slice->block_weight || out->place)
        follow(p, t, slice, true, out);
    else
        follow(p, t, slice, false, out);
    return p->flow.out_of_memory || p->turns.out_of_memory || p->numbers.out_of_memory ||
                   t->stack.out_of_memory
               ? sl_fail(f, SL_ENOMEM, "out of memory")
               : 0;
}

/* ---- the rest ------------------------------------------------------------ */

static void names(void *state, struct sl_names *names_out)
{
    struct path *p = state;
    sl_dictionary_names(&p->numbers.tuples, names_out);
}

void sl_path_count(const void *state, struct sl_path_counts *counts)
{
    const struct path *p = state;
    *counts = (struct sl_path_counts){0};
    for (size_t i = 0; i < p->threads.room; i++) {
        const struct thread *t = p->threads.state[i];
        if (!t)
            continue;
        counts->lost += t->stack.counts.lost;
        counts->spilled += t->stack.counts.spilled;
        counts->unwound += t->stack.counts.unwound;
        counts->purged += t->stack.counts.purged;
        counts->dropped += t->stack.counts.dropped;
        counts->unfinished += t->stack.top - t->stack.bottom;
    }
}

static void free_thread(void *state)
{
    sl_path_stack_free(&((struct thread *)state)->stack);
}

static void close_path(void *state)
{
    struct path *p = state;
    sl_flow_free(&p->flow);
    sl_path_turns_free(&p->turns);
    sl_path_numbers_free(&p->numbers);
    sl_threads_free(&p->threads, free_thread);
}

const struct sl_detector_kind sl_detector_path = {
    .name = "path",
    .summary = "paths through branches, as programmed: <first pc, branches>",
    .second = SL_SECOND_PATH,
    .follows = true,
    .metric = "count",
    .no_class = "a path is of many instructions",
    .options = sl_path_options,
    .config_size = sizeof(struct sl_path_config),
    .state_size = sizeof(struct path),
    .check = sl_path_check,
    .init = init,
    .sync = sync,
    .feed = feed,
    .names = names,
    .close = close_path,
};
