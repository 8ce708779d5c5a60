/* What a branch does to a path stack: the operations of its word (path_turn.h), on the
 * entry on top. Inline, because it is done for every call and return of a program.
 *
 * Where an `update` finds a path that is at its longest, that one is finished before the
 * branch is looked at, and a new one starts at what was executed behind the last branch:
 * so it has this branch as its first, each branch is in one path, and every path can be
 * walked. (The document has it start behind this branch, which would then be in none.)
 *
 * A path that ends within a procedure into which it went on (kind procedure) is followed
 * by one that will go on back to the caller as the first would have. (The document starts
 * it with nothing, and from then on there would be one entry less on the stack than there
 * are callers.)
 *
 * What an entry expects of returns: one that a call pushes, the call's return address;
 * one that another branch pushes, what the entry before it did, since the procedure is
 * the same; one that a return pushes, what the caller's entry does, if that is below it.
 * Where it cannot be known, any return fits. */
#ifndef SL_PATH_BRANCH_H
#define SL_PATH_BRANCH_H

#include "path_number.h"
#include "path_stack.h"
#include "path_turn.h"

#define SL_PATH_INLINE inline __attribute__((always_inline))

struct sl_path_rules {
    unsigned kind; /* enum sl_path_kind */
    bool repair;
    uint64_t extend;
    uint64_t events_max;
    uint64_t trail_max; /* the least trail of a path that is at its longest */
};

/* Where finished paths go, and the place in the chunk of the block behind them. */
struct sl_path_outlet {
    struct sl_path_numbers *numbers;
    uint32_t *number, *place;
    uint64_t *weight;
    size_t n;
    uint32_t at;
    bool active;
    bool weighed; /* constant wherever it is looked at: the code is made for both */
};

/* A branch, and what is executed around it. */
struct sl_path_step {
    uint32_t word, next;
    uint32_t from;  /* block that was executed behind the branch before */
    uint64_t since; /* events since then */
};

static SL_PATH_INLINE void sl_path_finish(struct sl_path_outlet *out, uint64_t path, uint64_t events)
{
    uint32_t number = sl_path_number(out->numbers, path);
    out->number[out->n] = number;
    if (out->weighed) {
        out->weight[out->n] = events;
        if (out->place)
            out->place[out->n] = out->at + 1;
    }
    out->n += out->active & (number != SL_NO_INDEX);
}

/* In an event counter, which saturates. */
static inline uint64_t sl_path_sum(const struct sl_path_rules *rules, uint64_t a, uint64_t b)
{
    return a + b < a || a + b > rules->events_max ? rules->events_max : a + b;
}

static inline void sl_path_start(struct sl_path_entry *e, uint32_t block)
{
    e->path = sl_path_begin(block);
    e->events = 0;
}

static SL_PATH_INLINE void sl_path_update(const struct sl_path_rules *rules, struct sl_path_entry *e,
                                  const struct sl_path_step *step, struct sl_path_outlet *out)
{
    if ((e->path & SL_PATH_TRAIL) >= rules->trail_max) {
        sl_path_finish(out, e->path, e->events);
        sl_path_start(e, step->from);
        if (rules->kind != SL_PATH_PROCEDURE)
            e->extension = 0;
    }
    if (out->weighed)
        e->events = sl_path_sum(rules, e->events, step->since);
    e->path += (e->path & SL_PATH_TRAIL) + (step->word & SL_TURN_TAKEN);
}

/* Lets the path on top go on through a backward branch, a call, a return; false if that
 * is at its limit. */
static SL_PATH_INLINE bool sl_path_extend(const struct sl_path_rules *rules, struct sl_path_stack *s,
                                  const struct sl_path_step *step, struct sl_path_outlet *out)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    bool back = step->word & SL_TURN_RETURN;
    if (back ? !e->extension : e->extension >= rules->extend)
        return false;
    sl_path_update(rules, e, step, out);
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
static inline bool sl_path_settle(const struct sl_path_rules *rules, struct sl_path_stack *s,
                                  uint32_t address)
{
    if (rules->repair && !sl_path_stack_empty(s)) {
        uint32_t expected = *sl_path_stack_expected(s);
        if (expected != address && expected != SL_PATH_ANYWHERE)
            sl_path_stack_unwind(s, address);
    }
    return !sl_path_stack_empty(s);
}

/* The path on top is finished, and one that starts now takes its place. */
static inline void sl_path_replace(const struct sl_path_rules *rules, struct sl_path_stack *s,
                                   const struct sl_path_step *step)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    sl_path_start(e, step->next);
    if (rules->kind != SL_PATH_PROCEDURE || step->word & (SL_TURN_CALL | SL_TURN_RETURN))
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

/* A call that pushed nothing, or a return that popped nothing: the entry on top has gone
 * on into another procedure, and where that returns to, it cannot know. */
static inline void sl_path_lose_way(struct sl_path_stack *s)
{
    if (!sl_path_stack_empty(s))
        *sl_path_stack_expected(s) = SL_PATH_ANYWHERE;
}

static inline void sl_path_push(struct sl_path_stack *s, const struct sl_path_step *step)
{
    uint32_t expects = SL_PATH_ANYWHERE;
    if (step->word & SL_TURN_CALL)
        expects = step->word >> SL_TURN_ADDRESS;
    else if (!sl_path_stack_empty(s))
        expects = *sl_path_stack_expected(s);
    sl_path_stack_push(s, step->next, expects);
}

/* Update and pop on the entry on top, and push if it was popped; what is left to do is in
 * the word that comes back. */
static SL_PATH_INLINE uint32_t sl_path_use_top(const struct sl_path_rules *rules, struct sl_path_stack *s,
                                       const struct sl_path_step *step, struct sl_path_outlet *out)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    uint32_t word = step->word;
    if (word & SL_TURN_EXTENDS && sl_path_extend(rules, s, step, out))
        return 0;
    if (word & SL_TURN_UPDATE)
        sl_path_update(rules, e, step, out);
    else if (out->weighed && word & SL_TURN_UPDATE_COUNT)
        e->events = sl_path_sum(rules, e->events, step->since);
    if (!(word & SL_TURN_POP)) {
        if (word & SL_TURN_RETURN)
            sl_path_lose_way(s);
        return word;
    }
    sl_path_finish(out, e->path, e->events);
    if (word & SL_TURN_PUSH) {
        sl_path_replace(rules, s, step);
        return 0;
    }
    s->top--;
    return word;
}

/* The branch `word`, behind which `next` is executed. */
static SL_PATH_INLINE void
sl_path_branch(const struct sl_path_rules *rules, struct sl_path_stack *s, uint32_t word,
               uint32_t next, struct sl_path_outlet *out)
{
    struct sl_path_step step = {word, next, s->from, s->since};
    s->from = next;
    s->since = 0;
    if (word & SL_TURN_RETURN && !sl_path_settle(rules, s, word >> SL_TURN_ADDRESS)) {
        sl_path_stack_push(s, next, SL_PATH_ANYWHERE);
        return;
    }
    if (!sl_path_stack_empty(s))
        word = sl_path_use_top(rules, s, &step, out);
    if (word & SL_TURN_PUSH)
        sl_path_push(s, &step);
    else if (word & SL_TURN_CALL)
        sl_path_lose_way(s);
}

#endif
