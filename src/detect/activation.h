/* SPDX-License-Identifier: MIT */
/* Who is executing, for detectors that charge it: the functions that a thread is in, by call
 * and return.
 *
 * A call pushes the current function and enters the target; a return pops back
 * to the call whose return point it reaches. A return that does not fit the top
 * of the stack unwinds to the call that it does fit; one that fits none leaves the
 * stack alone (a context switch in user space). longjmp and exceptions come to the
 * middle of a function by a jump, or a return that fits nothing: if that function has
 * made a call that is on the stack, the stack is unwound to it. (Not if it is the
 * function that was called last: that is code split off coming back.)
 *
 * With `tail` (the default), a jump or fall-through from one function's symbol
 * into another's moves to that function without a push: a tail call, code that
 * the compiler split off (f.cold), a PLT stub. Without symbols, or with tail=0,
 * calls and returns are all that counts, as for hardware that sees no symbols; where there
 * are some, the note says what that has misplaced (function_account.h).
 *
 * With repair=0 the stack is as simple as the function profiler's document has it: a return pops
 * the last call, wherever it leads, and nothing else changes it. So what longjmp, exceptions and
 * switches of stacks leave there is wrong from then on, and a signal's handler is its victim's.
 * With `wrap`, too, it never says that it is full or empty: its pointer goes round, and a return to
 * a call that was overwritten finds what is left in that place, as the processor's own has it.
 *
 * What is charged is a *unit*: the function itself, or what a detector makes of it, by where
 * it was come from: the function as called by these callers, a loop in it. Each call on the
 * stack has the unit that made it, and a return goes back to that. */
#ifndef SL_ACTIVATION_H
#define SL_ACTIVATION_H

#include "call_stack.h"
#include "detector.h"
#include "detector_state.h"
#include "flow.h"
#include "function_account.h"

#define SL_OPTION_TAIL(C) SL_BOOL(C, tail, "1", "jumps into another function's symbol enter it")
#define SL_OPTION_DEPTH(C)                           \
    SL_UNSIGNED(C, depth, "0", 0, SL_CALL_STACK_MAX, \
                "calls that the stack holds; 0: as many as one needs")

#define SL_OPTION_REPAIR(C)                                                     \
    SL_BOOL(C, repair, "1",                                                     \
            "returns go back to the call that they fit; 0: to the last, as in " \
            "hardware")

struct sl_activation_config {
    bool tail, inclusive, repair, wrap, twice;
    uint64_t depth;
};

/* What a transfer means: one of these, or SL_TRANSFER_CALL + a number. A plain one to a block
 * of the same symbol stays, which is all that most of them do. From SL_TRANSFER_OWN on,
 * detectors may have meanings of their own for plain ones. */
enum { SL_TRANSFER_STAY, SL_TRANSFER_PLAIN, SL_TRANSFER_RETURN, SL_TRANSFER_CALL };
#define SL_TRANSFER_OWN UINT32_C(0x80000000)

/* What a detector makes of functions. */
struct sl_unit {
    uint32_t function, tuple;
    uint32_t outer; /* inclusive: who pays, too; SL_NO_INDEX: nobody */
    bool stands_in; /* for others, too: that a step led there says nothing of the next time */
};

/* What a step of one pair of blocks (block_pairs.h) came to, for whoever goes from one step away to
 * the next. */
struct sl_jump {
    uint64_t address;  /* where a call returns to, or a return leads */
    uint32_t function; /* that a call enters; else that of the block's symbol */
    uint32_t kind;     /* activation_exits.c */
    uint32_t from, to; /* units: from the one it led to the other, not long ago */
};

