/* What the files of the out-of-order core share; see out_of_order.c. */
#ifndef SL_OUT_OF_ORDER_STATE_H
#define SL_OUT_OF_ORDER_STATE_H

#include "calendar.h"
#include "core.h"
#include "out_of_order.h"
#include "recent.h"

struct sl_out_of_order_unit {
    uint64_t needs;     /* in the cycle of issue */
    uint64_t occupies;  /* for as long as it takes; 0: pipelined */
    uint64_t latency;
    uint64_t computing; /* what it computes with what it has loaded; 0: nothing */
};

/* One of the latest instructions: who comes so many behind it that a queue is full needs its place
 * there. It leaves the fetch queue when it is dispatched, the reorder buffer when it is committed. */
struct sl_out_of_order_place {
    uint64_t dispatched, committed;
};

/* When the latest `room` accesses to memory left; who comes next needs the place of the
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

/* Instructions that go together: as many as surely find out what has left the queues before any of
 * them does, and all but the first from lines that L1I has. */
#define SL_PIECE_MAX 32u

/* How a piece goes through fetching and dispatching, in cycles from its first one: only how many a
 * stage takes at once matters there, and how many it has taken in that cycle already. */
struct sl_out_of_order_rhythm {
    uint8_t cycle[SL_PIECE_MAX];    /* of each instruction */
    uint8_t in_cycle[SL_PIECE_MAX]; /* so many were taken in it with this one */
};

#define SL_OUT_OF_ORDER_NO_LINE UINT64_MAX

struct sl_out_of_order {
    struct sl_hierarchy *hierarchy;
    struct sl_out_of_order_place *place; /* by number of instruction, modulo */
    uint64_t place_mask;
    uint64_t n, n_memory; /* instructions so far, and of those in the load/store queue */
    uint64_t ifq, rob;    /* how many are in there */
    struct sl_out_of_order_queue lsq;
    struct sl_out_of_order_stage fetch, dispatch;
    uint64_t committed, commit_width; /* the latest cycle of commit; instructions in one */
    uint32_t piece;       /* the most that go together */
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
    /* By how many a stage has taken in its cycle: what it fetches then; what it dispatches if that was
     * fetched long ago; and, by how many are fetched in the cycle, what is dispatched when nothing
     * else is. */
    struct sl_out_of_order_rhythm fetching[SL_SLOTS_MAX + 1], dispatching[SL_SLOTS_MAX + 1],
        arriving[SL_SLOTS_MAX + 1];
    struct sl_calendar calendar;
};

/* One instruction on its way behind dispatch. */
struct sl_op_passage {
    uint64_t ready, issued, complete;
    uint64_t held; /* cycles that it waited for a profiler at the end */
    bool memory;   /* it accesses memory */
};

struct sl_out_of_order_piece {
    uint32_t n, from; /* place of the first in its block */
    const struct sl_executed *executed;
    uint64_t *happened;
    /* Of the first: how long it waited for the branch that led here, for its lines, to be alone. */
    uint64_t led, walks, misses, apart;
    /* The latest for which a line was fetched early, or NULL, and the cycle in which it is fetched. */
    const struct sl_op *lined;
    uint64_t lined_at;
    /* The latest whose data took longer than L1's latency, or came from a store: of its cycles, the
     * TLB's walk, and what is beyond that latency. */
    const struct sl_op *slow;
    uint64_t walk, beyond;
    /* How it is dispatched if nobody waited for room; else it has been, and the next two are known. */
    bool crowded;
    const uint8_t *idle, *busy; /* sl_out_of_order_rhythm.cycle */
    uint64_t arrived, begun;    /* cycles that these begin with */
    uint64_t queued[SL_PIECE_MAX]; /* cycles for room in the fetch queue */
    uint64_t placed[SL_PIECE_MAX]; /* and in reorder buffer or load/store queue */
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

/* When there is room in the load/store queue for the access with that number. */
static inline uint64_t sl_out_of_order_room(const struct sl_out_of_order_queue *q, uint64_t n)
{
    return q->left[(n - q->room) & q->mask];
}

/* Instruction `n`, if it is among the latest or comes next. */
static inline struct sl_out_of_order_place *sl_out_of_order_place(
    const struct sl_out_of_order *core, uint64_t n)
{
    return &core->place[n & core->place_mask];
}

/* Bytes of a core, and its making. */
size_t sl_out_of_order_size(const void *config);
void sl_out_of_order_init(void *memory, const void *config, struct sl_hierarchy *hierarchy);

#endif
