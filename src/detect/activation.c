/* SPDX-License-Identifier: MIT */
/* Tracks, block by block, which function each thread is executing. activation.h describes how
 * calls, returns and jumps change the current function. activation_exits.c is a faster
 * implementation, which reads only the transfers that may change the current function. */
#include "activation.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

uint32_t sl_activations_meaning(struct sl_activations *s, const struct sl_block_end *end)
{
    if (end->branch == SL_BRANCH_RETURN)
        return SL_TRANSFER_RETURN;
    if (end->branch != SL_BRANCH_CALL && end->branch != SL_BRANCH_INDIRECT_CALL)
        return SL_TRANSFER_PLAIN;
    uint32_t call_id = sl_index_add(&s->call_ids, end->next, 0);
    if (call_id >= SL_TRANSFER_OWN - SL_TRANSFER_CALL ||
        !SL_GROW(s->calls, s->calls_capacity, (size_t)call_id + 1)) {
        s->out_of_memory = true;
        return SL_TRANSFER_PLAIN;
    }
    s->calls[call_id] = end->next;
    return SL_TRANSFER_CALL + call_id;
}

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct sl_activations *s = context;
    uint32_t plain = sl_activations_meaning(s, end);
    bool stays = plain == SL_TRANSFER_PLAIN && from < s->n_blocks &&
                 s->of_block[from] == s->of_block[next];
    return stays ? SL_TRANSFER_STAY : plain;
}

void sl_activations_init(struct sl_activations *s, const struct sl_activation_config *config,
                         const struct sl_detector_env *env)
{
    s->env = env;
    s->config = *config;
    s->account.inclusive = config->inclusive;
    s->account.twice = config->twice;
    sl_flow_init(&s->flow, env->code, meaning, s);
}

int sl_activations_sync(void *state, struct sl_failure *f)
{
    struct sl_activations *s = state;
    const struct sl_statics *statics = s->env->statics;
    if (!SL_GROW(s->of_block, s->of_block_capacity, statics->n_blocks) ||
        !SL_GROW(s->begins, s->begins_capacity, statics->n_blocks) ||
        !SL_GROW(s->misplaced.start, s->misplaced.capacity, statics->n_blocks))
        return sl_out_of_memory(f);
    s->chosen = s->env->selection->chosen_block;
    for (; s->n_blocks < statics->n_blocks; s->n_blocks++) {
        const struct sl_block *block = &statics->block[s->n_blocks];
        uint64_t start = sl_symbols_function(s->env->symbols, block->pc);
        s->of_block[s->n_blocks] = s->config.tail && start
                                       ? sl_dictionary_add(&s->functions, start, 0)
                                       : SL_NO_INDEX;
        s->begins[s->n_blocks] = SL_NO_INDEX;
        s->misplaced.start[s->n_blocks] = start;
    }
    return sl_flow_sync(&s->flow, f);
}

uint32_t sl_activations_entered(struct sl_activations *s, uint32_t block)
{
    uint32_t function = s->of_block[block];
    if (function != SL_NO_INDEX)
        return function;
    if (s->begins[block] == SL_NO_INDEX)
        s->begins[block] = sl_dictionary_add(&s->functions, s->env->statics->block[block].pc, 0);
    if (s->begins[block] == SL_NO_INDEX)
        s->out_of_memory = true;
    return s->begins[block];
}

/* ---- units ---- */

static uint32_t unit_of(struct sl_activations *s, uint32_t from, uint32_t function, bool called)
{
    return !s->unit_of || function == SL_NO_INDEX ? function
                                                  : s->unit_of(s, from, function, called);
}

static void enter(struct sl_activations *s, struct sl_activation *t, uint32_t unit)
{
    if (!s->config.inclusive)
        return;
    if (!s->unit_of)
        sl_account_enter(&s->account, &t->account, unit);
    for (; s->unit_of && unit != SL_NO_INDEX; unit = s->unit[unit].outer)
        sl_account_enter(&s->account, &t->account, s->unit[unit].tuple);
}

