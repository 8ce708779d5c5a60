/* SPDX-License-Identifier: MIT */
/* What the files of the out-of-order core share; see out_of_order.c. */
#ifndef SL_OUT_OF_ORDER_STATE_H
#define SL_OUT_OF_ORDER_STATE_H

#include "calendar.h"
#include "core.h"
#include "options.h"

struct sl_out_of_order_config {
    uint64_t fetch, dispatch, issue, commit;                            /* instructions a cycle */
    uint64_t rob, lsq, ifq;                                             /* instructions in them */
    uint64_t alu, mul, fpu, fpmul, ports;                               /* units */
    uint64_t multiply, divide, float_add, float_multiply, float_divide; /* cycles */
    uint64_t address, forwarding;
    uint64_t branch_penalty, misfetch_penalty;
};

extern const struct sl_option sl_out_of_order_options[];

/* SL_EUSAGE, in a sentence that begins with the option to change. */
int sl_out_of_order_check(const void *config, struct sl_failure *f);

/* ---- recent entries by address ----
 *
 * The most recent events by address, for example stores by the eight bytes that they wrote. A ring
 * in the order of insertion; entries with the same hash are linked from the latest to the oldest:
 *
 *     slot of a hash ──► latest ──► older ──► older ──► overwritten
 *
 * Entry numbers only increase, so that a link to an overwritten entry is recognised by its number.
 * Nothing is ever removed. */
#define SL_RECENT_SLOTS 4u /* of the hash, for each entry: few entries meet another one's slot */

struct sl_recent_entry {
    uint64_t place;
    uint64_t older;   /* number + 1; 0: none */
    uint64_t when[2]; /* cycles; what they are is the owner's */
};

/* Those with one hash. */
struct sl_recent_slot {
    uint64_t number; /* of the latest, + 1; 0: none */
    uint64_t last;   /* none of them was added with a later when[1] */
};

struct sl_recent {
    uint64_t n; /* entries so far */
    uint64_t mask;
    unsigned shift;
    struct sl_recent_entry *entry;
    struct sl_recent_slot *slot; /* by hash */
};

/* Bytes for the `room` latest, a power of 2 from 2 on; and its making in that much
 * zeroed memory, aligned to 8 bytes. */
static inline size_t sl_recent_bytes(uint64_t room)
{
    return room *
           (sizeof(struct sl_recent_entry) + SL_RECENT_SLOTS * sizeof(struct sl_recent_slot));
}

static inline void sl_recent_init(struct sl_recent *r, uint64_t room, void *memory)
{
    *r = (struct sl_recent){.mask = room - 1,
                            .entry = memory,
                            .shift = 64 - (unsigned)__builtin_ctzll(SL_RECENT_SLOTS * room)};
    r->slot = (struct sl_recent_slot *)(r->entry + room);
}

static inline struct sl_recent_slot *sl_recent_slot(const struct sl_recent *r, uint64_t place)
{
    return &r->slot[place * UINT64_C(0x9e3779b97f4a7c15) >> r->shift];
}

/* The latest entry of a place, or NULL. */
static inline struct sl_recent_entry *sl_recent_find(const struct sl_recent *r, uint64_t place)
{
    uint64_t number = sl_recent_slot(r, place)->number;
    while (number && r->n - number <= r->mask) {
        struct sl_recent_entry *e = &r->entry[(number - 1) & r->mask];
        if (e->place == place)
            return e;
        number = e->older;
    }
    return NULL;
}

static inline void sl_recent_add(struct sl_recent *r, uint64_t place, uint64_t first,
                                 uint64_t second)
{
    struct sl_recent_slot *slot = sl_recent_slot(r, place);
    r->entry[r->n & r->mask] = (struct sl_recent_entry){place, slot->number, {first, second}};
    *slot = (struct sl_recent_slot){++r->n, second > slot->last ? second : slot->last};
}

/* ---- the core ---- */

struct sl_out_of_order_unit {
    uint64_t needs;    /* in the cycle of issue */
    uint64_t occupies; /* for as long as it takes; 0: pipelined */
    uint64_t latency;
    uint64_t computing; /* what it computes with what it has loaded; 0: nothing */
};

