/* SPDX-License-Identifier: MIT */
/* Computes which resources the instructions of a block need in the out-of-order core model, and
 * which instructions can be dispatched together. The result is computed once for each shape of a
 * block (shape.h) and stored. Fetch (out_of_order_dispatch.h) and the loop over instructions
 * (out_of_order_execute.h) only read the stored result:
 *
 *     stored:  | span | needs | needs | needs | span | needs | ...     16 bytes each */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "out_of_order_state.h"

/* True if registers and unit allow the fast path. */
static bool is_simple(const struct sl_op *op, bool last)
{
    return op->n_sources <= SL_ISSUE_SOURCES && op->n_results <= SL_ISSUE_RESULTS &&
           (!op->n_updates || (op->n_updates == 1 && op->n_results <= 2)) &&
           op->unit != SL_UNIT_DIVIDE && op->unit != SL_UNIT_FLOAT_DIVIDE &&
           (last || op->branch == SL_BRANCH_NONE);
}

/* Latency from issue to completion without waits: address computation, load, then computation. */
static uint64_t cycles_of(const struct sl_out_of_order *core,
                          const struct sl_out_of_order_unit *unit, const struct sl_reference *r)
{
    if (!r)
        return unit->latency;
    uint64_t computing = unit->computing ? unit->computing : 1;
    return r->store ? sl_later(core->address_cycles, computing)
                    : core->address_cycles + core->hit_cycles + unit->computing;
}

static struct sl_issue_needs needs_of(const struct sl_out_of_order *core, const struct sl_op *op,
                                      const struct sl_reference *r, uint32_t n_references,
                                      bool last)
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t cycles = cycles_of(core, unit, n_references ? r : NULL);
    struct sl_issue_needs d = {.needs = unit->needs + (n_references ? SL_SLOT(SL_SLOT_PORT) : 0),
                               .cycles = (uint16_t)cycles,
                               .kind = SL_ISSUE_PLAIN};
    memset(d.source, SL_OP_NEVER_WRITTEN, sizeof d.source);
    memset(d.result, SL_OP_NEVER_READ, sizeof d.result);
    bool loads = n_references == 1 && !r->store;
    if (!is_simple(op, last) || n_references > 1 || (op->n_updates && !loads) || !cycles ||
        cycles > UINT16_MAX) {
        d.kind = SL_ISSUE_ANY;
        return d;
    }
    if (n_references)
        d.kind = !loads ? SL_ISSUE_STORE : op->n_updates ? SL_ISSUE_POP : SL_ISSUE_LOAD;
    if (op->unit != SL_UNIT_NONE)
        memcpy(d.source, op->source, op->n_sources);
    memcpy(d.result + (op->n_updates ? 2 - op->n_results : 0), op->result, op->n_results);
    return d;
}

const struct sl_reference *sl_out_of_order_find_needs(const struct sl_out_of_order *core,
                                                      const struct sl_block_execution *e,
                                                      uint32_t from, uint32_t n,
                                                      const struct sl_reference *r,
                                                      struct sl_issue_needs *to)
{
    const struct sl_reference *end = e->reference + e->n_references;
    for (uint32_t i = from; i < from + n; i++) {
        const struct sl_reference *own = r;
        while (r < end && r->op == i)
            r++;
        *to++ = needs_of(core, &e->op[i], own, (uint32_t)(r - own), i + 1 == e->n_ops);
    }
    return r;
}

/* Makes the span that begins with `op`, of at most `most` instructions. */
static void make_span(struct sl_op_span *s, const struct sl_op *op, uint32_t most,
                      uint64_t line_mask)
{
    uint64_t bytes = -line_mask, line = sl_op_last_line(op, line_mask);
    *s = (struct sl_op_span){.line = op->pc & line_mask, .n = 1};
    if (op->unit == SL_UNIT_SYSTEM || (line != s->line && line != s->line + bytes))
        return;
    s->n_lines = line == s->line ? 1 : 2;
    for (; s->n < most && op[s->n].unit != SL_UNIT_SYSTEM; s->n++) {
        uint64_t first = op[s->n].pc & line_mask, last = sl_op_last_line(&op[s->n], line_mask);
        if (first == line && last == line)
            continue;
        if (last != line + bytes || (first != line && first != last))
            break;
        line = last;
        s->early_op = s->n;
        s->n_lines++;
    }
}

const struct sl_op_span *sl_out_of_order_make_shape(struct sl_out_of_order *core,
                                                    const struct sl_block_execution *e)
{
    size_t at = core->n_stored, most = at + 2 * (size_t)e->n_ops;
    uint64_t line_mask = core->hierarchy->port[0].line_mask;
    const struct sl_reference *r = e->reference;
    if (!e->shape || !e->n_ops ||
        !SL_GROW(core->of_shape, core->shapes_capacity, (size_t)e->shape + 1) ||
        most > UINT32_MAX || !SL_GROW(core->stored, core->stored_capacity, most))
        return NULL;
    for (uint32_t i = 0; i < e->n_ops;) {
        uint32_t left = e->n_ops - i;
        struct sl_op_span span;
        make_span(&span, e->op + i, left < core->group ? left : core->group, line_mask);
        span.is_last = span.n == left;
        span.branches = e->op[e->n_ops - 1].branch != SL_BRANCH_NONE;
        memcpy(core->stored + core->n_stored, &span, sizeof span);
        r = sl_out_of_order_find_needs(core, e, i, span.n, r, core->stored + core->n_stored + 1);
        core->n_stored += span.n + 1u;
        i += span.n;
    }
    core->of_shape[e->shape] = (uint32_t)at + 1;
    return (const struct sl_op_span *)(core->stored + at);
}

void sl_out_of_order_close(void *memory)
{
    struct sl_out_of_order *core = memory;
    free(core->stored);
    free(core->of_shape);
}
