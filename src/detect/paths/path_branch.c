/* SPDX-License-Identifier: MIT */
/* Applies a branch to the unfinished paths on the path stack, and assigns tuple ids to finished
 * paths. path.h has the rules. */
#include "path.h"

#include <stdlib.h>

/* ---- tuple ids ---- */

bool sl_path_ids_init(struct sl_path_ids *ids, const struct sl_detector_env *env)
{
    *ids = (struct sl_path_ids){.base.env = env,
                                .memo = calloc((size_t)1 << SL_PATH_MEMO_LOG2, sizeof *ids->memo)};
    return ids->memo;
}

void sl_path_ids_free(struct sl_path_ids *ids)
{
    sl_dictionary_free(&ids->base.tuples);
    free(ids->memo);
}

uint32_t sl_path_id_slow(struct sl_path_ids *ids, struct sl_path_memo *memo, uint64_t path)
{
    const struct sl_statics *statics = ids->base.env->statics;
    const struct sl_block *start = &statics->block[path >> SL_PATH_TRAIL_BITS];
    uint32_t tuple_id = SL_NO_INDEX;
    if (ids->base.env->selection->chosen[statics->block_insn[start->insns_at]]) {
        tuple_id = sl_dictionary_add(&ids->base.tuples, start->pc,
                                     sl_path_value(path & SL_PATH_TRAIL));
        ids->out_of_memory |= tuple_id == SL_NO_INDEX;
    }
    *memo = (struct sl_path_memo){path, tuple_id};
    return tuple_id;
}

/* ---- branches ---- */

/* A branch and its surroundings. */
struct step {
    uint32_t word, next;
    uint32_t from;  /* block executed after the previous branch */
    uint64_t since; /* events since then */
};

static void finish(const struct sl_path_entry *e, struct sl_path_outlet *out)
{
    out->operations++;
    out->n = sl_path_put(out, out->n, e->path, e->events, out->weight);
}

static void start(struct sl_path_entry *e, uint32_t block, struct sl_path_outlet *out)
{
    out->operations++;
    e->path = sl_path_begin(block);
    e->events = 0;
}

static void update(const struct sl_path_rules *rules, struct sl_path_entry *e,
                   const struct step *step, struct sl_path_outlet *out)
{
    if ((e->path & SL_PATH_TRAIL) >= rules->trail_max) {
        finish(e, out);
        start(e, step->from, out);
        if (rules->kind != SL_PATH_PROCEDURE)
            e->extension = 0;
    }
    out->operations++;
    e->events = sl_path_sum(rules, e->events, step->since);
    e->path += (e->path & SL_PATH_TRAIL) + (step->word & SL_TURN_TAKEN);
}

/* Extends the path on top through a backward branch, a call or a return; false at the limit. */
static bool extend(const struct sl_path_rules *rules, struct sl_path_stack *s,
                   const struct step *step, struct sl_path_outlet *out)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    bool back = step->word & SL_TURN_RETURN;
    if (back ? !e->extension : e->extension >= rules->extend)
        return false;
    update(rules, e, step, out);
    if (back) {
        e->extension--;
    } else {
        e->extension++;
        if (step->word & SL_TURN_CALL)
            *sl_path_stack_expected(s) = step->word >> SL_TURN_ADDRESS;
    }
    return true;
}

/* Unwinds to the entry that the return matches. False if the stack is empty afterwards. */
static bool match_return(const struct sl_path_rules *rules, struct sl_path_stack *s,
                         uint32_t address)
{
    if (rules->repair && !sl_path_stack_empty(s)) {
        uint32_t expected = *sl_path_stack_expected(s);
        if (expected != address && expected != SL_PATH_ANYWHERE)
            sl_path_stack_unwind(s, address);
    }
    return !sl_path_stack_empty(s);
}

/* The path on top is finished; a new path replaces it. */
static void replace(const struct sl_path_rules *rules, struct sl_path_stack *s,
                    const struct step *step, struct sl_path_outlet *out)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    start(e, step->next, out);
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

/* After a call without a push, or a return without a pop, the entry on top is in another procedure,
 * whose return address is unknown. */
static void forget_return_address(struct sl_path_stack *s)
{
    if (!sl_path_stack_empty(s))
        *sl_path_stack_expected(s) = SL_PATH_ANYWHERE;
}

static void push(struct sl_path_stack *s, const struct step *step, struct sl_path_outlet *out)
{
    uint32_t expects = SL_PATH_ANYWHERE;
    out->operations++;
    if (step->word & SL_TURN_CALL)
        expects = step->word >> SL_TURN_ADDRESS;
    else if (!sl_path_stack_empty(s))
        expects = *sl_path_stack_expected(s);
    sl_path_stack_push(s, step->next, expects);
}

/* Updates and pops the entry on top, and pushes if it was popped. Returns a word with the
 * operations that remain. */
static uint32_t use_top(const struct sl_path_rules *rules, struct sl_path_stack *s,
                        const struct step *step, struct sl_path_outlet *out)
{
    struct sl_path_entry *e = sl_path_stack_top(s);
    uint32_t word = step->word;
    if (word & SL_TURN_EXTENDS && extend(rules, s, step, out))
        return 0;
    if (word & SL_TURN_UPDATE) {
        update(rules, e, step, out);
    } else if (word & SL_TURN_UPDATE_COUNT) {
        out->operations++;
        e->events = sl_path_sum(rules, e->events, step->since);
    }
    if (!(word & SL_TURN_POP)) {
        if (word & SL_TURN_RETURN)
            forget_return_address(s);
        return word;
    }
    finish(e, out);
    if (word & SL_TURN_PUSH) {
        replace(rules, s, step, out);
        return 0;
    }
    s->top--;
    return word;
}

void sl_path_branch(const struct sl_path_rules *rules, struct sl_path_stack *s, uint32_t word,
                    uint32_t next, struct sl_path_outlet *out)
{
    const struct step step = {word, next, s->from, s->since};
    s->from = next;
    s->since = 0;
    if (word & SL_TURN_RETURN && !match_return(rules, s, word >> SL_TURN_ADDRESS)) {
        out->operations++;
        sl_path_stack_push(s, next, SL_PATH_ANYWHERE);
        return;
    }
    if (!sl_path_stack_empty(s))
        word = use_top(rules, s, &step, out);
    if (word & SL_TURN_PUSH)
        push(s, &step, out);
    else if (word & SL_TURN_CALL)
        forget_return_address(s);
}