static void leave(struct sl_activations *s, struct sl_activation *t, uint32_t unit,
                  struct sl_account_out to)
{
    if (!s->config.inclusive)
        return;
    if (!s->unit_of)
        sl_account_leave(&s->account, &t->account, unit, to);
    for (; s->unit_of && unit != SL_NO_INDEX; unit = s->unit[unit].outer)
        sl_account_leave(&s->account, &t->account, s->unit[unit].tuple, to);
}

void sl_activations_change(struct sl_activations *s, struct sl_activation *t, uint32_t unit,
                           struct sl_account_out to)
{
    enter(s, t, unit);
    leave(s, t, t->unit, to);
    t->unit = unit;
}

/* ---- calls, returns and jumps between functions ---- */

static void change_function(struct sl_activations *s, struct sl_activation *t, uint32_t function,
                            struct sl_account_out to)
{
    if (function == t->function)
        return;
    sl_activations_change(s, t, unit_of(s, t->unit, function, false), to);
    t->function = function;
}

static void call(struct sl_activations *s, struct sl_activation *t, uint64_t returns_to,
                 uint32_t block, struct sl_account_out to)
{
    struct sl_call made = {returns_to, t->function, t->began, t->unit}, dropped;
    bool drops;
    if (!sl_call_stack_push(&t->stack, made, &dropped, &drops)) {
        s->out_of_memory = true;
        return;
    }
    t->function = t->began = sl_activations_entered(s, block);
    t->unit = unit_of(s, made.unit, t->function, true);
    enter(s, t, t->unit);
    if (drops) {
        s->dropped++;
        leave(s, t, dropped.unit, to);
    }
}

/* Leaves the current function and all callers above the n-th call on the stack; the function that
 * made that call is current again. */
static void unwind(struct sl_activations *s, struct sl_activation *t, uint32_t n,
                   struct sl_account_out to)
{
    static const struct sl_call none = {0, SL_NO_INDEX, SL_NO_INDEX, SL_NO_INDEX};
    leave(s, t, t->unit, to);
    for (uint32_t i = 0; s->config.inclusive && i < n; i++)
        leave(s, t, sl_call_stack_at(&t->stack, i)->unit, to);
    bool found = n < t->stack.depth;
    struct sl_call made = found ? *sl_call_stack_at(&t->stack, n) : none;
    t->function = made.function;
    t->began = made.began;
    t->unit = made.unit;
    sl_call_stack_pop(&t->stack, found ? n + 1 : n);
}

/* Unwinds to the call that returns to this address; false if there is none. */
static bool return_to(struct sl_activations *s, struct sl_activation *t, uint64_t address,
                      struct sl_account_out to)
{
    uint32_t n = sl_call_stack_find(&t->stack, address, SL_CALL_BY_RETURN);
    if (n == t->stack.depth) {
        s->lost++;
        return false;
    }
    unwind(s, t, n, to);
    return true;
}

/* Pops from a stack that wraps: takes the slot below, which may never have been written. */
static void pop_wrapped(struct sl_activations *s, struct sl_activation *t, struct sl_account_out to)
{
    struct sl_call left = {0};
    size_t slot = --t->stack.top & t->stack.mask;
    leave(s, t, t->unit, to);
    if (slot < t->stack.capacity)
        left = t->stack.call[slot];
    bool none = !left.returns_to;
    t->function = none ? SL_NO_INDEX : left.function;
    t->began = none ? SL_NO_INDEX : left.began;
    t->unit = none ? SL_NO_INDEX : left.unit;
    enter(s, t, t->unit);
}

/* Pops the last call; false if there is none. */
static bool pop_one(struct sl_activations *s, struct sl_activation *t, struct sl_account_out to)
{
    if (!t->stack.depth) {
        s->lost++;
        if (s->config.wrap)
            pop_wrapped(s, t, to);
        return s->config.wrap;
    }
    unwind(s, t, 0, to);
    return true;
}

