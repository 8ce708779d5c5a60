/* SPDX-License-Identifier: MIT */
/* Internal state of the out-of-order core model (out_of_order.c): queues, dispatch groups,
 * schedules, and the resources that instructions need to issue. */
#ifndef SL_OUT_OF_ORDER_STATE_H
#define SL_OUT_OF_ORDER_STATE_H

#include "calendar.h"
#include "core.h"
#include "options.h"

struct sl_out_of_order_config {
    uint64_t fetch, dispatch, issue, commit; /* instructions per cycle */
    uint64_t rob, lsq, ifq;                  /* capacity in instructions */
    uint64_t alu, mul, fpu, fpmul, ports;    /* units */
    uint64_t multiply, divide, float_add, float_multiply, float_divide; /* cycles */
    uint64_t address, forwarding;
    uint64_t branch_penalty, misfetch_penalty;
};

extern const struct sl_option sl_out_of_order_options[];

/* ---- recent entries by address ----
 *
 * The most recent events by address, for example stores by the eight bytes that they wrote. A ring
 * in the order of insertion; entries with the same hash are linked from the latest to the oldest:
 *
 *     slot of a hash ──► latest ──► older ──► older ──► overwritten
 *
 * Entry numbers only increase, so that a link to an overwritten entry is recognised by its number.
 * Nothing is ever removed. */
#define SL_RECENT_SLOTS 4u /* hash slots per entry, so that collisions are rare */

struct sl_recent_entry {
    uint64_t key;
    uint64_t older;   /* number of the next older entry + 1; 0: none */
    uint64_t when[2]; /* cycles; their meaning is the owner's */
};

/* The entries with one hash. */
struct sl_recent_slot {
    uint64_t number; /* number of the latest + 1; 0: none */
    uint64_t last;   /* largest when[1] of them */
};

struct sl_recent {
    uint64_t n; /* entries so far */
    uint64_t mask;
    unsigned shift;
    struct sl_recent_entry *entry;
    struct sl_recent_slot *slot; /* by hash */
};

/* Size for the latest `capacity` entries, a power of 2, at least 2; and initialization in zeroed
 * memory of that size, aligned to 8 bytes. */
static inline size_t sl_recent_bytes(uint64_t capacity)
{
    return capacity *
           (sizeof(struct sl_recent_entry) + SL_RECENT_SLOTS * sizeof(struct sl_recent_slot));
}

static inline void sl_recent_init(struct sl_recent *r, uint64_t capacity, void *memory)
{
    *r = (struct sl_recent){.mask = capacity - 1,
                            .entry = memory,
                            .shift = 64 - (unsigned)__builtin_ctzll(SL_RECENT_SLOTS * capacity)};
    r->slot = (struct sl_recent_slot *)(r->entry + capacity);
}

static inline struct sl_recent_slot *sl_recent_slot(const struct sl_recent *r, uint64_t key)
{
    return &r->slot[key * UINT64_C(0x9e3779b97f4a7c15) >> r->shift];
}

/* Returns the latest entry of an address, or NULL. */
static inline struct sl_recent_entry *sl_recent_find(const struct sl_recent *r, uint64_t key)
{
    uint64_t number = sl_recent_slot(r, key)->number;
    while (number && r->n - number <= r->mask) {
        struct sl_recent_entry *e = &r->entry[(number - 1) & r->mask];
        if (e->key == key)
            return e;
        number = e->older;
    }
    return NULL;
}

static inline void sl_recent_add(struct sl_recent *r, uint64_t key, uint64_t first, uint64_t second)
{
    struct sl_recent_slot *slot = sl_recent_slot(r, key);
    r->entry[r->n & r->mask] = (struct sl_recent_entry){key, slot->number, {first, second}};
    *slot = (struct sl_recent_slot){++r->n, second > slot->last ? second : slot->last};
}

/* ---- the core ---- */

struct sl_out_of_order_unit {
    uint64_t needs;    /* reserved in the cycle of issue */
    uint64_t occupies; /* reserved for the whole latency; 0: pipelined */
    uint64_t latency;
    uint64_t computing; /* latency of the computation after a load; 0: none */
};

/* One of the latest instructions. The instruction that follows it by the capacity of a queue needs
 * its entry there: in the fetch queue it is freed at dispatch, in the reorder buffer at commit.
 * Entries are in program order; at the end of the array, those that may still be read move to its
 * beginning.
 *
 *     | readable | ... | readable | next |  a group  | ... |      core->times: next */
struct sl_op_times {
    uint64_t dispatched, committed;
};

/* Cycles in which the latest `capacity` memory accesses left the queue; the next one needs the
 * entry of the oldest. */
struct sl_out_of_order_queue {
    uint64_t *left;
    uint64_t mask, capacity;
};

