/* SPDX-License-Identifier: MIT */
/* Plain model of the path detector: it turns the sequence of blocks that each thread executes into
 * paths, with plain lists. The model shares with src/detect only the classification of the last
 * instructions of blocks (sl_code).
 *
 *     struct naive n = {.code = ..., .kind = NAIVE_BL, .operations = {...}, .emit = ...};
 *     naive_step(&n, thread, block, weight, true);
 *
 * A path is its start and the list of its branch outcomes; it stores the return addresses of the
 * procedures that it is in, innermost last. */
#ifndef SL_TESTS_NAIVE_PATH_H
#define SL_TESTS_NAIVE_PATH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"

enum naive_class { NAIVE_CALL, NAIVE_RETURN, NAIVE_FORWARD, NAIVE_BACKWARD, NAIVE_INDIRECT };
enum naive_kind { NAIVE_PLAIN, NAIVE_LOOP, NAIVE_PROCEDURE };
#define NAIVE_ANYWHERE UINT64_MAX
#define NAIVE_CALLERS 34

struct naive_path {
    uint64_t start;
    unsigned length;
    bool taken[32];
    uint64_t events;
    unsigned extension;
    uint64_t caller[NAIVE_CALLERS];
    unsigned n_callers; /* 1 + the calls it went on into */
};

/* What a signal interrupted. */
struct naive_wait {
    struct sl_block_end end;
    uint64_t low, high; /* addresses of the block; none if it had its delay slot elsewhere */
    size_t floor;       /* paths that the handler found; SIZE_MAX: it was left by a jump */
    uint64_t since, from;
};

struct naive_thread {
    struct naive_path *path;
    size_t n, capacity;
    struct naive_wait wait[64];
    size_t n_waits;
    bool known; /* where it is */
    struct sl_block_end end;
    uint64_t low, high, last;
    uint64_t here, since; /* weight of the block, of all since the last branch */
    uint64_t from;        /* address after the last branch */
};

struct naive {
    const struct sl_code *code;
    enum naive_kind kind;
    unsigned extend, length;
    size_t stack;
    bool spill, repair;
    uint64_t events_max;
    const char *operations[5];
    void (*emit)(void *context, uint64_t start, uint64_t value, uint64_t events);
    void *context;
    struct naive_thread *thread[256];
    bool active;
    /* What became of the branches that were recorded. */
    uint64_t recorded, finished, dropped;
    uint64_t lost, spilled; /* paths */
    uint64_t done;          /* operations of branches */
};

/* ---- the stack ---- */

static size_t naive_floor(const struct naive_thread *t)
{
    for (size_t i = t->n_waits; i-- > 0;)
        if (t->wait[i].floor != SIZE_MAX)
            return t->wait[i].floor;
    return 0;
}

static bool naive_empty(const struct naive_thread *t)
{
    return t->n == naive_floor(t);
}

static void naive_cut(struct naive *n, struct naive_thread *t, size_t left)
{
    while (t->n > left)
        n->dropped += t->path[--t->n].length;
}

static void naive_lose_oldest(struct naive *n, struct naive_thread *t)
{
    n->lost++;
    n->dropped += t->path[0].length;
    memmove(t->path, t->path + 1, --t->n * sizeof *t->path);
    for (size_t i = 0; i < t->n_waits; i++)
        if (t->wait[i].floor != SIZE_MAX && t->wait[i].floor > 0)
            t->wait[i].floor--;
}

static void naive_push(struct naive *n, struct naive_thread *t, uint64_t start, uint64_t caller)
{
    if (t->n >= n->stack && !n->spill)
        naive_lose_oldest(n, t);
    else
        n->spilled += t->n >= n->stack;
    if (t->n == t->capacity)
        t->path = realloc(t->path, (t->capacity = 2 * t->capacity + 16) * sizeof *t->path);
    t->path[t->n++] = (struct naive_path){.start = start, .caller = {caller}, .n_callers = 1};
}

static void naive_finish(struct naive *n, const struct naive_path *path)
{
    uint64_t value = (uint64_t)path->length << 32;
    for (unsigned i = 0; i < path->length; i++)
        value |= (uint64_t)path->taken[i] << (path->length - 1 - i);
    n->finished += path->length;
    if (n->active)
        n->emit(n->context, path->start, value, path->events);
}

static void naive_count(const struct naive *n, struct naive_path *path, uint64_t events)
{
    path->events = events > n->events_max - path->events ? n->events_max : path->events + events;
}

static void naive_update(struct naive *n, struct naive_path *path, bool taken, uint64_t events,
                         uint64_t from)
{
    n->done++;
    if (path->length == n->length) {
        n->done += 2; /* pop and push */
        naive_finish(n, path);
        path->start = from;
        path->length = 0;
        path->events = 0;
        path->extension = 0;
    }
    path->taken[path->length++] = taken;
    n->recorded++;
    naive_count(n, path, events);
}

