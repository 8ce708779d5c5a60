/* SPDX-License-Identifier: MIT */
/* Which structure predicts which branch, and what it costs to be wrong:
 *
 *     kind           direction    target          if the target is not known or wrong
 *     conditional    predicted    branch target   misfetched
 *     jump           taken          buffer        misfetched
 *     call           taken            "           misfetched; pushes the return address
 *     indirect       taken            "           mistargeted
 *     indirect call  taken            "           mistargeted; pushes the return address
 *     return         taken        return stack    mistargeted; not in the target buffer
 *
 * A conditional branch that went the other way is misdirected, whatever is known of
 * its target. That a branch is a branch, and of which kind, is taken to be known when
 * it is fetched, as in SimpleScalar.
 *
 * Without a return stack, returns use the target buffer as other indirect jumps do.
 * A conditional branch that links (MIPS `bltzal`) is not a call here.
 *
 * Everything learns at once, and there is no wrong path: direction.c. */
#include "predictor.h"

#define ALIGN 64

struct sl_predictor {
    struct sl_direction *direction;
    struct sl_btb *btb;
    struct sl_return_stack *stack; /* NULL without */
};

int sl_predictor_check(const struct sl_predictor_config *config, struct sl_failure *f)
{
    int status = sl_direction_check(&config->direction, f);
    return status < 0 ? status : sl_btb_check(&config->btb, f);
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

size_t sl_predictor_bytes(const struct sl_predictor_config *config)
{
    return aligned(sizeof(struct sl_predictor)) + aligned(sl_direction_bytes(&config->direction)) +
           aligned(sl_btb_bytes(&config->btb)) + aligned(sl_return_stack_bytes(&config->stack));
}

void sl_predictor_init(struct sl_predictor *p, const struct sl_predictor_config *config)
{
    char *at = (char *)p + aligned(sizeof *p);
    p->direction = (struct sl_direction *)at;
    at += aligned(sl_direction_bytes(&config->direction));
    p->btb = (struct sl_btb *)at;
    at += aligned(sl_btb_bytes(&config->btb));
    p->stack = config->stack.depth ? (struct sl_return_stack *)at : NULL;
    sl_direction_init(p->direction, &config->direction);
    sl_btb_init(p->btb, &config->btb, (unsigned)config->direction.shift);
    if (p->stack)
        sl_return_stack_init(p->stack, &config->stack);
}

static enum sl_prediction conditional(struct sl_predictor *p, const struct sl_retired_branch *b)
{
    bool predicted = sl_direction_step(p->direction, b->pc, b->target <= b->pc, b->taken);
    bool known = !b->taken || sl_btb_step(p->btb, b->pc, b->target);
    return predicted != b->taken ? SL_MISDIRECTED : known ? SL_PREDICTED : SL_MISFETCHED;
}

enum sl_prediction sl_predictor_step(struct sl_predictor *p, const struct sl_retired_branch *b)
{
    if (b->kind == SL_BRANCH_CONDITIONAL)
        return conditional(p, b);
    if (b->kind == SL_BRANCH_NONE)
        return SL_PREDICTED;
    if (b->kind == SL_BRANCH_RETURN && p->stack)
        return sl_return_stack_pop(p->stack) == b->target ? SL_PREDICTED : SL_MISTARGETED;
    bool call = b->kind == SL_BRANCH_CALL || b->kind == SL_BRANCH_INDIRECT_CALL;
    if (call && p->stack)
        sl_return_stack_push(p->stack, b->next);
    if (sl_btb_step(p->btb, b->pc, b->target))
        return SL_PREDICTED;
    return b->kind == SL_BRANCH_JUMP || b->kind == SL_BRANCH_CALL ? SL_MISFETCHED : SL_MISTARGETED;
}
