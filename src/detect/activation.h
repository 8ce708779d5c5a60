/* SPDX-License-Identifier: MIT */
/* The current function of each thread, for detectors that charge costs to functions.
 *
 * A call pushes the current function and enters the target. A return pops to the call whose return
 * address it reaches. A return that does not match the top of the stack unwinds to the call that it
 * matches; one that matches none leaves the stack alone (a context switch in user space). longjmp
 * and exceptions enter the middle of a function by a jump or by a return that matches nothing: if
 * that function has made a call that is on the stack, the stack is unwound to it. (Not if it is the
 * function that was called last: then split-off code jumps back.)
 *
 * With `tail` (the default), a jump or fall-through from one function's symbol into another's
 * changes the current function without a push: a tail call, code that the compiler split off
 * (f.cold), a PLT stub. Without symbols, or with tail=0, only calls and returns count, as in
 * hardware, which sees no symbols; the misplaced weight is then reported (function_account.h).
 *
 * With repair=0 the stack is that of the function profiler's paper: a return pops the last call,
 * wherever it leads, and nothing else changes the stack. longjmp, exceptions and switches of stacks
 * leave it wrong from then on, and a signal handler is charged to the function it interrupts. With
 * `wrap` as well, it is never full or empty: its pointer wraps around, and a return to a call that
 * was overwritten finds whatever is in that slot, as in a return-address stack.
 *
 * Costs are charged to *units*. A unit is the function itself, or a refinement that the detector
 * makes of it: the function with its callers, a loop in it. Each call on the stack has the unit
 * that made it, and a return goes back to that unit. */
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

/* Meanings of transfers (flow.h): one of these, or SL_TRANSFER_CALL + the id of a return address. A
 * plain transfer within one symbol is STAY, the most common by far. From SL_TRANSFER_OWN on,
 * detectors may have their own meanings for plain transfers. */
enum { SL_TRANSFER_STAY, SL_TRANSFER_PLAIN, SL_TRANSFER_RETURN, SL_TRANSFER_CALL };
#define SL_TRANSFER_OWN UINT32_C(0x80000000)

/* What is charged. */
struct sl_charge_target {
    uint32_t function, tuple;
    uint32_t outer; /* inclusive: the unit that is charged as well; SL_NO_INDEX: none */
    bool stands_in; /* one unit for many: do not memoize transfers to it */
};

/* A memoized exit, by block pair (activation_exits.c). */
struct sl_jump {
    uint64_t address;  /* return address of a call; target of a return */
    uint32_t function; /* entered by a call; else that of the block's symbol */
    uint32_t kind;     /* activation_exits.c */
    uint32_t from, to; /* units: the last time, it led from one to the other */
};

struct sl_activations {
    const struct sl_detector_env *watch;
    struct sl_activation_config config;
    struct sl_flow flow;
    struct sl_dictionary functions; /* <first pc> */
    uint32_t *of_block;             /* by block: function of its symbol; SL_NO_INDEX: none */
    uint32_t
        *begins; /* by block without a symbol: the function that begins there, once it was called */
    uint8_t *chosen; /* by block: selected */
    size_t n_blocks, of_block_capacity, begins_capacity, chosen_capacity;
    uint64_t *calls; /* return addresses, by id */
    struct sl_index_map call_numbers;
    size_t calls_capacity;
    struct sl_threads threads;
    size_t n_finished;        /* threads finished so far, at the end of the run */
    uint64_t ended;           /* inclusive: weight of ended threads */
    uint64_t forgotten, lost; /* calls dropped by a full stack; returns that match no call */
    struct sl_account account;
    struct sl_misplaced misplaced; /* tail=0 */
    struct sl_jump *jump;          /* by pair */
    size_t jumps_capacity;
    bool out_of_memory;
    /* Returns the unit of `function` when called from unit `from` or, not `called`, jumped to from
     * there; `from` may be SL_NO_INDEX. NULL: units are functions. */
    uint32_t (*unit_of)(void *context, uint32_t from, uint32_t function, bool called);
    const struct sl_charge_target *unit; /* by unit; owned by the detector */
    void *context;
};

/* The state of a thread. */
struct sl_activation {
    struct sl_flow_thread flow;
    uint32_t function; /* current; SL_NO_INDEX: unknown */
    uint32_t began;    /* the last function entered at its start since the last call */
    uint32_t unit;
    struct sl_account_thread account;
    struct sl_call_stack stack;
};

void sl_activations_init(struct sl_activations *s, const struct sl_activation_config *config,
                         const struct sl_detector_env *watch);
/* Reads new blocks. Returns 0 or SL_ENOMEM. */
int sl_activations_sync(struct sl_activations *s, struct sl_failure *f);

/* The meaning of a transfer from a block with this end, never SL_TRANSFER_STAY; for detectors whose
 * flow has meanings of its own. */
uint32_t sl_activations_meaning(struct sl_activations *s, const struct sl_block_end *end);

/* Returns the thread of a slice, reset if the slice does not continue the last one. NULL if out of
 * memory. */
struct sl_activation *sl_activations_thread(struct sl_activations *s, const struct sl_slice *slice,
                                            struct sl_events *out);

/* The tuple id that a unit is charged as. */
static inline uint32_t sl_activations_tuple(const struct sl_activations *s, uint32_t unit)
{
    return s->unit_of && unit != SL_NO_INDEX ? s->unit[unit].tuple : unit;
}

/* True if the transfer to the block leaves the current function as it is: the most common case. */
static inline bool sl_activations_stay(const struct sl_activations *s,
                                       const struct sl_activation *t, uint32_t transfer,
                                       uint32_t block)
{
    return transfer == SL_TRANSFER_PLAIN && s->of_block[block] == t->function && !t->flow.signal;
}

/* Any other transfer. Returns true if a function was entered at its start. */
bool sl_activations_move(struct sl_activations *s, struct sl_activation *t, uint32_t transfer,
                         uint32_t block, struct sl_account_out to);

/* The function that a call to this block enters: that of its symbol, or one that begins here. */
uint32_t sl_activations_entered(struct sl_activations *s, uint32_t block);

/* Follows any transfer to block i of the chunk. */
void sl_activations_step(struct sl_activations *s, struct sl_activation *t,
                         const struct sl_slice *slice, uint32_t i, struct sl_events *out);

/* Changes to another unit of the same function, and charges the old one. */
void sl_activations_change(struct sl_activations *s, struct sl_activation *t, uint32_t unit,
                           struct sl_account_out to);

/* `feed`, `end_thread` and `finish` of detectors whose units change only with the function. */
int sl_activations_feed(struct sl_activations *s, const struct sl_slice *slice,
                        struct sl_events *out, struct sl_failure *f);
/* `feed` by slice->exits. */
void sl_activations_feed_exits(struct sl_activations *s, struct sl_activation *t,
                               const struct sl_slice *slice, struct sl_events *out);
void sl_activations_end_thread(struct sl_activations *s, uint32_t thread, struct sl_events *out);
void sl_activations_finish(struct sl_activations *s, struct sl_events *out);
/* sl_detector_facts.warning. */
void sl_activations_note(const struct sl_activations *s, char *out, size_t capacity);
/* For sl_detector_exits.emit_totals. */
void sl_activations_emit_totals(const struct sl_activations *s, struct sl_total_sink sink);
/* sl_detector_kind.total_weight. */
uint64_t sl_activations_whole(const struct sl_activations *s);
/* True if any part is out of memory. */
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
