/* SPDX-License-Identifier: MIT */
/* Execution counts of blocks, from an edge profile or a block profile.
 *
 * Between two decisions the path is fixed: if an edge arrives at a block, the block is executed,
 * and so are the target of its jump, the function that it calls and, after the return, the code
 * after the call; up to the next conditional branch or indirect jump, whose edges were counted
 * themselves. So counts are propagated from edges, each block after all of its predecessors:
 *
 *     edge 70 --> [a .. call f]  70 --> [f .. jump]     70+30 --> [.. branch] --> edges
 *                               70 --> [after .. branch] --> edges
 *     edge 30 -----------------------> [f ..
 *
 * If a conditional branch is executed but has no counted edge, the table dropped its edges. The
 * branch is assumed to fall through, so that the code around it keeps the compiler's layout.
 *
 * Cycles without a decision (for (;;) handle();) are cut where they are first found: a program
 * leaves them by an exit inside a callee.
 *
 * Executions that arrive in an unknown way (target of an indirect call without a profile of calls,
 * first block of the program) appear at the next branch, whose edges have more executions than its
 * block. The difference is attributed to the longest block that ends there.
 *
 * With a block profile, counts are propagated only to blocks that consist of one repeated x86
 * instruction (rep movsb). QEMU enters these blocks once per iteration; the propagated count is the
 * number of entries from other blocks.
 *
 * Not modelled: a call that does not return (longjmp, exit), a signal handler, a MIPS branch whose
 * delay slot is in another block. */
#include "edge_counts.h"

#include <stdlib.h>

struct propagation {
    const struct sl_db_code *code;
    const struct sl_transfer_counts *edges;
    bool calls_known;
    uint64_t *count;
    bool *open;                  /* count is not known from a profile and not propagated yet */
    uint32_t *open_predecessors; /* number of open predecessors */
    uint32_t *ready;             /* blocks without open predecessors */
    size_t n_ready;
};

/* The unconditional successors of a block. Returns their number. */
static unsigned successors(const struct propagation *s, size_t block, uint32_t to[2])
{
    const struct sl_block_end *end = &s->code->code.end[block];
    unsigned n = 0;
    switch ((enum sl_branch)end->branch) {
    case SL_BRANCH_JUMP:
        to[n++] = sl_db_code_at(s->code, end->target);
        break;
    case SL_BRANCH_CALL:
        if (!s->calls_known)
            to[n++] = sl_db_code_at(s->code, end->target);
        /* fall through */
    case SL_BRANCH_NONE:
    case SL_BRANCH_INDIRECT_CALL:
        to[n++] = sl_db_code_at(s->code, end->next);
        break;
    case SL_BRANCH_CONDITIONAL:
        if (!sl_transfer_counts_leave(s->edges, end->branch_pc))
            to[n++] = sl_db_code_at(s->code, end->next);
        break;
    case SL_BRANCH_INDIRECT:
    case SL_BRANCH_RETURN:
    case SL_BRANCH_COUNT:
        break;
    }
    unsigned known = 0;
    for (unsigned i = 0; i < n; i++)
        if (to[i] != SL_NO_INDEX)
            to[known++] = to[i];
    return known;
}

static bool repeats_alone(const struct sl_db_code *code, size_t block)
{
    return code->statics.block[block].n_insns == 1 && code->code.end[block].flags & SL_INSN_REPEATS;
}

static void set_counts(struct propagation *s, const struct sl_transfer_counts *blocks)
{
    const struct sl_statics *statics = &s->code->statics;
    for (size_t i = 0; i < blocks->n; i++) {
        const struct sl_transfer_count *p = &blocks->transfer[i];
        size_t b = sl_db_code_at(s->code, p->from);
        for (; b < statics->n_blocks && statics->block[b].pc == p->from; b++)
            if (sl_db_code_last(s->code, b) == p->to && !repeats_alone(s->code, b)) {
                s->count[b] = p->count;
                break;
            }
    }
    for (size_t b = 0; b < statics->n_blocks; b++)
        s->open[b] = repeats_alone(s->code, b);
}

static void add_arrivals(struct propagation *s, const struct sl_transfer_counts *list)
{
    for (size_t i = 0; list && i < list->n; i++) {
        uint32_t b = sl_db_code_at(s->code, list->transfer[i].to);
        if (b != SL_NO_INDEX && s->open[b])
            s->count[b] += list->transfer[i].count;
    }
}

