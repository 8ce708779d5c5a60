/* SPDX-License-Identifier: MIT */
/* Model of branch prediction: selects a predictor for each branch by its kind, and models the
 * branch target buffer (BTB) and the return address stack.
 *
 *     kind           direction    target          if the target is unknown or wrong
 *     conditional    predicted    BTB             misfetched
 *     jump           taken        BTB             misfetched
 *     call           taken        BTB             misfetched; pushes the return address
 *     indirect       taken        BTB             mistargeted
 *     indirect call  taken        BTB             mistargeted; pushes the return address
 *     return         taken        return stack    mistargeted; not in the BTB
 *
 * A conditional branch that went the other way is misdirected, whether its target is known or not.
 * Fetch is assumed to know the kind of a branch, as in SimpleScalar.
 *
 * Without a return stack, returns use the target buffer as other indirect jumps do.
 * A conditional branch that links (MIPS `bltzal`) is not a call here.
 *
 * All tables learn at once, and there is no wrong path (direction.c). */
#include "predictor.h"

#include "failure.h"

#define ALIGN 64

/* ---- branch target buffer ----
 *
 * Targets of taken branches by address, set-associative with LRU replacement. A set has its entries
 * in order of last use, so that no ages are stored:
 *
 *     set:  | newest: pc, target | pc, target | ... | oldest, or empty |
 *
 * As in SimpleScalar only taken branches are inserted, and only taken ones count as a use. Tags are
 * whole addresses; hardware stores a part of the address and sometimes hits for another branch. */

struct entry {
    uint64_t pc, target;
};

#define EMPTY UINT64_MAX /* no branch begins at the last byte of memory */

struct btb {
    uint64_t set_mask;
    unsigned ways, shift; /* ways 0: no buffer */
    struct entry entry[];
};

const struct sl_option sl_btb_options[] = {
    SL_UNSIGNED(struct sl_btb_config, entries, "2Ki", 0, 1 << 20,
                "number of branches whose target is stored; 0: no target buffer"),
    SL_UNSIGNED(struct sl_btb_config, ways, "4", 1, 1024, "entries per set"),
    SL_OPTIONS_END,
};

static int btb_check(const struct sl_btb_config *config, struct sl_failure *f)
{
    uint64_t sets = config->entries / config->ways;
    if (config->entries % config->ways || (sets & (sets - 1)))
        return sl_fail(f, SL_EUSAGE,
                       "btb.entries=%llu is not btb.ways=%llu times a power of 2: change "
                       "one of them",
                       (unsigned long long)config->entries, (unsigned long long)config->ways);
    return 0;
}

static size_t btb_bytes(const struct sl_btb_config *config)
{
    return sizeof(struct btb) + (size_t)config->entries * sizeof(struct entry);
}

static void btb_init(struct btb *b, const struct sl_btb_config *config, unsigned shift)
{
    b->ways = config->entries ? (unsigned)config->ways : 0;
    b->set_mask = config->entries ? config->entries / config->ways - 1 : 0;
    b->shift = shift;
    for (uint64_t i = 0; i < config->entries; i++)
        b->entry[i] = (struct entry){EMPTY, 0};
}

/* Moves the branch to the head of its set, or inserts it there. Returns true if its target was
 * known. */
static bool reorder(struct entry *set, unsigned ways, uint64_t pc, uint64_t target)
{
    unsigned way = 1;
    while (way < ways && set[way].pc != pc)
        way++;
    bool known = way < ways && set[way].target == target;
    for (way -= way == ways; way; way--)
        set[way] = set[way - 1];
    set[0] = (struct entry){pc, target};
    return known;
}

/* The branch at `pc` was taken to `target`. Returns true if the buffer had it; stores it. */
static bool btb_update(struct btb *b, uint64_t pc, uint64_t target)
{
    struct entry *set = b->entry + (pc >> b->shift & b->set_mask) * b->ways;
    if (!b->ways)
        return false;
    if (set[0].pc != pc)
        return reorder(set, b->ways, pc, target);
    bool known = set[0].target == target;
    set[0].target = target;
    return known;
}