/* Enters the middle of a function by longjmp or an exception. */
static void enter_middle(struct sl_activations *s, struct sl_activation *t, uint32_t function,
                         struct sl_account_out to)
{
    uint32_t n = function == t->began ? t->stack.depth
                                      : sl_call_stack_find(&t->stack, function, SL_CALL_BY_CALLER);
    if (n < t->stack.depth)
        unwind(s, t, n, to);
}

/* The end of a signal handler leads back into the interrupted function. */
static enum sl_flow_signal handle_signal(struct sl_activations *s, struct sl_activation *t,
                                         struct sl_account_out to)
{
    enum sl_flow_signal signal = t->flow.signal;
    t->flow.signal = SL_FLOW_NO_SIGNAL;
    if (!s->config.repair)
        return SL_FLOW_NO_SIGNAL;
    if (signal == SL_FLOW_BEGAN)
        t->flow.interrupted[t->flow.n_interrupted - 1].tag = t->unit;
    if (signal == SL_FLOW_ENDED) {
        uint32_t unit = t->flow.interrupted[t->flow.n_interrupted].tag;
        sl_activations_change(s, t, unit, to);
        t->function = s->unit_of && unit != SL_NO_INDEX ? s->unit[unit].function : unit;
        t->began = t->function;
    }
    return signal;
}

/* Follows a transfer that may change the function; returns as sl_activations_follow(). */
static bool move(struct sl_activations *s, struct sl_activation *t, uint32_t transfer,
                 uint32_t block, struct sl_account_out to)
{
    enum sl_flow_signal signal = t->flow.signal ? handle_signal(s, t, to) : SL_FLOW_NO_SIGNAL;
    if (transfer >= SL_TRANSFER_CALL && transfer < SL_TRANSFER_OWN) {
        call(s, t, s->calls[transfer - SL_TRANSFER_CALL], block, to);
        return true;
    }
    uint64_t pc = s->env->statics->block[block].pc;
    if (t->function == SL_NO_INDEX) {
        change_function(s, t, sl_activations_entered(s, block), to);
        t->began = t->function;
        return t->function != SL_NO_INDEX && s->functions.pc[t->function] == pc;
    }
    bool returned = transfer == SL_TRANSFER_RETURN &&
                    (s->config.repair ? return_to(s, t, pc, to) : pop_one(s, t, to));
    uint32_t symbol_function = s->of_block[block];
    if (symbol_function == SL_NO_INDEX)
        return false;
    /* A return may enter a function: a signal handler, or the target of a retpoline. */
    bool at_start = s->functions.pc[symbol_function] == pc;
    bool enters = at_start && (transfer == SL_TRANSFER_RETURN
                                   ? !returned
                                   : signal == SL_FLOW_BEGAN || symbol_function != t->function);
    if (enters)
        t->began = symbol_function;
    else if (!returned && !at_start && symbol_function != t->function && s->config.repair)
        enter_middle(s, t, symbol_function, to);
    change_function(s, t, symbol_function, to);
    return enters;
}

bool sl_activations_follow(struct sl_activations *s, struct sl_activation *t, uint32_t transfer,
                           uint32_t block, struct sl_account_out to)
{
    bool stays = transfer <= SL_TRANSFER_PLAIN && s->of_block[block] == t->function &&
                 !t->flow.signal;
    return !stays && move(s, t, transfer, block, to);
}

/* Resets a thread: charges the weight that is not yet charged, and empties the stack. */
static void reset(struct sl_activations *s, struct sl_activation *t, struct sl_account_out to)
{
    sl_account_charge(&s->account, &t->account, sl_activations_tuple(s, t->unit), to);
    unwind(s, t, t->stack.depth, to);
    t->flow = (struct sl_flow_thread){.block = SL_FLOW_NONE};
}

