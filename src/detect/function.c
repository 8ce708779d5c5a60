/* Functions, by call and return: <first address of the function>.
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
 * calls and returns are all that counts, as for hardware that sees no symbols.
 *
 * `count` counts entries: calls, jumps from elsewhere to a function's first
 * instruction, and returns there that return from no call (retpolines).
 * Any other metric is charged to the function that is executing, in an event at each
 * change of function.
 *
 * With `inclusive`, it is charged to every function that is executing or has called,
 * directly or not, what is: once to each (function_account.h).
 * What interrupts a function, a signal's handler, is charged to those that called that
 * function but not to itself. A call that the stack forgot (depth) is charged no more. */
#include <stdlib.h>

#include "call_stack.h"
#include "detector.h"
#include "dictionary.h"
#include "failure.h"
#include "flow.h"
#include "function_account.h"
#include "grow.h"
#include "threads.h"

struct config {
    bool tail, inclusive;
    uint64_t depth;
};

static const struct sl_option options[] = {
    SL_BOOL(struct config, tail, "1", "jumps into another function's symbol enter it"),
    SL_BOOL(struct config, inclusive, "0", "charge callers, too, with what functions cost"),
    SL_UNSIGNED(struct config, depth, "0", 0, SL_CALL_STACK_MAX,
                "calls that the stack holds; 0: as many as one needs"),
    SL_OPTIONS_END,
};

/* What a transfer means: one of these, or CALL + a place in `calls`. */
enum { PLAIN, RETURN, CALL };

struct function {
    const struct sl_watch *watch;
    struct config config;
    struct sl_flow flow;
    struct sl_dictionary tuples;
    uint32_t *of_block; /* function by the block's symbol; SL_NO_INDEX: has none */
    uint8_t *chosen;    /* block is selected */
    size_t n_blocks, room_of_block, room_chosen;
    uint64_t *calls;    /* return points */
    struct sl_index_map call_numbers;
    size_t room_calls;
    struct sl_threads threads;
    uint64_t forgotten, lost; /* calls, and returns that fit none */
    struct sl_account account;
    bool out_of_memory;
};

