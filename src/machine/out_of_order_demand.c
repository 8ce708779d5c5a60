/* What the instructions of a shape ask of the out-of-order core, made when a shape is executed for the
 * first time, so that the loop over instructions (out_of_order_execute.h) has nothing to find out. */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "out_of_order_state.h"

/* One that loads a register, or none, and counts up an address. */
static bool pops(const struct sl_op *op)
{
    return op->n_updates == 1 && op->n_results <= 2;
}

/* Whether registers and unit are such that the loop need not look closer. */
static bool is_simple(const struct sl_op *op, bool last)
{
    return op->n_sources <= SL_DEMAND_SOURCES && op->n_results <= SL_DEMAND_RESULTS &&
           (!op->n_updates || pops(op)) && op->unit != SL_UNIT_DIVIDE && op->unit != SL_UNIT_FLOAT_DIVIDE &&
           (last || op->branch == SL_BRANCH_NONE);
}

/* From issue to completion, when nothing has to be waited for: addresses are computed, then data loaded,
 * then computed with. */
static uint64_t cycles_of(const struct sl_out_of_order *core, const struct sl_out_of_order_unit *unit,
                          const struct sl_reference *r)
{
    if (!r)
        return unit->latency;
    uint64_t computing = unit->computing ? unit->computing : 1;
    return r->store ? sl_later(core->address_cycles, computing)
                    : sl_later(core->hit_cycles + unit->computing, 1);
}

static struct sl_demand demand_of(const struct sl_out_of_order *core, const struct sl_op *op,
                                  const struct sl_reference *r, uint32_t n_references, bool last)
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t cycles = cycles_of(core, unit, n_references ? r : NULL);
    struct sl_demand d = {.needs = unit->needs + (n_references ? SL_SLOT(SL_SLOT_PORT) : 0),
                          .cycles = (uint16_t)cycles, .kind = SL_DEMAND_PLAIN};
    memset(d.source, SL_OP_NEVER_WRITTEN, sizeof d.source);
    memset(d.result, SL_OP_NEVER_READ, sizeof d.result);
    bool loads = n_references == 1 && !r->store;
    if (!is_simple(op, last) || n_references > 1 || (op->n_updates && !loads) ||
        cycles > UINT16_MAX) {
        d.kind = SL_DEMAND_ANY;
        return d;
    }
    if (n_references)
        d.kind = !loads ? SL_DEMAND_STORE : op->n_updates ? SL_DEMAND_POP : SL_DEMAND_LOAD;
    if (op->unit != SL_UNIT_NONE)
        memcpy(d.source, op->source, op->n_sources);
    memcpy(d.result + (op->n_updates ? 2 - op->n_results : 0), op->result, op->n_results);
    return d;
}

void sl_out_of_order_make_demands(const struct sl_out_of_order *core, const struct sl_executed *e,
                                  uint32_t from, uint32_t n, const struct sl_reference *r,
                                  struct sl_demand *to)
{
    const struct sl_reference *end = e->reference + e->n_references;
    for (uint32_t i = from; i < from + n; i++) {
        const struct sl_reference *own = r;
        while (r < end && r->op == i)
            r++;
        *to++ = demand_of(core, &e->op[i], own, (uint32_t)(r - own), i + 1 == e->n_ops);
    }
}

const struct sl_demand *sl_out_of_order_make_shape(struct sl_out_of_order *core,
                                                   const struct sl_executed *e)
{
    size_t at = core->n_demands;
    if (!e->shape || !SL_GROW(core->of_shape, core->room_shapes, (size_t)e->shape + 1) ||
        at + e->n_ops > UINT32_MAX || !SL_GROW(core->demand, core->room_demands, at + e->n_ops))
        return NULL;
    sl_out_of_order_make_demands(core, e, 0, e->n_ops, e->reference, core->demand + at);
    core->n_demands += e->n_ops;
    core->of_shape[e->shape] = (uint32_t)at + 1;
    return core->demand + at;
}

void sl_out_of_order_close(void *memory)
{
    struct sl_out_of_order *core = memory;
    free(core->demand);
    free(core->of_shape);
}
