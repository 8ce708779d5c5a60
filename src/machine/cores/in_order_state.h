/* SPDX-License-Identifier: MIT */
/* What the files of the in-order core share; see in_order.c. */
#ifndef SL_IN_ORDER_STATE_H
#define SL_IN_ORDER_STATE_H

#include "core.h"

struct sl_in_order_config {
    uint64_t width, ports, load_use;
    uint64_t multiply, divide, float_add, float_multiply, float_divide;
    uint64_t branch_penalty, misfetch_penalty, taken_bubble, branch_wait, store_busy;
    bool multiply_pipelined, blocking;
};

extern const struct sl_option sl_in_order_options[];

/* sl_core_kind.init */
void sl_in_order_init(void *core, const void *config, struct sl_hierarchy *hierarchy);

#define SL_IN_ORDER_NO_LINE UINT64_MAX

/* The two units that may be busy. */
enum { SL_IN_ORDER_WHOLE, SL_IN_ORDER_FLOATING };

/* What instructions that begin together share. */
enum { SL_OF_MEMORY, SL_OF_BRANCHES, SL_OF_WHOLE, SL_OF_FLOATING, SL_OF_ANY, SL_IN_ORDER_SHARED };

/* What caches answer to an instruction: the cycles beyond L1's own latency, and if there are
 * none, whether it needs the line of a miss that is still under way. */
struct sl_in_order_answer {
    uint32_t walk, data;
    bool waits;
};

/* A question to the caches: for a line of instructions, or for all references of an instruction. */
struct sl_in_order_question {
    uint64_t line;         /* of instructions */
    uint64_t at;           /* the cycle in which it is asked */
    uint32_t reference, n; /* the first one, and how many; 0: it is for a line */
    bool under_way;        /* a miss is */
    struct sl_in_order_answer answer;
};

/* The questions of a block that is gone through, in their order. The first n_known of them have
 * been asked before: they have their answers, and the caches have seen them. */
#define SL_IN_ORDER_QUESTIONS 255u

struct sl_in_order_questions {
    uint32_t n, n_known;
    struct sl_in_order_question question[SL_IN_ORDER_QUESTIONS];
};

struct sl_in_order_paths;

struct sl_in_order {
    uint64_t now;                 /* when the next instruction can begin */
    uint64_t held;                /* a profiler lets nothing begin before */
    uint64_t began, began_before; /* cycles of the last instruction and of the one before, from 1 */
    uint64_t line;                /* fetched last */
    uint64_t missed_line, memory_free; /* the last that did not block, and when it is done */
    uint64_t unit_free[2];
    uint64_t store_free; /* when the cache is done with the last store */
    uint32_t begun[SL_IN_ORDER_SHARED], room[SL_IN_ORDER_SHARED]; /* of cycle `now`, and at most */
    struct sl_hierarchy *hierarchy;
    uint32_t latency[SL_UNITS];
    uint32_t load_extra; /* what a load comes later than a sum */
    uint32_t branch_wait, store_busy;
    uint32_t lost_by_prediction[SL_PREDICTION_COUNT];
    bool multiply_pipelined, blocking;
    uint8_t cause[SL_OP_REGISTERS]; /* of waiting for it */
    uint64_t ready[SL_OP_REGISTERS];
    uint64_t written[SL_OP_REGISTERS]; /* the same for branches, where they wait longer */
    struct sl_in_order_paths *paths;
    struct sl_in_order_questions *questions; /* NULL: nobody wants to know them */
};

/* Asks for the data of some references of an executed block, beside a miss that is under way or
 * not. */
struct sl_in_order_answer sl_in_order_access(struct sl_in_order *c, const struct sl_executed *e,
                                             uint32_t reference, uint32_t n, bool under_way);

/* The definition: goes through a block instruction by instruction. */
void sl_in_order_walk(struct sl_in_order *c, const struct sl_executed *e,
                      uint64_t happened[SL_HAPPENINGS]);

/* Runs a block that has a shape, as it went before or by sl_in_order_walk. Returns false, and has
 * done nothing, where that is not to be remembered. */
bool sl_in_order_follow(struct sl_in_order *c, const struct sl_executed *e,
                        uint64_t happened[SL_HAPPENINGS]);

/* Before a block is gone through by itself: the core's own fields say what is under way. */
void sl_in_order_settle(struct sl_in_order *c);

/* Frees all that is remembered. */
void sl_in_order_forget(struct sl_in_order *c);

#endif
