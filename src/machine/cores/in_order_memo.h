/* SPDX-License-Identifier: MIT */
/* Storage format of the memoized block timings of the in-order core model. in_order_memo.c
 * describes the timings, looks them up and adds new ones; in_order_memo_storage.c allocates memory
 * and stores pipeline states. */
#ifndef SL_IN_ORDER_MEMO_H
#define SL_IN_ORDER_MEMO_H

#include "in_order_state.h"
#include "index_map.h"

enum sl_memo_kind {
    SL_MEMO_UNKNOWN, /* not reached yet */
    SL_MEMO_JUMP,    /* continues at the step in the next word */
    SL_MEMO_END,     /* ends with the exit in the next word */
    SL_MEMO_FETCH,   /* instruction line `operand`, relative to that of the first instruction */
    SL_MEMO_LOAD,    /* reference `operand`, with no miss in flight */
    SL_MEMO_STORE,
    SL_MEMO_ACCESSES, /* any other references, from `operand` on */
};

union sl_memo_word {
    struct {
        uint8_t kind, operand;
        uint8_t n;       /* references */
        uint8_t request; /* its index in the block */
    } step;
    uint32_t index;
};
_Static_assert(sizeof(union sl_memo_word) == 4, "a step is a word");
_Static_assert(SL_IN_ORDER_REQUESTS <= UINT8_MAX, "a request's number fits");

/* Data of a step for the slow path: cycle of the request, and replies other than a hit. */
struct sl_memo_context {
    uint32_t fork; /* for replies other than a hit; 0: none */
    uint16_t at;   /* cycles since the start of the block */
    bool in_flight;
};

struct sl_memo_fork {
    struct sl_cache_reply reply;
    uint32_t word, next;
};

/* Events that a core counts: these, SL_MACHINE_CYCLES, which is their sum, and
 * SL_MACHINE_DATA_HALVES. */
#define SL_MEMO_SUMS (SL_MACHINE_STALL_LAST - SL_MACHINE_BASE + 1)

struct sl_memo_next {
    uint32_t entry; /* 0: none */
    uint32_t word;
};

#define SL_MEMO_NEVER UINT16_MAX

struct sl_memo_exit {
    struct sl_memo_next next[2];
    uint64_t line, pc; /* last fetched line; pc of the last memory access, if any */
    uint32_t state;
    uint16_t cycles, requested_at; /* cycle of the last request; SL_MEMO_NEVER: none */
    uint16_t sum[SL_MEMO_SUMS];
    uint16_t halves : 11, begun : 5; /* SL_MEMO_HALVES_MAX, SL_MEMO_BEGUN_MAX */
};
#define SL_MEMO_HALVES_MAX ((1u << 11) - 1)
#define SL_MEMO_BEGUN_MAX ((1u << 5) - 1)
_Static_assert(sizeof(struct sl_memo_exit) == 64, "an exit is a line");

/* A pipeline state: pending results, in cycles from now; 0: done. */
struct sl_in_order_pending {
    uint32_t ready, written;
    uint16_t reg, cause;
};

struct sl_in_order_in_flight {
    uint32_t memory_free, store_free, unit_free[2];
    uint32_t begun[SL_SHARED_COUNT];
    uint32_t n_pending;
    uint64_t pending_at; /* index in pending[] */
};

struct sl_in_order_memos {
    union sl_memo_word *word;        /* element 0 of words, forks and exits is not used */
    struct sl_memo_context *context; /* by word */
    struct sl_memo_fork *fork;
    struct sl_memo_exit *exit;
    struct sl_in_order_in_flight *state;
    struct sl_in_order_pending *pending;
    uint32_t *entry_word; /* by entry */
    size_t n_words, n_forks, n_exits, n_pending;
    size_t words_capacity, contexts_capacity, forks_capacity, exits_capacity, states_capacity,
        pending_capacity, entries_capacity;
    struct sl_index_map states;  /* by hashes */
    struct sl_index_map entries; /* by state and entry code */
    uint32_t state_id;           /* state + 1; 0: the core's own fields are valid */
    uint32_t last_exit;          /* last exit; 0: none */
    /* Replies on the current path: hits, except those listed in `stalled`. */
    struct sl_cache_requests requests;
    uint32_t n_stalled;
    uint8_t stalled[SL_IN_ORDER_REQUESTS];
};

/* End of the known part of a path: at an entry without steps, at an unknown step, or at a new
 * reply. */
struct sl_memo_end {
    uint32_t entry;   /* the entry, if word is 0 */
    uint32_t word;    /* the step; 0: at an entry */
    uint32_t n_known; /* requests made so far */
    bool at_reply;    /* the last reply is new */
};

static inline bool sl_memo_is_hit(const struct sl_cache_reply *a)
{
    return !a->walk && !a->data && !a->waits;
}

/* Allocate capacity for the largest path that one block can add. Return false if out of memory. */
bool sl_in_order_memos_prepare(struct sl_in_order *c);
bool sl_in_order_memos_reserve(struct sl_in_order_memos *p);

/* Returns true if the path of another block may exceed the limits. */
bool sl_in_order_memos_full(const struct sl_in_order_memos *p);

/* Returns the state of the core's fields + 1; 0: not to be stored. */
uint32_t sl_in_order_find_state(const struct sl_in_order *c, struct sl_in_order_memos *p);

#endif