/* A stage that accepts `width` instructions per cycle, in order. */
struct sl_out_of_order_stage {
    uint64_t cycle;
    uint64_t in_cycle, width;
};

/* Needs of an instruction in this core, with its references in some shape (shape.h).
 *
 *     plain          no reference; complete `cycles` after issue
 *     load, store    one reference; the same if it hits in L1 and waits for no store
 *     pop            a load whose second result is an updated address
 *     any            all others: several references, more registers than fit, a unit that is not
 *                    pipelined, other updated addresses, or a branch that is not the last
 *
 * Unused registers are SL_OP_NEVER_WRITTEN and SL_OP_NEVER_READ. */
enum sl_issue_kind { SL_ISSUE_PLAIN, SL_ISSUE_LOAD, SL_ISSUE_POP, SL_ISSUE_STORE, SL_ISSUE_ANY };

#define SL_ISSUE_SOURCES 3
#define SL_ISSUE_RESULTS 2

struct sl_issue_needs {
    uint64_t needs; /* reserved in the cycle of issue; a port, if it accesses memory (calendar.h) */
    uint16_t cycles;
    uint8_t kind; /* enum sl_issue_kind */
    uint8_t source[SL_ISSUE_SOURCES], result[SL_ISSUE_RESULTS];
};
_Static_assert(sizeof(struct sl_issue_needs) == 16, "four are a line");

static inline bool sl_issue_accesses(const struct sl_issue_needs *d)
{
    return d->needs >> 8 * SL_SLOT_PORT;
}

/* Address of the line in which an instruction ends. */
static inline uint64_t sl_op_last_line(const struct sl_op *op, uint64_t line_mask)
{
    return (op->pc + op->size - 1) & line_mask;
}

/* Instructions that are processed as a group: few enough that all queue entries they need are known
 * before any of them is committed, and all but the first from lines in L1I. */
#define SL_GROUP_MAX 32u

/* Instructions of a shape that may form one group: their lines are adjacent. The next span of the
 * shape follows the last needs. */
struct sl_op_span {
    uint64_t line;    /* address of the first line */
    uint8_t n;        /* instructions */
    uint8_t n_lines;  /* 0: fetch and dispatch on the slow path; always for a system instruction */
    uint8_t early_op; /* last instruction that ends in another line than the one before; 0: none */
    bool is_last;     /* last span of its shape */
    bool branches;    /* the last instruction of its shape is a branch */
    struct sl_issue_needs needs[];
};
_Static_assert(sizeof(struct sl_op_span) == sizeof(struct sl_issue_needs),
               "a span lies among its needs");

/* Schedule of a group in fetch or dispatch, in cycles relative to its first one. It depends only on
 * the stage's width and on how many it has accepted in that cycle. */
struct sl_dispatch_schedule {
    uint8_t cycle[SL_GROUP_MAX];    /* of each instruction */
    uint8_t in_cycle[SL_GROUP_MAX]; /* accepted in that cycle, including this one */
};

#define SL_OUT_OF_ORDER_NO_LINE UINT64_MAX

struct sl_out_of_order {
    struct sl_hierarchy *hierarchy;
    struct sl_op_times *times;                    /* of the next instruction */
    struct sl_op_times *first_times, *last_times; /* of all; the last at which a group can begin */
    uint64_t n_readable;        /* number of latest instructions that may be read */
    uint64_t n_memory;          /* instructions so far in the load/store queue */
    int64_t ifq_back, rob_back; /* minus the capacity of each queue: index of the instruction whose
                                   entry is needed */
    struct sl_out_of_order_queue lsq;
    struct sl_out_of_order_stage fetch, dispatch;
    uint64_t committed;  /* last commit cycle */
    int64_t commit_back; /* minus the commit width */
    uint32_t group;      /* largest group */
    bool needs_time;     /* the hierarchy prefetches and reads the time */
    uint64_t line;       /* address of the current instruction line */
    uint64_t address_cycles, forwarding_cycles;
    uint64_t hit_cycles;                       /* latency of an L1 hit */
    uint64_t branch_penalty, misfetch_penalty; /* including L1I latency beyond one cycle */
    uint64_t branch_dispatch, branch_complete; /* of the latest branch */
    uint64_t alone;                            /* commit cycle of the last system instruction */
    uint64_t held;                             /* the profiler's queue is full until this cycle */
    uint64_t last_fill;                        /* last arrival of any line */
    struct sl_recent stores;                   /* by 8 bytes: cycles of completion and commit */
    struct sl_recent fills;                    /* by line: latency and cycle of arrival */
    uint64_t complete[SL_OP_REGISTERS];
    struct sl_out_of_order_unit unit[SL_UNITS];
    uint8_t halves[256]; /* half cycles of an access, by the calendar's byte of ports */
    /* By the number fetched in the cycle. */
    struct sl_dispatch_schedule fetch_schedules[SL_SLOTS_MAX + 1];
    /* Dispatch schedules: by the number fetched in the cycle, the number dispatched in the last
     * one, and its distance from the cycle of fetch: none, 1 to max_lag, or more. If more,
     * cycles are relative to the last one, else to the one after fetch. */
    struct sl_dispatch_schedule *dispatch_schedules;
    int64_t max_lag;
    /* Spans and needs of each executed shape. */
    struct sl_issue_needs *stored;
    uint32_t *of_shape; /* index of its first span + 1; 0: not made yet */
    size_t n_stored, stored_capacity, shapes_capacity;
    struct sl_issue_needs unstored[SL_GROUP_MAX]; /* of a group whose shape is not stored */
    struct sl_calendar calendar;
};