/* ---- the stream ---- */

struct sl_activation *sl_activations_thread(struct sl_activations *s, const struct sl_slice *slice,
                                            struct sl_events *out)
{
    int fresh;
    struct sl_activation *t = sl_threads_state(&s->threads, slice->chunk->thread, sizeof *t,
                                               &fresh);
    if (!t)
        return NULL;
    if (fresh) {
        t->function = t->unit = SL_NO_INDEX;
        sl_call_stack_init(&t->stack,
                           s->config.depth ? (uint32_t)s->config.depth : SL_CALL_STACK_MAX);
    }
    if (fresh || !slice->joined)
        reset(s, t, (struct sl_account_out){out, slice->block_low});
    return t;
}

__attribute__((noinline)) void sl_activations_step(struct sl_activations *s,
                                                   struct sl_activation *t,
                                                   const struct sl_slice *slice, uint32_t i,
                                                   struct sl_events *out)
{
    uint32_t block = slice->chunk->block[i], before = t->unit, function = t->function;
    uint32_t transfer = sl_flow_step(&s->flow, &t->flow, block);
    struct sl_account_out to = {out, i + 1};
    bool entry = sl_activations_follow(s, t, transfer, block, to);
    if (!slice->block_weight && entry && slice->active && s->chosen[block]) {
        sl_account_emit(
            &s->account, to,
            (struct sl_held){.function = sl_activations_tuple(s, t->unit), .weight = 1});
    } else if (t->unit != before) {
        uint32_t tuple = sl_activations_tuple(s, before);
        bool within = s->account.keep_totals && t->account.weight && t->function == function;
        sl_account_charge(&s->account, &t->account, tuple, to);
        if (within && !s->account.out_of_memory)
            s->account.totals[tuple].within++;
    }
}

/* A transfer with the meaning STAY needs no check of the current function: as long as all transfers
 * stay, the thread is in the function of its block's symbol, if it has one, and stays there. */
static void feed(struct sl_activations *s, struct sl_activation *t, const struct sl_slice *slice,
                 struct sl_events *out)
{
    /* Copies, so that the compiler knows that no store changes them. */
    const struct sl_flow_successors *const successors = s->flow.successors;
    const size_t n_successors = s->flow.n_blocks;
    const uint32_t *const block = slice->chunk->block;
    const uint64_t *const weight = slice->active ? slice->block_weight : NULL;
    const uint8_t *const chosen = s->chosen;
    const bool parts = slice->block_part, misplaced = !s->config.tail;
    uint32_t at = t->flow.block;
    uint64_t sum = 0;
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t next = block[i];
        if (sl_flow_cached(successors, n_successors, at, next) == SL_TRANSFER_STAY) {
            at = next;
        } else {
            t->flow.block = at;
            t->account.weight += sum;
            sum = 0;
            sl_activations_step(s, t, slice, i, out);
            at = t->flow.block;
        }
        if (!weight || !chosen[next])
            continue;
        sum += weight[i];
        for (unsigned k = 0; parts && k < SL_PARTS; k++)
            t->account.part[k] += slice->block_part[k][i];
        if (misplaced && t->function != SL_NO_INDEX)
            sl_misplaced_add(&s->misplaced, next, s->functions.pc[t->function], weight[i]);
    }
    t->flow.block = at;
    t->account.weight += sum;
}

int sl_activations_feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                        struct sl_failure *f)
{
    struct sl_activations *s = state;
    struct sl_activation *t = sl_activations_thread(s, slice, out);
    if (!t)
        return sl_out_of_memory(f);
    if (slice->exits)
        sl_activations_feed_exits(s, t, slice, out);
    else
        feed(s, t, slice, out);
    return sl_activations_failed(s) ? sl_out_of_memory(f) : 0;
}

static void free_thread(void *state)
{
    struct sl_activation *t = state;
    sl_call_stack_free(&t->stack);
    free(t->account.presence);
}

