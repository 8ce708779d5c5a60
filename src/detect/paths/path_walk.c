/* SPDX-License-Identifier: MIT */
/* Decoder of paths: finds the blocks of a path from its tuple and the program's code. path_walk.h
 * describes the method. */
#include "path_walk.h"

#include <stdlib.h>

#include "failure.h"
#include "path_descriptor.h"
#include "path_turn.h"

int sl_path_walker_init(struct sl_path_walker *walker, const struct sl_code *code,
                        struct sl_failure *f)
{
    const struct sl_block *block = code->statics->block;
    *walker = (struct sl_path_walker){
        .code = code, .longest = calloc(code->n_blocks + 1, sizeof *walker->longest)};
    if (!walker->longest)
        return sl_out_of_memory(f);
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        size_t n_known = walker->addresses.n_keys;
        uint32_t i = sl_index_add(&walker->addresses, block[b].pc, 0);
        if (i == SL_NO_INDEX)
            return sl_out_of_memory(f);
        if (i == n_known || block[b].n_bytes > block[walker->longest[i]].n_bytes)
            walker->longest[i] = b;
    }
    return 0;
}

void sl_path_walker_free(struct sl_path_walker *walker)
{
    sl_index_free(&walker->addresses);
    free(walker->longest);
    *walker = (struct sl_path_walker){0};
}

/* ---- one walk ---- */

enum verdict {
    GOES_ON,
    ENDS,
    LOST,       /* the code does not determine the next block */
    IMPOSSIBLE, /* no path has these outcomes */
};

struct state {
    const struct sl_path_walker *walker;
    const struct sl_path_config *config;
    unsigned operations[SL_PATH_CLASSES];
    struct sl_path_walk *walk;
    uint64_t value, pc;
    unsigned used;      /* outcomes */
    size_t n_at_branch; /* blocks up to the last branch, recorded or not */
    uint64_t extension;
    size_t n_returns;
    uint64_t returns[SL_PATH_WALK_MAX]; /* return addresses of the calls that it continued into */
};

static uint32_t find(const struct sl_path_walker *walker, uint64_t pc)
{
    uint32_t i = sl_index_find(&walker->addresses, pc, 0);
    uint32_t block = i == SL_NO_INDEX ? SL_NO_INDEX : walker->longest[i];
    if (walker->seen && block != SL_NO_INDEX)
        walker->seen[block] = true;
    return block;
}

/* True if the branch extends the path. */
static bool extend(struct state *s, enum sl_path_class class)
{
    uint64_t most = s->config->extend;
    if (s->config->kind == SL_PATH_PROCEDURE && class == SL_PATH_RETURN && s->extension)
        return s->extension--, true;
    bool may = (s->config->kind == SL_PATH_LOOP && class == SL_PATH_BACKWARD) ||
               (s->config->kind == SL_PATH_PROCEDURE && class == SL_PATH_CALL);
    return may && s->extension < most && ++s->extension;
}

static enum verdict go_to(struct state *s, bool known, uint64_t pc)
{
    s->pc = pc;
    return known ? GOES_ON : LOST;
}

/* The next address after a branch at which the path does not end. */
static enum verdict follow(struct state *s, const struct sl_block_end *end, bool recorded,
                           bool pushes)
{
    unsigned at_return = s->operations[SL_PATH_RETURN];
    switch ((enum sl_branch)end->branch) {
    case SL_BRANCH_CONDITIONAL:
        if (!recorded)
            return go_to(s, !pushes && end->target == end->next, end->next);
        return go_to(s, !pushes, sl_path_taken(s->value, s->used - 1) ? end->target : end->next);
    case SL_BRANCH_JUMP:
        return go_to(s, !pushes, end->target);
    case SL_BRANCH_CALL:
    case SL_BRANCH_INDIRECT_CALL:
        if (pushes) /* the path waits below the new one for the return */
            return go_to(s, at_return & SL_PATH_POP && !(at_return & SL_PATH_PUSH), end->next);
        s->returns[s->n_returns++] = end->next;
        return go_to(s, end->branch == SL_BRANCH_CALL, end->target);
    case SL_BRANCH_RETURN:
        return pushes || !s->n_returns ? LOST : go_to(s, true, s->returns[--s->n_returns]);
    default:
        return LOST;
    }
}

