/* SPDX-License-Identifier: MIT */
/* Tracker of the function that each thread is executing. Detectors use it to charge costs to
 * functions.
 *
 * A call pushes the current function on the thread's call stack and enters the target. A return
 * pops to the call whose return address it reaches. A return that does not match the top of the
 * stack unwinds to the call that it matches. A return that matches no call leaves the stack as it
 * is, as after a context switch in user space. longjmp and exceptions enter the middle of a
 * function by a jump, or by a return that matches no call. If that function has made a call that is
 * on the stack, the stack is unwound to that call, unless it is the function that was entered last:
 * then the compiler split code off it, and the jump leads back.
 *
 * With `tail` (the default), a jump or fall-through from one function's symbol into another's
 * changes the current function without a push: a tail call, code that the compiler split off
 * (f.cold), a PLT stub. Without symbols, or with tail=0, only calls and returns count, as in
 * hardware, which sees no symbols. The misplaced weight is then reported (function_account.h).
 *
 * With repair=0 the stack is the one of the function profiler's paper: a return pops the last call,
 * wherever the return leads, and nothing else changes the stack. longjmp, exceptions and switches
 * of stacks leave it wrong from then on, and a signal handler is charged to the function that it
 * interrupts. With `wrap` as well, the stack is never full or empty: its pointer wraps around, and
 * a return to a call that was overwritten takes the contents of its slot, as in a return-address
 * stack.
 *
 * Costs are charged to *units*. A unit is the function itself or a refinement that the detector
 * defines: the function with its callers, or a loop in it. Each call on the stack has the unit that
 * made it, and a return goes back to that unit. */
#ifndef SL_ACTIVATION_H
#define SL_ACTIVATION_H

#include "call_stack.h"
#include "detector_state.h"
#include "flow.h"
#include "function_account.h"

#define SL_OPTION_TAIL(C)                                                                      \
    SL_BOOL(C, tail, "1",                                                                      \
            "1: a jump into another function is a tail call and enters it; 0: only calls and " \
            "returns count")
#define SL_OPTION_DEPTH(C)                           \
    SL_UNSIGNED(C, depth, "0", 0, SL_CALL_STACK_MAX, \
                "size of the call stack, in calls; 0: unlimited")

#define SL_OPTION_REPAIR(C)                                                          \
    SL_BOOL(C, repair, "1",                                                          \
            "1: a return unwinds to the call that it matches; 0: it pops one call, " \
            "as in hardware")

struct sl_activation_config {
    bool tail, inclusive, repair, wrap, twice;
    uint64_t depth;
};

/* Meanings of transfers (flow.h): one of these, or SL_TRANSFER_CALL + the id of a return address. A
 * plain transfer within one symbol is STAY, the most common by far. From SL_TRANSFER_OWN on,
 * detectors may have their own meanings for plain transfers. */
enum { SL_TRANSFER_STAY, SL_TRANSFER_PLAIN, SL_TRANSFER_RETURN, SL_TRANSFER_CALL };
#define SL_TRANSFER_OWN UINT32_C(0x80000000)

/* A unit, to which costs are charged. */
struct sl_charge_target {
    uint32_t function, tuple;
    uint32_t outer; /* inclusive: the enclosing unit, charged as well; SL_NO_INDEX: none */
    bool shared;    /* it replaces several units: transfers to it must not be memoized */
};

/* A memoized exit, by block pair (activation_exits.c). */
struct sl_exit_memo {
    uint64_t address;  /* return address of a call; target of a return */
    uint32_t function; /* entered by a call; else that of the block's symbol */
    uint32_t kind;     /* enum in activation_exits.c */
    uint32_t from, to; /* units before and after its last execution */
};