/* Timing of one instruction after dispatch. */
struct sl_op_timing {
    uint64_t ready, issued, complete;
    uint64_t held; /* cycles it waited for the profiler at commit */
    bool memory;   /* accesses memory */
};

struct sl_dispatch_group {
    uint32_t n, from; /* index of the first in its block */
    uint32_t left;    /* remaining in its span, including the group */
    const struct sl_block_execution *executed;
    const struct sl_issue_needs *needs; /* of the first */
    uint64_t *totals;
    uint64_t branch_wait;       /* wait of the first for the branch before the block */
    uint64_t lost;              /* stall cycles of all of them */
    uint64_t complete;          /* of the last */
    uint64_t asked;             /* cycle of the last data access; 0: none */
    struct sl_op_timing timing; /* of one that stalled or is slow */
    /* The latest one whose line was fetched early, or NULL, and the cycle of that fetch. */
    const struct sl_op *early_op;
    uint64_t early_fetched_at;
    /* The latest one whose data took longer than L1 or came from a store; of its cycles, the walk
     * and the rest beyond the latency of L1. */
    const struct sl_op *slow;
    uint64_t walk, beyond;
    bool waits;             /* the first may have waited for lines; walks and misses are valid */
    bool slow_dispatch;     /* serialized, ifq_wait and rob_wait are valid */
    bool spread;            /* dispatched in cycles far apart */
    uint64_t walks, misses; /* of the first: waits for its pages and lines */
    uint64_t serialized;    /* of the first: wait to execute alone */
    uint64_t ifq_wait[SL_GROUP_MAX]; /* of each: wait for a fetch queue entry */
    uint64_t rob_wait[SL_GROUP_MAX]; /* the same for the reorder buffer or load/store queue */
};

/* ---- stages and queues ---- */

static inline void sl_out_of_order_advance(struct sl_out_of_order_stage *s, uint64_t cycle)
{
    if (cycle > s->cycle) {
        s->cycle = cycle;
        s->in_cycle = 0;
    }
}

/* Returns the first cycle in which the stage accepts one more. */
static inline uint64_t sl_out_of_order_next(const struct sl_out_of_order_stage *s)
{
    return s->cycle + (s->in_cycle == s->width);
}

/* Returns when the load/store queue has a free entry for the access with that number. */
static inline uint64_t sl_out_of_order_queue_free(const struct sl_out_of_order_queue *q, uint64_t n)
{
    return q->left[(n - q->capacity) & q->mask];
}

/* Slow path of sl_out_of_order_spans(). */
const struct sl_op_span *sl_out_of_order_make_shape(struct sl_out_of_order *core,
                                                    const struct sl_block_execution *e);

/* Returns the first span of an executed block; NULL: not stored. */
static inline const struct sl_op_span *sl_out_of_order_spans(struct sl_out_of_order *core,
                                                             const struct sl_block_execution *e)
{
    uint32_t at = e->shape < core->shapes_capacity ? core->of_shape[e->shape] : 0;
    return __builtin_expect(at, 1) ? (const struct sl_op_span *)(core->stored + (at - 1))
                                   : sl_out_of_order_make_shape(core, e);
}

/* Finds the needs of `n` instructions from index `from` on, whose first reference is `r`. Returns
 * the first reference after them. */
const struct sl_reference *sl_out_of_order_find_needs(const struct sl_out_of_order *core,
                                                      const struct sl_block_execution *e,
                                                      uint32_t from, uint32_t n,
                                                      const struct sl_reference *r,
                                                      struct sl_issue_needs *to);

/* Size of a core, its initialization, and the release of its other memory. */
size_t sl_out_of_order_size(const void *config);
void sl_out_of_order_init(void *memory, const void *config, struct sl_hierarchy *hierarchy);
void sl_out_of_order_close(void *memory);

#endif
