/* SPDX-License-Identifier: MIT */
/* Storage format of the in-order core's memoized block timings. in_order_path.c describes and
 * follows them, in_order_memo_new.c adds them, in_order_room.c allocates them and stores pipeline
 * states. */
#ifndef SL_IN_ORDER_MEMO_H
#define SL_IN_ORDER_MEMO_H

#include "in_order_state.h"
#include "index_map.h"

enum sl_memo_kind {
    SL_WAY_UNKNOWN, /* not reached yet */
    SL_WAY_JUMP,    /* continues at the step in the next word */
    SL_WAY_END,     /* ends with the exit in the next word */
    SL_WAY_FETCH,   /* instruction line `place`, relative to that of the first instruction */
    SL_WAY_LOAD,    /* reference `place`, with no miss in flight */
    SL_WAY_STORE,
    SL_WAY_ASK, /* any other references, from `place` on */
};

union sl_memo_word {
    struct {
        uint8_t kind, place;
        uint8_t n;        /* references */
        uint8_t question; /* its index in the block */
    } step;
    uint32_t index;
};
_Static_assert(sizeof(union sl_memo_word) == 4, "a step is a word");
_Static_assert(SL_IN_ORDER_QUESTIONS <= UINT8_MAX, "a question's number fits");

/* What a step needs if it is no hit. */
struct sl_memo_beside {
    uint32_t fork; /* for replies other than a hit; 0: none */
    uint16_t at;   /* cycles since the start of the block */
    bool under_way;
};

struct sl_memo_fork {
    struct sl_cache_reply answer;
    uint32_t word, next;
};

/* Events that a core counts: these, SL_MACHINE_CYCLES, which is their sum, and
 * SL_MACHINE_DATA_HALVES. */
#define SL_WAY_SUMS (SL_MACHINE_LOST_LAST - SL_MACHINE_BASE + 1)

struct sl_memo_next {
    uint32_t entry; /* 0: none */
    uint32_t word;
};

#define SL_WAY_NEVER UINT16_MAX

struct sl_memo_exit {
    struct sl_memo_next next[2];
    uint64_t line, pc; /* last fetched line; pc of the last memory access, if any */
    uint32_t state;
    uint16_t cycles, asked_at; /* cycle of the last request; SL_WAY_NEVER: none */
    uint16_t sum[SL_WAY_SUMS];
    uint16_t halves : 11, begun : 5; /* SL_WAY_HALVES_MAX, SL_WAY_BEGUN_MAX */
};
#define SL_WAY_HALVES_MAX ((1u << 11) - 1)
#define SL_WAY_BEGUN_MAX ((1u << 5) - 1)
_Static_assert(sizeof(struct sl_memo_exit) == 64, "an exit is a line");

/* A pipeline state: pending results, in cycles from now; 0: done. */
struct sl_in_order_pending {
    uint32_t ready, written;
    uint16_t reg, cause;
};

struct sl_in_order_in_flight {
    uint32_t memory_free, store_free, unit_free[2];
    uint32_t begun[SL_IN_ORDER_SHARED];
    uint32_t n_pending;
    uint64_t pending_at; /* index in pending[] */
};

struct sl_in_order_paths {
    union sl_memo_word *word;      /* element 0 of words, forks and exits is not used */
    struct sl_memo_beside *beside; /* by word */
    struct sl_memo_fork *fork;
    struct sl_memo_exit *exit;
    struct sl_in_order_in_flight *state;
    struct sl_in_order_pending *pending;
    uint32_t *entry_word; /* by entry */
    size_t n_words, n_forks, n_exits, n_pending;
    size_t words_capacity, beside_capacity, forks_capacity, exits_capacity, states_capacity,
        pending_capacity, entries_capacity;
    struct sl_index_map states;  /* by hashes */
    struct sl_index_map entries; /* by state and entry code */
    uint32_t now_in;             /* state + 1; 0: the core's own fields are valid */
    uint32_t left_by;            /* last exit; 0: none */
    /* Replies on the current path: hits, except those listed in `stalled`. */
    struct sl_cache_requests questions;
    uint32_t n_stalled;
    uint8_t stalled[SL_IN_ORDER_QUESTIONS];
};

/* Where a path is new: at an entry without steps, at an unknown step, or at a new reply. */
struct sl_memo_end {
    uint32_t entry;   /* the entry, if word is 0 */
    uint32_t word;    /* the step; 0: at an entry */
    uint32_t n_known; /* requests made so far */
    bool at_answer;   /* the last reply is new */
};

static inline bool sl_memo_is_hit(const struct sl_cache_reply *a)
{
    return !a->walk && !a->data && !a->waits;
}

/* Make room for all that one block may add. Return false if out of memory. */
bool sl_in_order_paths_prepare(struct sl_in_order *c);
bool sl_in_order_paths_make_room(struct sl_in_order_paths *p);

/* True if another block might not fit. */
bool sl_in_order_paths_full(const struct sl_in_order_paths *p);

/* Returns the state of the core's fields + 1; 0: not to be stored. */
uint32_t sl_in_order_find_state(const struct sl_in_order *c, struct sl_in_order_paths *p);

/* Executes the block from its beginning, with the known replies, and adds the new path. */
void sl_in_order_go_new_way(struct sl_in_order *c, const struct sl_block_execution *e,
                            struct sl_memo_end end, uint64_t happened[SL_HAPPENINGS]);

#endif
