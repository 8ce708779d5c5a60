/* Functions, by call and return: <first address of the function>.
 *
 * A call pushes the current function and enters the target; a return pops back
 * to the call whose return point it reaches. A return that does not fit the top
 * of the stack unwinds to the call that it does fit (longjmp, exceptions); one
 * that fits none leaves the stack alone (a context switch in user space).
 *
 * With `tail` (the default), a jump or fall-through from one function's symbol
 * into another's moves to that function without a push: a tail call, code that
 * the compiler split off (f.cold), a PLT stub. Without symbols, or with tail=0,
 * calls and returns are all that counts, as for hardware that sees no symbols.
 *
 * `count` counts entries: calls, jumps from elsewhere to a function's first
 * instruction, and returns there that return from no call (retpolines).
 * Any other metric is charged to the function that is executing. */
#include <stdlib.h>

#include "detector.h"
#include "dictionary.h"
#include "failure.h"
#include "flow.h"
#include "grow.h"
#include "threads.h"

#define STACK_MAX 65536u /* deeper calls are followed, but returns to them are not */

struct config {
    bool tail;
};

static const struct sl_option options[] = {
    SL_BOOL(struct config, tail, "1", "jumps into another function's symbol enter it"),
    SL_OPTIONS_END,
};

/* What a transfer means: one of these, or CALL + a place in `calls`. */
enum { PLAIN, RETURN, CALL };

struct function {
    const struct sl_watch *watch;
    bool tail;
    struct sl_flow flow;
    struct sl_dictionary tuples;
    uint32_t *of_block; /* function by the block's symbol; SL_NO_INDEX: has none */
    uint8_t *chosen;    /* block is selected */
    size_t n_blocks, room_of_block, room_chosen;
    uint64_t *calls;    /* return points */
    struct sl_index_map call_numbers;
    size_t room_calls;
    struct sl_threads threads;
    bool out_of_memory;
};

struct frame {
    uint32_t function;
    uint64_t returns_to;
};

struct thread {
    struct sl_flow_thread flow;
    uint32_t function; /* SL_NO_INDEX: not known yet */
    uint64_t since;    /* weight not charged yet */
    struct frame *stack;
    size_t depth, room;
};

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t next)
{
    struct function *s = context;
    (void)next;
    if (end->branch == SL_BRANCH_RETURN)
        return RETURN;
    if (end->branch != SL_BRANCH_CALL && end->branch != SL_BRANCH_INDIRECT_CALL)
        return PLAIN;
    uint32_t number = sl_index_intern(&s->call_numbers, end->next, 0);
    if (number == SL_NO_INDEX || !SL_GROW(s->calls, s->room_calls, (size_t)number + 1)) {
        s->out_of_memory = true;
        return PLAIN;
    }
    s->calls[number] = end->next;
    return CALL + number;
}

