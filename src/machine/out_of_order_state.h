/* What the files of the out-of-order core share; see out_of_order.c. */
#ifndef SL_OUT_OF_ORDER_STATE_H
#define SL_OUT_OF_ORDER_STATE_H

#include "calendar.h"
#include "core.h"
#include "out_of_order.h"
#include "recent.h"

struct sl_out_of_order_unit {
    uint64_t needs;    /* in the cycle of issue */
    uint64_t occupies; /* for as long as it takes; 0: pipelined */
    uint64_t latency;
};

/* When the latest `room` instructions left; who comes next needs the place of the
 * oldest of them. */
struct sl_out_of_order_queue {
    uint64_t *left;
    uint64_t mask, room;
};

/* Takes some instructions a cycle, in order. */
struct sl_out_of_order_stage {
    uint64_t cycle;
    uint64_t in_cycle, width;
};

#define SL_OUT_OF_ORDER_NO_LINE UINT64_MAX

struct sl_out_of_order {
    struct sl_hierarchy *hierarchy;
    struct sl_out_of_order_stage fetch, dispatch, commit;
    struct sl_out_of_order_queue ifq, rob, lsq;
    uint64_t n, n_memory; /* instructions so far, and of those in the load/store queue */
    uint64_t line;        /* that is fetched from */
    uint64_t address_cycles, forwarding_cycles;
    uint64_t branch_penalty, misfetch_penalty; /* with L1I's latency beyond one cycle */
    uint64_t branch_dispatch, branch_complete; /* of the latest branch */
    uint64_t alone;     /* the latest system instruction was committed */
    uint64_t held;      /* a profiler lets nothing commit before */
    uint64_t last_fill; /* no line comes later */
    struct sl_recent stores; /* by 8 bytes: complete, committed */
    struct sl_recent fills;  /* by line: when it comes, how many cycles it takes */
    uint64_t complete[SL_OP_REGISTERS];
    struct sl_out_of_order_unit unit[SL_UNITS];
    struct sl_calendar calendar;
};

/* One instruction on its way, and what it waited for in the order of time. */
struct sl_op_passage {
    uint64_t ready, issue, complete;
    unsigned n_waits;
    struct sl_wait {
        enum sl_happening cause;
        uint64_t cycles;
    } wait[16]; /* no instruction can have more than 12 */
};

static inline void sl_op_passage_waits(struct sl_op_passage *p, enum sl_happening cause, uint64_t cycles)
{
    p->wait[p->n_waits] = (struct sl_wait){cause, cycles};
    p->n_waits += cycles != 0;
}

/* Issues it when it is ready and what it needs is there. */
static inline void sl_out_of_order_issue(struct sl_out_of_order *core, struct sl_op_passage *p,
                                         const struct sl_out_of_order_unit *unit, uint64_t needs)
{
    p->issue = __builtin_expect(unit->occupies != 0, 0)
                   ? sl_calendar_occupy(&core->calendar, p->ready, needs, unit->occupies,
                                        unit->latency)
                   : sl_calendar_take(&core->calendar, p->ready, needs);
    sl_op_passage_waits(p, SL_H_LOST_STRUCTURE, p->issue - p->ready);
}

/* Issues an instruction with `n` references, at least one, and completes it. */
void sl_out_of_order_access(struct sl_out_of_order *core, struct sl_op_passage *p,
                            const struct sl_op *op, const struct sl_out_of_order_unit *unit,
                            const struct sl_reference *reference, uint32_t n,
                            uint64_t happened[SL_HAPPENINGS]);

/* It has been committed: loads that follow meet its stores. */
void sl_out_of_order_stored(struct sl_out_of_order *core, const struct sl_op_passage *p,
                            const struct sl_reference *reference, uint32_t n);

/* Bytes of a core, and its making. */
size_t sl_out_of_order_size(const void *config);
void sl_out_of_order_init(void *memory, const void *config, struct sl_hierarchy *hierarchy);

#endif