struct sl_activations {
    const struct sl_watch *watch;
    struct sl_activation_config config;
    struct sl_flow flow;
    struct sl_dictionary functions; /* <first pc> */
    uint32_t *of_block;             /* function by the block's symbol; SL_NO_INDEX: has none */
    uint32_t *begins; /* function that begins with a block that has none, once it was entered so */
    uint8_t *chosen;  /* block is selected */
    size_t n_blocks, room_of_block, room_begins, room_chosen;
    uint64_t *calls; /* return points */
    struct sl_index_map call_numbers;
    size_t room_calls;
    struct sl_threads threads;
    size_t n_finished;        /* of these, at the end */
    uint64_t ended;           /* inclusive: the weight of threads that have */
    uint64_t forgotten, lost; /* calls, and returns that fit none */
    struct sl_account account;
    struct sl_misplaced misplaced; /* tail=0 */
    struct sl_jump *jump;          /* by pair */
    size_t room_jumps;
    bool out_of_memory;
    /* The unit that `function` is, called from unit `from`, or (not `called`) jumped to from
     * there; `from` may be SL_NO_INDEX. NULL: units are functions. */
    uint32_t (*unit_of)(void *context, uint32_t from, uint32_t function, bool called);
    const struct sl_unit *unit; /* what those are; the detector's */
    void *context;
};

/* A thread. */
struct sl_activation {
    struct sl_flow_thread flow;
    uint32_t function; /* SL_NO_INDEX: not known yet */
    uint32_t began;    /* the last that was entered at its start since it was called */
    uint32_t unit;
    struct sl_account_thread account;
    struct sl_call_stack stack;
};

void sl_activations_init(struct sl_activations *s, const struct sl_activation_config *config,
                         const struct sl_watch *watch);
int sl_activations_sync(struct sl_activations *s, struct sl_failure *f);

/* The meaning of a transfer from a block that ends so, for detectors whose flow has meanings
 * of their own; that they stay is not told. */
uint32_t sl_activations_meaning(struct sl_activations *s, const struct sl_block_end *end);

/* The thread of a slice, which has been forgotten if nothing is known of where it is. NULL
 * without memory. */
struct sl_activation *sl_activations_thread(struct sl_activations *s, const struct sl_slice *slice,
                                            struct sl_events *out);

/* What a unit is charged as. */
static inline uint32_t sl_activations_tuple(const struct sl_activations *s, uint32_t unit)
{
    return s->unit_of && unit != SL_NO_INDEX ? s->unit[unit].tuple : unit;
}

/* Whether a step to that block leaves the thread where it is: the common case by far. */
static inline bool sl_activations_stay(const struct sl_activations *s,
                                       const struct sl_activation *t, uint32_t transfer,
                                       uint32_t block)
{
    return transfer == SL_TRANSFER_PLAIN && s->of_block[block] == t->function && !t->flow.signal;
}

/* Moves the thread on where it does not; says whether a function was entered at its start. */
bool sl_activations_move(struct sl_activations *s, struct sl_activation *t, uint32_t transfer,
                         uint32_t block, struct sl_account_out to);

/* The function that begins, or is at least first seen, at this block. */
uint32_t sl_activations_entered(struct sl_activations *s, uint32_t block);

/* A step to the slice's i-th block, of any kind. */
void sl_activations_step(struct sl_activations *s, struct sl_activation *t,
                         const struct sl_slice *slice, uint32_t i, struct sl_events *out);

/* The thread goes from its unit to another of the same function. */
void sl_activations_change(struct sl_activations *s, struct sl_activation *t, uint32_t unit,
                           struct sl_account_out to);

/* The stream of a detector whose units change with functions alone, and the ends of all. */
int sl_activations_feed(struct sl_activations *s, const struct sl_slice *slice,
                        struct sl_events *out, struct sl_failure *f);
/* The same by slice->exits. */
void sl_activations_feed_exits(struct sl_activations *s, struct sl_activation *t,
                               const struct sl_slice *slice, struct sl_events *out);
void sl_activations_end_thread(struct sl_activations *s, uint32_t thread, struct sl_events *out);
void sl_activations_finish(struct sl_activations *s, struct sl_events *out);
void sl_activations_note(const struct sl_activations *s, char *out, size_t room);
/* For sl_detector_exits.emit_totals. */
void sl_activations_emit_totals(const struct sl_activations *s, struct sl_total_sink sink);
uint64_t sl_activations_whole(const struct sl_activations *s);
bool sl_activations_failed(const struct sl_activations *s);
void sl_activations_free(struct sl_activations *s);

/* ---- the detector `context` ---- */

struct sl_context_config {
    bool tail, repair, nested, inlined;
    uint64_t depth, limit;
};

/* The activations in the state of a `context` detector. Their units are contexts. */
const struct sl_activations *sl_context_activations(const void *state);

#endif