static void propagate(struct propagation *s, size_t block)
{
    uint32_t to[2];
    unsigned n = successors(s, block, to);
    bool was_open = s->open[block];
    s->open[block] = false;
    for (unsigned i = 0; i < n; i++)
        if (s->open[to[i]]) {
            s->count[to[i]] += s->count[block];
            if (was_open && !--s->open_predecessors[to[i]])
                s->ready[s->n_ready++] = to[i];
        }
}

static void propagate_ready(struct propagation *s)
{
    while (s->n_ready) {
        uint32_t b = s->ready[--s->n_ready];
        if (s->open[b])
            propagate(s, b);
    }
}

static void propagate_all(struct propagation *s)
{
    size_t n_blocks = s->code->statics.n_blocks;
    for (size_t b = 0; b < n_blocks; b++) {
        uint32_t to[2];
        unsigned n = s->open[b] ? successors(s, b, to) : 0;
        for (unsigned i = 0; i < n; i++)
            s->open_predecessors[to[i]] += s->open[to[i]];
        if (!s->open[b])
            propagate(s, b);
    }
    for (size_t b = 0; b < n_blocks; b++)
        if (s->open[b] && !s->open_predecessors[b])
            s->ready[s->n_ready++] = (uint32_t)b;
    propagate_ready(s);
    for (size_t b = 0; b < n_blocks; b++)
        if (s->open[b]) { /* in a cycle */
            propagate(s, b);
            propagate_ready(s);
        }
}

/* Branches whose edges have more executions than their blocks: see above. */
static bool add_unexplained(const struct sl_db_code *code, const struct sl_transfer_counts *edges,
                            uint64_t *count)
{
    const struct sl_statics *statics = &code->statics;
    struct sl_index_map branches = {0};
    uint64_t *passed = calloc(statics->n_blocks + 1, sizeof *passed);
    uint32_t *longest = calloc(statics->n_blocks + 1, sizeof *longest);
    bool failed = !passed || !longest;
    for (size_t b = 0; b < statics->n_blocks && !failed; b++) {
        const struct sl_block_end *end = &code->code.end[b];
        if (end->branch != SL_BRANCH_CONDITIONAL && end->branch != SL_BRANCH_INDIRECT)
            continue;
        size_t known = branches.n_keys;
        uint32_t number = sl_index_add(&branches, end->branch_pc, 0);
        failed = number == SL_NO_INDEX;
        if (!failed && number == known) /* sorted by start, so the first block is the longest */
            longest[number] = (uint32_t)b;
        if (!failed)
            passed[number] += count[b];
    }
    for (size_t i = 0; i < edges->n && !failed;) {
        uint64_t from = edges->transfer[i].from, taken = 0;
        for (; i < edges->n && edges->transfer[i].from == from; i++)
            taken += edges->transfer[i].count;
        uint32_t number = sl_index_find(&branches, from, 0);
        if (number != SL_NO_INDEX && taken > passed[number])
            count[longest[number]] += taken - passed[number];
    }
    free(passed);
    free(longest);
    sl_index_free(&branches);
    return !failed;
}

int sl_block_counts(const struct sl_db_code *code, const struct sl_transfer_counts *edges,
                    const struct sl_transfer_counts *calls, const struct sl_transfer_counts *blocks,
                    uint64_t *count, struct sl_failure *f)
{
    size_t n = code->statics.n_blocks;
    struct propagation s = {.code = code,
                            .edges = edges,
                            .calls_known = calls,
                            .count = count,
                            .open = calloc(n + 1, sizeof *s.open),
                            .open_predecessors = calloc(n + 1, sizeof *s.open_predecessors),
                            .ready = calloc(n + 1, sizeof *s.ready)};
    bool failed = !s.open || !s.open_predecessors || !s.ready;
    for (size_t b = 0; b < n && !failed; b++) {
        count[b] = 0;
        s.open[b] = !blocks;
    }
    if (!failed && blocks)
        set_counts(&s, blocks);
    if (!failed) {
        add_arrivals(&s, edges);
        add_arrivals(&s, calls);
        propagate_all(&s);
        failed = !blocks && !add_unexplained(code, edges, count);
    }
    free(s.open);
    free(s.open_predecessors);
    free(s.ready);
    return failed ? sl_db_fail_memory(f) : 0;
}