/* Entries above the one that will return to `address` go; without one, all of them. */
static void naive_unwind(struct naive *n, struct naive_thread *t, uint64_t address)
{
    for (size_t i = t->n; i-- > 0;)
        for (unsigned k = t->path[i].n_callers; k-- > 0;)
            if (t->path[i].caller[k] == address) {
                t->path[i].n_callers = k + 1;
                naive_cut(n, t, i + 1);
                for (size_t w = 0; w < t->n_waits; w++)
                    if (t->wait[w].floor != SIZE_MAX && t->wait[w].floor > i)
                        t->wait[w].floor = SIZE_MAX;
                return;
            }
    naive_cut(n, t, naive_floor(t));
}

static bool naive_has(const char *operations, const char *operation)
{
    char padded[64], wanted[32];
    snprintf(padded, sizeof padded, "+%s+", operations);
    snprintf(wanted, sizeof wanted, "+%s+", operation);
    return strstr(padded, wanted);
}

/* ---- a branch ---- */

/* An extended path goes on through the branch, if it may. */
static bool naive_extend(struct naive *n, struct naive_thread *t, enum naive_class class,
                         bool taken, uint64_t returns_to, uint64_t events, uint64_t from)
{
    struct naive_path *top = &t->path[t->n - 1];
    if (n->kind == NAIVE_LOOP && class == NAIVE_BACKWARD && top->extension < n->extend) {
        naive_update(n, top, taken, events, from);
        top->extension++;
        return true;
    }
    if (n->kind == NAIVE_PROCEDURE && class == NAIVE_CALL && top->n_callers - 1 < n->extend) {
        naive_update(n, top, true, events, from);
        top->caller[top->n_callers++] = returns_to;
        return true;
    }
    if (n->kind == NAIVE_PROCEDURE && class == NAIVE_RETURN && top->n_callers > 1) {
        naive_update(n, top, true, events, from);
        top->n_callers--;
        return true;
    }
    return false;
}

static void naive_branch(struct naive *n, struct naive_thread *t, enum naive_class class,
                         bool taken, uint64_t next, uint64_t returns_to)
{
    const char *operations = n->operations[class];
    bool pop = naive_has(operations, "pop"), push = naive_has(operations, "push");
    uint64_t events = t->since, from = t->from;
    t->since = 0;
    t->from = next;
    if (class == NAIVE_RETURN) {
        if (!naive_empty(t) && n->repair) {
            struct naive_path *top = &t->path[t->n - 1];
            uint64_t expected = top->caller[top->n_callers - 1];
            if (expected != next && expected != NAIVE_ANYWHERE)
                naive_unwind(n, t, next);
        }
        if (naive_empty(t)) {
            n->done++;
            naive_push(n, t, next, NAIVE_ANYWHERE);
            return;
        }
    }
    if (!naive_empty(t) && naive_extend(n, t, class, taken, returns_to, events, from))
        return;

    /* Where the procedure that is executed next returns to. */
    struct naive_path before = {.caller = {NAIVE_ANYWHERE}, .n_callers = 1};
    bool had = !naive_empty(t);
    if (had) {
        struct naive_path *top = &t->path[t->n - 1];
        if (naive_has(operations, "update"))
            naive_update(n, top, taken, events, from);
        if (naive_has(operations, "update_count"))
            naive_count(n, top, events);
        n->done += naive_has(operations, "update_count") + pop;
        before = *top;
        if (pop) {
            naive_finish(n, top);
            t->n--;
        }
    }
    struct naive_path *below = naive_empty(t) ? NULL : &t->path[t->n - 1];
    if (class == NAIVE_RETURN && !pop)
        below->caller[below->n_callers - 1] = NAIVE_ANYWHERE;
    if (class == NAIVE_CALL && !push && below)
        below->caller[below->n_callers - 1] = NAIVE_ANYWHERE;
    if (!push)
        return;
    n->done++;
    if (class == NAIVE_CALL) {
        naive_push(n, t, next, returns_to);
    } else if (class == NAIVE_RETURN) {
        naive_push(n, t, next, below ? below->caller[below->n_callers - 1] : NAIVE_ANYWHERE);
    } else {
        naive_push(n, t, next, before.caller[before.n_callers - 1]);
        if (pop && had) { /* it is in the same procedures as the one in whose place it is */
            struct naive_path *top = &t->path[t->n - 1];
            memcpy(top->caller, before.caller, sizeof before.caller);
            top->n_callers = before.n_callers;
        }
    }
    if (pop && had && t->n > n->stack)
        n->spilled--; /* it is where another was */
}

/* ---- from blocks to branches ---- */