/* One of the latest instructions: who comes so many behind it that a queue is full needs its place
 * there. It leaves the fetch queue when it is dispatched, the reorder buffer when it is committed.
 * They lie in the order of the program; at the end of the room, those that may still be asked for
 * are moved to its beginning.
 *
 *     | asked for | ... | asked for | next |  a piece  | ... |      place: the next
 */
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

/* What an instruction asks of this core, with the references that it has in some shape (shape.h).
 *
 *     plain          no reference; it is complete so many `cycles` after issue
 *     load, store    one; likewise, if L1 has the line and no store has to be waited for
 *     pop            a load whose second result is an address that it counts up
 *     any            whatever else: several references, or more registers than fit, or a unit that
 *                    is
 *                    not pipelined, or other addresses that are counted up, or a branch that is not
 *                    the
 *                    last
 *
 * Where fewer registers are read or written there are SL_OP_NEVER_WRITTEN and SL_OP_NEVER_READ. */
enum sl_demand_kind {
    SL_DEMAND_PLAIN,
    SL_DEMAND_LOAD,
    SL_DEMAND_POP,
    SL_DEMAND_STORE,
    SL_DEMAND_ANY
};

#define SL_DEMAND_SOURCES 3
#define SL_DEMAND_RESULTS 2

struct sl_demand {
    uint64_t needs; /* in the cycle of issue; a port, if it accesses memory (calendar.h) */
    uint16_t cycles;
    uint8_t kind; /* enum sl_demand_kind */
    uint8_t source[SL_DEMAND_SOURCES], result[SL_DEMAND_RESULTS];
};
_Static_assert(sizeof(struct sl_demand) == 16, "four are a line");

static inline bool sl_demand_accesses(const struct sl_demand *d)
{
    return d->needs >> 8 * SL_SLOT_PORT;
}

/* Where the line begins that an instruction ends in. */
static inline uint64_t sl_op_last_line(const struct sl_op *op, uint64_t line_mask)
{
    return (op->pc + op->size - 1) & line_mask;
}

/* Instructions that go together: as many as surely find out what has left the queues before any of
 * them does, and all but the first from lines that L1I has. */
#define SL_PIECE_MAX 32u

/* Instructions of a shape that may go as one piece: their lines, from that of the first byte on,
 * are next to each other. Behind its last demand is the next span of its shape. */
struct sl_op_span {
    uint64_t line; /* where the first begins */
    uint8_t n;     /* instructions */
    uint8_t
        n_lines;   /* 0: they are fetched and dispatched the long way; so is a system instruction */
    uint8_t lined; /* the latest that ends in another line than the one in front of it; 0: none */
    bool is_last;  /* of its shape */
    bool branches; /* the last instruction of its shape is a branch */
    struct sl_demand demand[];
};
_Static_assert(sizeof(struct sl_op_span) == sizeof(struct sl_demand),
               "a span lies among its demands");

/* How a piece goes through fetching and dispatching, in cycles from its first one: only how many a
 * stage takes at once matters there, and how many it has taken in that cycle already. */
struct sl_out_of_order_rhythm {
    uint8_t cycle[SL_PIECE_MAX];    /* of each instruction */
    uint8_t in_cycle[SL_PIECE_MAX]; /* so many were taken in it with this one */
};

#define SL_OUT_OF_ORDER_NO_LINE UINT64_MAX

