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
    uint32_t piece; /* the most that go together */
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

/* One instruction on its way behind dispatch. */
struct sl_op_passage {
    uint64_t ready, issued, complete;
    bool memory; /* it accesses memory; then: */
    uint32_t n_stores; /* entries among the latest stores */
    uint64_t stores_at; /* the first of them */
    uint64_t walk, beyond; /* the TLB's walk, what is beyond L1's latency */
};

/* Instructions that go together: those of one line, as many as surely find out what has left the
 * queues before any of them does. Each has the cycles that it came to. */
#define SL_PIECE_MAX 32u

struct sl_out_of_order_piece {
    uint32_t n, from; /* place of the first in its block */
    uint32_t n_committed;
    const struct sl_executed *executed;
    uint64_t *happened;
    /* Of the first: how long it waited for the branch that led here, for its lines, to be alone. */
    uint64_t led, walks, misses, apart;
    bool crowded; /* the next two are known; else nobody waited for room */
    uint64_t queued[SL_PIECE_MAX]; /* cycles for room in the fetch queue */
    uint64_t placed[SL_PIECE_MAX]; /* and in reorder buffer or load/store queue */
    uint64_t dispatched[SL_PIECE_MAX];
    struct sl_op_passage passage[SL_PIECE_MAX];
};

static inline uint64_t sl_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- stages and queues ----------------------------------------------------------- */

static inline void sl_out_of_order_go_on(struct sl_out_of_order_stage *s, uint64_t cycle)
{
    if (cycle > s->cycle) {
        s->cycle = cycle;
        s->in_cycle = 0;
    }
}

/* The first cycle in which it could take one more. */
static inline uint64_t sl_out_of_order_next(const struct sl_out_of_order_stage *s)
{
    return s->cycle + (s->in_cycle == s->width);
}

/* When there is room for instruction `n`. */
static inline uint64_t sl_out_of_order_room(const struct sl_out_of_order_queue *q, uint64_t n)
{
    return q->left[(n - q->room) & q->mask];
}

static inline void sl_out_of_order_leaves(const struct sl_out_of_order_queue *q, uint64_t n,
                                          uint64_t cycle)
{
    q->left[n & q->mask] = cycle;
}

/* ---- units ------------------------------------------------------------------------ */

/* Issues it when it is ready and what it needs is there. Returns when that is. */
static inline uint64_t sl_out_of_order_issue(struct sl_out_of_order *core, uint64_t ready,
                                             const struct sl_op *op,
                                             const struct sl_out_of_order_unit *unit,
                                             uint64_t needs)
{
    if (__builtin_expect(!op->plain && unit->occupies, 0))
        return sl_calendar_occupy(&core->calendar, ready, needs, unit->occupies, unit->latency);
    return sl_calendar_take(&core->calendar, ready, needs);
}

/* What it computes with what it has loaded; 0: nothing. */
static inline uint64_t sl_out_of_order_computing(const struct sl_op *op,
                                                 const struct sl_out_of_order_unit *unit)
{
    return op->unit == SL_UNIT_MEMORY ? 0 : unit->latency;
}

/* Bytes of a core, and its making. */
size_t sl_out_of_order_size(const void *config);
void sl_out_of_order_init(void *memory, const void *config, struct sl_hierarchy *hierarchy);

#endif