static bool naive_possible(const struct sl_block_end *end, uint64_t pc)
{
    if (end->branch == SL_BRANCH_NONE)
        return pc == end->next;
    if (end->branch == SL_BRANCH_CONDITIONAL)
        return pc == end->next || pc == end->target;
    if (end->branch == SL_BRANCH_JUMP || end->branch == SL_BRANCH_CALL)
        return pc == end->target;
    return true;
}

static void naive_leave(struct naive *n, struct naive_thread *t, const struct sl_block_end *end,
                        uint64_t pc)
{
    enum naive_class class = end->target > end->branch_pc ? NAIVE_FORWARD : NAIVE_BACKWARD;
    bool taken = end->branch != SL_BRANCH_CONDITIONAL || pc == end->target;
    if (end->branch == SL_BRANCH_NONE)
        return;
    if (end->branch == SL_BRANCH_CALL || end->branch == SL_BRANCH_INDIRECT_CALL)
        class = NAIVE_CALL;
    if (end->branch == SL_BRANCH_RETURN)
        class = NAIVE_RETURN;
    if (end->branch == SL_BRANCH_INDIRECT)
        class = NAIVE_INDIRECT;
    naive_branch(n, t, class, taken, pc, end->next);
}

/* A handler begins at `pc`: a path does. What was counted waits. */
static void naive_interrupt(struct naive *n, struct naive_thread *t, uint64_t pc)
{
    if (t->n_waits == 16) /* as deep as handlers are told apart */
        memmove(t->wait, t->wait + 1, --t->n_waits * sizeof *t->wait);
    t->wait[t->n_waits++] = (struct naive_wait){t->end, t->low, t->high, t->n, t->since, t->from};
    t->since = 0;
    t->from = pc;
    naive_push(n, t, pc, NAIVE_ANYWHERE);
}

static void naive_resume(struct naive *n, struct naive_thread *t, size_t i)
{
    struct naive_wait wait = t->wait[i];
    t->n_waits = i;
    t->end = wait.end;
    if (wait.floor == SIZE_MAX)
        return;
    naive_cut(n, t, wait.floor);
    t->since = wait.since;
    t->from = wait.from;
}

/* The thread goes from the block it is in to `block`. True if the two are one: a branch,
 * and its delay slot after a page's end. */
static bool naive_move(struct naive *n, struct naive_thread *t, uint32_t block)
{
    uint64_t pc = n->code->statics->block[block].pc;
    if (t->end.slot_missing && pc == t->end.next) {
        t->end.next = n->code->end[block].next;
        t->end.slot_missing = false;
        t->low = t->high = 0;
        return true;
    }
    if (t->end.flags & SL_INSN_REPEATS && pc == t->last)
        return false;
    if (naive_possible(&t->end, pc)) {
        naive_leave(n, t, &t->end, pc);
        return false;
    }
    for (size_t i = t->n_waits; i-- > 0;) {
        bool goes_on = naive_possible(&t->wait[i].end, pc);
        if (!goes_on && (pc < t->wait[i].low || pc >= t->wait[i].high))
            continue;
        naive_resume(n, t, i);
        return goes_on && naive_move(n, t, block);
    }
    naive_interrupt(n, t, pc);
    return false;
}

static inline void naive_step(struct naive *n, uint32_t thread, uint32_t block, uint64_t weight,
                              bool active)
{
    const struct sl_statics *statics = n->code->statics;
    if (!n->thread[thread])
        n->thread[thread] = calloc(1, sizeof *n->thread[thread]);
    struct naive_thread *t = n->thread[thread];
    n->active = active;
    t->since += t->here;
    t->here = active ? weight : 0;
    if (t->known && naive_move(n, t, block))
        return;
    const struct sl_block *b = &statics->block[block];
    t->known = true;
    t->end = n->code->end[block];
    t->low = b->pc;
    t->high = t->end.next;
    t->last = statics->insn[statics->block_insn[b->insns_at + b->n_insns - 1u]].pc;
}

/* Nothing is known of what the thread does next. */
static inline void naive_gap(struct naive *n, uint32_t thread)
{
    struct naive_thread *t = n->thread[thread];
    if (!t)
        return;
    t->n_waits = 0;
    naive_cut(n, t, 0);
    t->known = false;
    t->here = t->since = t->from = 0;
}

static inline uint64_t naive_unfinished(const struct naive *n, uint64_t *branches)
{
    uint64_t paths = 0;
    *branches = 0;
    for (size_t i = 0; i < 256; i++)
        for (size_t k = 0; n->thread[i] && k < n->thread[i]->n; k++, paths++)
            *branches += n->thread[i]->path[k].length;
    return paths;
}

static inline void naive_free(struct naive *n)
{
    for (size_t i = 0; i < 256; i++)
        if (n->thread[i]) {
            free(n->thread[i]->path);
            free(n->thread[i]);
        }
}

#endif