struct sl_out_of_order {
    struct sl_hierarchy *hierarchy;
    struct sl_out_of_order_place *place;                    /* of the next instruction */
    struct sl_out_of_order_place *first_place, *last_place; /* of all; that a piece can begin at */
    uint64_t n_asked;  /* how many of the latest are asked for */
    uint64_t n_memory; /* instructions so far that were in the load/store queue */
    int64_t ifq_back,
        rob_back; /* minus the room of each queue: where the one is whose place is needed */
    struct sl_out_of_order_queue lsq;
    struct sl_out_of_order_stage fetch, dispatch;
    uint64_t committed;  /* the latest cycle of commit */
    int64_t commit_back; /* minus how many commit in a cycle, likewise */
    uint32_t piece;      /* the most that go together */
    bool tells;          /* the hierarchy looks at the time: it prefetches */
    uint64_t line;       /* that is fetched from: where it begins */
    uint64_t address_cycles, forwarding_cycles;
    uint64_t hit_cycles;                       /* from asking for data to those that L1 has */
    uint64_t branch_penalty, misfetch_penalty; /* with L1I's latency beyond one cycle */
    uint64_t branch_dispatch, branch_complete; /* of the latest branch */
    uint64_t alone;                            /* the latest system instruction was committed */
    uint64_t held;                             /* a profiler lets nothing commit before */
    uint64_t last_fill;                        /* no line comes later */
    struct sl_recent stores;                   /* by 8 bytes: complete, committed */
    struct sl_recent fills; /* by line: how many cycles it takes, when it comes */
    uint64_t complete[SL_OP_REGISTERS];
    struct sl_out_of_order_unit unit[SL_UNITS];
    uint8_t
        halves[256]; /* of a cycle that an access takes, by the calendar's byte of ports with it */
    struct sl_out_of_order_rhythm
        fetching[SL_SLOTS_MAX + 1]; /* by how many are fetched in the cycle */
    /* Dispatching: by how many are fetched in the cycle, how many were dispatched in the latest
     * one, and how many cycles that is behind the one of fetching: none, 1 to most_behind, or more.
     * Where it is more, cycles are from the latest on, else from the one behind that of fetching.
     */
    struct sl_out_of_order_rhythm *placing;
    int64_t most_behind;
    /* Spans of each shape that has been executed, and their demands. */
    struct sl_demand *kept;
    uint32_t *of_shape; /* where its first span is, + 1; 0: they have not been made */
    size_t n_kept, room_kept, room_shapes;
    struct sl_demand loose[SL_PIECE_MAX]; /* of a piece whose shape is not kept */
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
    uint32_t left;    /* of its span, with those of the piece */
    const struct sl_executed *executed;
    const struct sl_demand *demand; /* of the first */
    uint64_t *happened;
    uint64_t led;                 /* how long the first waited for the branch that led here */
    uint64_t lost;                /* cycles, by all of them */
    uint64_t complete;            /* of the last */
    uint64_t asked;               /* when memory was last asked for data; 0: it has not been */
    struct sl_op_passage passage; /* of one that has lost cycles or is slow */
    /* The latest for which a line was fetched early, or NULL, and the cycle in which it is fetched.
     */
    const struct sl_op *lined;
    uint64_t lined_at;
    /* The latest whose data took longer than L1's latency, or came from a store: of its cycles, the
     * TLB's walk, and what is beyond that latency. */
    const struct sl_op *slow;
    uint64_t walk, beyond;
    bool waits;             /* the first may have waited for lines, and the next two are known */
    bool crowded;           /* some may have waited for room, and so are the others */
    bool spread;            /* they are dispatched in cycles far from each other */
    uint64_t walks, misses; /* of the first: cycles for its pages and lines */
    uint64_t apart;         /* and to be alone */
    uint64_t queued[SL_PIECE_MAX]; /* of each: cycles for room in the fetch queue */
    uint64_t placed[SL_PIECE_MAX]; /* and in reorder buffer or load/store queue */
};

static inline uint64_t sl_later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- stages and queues ---- */

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

/* The rest of sl_out_of_order_spans. */
const struct sl_op_span *sl_out_of_order_make_shape(struct sl_out_of_order *core,
                                                    const struct sl_executed *e);

/* The first span of an executed block; NULL: they are not kept. */
static inline const struct sl_op_span *sl_out_of_order_spans(struct sl_out_of_order *core,
                                                             const struct sl_executed *e)
{
    uint32_t at = e->shape < core->room_shapes ? core->of_shape[e->shape] : 0;
    return __builtin_expect(at, 1) ? (const struct sl_op_span *)(core->kept + (at - 1))
                                   : sl_out_of_order_make_shape(core, e);
}

/* Makes the demands of `n` instructions from the one at `from` on, the first reference of which, if
 * they have any, is `r`. Returns the first reference that is not theirs. */
const struct sl_reference *sl_out_of_order_make_demands(const struct sl_out_of_order *core,
                                                        const struct sl_executed *e, uint32_t from,
                                                        uint32_t n, const struct sl_reference *r,
                                                        struct sl_demand *to);

/* Bytes of a core, and its making; what there is to be freed besides these bytes. */
size_t sl_out_of_order_size(const void *config);
void sl_out_of_order_init(void *memory, const void *config, struct sl_hierarchy *hierarchy);
void sl_out_of_order_close(void *memory);

#endif