void sl_activations_end_thread(void *state, uint32_t thread, struct sl_events *out)
{
    struct sl_activations *s = state;
    struct sl_activation *t = thread < s->threads.capacity ? s->threads.state[thread] : NULL;
    if (!t)
        return;
    out->thread = thread;
    reset(s, t, (struct sl_account_out){out, 0});
    if (s->config.inclusive)
        s->ended += t->account.weight;
    sl_threads_end(&s->threads, thread, free_thread);
}

void sl_activations_finish(void *state, struct sl_events *out)
{
    struct sl_activations *s = state;
    for (; s->n_finished < s->threads.capacity && !out->n; s->n_finished++)
        if (s->threads.state[s->n_finished]) {
            out->thread = (uint32_t)s->n_finished;
            reset(s, s->threads.state[s->n_finished], (struct sl_account_out){out, 0});
        }
    if (!out->n)
        sl_account_finish(&s->account, (struct sl_account_out){out, 0});
}

void sl_activations_names(void *state, struct sl_tuple_names *names)
{
    const struct sl_activations *s = state;
    sl_dictionary_names(s->unit_of ? &s->tuples : &s->functions, names);
}

void sl_activations_warning(const void *state, char *out, size_t capacity)
{
    const struct sl_activations *s = state;
    size_t used = 0;
    if (s->dropped || (s->config.depth && s->lost)) {
        snprintf(out, capacity,
                 "the call stack dropped its oldest call %llu times because it was full; "
                 "%llu returns matched no call on the stack; ",
                 (unsigned long long)s->dropped, (unsigned long long)s->lost);
        used = strlen(out);
    }
    sl_misplaced_warning(&s->misplaced, out + used, capacity - used);
    if (used && !out[used])
        out[used - strlen("; ")] = '\0';
}

void sl_activations_keep_totals(void *state)
{
    ((struct sl_activations *)state)->account.keep_totals = true;
}

void sl_activations_emit_totals(void *state, struct sl_total_sink sink)
{
    const struct sl_account *a = &((const struct sl_activations *)state)->account;
    for (size_t i = 0; i < a->totals_capacity; i++)
        if (a->totals[i].times)
            sink.add(sink.context, (uint32_t)i, a->totals[i].times, a->totals[i].weight);
}

void sl_activations_emit_pending(const void *state, struct sl_total_sink sink)
{
    const struct sl_activations *s = state;
    for (size_t i = 0; i < s->threads.capacity; i++) {
        const struct sl_activation *t = s->threads.state[i];
        if (t && t->unit != SL_NO_INDEX)
            sink.add(sink.context, sl_activations_tuple(s, t->unit), 0, t->account.weight);
    }
    for (size_t i = 0; i < s->account.n_held; i++)
        sink.add(sink.context, s->account.held[i].function, 0, s->account.held[i].weight);
}

uint64_t sl_activations_total_weight(const void *state)
{
    const struct sl_activations *s = state;
    uint64_t sum = s->ended;
    for (size_t i = 0; s->config.inclusive && i < s->threads.capacity; i++)
        if (s->threads.state[i])
            sum += ((const struct sl_activation *)s->threads.state[i])->account.weight;
    return sum;
}

bool sl_activations_failed(const struct sl_activations *s)
{
    return s->out_of_memory || s->flow.out_of_memory || s->account.out_of_memory;
}

void sl_activations_free(void *state)
{
    struct sl_activations *s = state;
    sl_flow_free(&s->flow);
    sl_dictionary_free(&s->functions);
    sl_dictionary_free(&s->tuples);
    sl_index_free(&s->call_ids);
    sl_threads_free(&s->threads, free_thread);
    free(s->of_block);
    free(s->begins);
    free(s->calls);
    free(s->unit);
    free(s->account.held);
    free(s->account.totals);
    free(s->exit_memo);
    free(s->misplaced.start);
}