struct thread {
    struct sl_flow_thread flow;
    uint32_t function; /* SL_NO_INDEX: not known yet */
    uint32_t began;    /* the last that was entered at its start since it was called */
    struct sl_account_thread account;
    struct sl_call_stack stack;
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
    s->config = *(const struct config *)config;
    s->account.inclusive = s->config.inclusive;
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
        uint64_t start = s->config.tail ? sl_symbols_function(s->watch->symbols, block->pc) : 0;
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

/* ---- changes of function ------------------------------------------------- */

static void become(struct function *s, struct thread *t, uint32_t function,
                   struct sl_account_out to)
{
    if (function == t->function)
        return;
    sl_account_come(&s->account, &t->account, function);
    sl_account_leave(&s->account, &t->account, t->function, to);
    t->function = function;
}

static void call(struct function *s, struct thread *t, uint64_t returns_to, uint32_t block,
                 struct sl_account_out to)
{
    struct sl_call forgotten;
    bool forgets;
    if (!sl_call_stack_push(&t->stack, (struct sl_call){returns_to, t->function, t->began},
                            &forgotten, &forgets)) {
        s->out_of_memory = true;
        return;
    }
    t->function = t->began = entered(s, block);
    sl_account_come(&s->account, &t->account, t->function);
    if (forgets) {
        s->forgotten++;
        sl_account_leave(&s->account, &t->account, forgotten.function, to);
    }
}

/* Leaves the function and all whose calls are above the n-th on the stack, for the one that
 * made that. */
static void unwind(struct function *s, struct thread *t, uint32_t n, struct sl_account_out to)
{
    sl_account_leave(&s->account, &t->account, t->function, to);
    for (uint32_t i = 0; s->config.inclusive && i < n; i++)
        sl_account_leave(&s->account, &t->account, sl_call_stack_at(&t->stack, i)->function, to);
    bool found = n < t->stack.depth;
    t->function = found ? sl_call_stack_at(&t->stack, n)->function : SL_NO_INDEX;
    t->began = found ? sl_call_stack_at(&t->stack, n)->began : SL_NO_INDEX;
    sl_call_stack_pop(&t->stack, found ? n + 1 : n);
}

/* Back to the call that returns there; false if there is none. */
static bool go_back(struct function *s, struct thread *t, uint64_t address,
                    struct sl_account_out to)
{
    uint32_t n = sl_call_stack_find(&t->stack, address);
    if (n == t->stack.depth) {
        s->lost++;
        return false;
    }
    unwind(s, t, n, to);
    return true;
}

/* Comes to the middle of a function in no ordinary way. */
static void land(struct function *s, struct thread *t, uint32_t function, struct sl_account_out to)
{
    uint32_t n = function == t->began ? t->stack.depth
                                      : sl_call_stack_find_maker(&t->stack, function);
    if (n < t->stack.depth)
        unwind(s, t, n, to);
}

/* Moves the thread's function on; says whether one was entered at its start. */
static bool move(struct function *s, struct thread *t, uint32_t transfer, uint32_t block,
                 struct sl_account_out to)
{
    /* A handler's end leads back into the function that it interrupted. */
    enum sl_flow_signal signal = t->flow.signal;
    t->flow.signal = SL_FLOW_NO_SIGNAL;
    if (signal == SL_FLOW_BEGAN)
        t->flow.waiting[t->flow.n_waiting - 1].tag = t->function;
    if (signal == SL_FLOW_ENDED) {
        become(s, t, t->flow.waiting[t->flow.n_waiting].tag, to);
        t->began = t->function;
    }
    if (transfer >= CALL) {
        call(s, t, s->calls[transfer - CALL], block, to);
        return true;
    }
    uint64_t pc = s->watch->statics->block[block].pc;
    if (t->function == SL_NO_INDEX) {
        become(s, t, entered(s, block), to);
        t->began = t->function;
        return t->function != SL_NO_INDEX && s->tuples.pc[t->function] == pc;
    }
    bool returned = transfer == RETURN && go_back(s, t, pc, to);
    uint32_t here = s->of_block[block];
    if (here == SL_NO_INDEX)
        return false;
    /* A return may enter a function: a signal handler, or what a retpoline calls. */
    bool at_start = s->tuples.pc[here] == pc;
    bool enters = at_start &&
                  (transfer == RETURN ? !returned : signal == SL_FLOW_BEGAN || here != t->function);
    if (enters)
        t->began = here;
    else if (!returned && !at_start && here != t->function)
        land(s, t, here, to);
    become(s, t, here, to);
    return enters;
}

/* Nothing is known any more of where the thread is. */
static void forget(struct function *s, struct thread *t, struct sl_account_out to)
{
    sl_account_charge(&s->account, &t->account, t->function, to);
    unwind(s, t, t->stack.depth, to);
    t->flow = (struct sl_flow_thread){.block = SL_FLOW_NONE};
}

/* ---- the stream ---------------------------------------------------------- */

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct function *s = state;
    int fresh;
    struct thread *t = sl_threads_state(&s->threads, slice->chunk->thread, sizeof *t, &fresh);
    if (!t)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    if (fresh) {
        t->function = SL_NO_INDEX;
        sl_call_stack_init(&t->stack, s->config.depth ? (uint32_t)s->config.depth
                                                      : SL_CALL_STACK_MAX);
    }
    if (fresh || !slice->joined)
        forget(s, t, (struct sl_account_out){out, slice->block_low});
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t block = slice->chunk->block[i];
        uint32_t transfer = sl_flow_step(&s->flow, &t->flow, block);
        uint32_t before = t->function;
        /* The common case by far: on within the function. */
        if (transfer != PLAIN || s->of_block[block] != before || t->flow.signal) {
            struct sl_account_out to = {out, i + 1};
            if (transfer == SL_FLOW_NOTHING)
                transfer = PLAIN;
            bool entry = move(s, t, transfer, block, to);
            if (!slice->block_weight && entry && slice->active && s->chosen[block]) {
                if (out->place)
                    out->place[out->n] = i + 1;
                out->number[out->n++] = t->function;
            } else if (t->function != before) {
                sl_account_charge(&s->account, &t->account, before, to);
            }
        }
        if (slice->block_weight && slice->active && s->chosen[block])
            t->account.weight += slice->block_weight[i];
    }
    bool failed = s->out_of_memory || s->flow.out_of_memory || s->account.out_of_memory;
    return failed ? sl_fail(f, SL_ENOMEM, "out of memory") : 0;
}

static void finish(void *state, struct sl_events *out)
{
    struct function *s = state;
    for (size_t i = 0; i < s->threads.room; i++)
        if (s->threads.state[i])
            forget(s, s->threads.state[i], (struct sl_account_out){out, 0});
    sl_account_finish(&s->account, (struct sl_account_out){out, 0});
}

static void names(void *state, struct sl_names *names_out)
{
    struct function *s = state;
    sl_dictionary_names(&s->tuples, names_out);
}

static void note(const void *state, char *out, size_t room)
{
    const struct function *s = state;
    if (s->forgotten || (s->config.depth && s->lost))
        snprintf(out, room, "the call stack was full at %llu calls, and forgot the oldest each "
                 "time; %llu returns fitted no call on it", (unsigned long long)s->forgotten,
                 (unsigned long long)s->lost);
}

static uint64_t whole(const void *state)
{
    const struct function *s = state;
    uint64_t sum = 0;
    for (size_t i = 0; s->config.inclusive && i < s->threads.room; i++)
        if (s->threads.state[i])
            sum += ((const struct thread *)s->threads.state[i])->account.weight;
    return sum;
}

/* Entries are not something that a function costs. */
static bool needs_weight(const void *config)
{
    return ((const struct config *)config)->inclusive;
}

static void free_thread(void *state)
{
    struct thread *t = state;
    sl_call_stack_free(&t->stack);
    free(t->account.presence);
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
    free(s->account.held);
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
    .needs_weight = needs_weight,
    .init = init,
    .sync = sync,
    .feed = feed,
    .finish = finish,
    .names = names,
    .note = note,
    .whole = whole,
    .close = close_function,
};
