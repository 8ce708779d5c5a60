/* SPDX-License-Identifier: MIT */
/* What a branch does to a path stack: the operations of its word (path_turn.h), on the
 * entry on top.
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

#include "detector.h"
#include "detector_state.h"
#include "path_stack.h"
#include "path_turn.h"

/* ---- tuple ids ---- */

/* A direct-mapped cache: most finished paths are among the few that were finished just before. Only
 * misses go to the dictionary. */
#define SL_PATH_MEMO_LOG2 16

struct sl_path_memo {
    uint64_t path;   /* as on the stack; 0: none */
    uint32_t number; /* SL_NO_INDEX: not selected */
};

struct sl_path_numbers {
    const struct sl_watch *watch;
    struct sl_path_memo *memo;
    struct sl_dictionary tuples;
    bool out_of_memory;
};

bool sl_path_numbers_init(struct sl_path_numbers *numbers, const struct sl_watch *watch);
void sl_path_numbers_free(struct sl_path_numbers *numbers);

/* The number of a path that is not in its place, where it is then. */
uint32_t sl_path_recall(struct sl_path_numbers *numbers, struct sl_path_memo *memo, uint64_t path);

/* The number of a path; SL_NO_INDEX if it starts where --range does not reach. */
static inline uint32_t sl_path_number(struct sl_path_numbers *numbers, uint64_t path)
{
    struct sl_path_memo *memo =
        &numbers->memo[path * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SL_PATH_MEMO_LOG2)];
    return memo->path == path ? memo->number : sl_path_recall(numbers, memo, path);
}

/* ---- branches ---- */

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
    uint32_t *number;
    uint64_t *weight; /* NULL: not asked for */
    uint32_t *place;  /* the same */
    size_t n;
    uint32_t at;
    unsigned operations; /* that were done, counted up */
};

/* The branch `word`, behind which block `next` is executed. */
void sl_path_branch(const struct sl_path_rules *rules, struct sl_path_stack *stack, uint32_t word,
                    uint32_t next, struct sl_path_outlet *out);

/* What an event counter is when `events` are added. */
static inline uint64_t sl_path_sum(const struct sl_path_rules *rules, uint64_t counter,
                                   uint64_t events)
{
    uint64_t sum = counter + events;
    return sum < counter || sum > rules->events_max ? rules->events_max : sum;
}

/* Puts a finished path behind n others; how many there are then. */
static inline size_t sl_path_put(const struct sl_path_outlet *out, size_t n, uint64_t path,
                                 uint64_t events, bool weighed)
{
    uint32_t number = sl_path_number(out->numbers, path);
    out->number[n] = number;
    if (weighed) {
        out->weight[n] = events;
        if (out->place)
            out->place[n] = out->at + 1;
    }
    return n + (number != SL_NO_INDEX);
}

#endif