struct sl_activations {
    const struct sl_detector_env *env;
    struct sl_activation_config config;
    struct sl_flow flow;
    struct sl_dictionary functions; /* <first pc> */
    uint32_t *of_block;             /* by block: function of its symbol; SL_NO_INDEX: none */
    uint32_t *begins; /* by block without a symbol: the function that begins there; SL_NO_INDEX */
    const uint8_t *chosen; /* sl_selection.chosen_block */
    size_t n_blocks, of_block_capacity, begins_capacity;
    uint64_t *calls; /* return addresses, by id */
    struct sl_index_map call_ids;
    size_t calls_capacity;
    struct sl_threads threads;
    size_t n_finished;      /* threads finished so far, at the end of the run */
    uint64_t ended;         /* inclusive: weight of ended threads */
    uint64_t dropped, lost; /* calls dropped by a full stack; returns that match no call */
    struct sl_account account;
    struct sl_misplaced misplaced;  /* tail=0 */
    struct sl_exit_memo *exit_memo; /* by pair */
    size_t exit_memos_capacity;
    bool out_of_memory;
    /* Returns the unit of `function` when called from unit `from` or, not `called`, jumped to from
     * there; `from` may be SL_NO_INDEX. NULL: units are functions. */
    uint32_t (*unit_of)(struct sl_activations *s, uint32_t from, uint32_t function, bool called);
    /* With unit_of, filled by the detector: */
    struct sl_charge_target *unit; /* by unit */
    struct sl_dictionary tuples;   /* those of the units */
    size_t units_capacity;
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

/* Initializes a zeroed state. `env` must outlive it. */
void sl_activations_init(struct sl_activations *s, const struct sl_activation_config *config,
                         const struct sl_detector_env *env);
/* Reads new blocks. Returns 0 or SL_ENOMEM. */
int sl_activations_sync(void *state, struct sl_failure *f);

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

/* Follows a transfer to the block. Returns true if a function was entered at its start. */
bool sl_activations_follow(struct sl_activations *s, struct sl_activation *t, uint32_t transfer,
                           uint32_t block, struct sl_account_out to);

/* The function that a call to this block enters: that of its symbol, or without a symbol, one that
 * begins at the block. */
uint32_t sl_activations_entered(struct sl_activations *s, uint32_t block);

/* Follows any transfer to block i of the chunk. */
void sl_activations_step(struct sl_activations *s, struct sl_activation *t,
                         const struct sl_slice *slice, uint32_t i, struct sl_events *out);

/* Changes to another unit of the same function, and charges the old one. */
void sl_activations_change(struct sl_activations *s, struct sl_activation *t, uint32_t unit,
                           struct sl_account_out to);

/* The members that all of these detectors set to the same. */
#define SL_ACTIVATION_KIND                                                                        \
    .error_measure = SL_MEASURE_OVERLAP, .feed_inactive = true, .default_metric = "instructions", \
    .options = options, .init = init, .end_thread = sl_activations_end_thread,                    \
    .finish = sl_activations_finish, .names = sl_activations_names, .exits = &exits,              \
    .facts = &facts

/* Members of sl_detector_kind and its parts for detectors whose state begins with struct
 * sl_activations. `feed` is for units that change only with the function. */
int sl_activations_feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                        struct sl_failure *f);
/* `feed` by slice->exits. */
void sl_activations_feed_exits(struct sl_activations *s, struct sl_activation *t,
                               const struct sl_slice *slice, struct sl_events *out);
void sl_activations_end_thread(void *state, uint32_t thread, struct sl_events *out);
void sl_activations_finish(void *state, struct sl_events *out);
void sl_activations_names(void *state, struct sl_tuple_names *names);
void sl_activations_warning(const void *state, char *out, size_t capacity);
void sl_activations_free(void *state);
/* Members of sl_detector_exits. */
void sl_activations_keep_totals(void *state);
void sl_activations_emit_totals(void *state, struct sl_total_sink sink);
void sl_activations_emit_pending(const void *state, struct sl_total_sink sink);
uint64_t sl_activations_total_weight(const void *state);
/* True if any part is out of memory. */
bool sl_activations_failed(const struct sl_activations *s);

/* The options of the detector `context`, from which `function` may be derived. */
struct sl_context_config {
    bool tail, repair, nested, inlined;
    uint64_t depth, limit;
};

#endif