/* ---- return address stack ----
 *
 * A ring, as in SimpleScalar: a push to a full stack overwrites the oldest address, and a pop from
 * an empty one returns a stale address, as hardware does. Not modelled: calls and returns on wrong
 * paths, and how hardware repairs the stack after them. A stack of depth 0 is never used. */

struct return_stack {
    uint32_t depth, top;
    uint64_t address[];
};

const struct sl_option sl_return_stack_options[] = {
    SL_UNSIGNED(struct sl_return_stack_config, depth, "8", 0, 65536,
                "number of return addresses on the return stack; 0: returns are predicted like "
                "other indirect jumps"),
    SL_OPTIONS_END,
};

static void return_stack_init(struct return_stack *s, const struct sl_return_stack_config *config)
{
    s->depth = (uint32_t)config->depth;
    s->top = 0;
    for (uint32_t i = 0; i < s->depth; i++)
        s->address[i] = 0;
}

static void return_stack_push(struct return_stack *s, uint64_t address)
{
    s->top = s->top + 1 == s->depth ? 0 : s->top + 1;
    s->address[s->top] = address;
}

static uint64_t return_stack_pop(struct return_stack *s)
{
    uint64_t address = s->address[s->top];
    s->top = (s->top ? s->top : s->depth) - 1;
    return address;
}

/* ---- all predictors together ---- */

struct sl_predictor {
    struct sl_direction *direction;
    struct btb *btb;
    struct return_stack *stack; /* NULL: no stack */
};

int sl_predictor_check(const struct sl_predictor_config *config, struct sl_failure *f)
{
    int status = sl_direction_check(&config->direction, f);
    return status < 0 ? status : btb_check(&config->btb, f);
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

size_t sl_predictor_bytes(const struct sl_predictor_config *config)
{
    return aligned(sizeof(struct sl_predictor)) + aligned(sl_direction_bytes(&config->direction)) +
           aligned(btb_bytes(&config->btb)) +
           aligned(sizeof(struct return_stack) + (size_t)config->stack.depth * sizeof(uint64_t));
}

void sl_predictor_init(struct sl_predictor *p, const struct sl_predictor_config *config)
{
    char *at = (char *)p + aligned(sizeof *p);
    p->direction = (struct sl_direction *)at;
    at += aligned(sl_direction_bytes(&config->direction));
    p->btb = (struct btb *)at;
    at += aligned(btb_bytes(&config->btb));
    p->stack = config->stack.depth ? (struct return_stack *)at : NULL;
    sl_direction_init(p->direction, &config->direction);
    btb_init(p->btb, &config->btb, (unsigned)config->direction.shift);
    if (p->stack)
        return_stack_init(p->stack, &config->stack);
}

static enum sl_prediction conditional(struct sl_predictor *p, const struct sl_retired_branch *b)
{
    bool predicted = sl_direction_step(p->direction, b->pc, b->target <= b->pc, b->taken);
    bool known = !b->taken || btb_update(p->btb, b->pc, b->target);
    return predicted != b->taken ? SL_MISDIRECTED : known ? SL_PREDICTED : SL_MISFETCHED;
}

enum sl_prediction sl_predictor_step(struct sl_predictor *p, const struct sl_retired_branch *b)
{
    if (b->kind == SL_BRANCH_CONDITIONAL)
        return conditional(p, b);
    if (b->kind == SL_BRANCH_NONE)
        return SL_PREDICTED;
    if (b->kind == SL_BRANCH_RETURN && p->stack)
        return return_stack_pop(p->stack) == b->target ? SL_PREDICTED : SL_MISTARGETED;
    bool call = b->kind == SL_BRANCH_CALL || b->kind == SL_BRANCH_INDIRECT_CALL;
    if (call && p->stack)
        return_stack_push(p->stack, b->next);
    if (btb_update(p->btb, b->pc, b->target))
        return SL_PREDICTED;
    return b->kind == SL_BRANCH_JUMP || b->kind == SL_BRANCH_CALL ? SL_MISFETCHED : SL_MISTARGETED;
}