static int init(void *state, const void *config, const struct sl_watch *watch, struct sl_failure *f)
{
    struct function *s = state;
    (void)f;
    s->watch = watch;
    s->tail = ((const struct config *)config)->tail;
    sl_flow_init(&s->flow, watch->code, meaning, s);
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct function *s = state;
    const struct sl_statics *statics = s->watch->statics;
    if (!SL_GROW(s->of_block, s->room_of_block, statics->n_blocks) ||
        !SL_GROW(s->chosen, s->room_chosen, statics->n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (; s->n_blocks < statics->n_blocks; s->n_blocks++) {
        const struct sl_block *block = &statics->block[s->n_blocks];
        uint64_t start = s->tail ? sl_symbols_function(s->watch->symbols, block->pc) : 0;
        s->of_block[s->n_blocks] = start ? sl_dictionary_number(&s->tuples, start, 0) : SL_NO_INDEX;
        s->chosen[s->n_blocks] = s->watch->selection->chosen[statics->block_insn[block->insns_at]];
    }
    return sl_flow_sync(&s->flow, f);
}

/* The function that begins, or is at least first seen, at this block. */
static uint32_t entered(struct function *s, uint32_t block)
{
    uint32_t function = s->of_block[block];
    if (function == SL_NO_INDEX)
        function = sl_dictionary_number(&s->tuples, s->watch->statics->block[block].pc, 0);
    if (function == SL_NO_INDEX)
        s->out_of_memory = true;
    return function;
}

static void push(struct function *s, struct thread *t, uint64_t returns_to)
{
    if (t->depth == STACK_MAX) {
        /* Forget the older half: recursion this deep returns, if ever, much later. */
        t->depth = STACK_MAX / 2;
        for (size_t i = 0; i < t->depth; i++)
            t->stack[i] = t->stack[i + STACK_MAX / 2];
    }
    if (!SL_GROW(t->stack, t->room, t->depth + 1))
        s->out_of_memory = true;
    else
        t->stack[t->depth++] = (struct frame){t->function, returns_to};
}

/* Back to the call that returns there; false if there is none. */
static bool pop(struct thread *t, uint64_t to)
{
    for (size_t i = t->depth; i-- > 0;)
        if (t->stack[i].returns_to == to) {
            t->function = t->stack[i].function;
            t->depth = i;
            return true;
        }
    return false;
}

/* Moves the thread's function on; says whether one was entered at its start. */
static bool move(struct function *s, struct thread *t, uint32_t transfer, uint32_t block)
{
    /* A handler's end leads back into the function that it interrupted. */
    enum sl_flow_signal signal = t->flow.signal;
    t->flow.signal = SL_FLOW_NO_SIGNAL;
    if (signal == SL_FLOW_BEGAN)
        t->flow.waiting[t->flow.n_waiting - 1].tag = t->function;
    if (signal == SL_FLOW_ENDED)
        t->function = t->flow.waiting[t->flow.n_waiting].tag;
    if (transfer >= CALL) {
        push(s, t, s->calls[transfer - CALL]);
        t->function = entered(s, block);
        return true;
    }
    if (t->function == SL_NO_INDEX) {
        t->function = entered(s, block);
        return t->function != SL_NO_INDEX &&
               s->tuples.pc[t->function] == s->watch->statics->block[block].pc;
    }
    uint64_t pc = s->watch->statics->block[block].pc;
    bool popped = transfer == RETURN && pop(t, pc);
    uint32_t here = s->of_block[block];
    if (here == SL_NO_INDEX)
        return false;
    /* A return may enter a function: a signal handler, or what a retpoline calls. */
    bool enters = s->tuples.pc[here] == pc &&
                  (transfer == RETURN ? !popped : signal == SL_FLOW_BEGAN || here != t->function);
    t->function = here;
    return enters;
}

/* The weight so far goes to the function that was executing. */
static void charge(struct thread *t, uint32_t function, uint32_t place, struct sl_events *out)
{
    if (t->since) {
        if (out->place)
            out->place[out->n] = place;
        out->number[out->n] = function;
        out->weight[out->n++] = t->since;
        t->since = 0;
    }
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct function *s = state;
    int fresh;
    struct thread *t = sl_threads_state(&s->threads, slice->chunk->thread, sizeof *t, &fresh);
    if (!t)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    if (fresh || !slice->joined) {
        charge(t, t->function, slice->block_low, out);
        t->flow = (struct sl_flow_thread){.block = SL_FLOW_NONE};
        t->function = SL_NO_INDEX;
        t->depth = 0;
    }
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t block = slice->chunk->block[i];
        uint32_t transfer = sl_flow_step(&s->flow, &t->flow, block);
        uint32_t before = t->function;
        /* The common case by far: on within the function. */
        if (transfer != PLAIN || s->of_block[block] != before || t->flow.signal) {
            if (transfer == SL_FLOW_NOTHING)
                transfer = PLAIN;
            bool entry = move(s, t, transfer, block);
            if (!slice->block_weight && entry && slice->active && s->chosen[block]) {
                if (out->place)
                    out->place[out->n] = i + 1;
                out->number[out->n++] = t->function;
            } else if (t->function != before) {
                charge(t, before, i + 1, out);
            }
        }
        if (slice->block_weight && slice->active && s->chosen[block])
            t->since += slice->block_weight[i];
    }
    return s->out_of_memory || s->flow.out_of_memory ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}

static void finish(void *state, struct sl_events *out)
{
    struct function *s = state;
    for (size_t i = 0; i < s->threads.room; i++) {
        struct thread *t = s->threads.state[i];
        if (t && out->n < SL_EVENTS_MAX)
            charge(t, t->function, 0, out);
    }
}

static void names(void *state, struct sl_names *names_out)
{
    struct function *s = state;
    sl_dictionary_names(&s->tuples, names_out);
}

static void free_thread(void *state)
{
    struct thread *t = state;
    free(t->stack);
}

static void close_function(void *state)
{
    struct function *s = state;
    sl_flow_free(&s->flow);
    sl_dictionary_free(&s->tuples);
    sl_index_free(&s->call_numbers);
    sl_threads_free(&s->threads, free_thread);
    free(s->of_block);
    free(s->chosen);
    free(s->calls);
}

const struct sl_detector_kind sl_detector_function = {
    .name = "function",
    .summary = "functions, by call and return: <first pc>",
    .second = SL_SECOND_NONE,
    .follows = true,
    .metric = "instructions",
    .no_class = "a function is executed whole",
    .options = options,
    .config_size = sizeof(struct config),
    .state_size = sizeof(struct function),
    .init = init,
    .sync = sync,
    .feed = feed,
    .finish = finish,
    .names = names,
    .close = close_function,
};
