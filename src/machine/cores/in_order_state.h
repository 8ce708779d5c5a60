/* SPDX-License-Identifier: MIT */
/* Internal state of the in-order core model, shared by the core (in_order.c) and its
 * memoized timings (in_order_memo.c). */
#ifndef SL_IN_ORDER_STATE_H
#define SL_IN_ORDER_STATE_H

#include "core.h"

struct sl_in_order_config {
    uint64_t width, ports, load_use;
    uint64_t multiply, divide, float_add, float_multiply, float_divide;
    uint64_t branch_penalty, misfetch_penalty, taken_bubble, branch_wait, store_busy;
    bool multiply_pipelined, blocking;
};

#define SL_IN_ORDER_NO_LINE UINT64_MAX

/* Units that an operation may occupy. */
enum { SL_IN_ORDER_MULTIPLIER, SL_IN_ORDER_FLOATING };

/* Resources that instructions of one cycle share. */
enum {
    SL_SHARED_MEMORY,
    SL_SHARED_BRANCH,
    SL_SHARED_MULTIPLIER,
    SL_SHARED_FLOATING,
    SL_SHARED_ISSUE,
    SL_SHARED_COUNT
};

/* Reply of the caches: cycles beyond the latency of L1, and if there are none, whether the access
 * needs the line of a miss in flight. */
struct sl_cache_reply {
    uint32_t walk, data;
    bool waits;
};

/* Request to the caches: for an instruction line, or for all references of an instruction. */
struct sl_cache_request {
    uint64_t line;         /* instruction line */
    uint64_t at;           /* cycle of the request */
    uint32_t reference, n; /* first reference and their number; 0: for an instruction line */
    bool in_flight;        /* a miss is in flight */
    struct sl_cache_reply reply;
};

/* The requests of a block that is executed by sl_in_order_execute(), in order. The first n_known
 * were made before: their replies are known, and the caches have seen them. */
#define SL_IN_ORDER_REQUESTS 255u

struct sl_cache_requests {
    uint32_t n, n_known;
    struct sl_cache_request request[SL_IN_ORDER_REQUESTS];
};

struct sl_in_order_memos;

struct sl_in_order {
    uint64_t now;                      /* cycle in which the next instruction can begin */
    uint64_t held;                     /* a profiler's queue is full until this cycle */
    uint64_t began, began_before;      /* cycles of the last two instructions, from 1 */
    uint64_t line;                     /* last fetched instruction line */
    uint64_t missed_line, memory_free; /* line of the last non-blocking miss, and when it is done */
    uint64_t unit_free[2];
    uint64_t store_free;                /* when the last store leaves the cache free */
    uint32_t begun[SL_SHARED_COUNT];    /* resources used in cycle `now` */
    uint32_t capacity[SL_SHARED_COUNT]; /* per cycle */
    struct sl_hierarchy *hierarchy;
    uint32_t latency[SL_UNITS];
    uint32_t load_extra; /* latency of a load beyond that of a sum */
    uint32_t branch_wait, store_busy;
    uint32_t stall_by_prediction[SL_PREDICTION_COUNT];
    bool multiply_pipelined, blocking;
    uint8_t cause[SL_OP_REGISTERS]; /* stall cause of waiting for the register */
    uint64_t ready[SL_OP_REGISTERS];
    uint64_t written[SL_OP_REGISTERS]; /* the same for branches, if they wait for writes */
    struct sl_in_order_memos *memos;
    struct sl_cache_requests *requests; /* NULL: not recorded */
};

/* Accesses the caches for n references of a block. in_flight: a miss is in flight. */
struct sl_cache_reply sl_in_order_access(struct sl_in_order *c, const struct sl_block_execution *e,
                                         uint32_t reference, uint32_t n, bool in_flight);

/* Executes a block instruction by instruction, without memoized timings. */
void sl_in_order_execute(struct sl_in_order *c, const struct sl_block_execution *e,
                         uint64_t totals[SL_MACHINE_EVENTS]);

/* Executes a block that has a shape, with memoized timings where there are any; the results are
 * those of sl_in_order_execute(). Returns false, without any effect, if the block cannot be
 * memoized. */
bool sl_in_order_replay(struct sl_in_order *c, const struct sl_block_execution *e,
                        uint64_t totals[SL_MACHINE_EVENTS]);

/* Restores the core's own fields; call before sl_in_order_execute(). */
void sl_in_order_restore(struct sl_in_order *c);

/* sl_core_kind.close: frees all memoized timings. */
void sl_in_order_free_memos(void *core);

#endif
