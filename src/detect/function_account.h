/* SPDX-License-Identifier: MIT */
/* Who is charged with what functions cost, of a thread: the function that is executing, in
 * an event at each change of function; or, inclusive, every function on the stack, once,
 * however often it is there. So that this costs no more, an event is given when a function
 * leaves the stack for good, with all that was executed since it came there:
 *
 *     calls       main  f  g  f           returns  f  g  f  main
 *     f           ------=================================.          one event
 *     g           ---------==========================.              one event
 *
 * With `twice`, a function is charged as often as it is there. */
#ifndef SL_FUNCTION_ACCOUNT_H
#define SL_FUNCTION_ACCOUNT_H

#include "detector.h"

/* What events of one function come to. */
struct sl_tally {
    uint64_t times, weight;
    uint64_t within; /* of the times: it went on, as another unit (activation.h) */
};

struct sl_account {
    bool inclusive, twice;
    bool tallied;           /* nobody asks for events one by one: they are added up here */
    struct sl_tally *tally; /* by function */
    size_t room_tally;
    struct sl_held { /* left the stack when there was no room for its event */
        uint32_t function, thread;
        uint64_t weight, part[SL_PARTS];
    } * held;
    size_t n_held, room_held;
    bool out_of_memory;
};

struct sl_account_thread {
    uint64_t weight;         /* not charged yet; inclusive: in all */
    uint64_t part[SL_PARTS]; /* that it is made of, where that is asked for */
    struct sl_presence {
        uint64_t from; /* `weight` when it came to the stack; twice: the sum of all its comings,
                        * less those of its leavings */
        uint64_t from_part[SL_PARTS];
        uint32_t times; /* it is there */
    } * presence;       /* by function */
    size_t room_presence;
};

/* Where events go at the moment. */
struct sl_account_out {
    struct sl_events *out;
    uint32_t place; /* struct sl_events */
};

/* An event, or what becomes of it where they are tallied. */
void sl_account_give(struct sl_account *a, uint32_t function, uint64_t weight,
                     struct sl_account_out to);

/* Makes room for the function among those that are tallied. */
void sl_account_know(struct sl_account *a, uint32_t function);

/* The function is left, by a call or otherwise: the weight so far is its own. */
void sl_account_charge(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                       struct sl_account_out to);

/* It comes to the stack, or is left for good, one time of several perhaps. SL_NO_INDEX is
 * nobody. */
void sl_account_come(struct sl_account *a, struct sl_account_thread *t, uint32_t function);
void sl_account_leave(struct sl_account *a, struct sl_account_thread *t, uint32_t function,
                      struct sl_account_out to);

/* Gives what was held back, of one thread, as much as there is room for. */
void sl_account_finish(struct sl_account *a, struct sl_account_out to);

/* ---- misplaced weight ---- */

/* The weight that calls and returns alone charge to the wrong function. With function(tail=0), as
 * in hardware, a function that is entered by a jump (a tail call) or by a signal is not charged;
 * the function that was called last is. A block counts as misplaced if the symbol at its address is
 * not that of the charged function; code without a symbol never does. (At least half of the
 * difference to a profile by addresses; more where a function is charged too much in one place and
 * too little in another.) */
struct sl_misplaced {
    uint64_t *start; /* by block: of the function that its address is in; 0: of none */
    size_t room;
    uint64_t weight, all;
};

/* The block's function begins there. False when memory ran out. */
bool sl_misplaced_block(struct sl_misplaced *m, size_t block, uint64_t start);

/* The block weighed so much, and the function that begins there is charged. */
static inline void sl_misplaced_add(struct sl_misplaced *m, uint32_t block, uint64_t charged,
                                    uint64_t weight)
{
    uint64_t start = m->start[block];
    m->all += weight;
    if (start && start != charged)
        m->weight += weight;
}

/* Says it in words, if there is something to say, in a text of `room` bytes. */
void sl_misplaced_note(const struct sl_misplaced *m, char *out, size_t room);

void sl_misplaced_free(struct sl_misplaced *m);

#endif