static enum verdict turn(struct state *s, const struct sl_block_end *end)
{
    enum sl_path_class class = sl_path_class_of(end);
    bool extends = extend(s, class);
    unsigned operations = extends ? SL_PATH_UPDATE : s->operations[class];
    bool recorded = operations & SL_PATH_UPDATE;
    unsigned length = sl_path_length(s->value);
    if (recorded && s->used == length) {
        /* The next path has this branch and the blocks before it. */
        s->walk->n = s->n_at_branch;
        return length == s->config->length ? ENDS : IMPOSSIBLE;
    }
    if (recorded) {
        bool taken = sl_path_taken(s->value, s->used++);
        if (!taken && end->branch != SL_BRANCH_CONDITIONAL)
            return IMPOSSIBLE;
    }
    s->n_at_branch = s->walk->n;
    if (operations & SL_PATH_POP)
        return s->used == length ? ENDS : IMPOSSIBLE;
    return follow(s, end, recorded, operations & SL_PATH_PUSH);
}

static enum verdict step(struct state *s)
{
    const struct sl_path_walker *walker = s->walker;
    uint32_t block = find(walker, s->pc);
    if (block == SL_NO_INDEX || s->walk->n == SL_PATH_WALK_MAX)
        return LOST;
    s->walk->block[s->walk->n++] = block;
    struct sl_block_end end = walker->code->end[block];
    if (end.branch == SL_BRANCH_NONE)
        return go_to(s, true, end.next);
    if (end.slot_missing) {
        uint32_t slot = find(walker, end.next);
        if (slot == SL_NO_INDEX)
            return LOST;
        end.next = walker->code->end[slot].next;
    }
    return turn(s, &end);
}

static enum verdict walk_from(struct state *s, uint64_t pc, uint64_t extension)
{
    enum verdict verdict = GOES_ON;
    s->walk->n = s->n_at_branch = s->n_returns = s->used = 0;
    s->pc = pc;
    s->extension = extension;
    while (verdict == GOES_ON)
        verdict = step(s);
    s->walk->whole = verdict == ENDS;
    return verdict;
}

/* Reduces `walk` to the common prefix with the other. */
static void agree(struct sl_path_walk *walk, const struct sl_path_walk *other)
{
    size_t n = 0;
    while (n < walk->n && n < other->n && walk->block[n] == other->block[n])
        n++;
    walk->whole = walk->whole && other->whole && n == walk->n && n == other->n;
    walk->n = n;
}

void sl_path_walk(const struct sl_path_walker *walker, const struct sl_path_config *config,
                  uint64_t pc, uint64_t value, struct sl_path_walk *walk)
{
    struct sl_path_walk other;
    struct state s = {.walker = walker, .config = config, .walk = &other, .value = value};
    bool split_to_end = config->kind == SL_PATH_LOOP && sl_path_length(value) == 1;
    uint64_t deepest = config->kind == SL_PATH_PROCEDURE || split_to_end ? config->extend : 0;
    bool found = false;
    walk->n = 0;
    walk->whole = false;
    if (sl_path_length(value) > SL_PATH_LENGTH_MAX)
        return;
    for (int class = 0; class < SL_PATH_CLASSES; class ++)
        s.operations[class] = sl_path_operations(config, class);
    for (uint64_t depth = 0; depth <= deepest; depth++) {
        if (walk_from(&s, pc, depth) == IMPOSSIBLE)
            continue;
        if (found)
            agree(walk, &other);
        else
            *walk = other;
        found = true;
    }
}
