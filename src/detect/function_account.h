/* SPDX-License-Identifier: MIT */
/* Accounting of costs by function. Exclusive costs are charged to the current function, in one
 * event at each change of function. Inclusive costs are charged once to every function on the call
 * stack.
 *
 * For inclusive costs, a function gets one event when it leaves the stack for the last time, with
 * everything that was executed since it entered the stack:
 *
 *     calls       main  f  g  f           returns  f  g  f  main
 *     f           ------=================================.          one event
 *     g           ---------==========================.              one event
 *
 * With `twice`, a function is charged as often as it is on the stack. */
#ifndef SL_FUNCTION_ACCOUNT_H
#define SL_FUNCTION_ACCOUNT_H

#include "detector.h"

/* The totals of one function. */
struct sl_totals {
    uint64_t times, weight;
    uint64_t within; /* of the times: changes to another unit of the same function (activation.h) */
};

struct sl_account {
    bool inclusive, twice;
    bool keep_totals;         /* add events up in `totals` instead of emitting them */
    struct sl_totals *totals; /* by function */
    size_t totals_capacity;
    struct sl_held { /* events that did not fit the slice's buffer */
        uint32_t function, thread;
        uint64_t weight, part[SL_PARTS];
    } * held;
    size_t n_held, held_capacity;
    bool out_of_memory;
};

struct sl_account_thread {
    uint64_t weight;         /* not yet charged; inclusive: the total so far */
    uint64_t part[SL_PARTS]; /* of `weight`, where tables keep parts */
    struct sl_presence {
        uint64_t from; /* `weight` when it entered the stack; twice: the sum over its entries
                        * less the sum over its exits */
        uint64_t from_part[SL_PARTS];
        uint32_t times; /* how often it is on the stack */
    } * presence;       /* by function */
    size_t presence_capacity;
};

/* Where events go. */
struct sl_account_out {
    struct sl_events *out;
    uint32_t position; /* for sl_events.position */
};

/* Emits an event, or adds it to the totals. */
void sl_account_emit(struct sl_account *a, struct sl_account_out to, struct sl_held event);

/* Allocates the totals of the function. Sets out_of_memory if that fails. */
void sl_account_reserve(struct sl_account *a, uint32_t function);

/* The current function changes: charges the weight that is not yet charged to `function`. */
void sl_account_charge(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                       struct sl_account_out to);

/* For inclusive costs: the function enters the stack, or leaves it, perhaps one of several times.
 * SL_NO_INDEX is ignored. */
void sl_account_enter(struct sl_account *a, struct sl_account_thread *t, uint32_t function);
void sl_account_leave(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                      struct sl_account_out to);

/* Emits held-back events of one thread, as many as fit. */
void sl_account_finish(struct sl_account *a, struct sl_account_out to);

/* ---- misplaced weight ---- */

/* The weight that calls and returns alone charge to the wrong function. With function(tail=0), as
 * in hardware, a function that is entered by a jump (a tail call) or by a signal is not charged;
 * the function that was called last is. A block counts as misplaced if the symbol at its address is
 * not that of the charged function; code without a symbol never does. (The misplaced weight is at
 * least half of the difference to a profile by addresses. It is more if a function is charged too
 * much in one place and too little in another.) */
struct sl_misplaced {
    uint64_t *start; /* by block: start of the function at its address; 0: none */
    size_t capacity;
    uint64_t weight, all;
};

/* Adds the weight of a block that is charged to the function that starts at `charged`. */
static inline void sl_misplaced_add(struct sl_misplaced *m, uint32_t block, uint64_t charged,
                                    uint64_t weight)
{
    uint64_t start = m->start[block];
    m->all += weight;
    if (start && start != charged)
        m->weight += weight;
}

/* Writes a warning, if there is misplaced weight, in a text of `capacity` bytes. */
void sl_misplaced_warning(const struct sl_misplaced *m, char *out, size_t capacity);

#endif
