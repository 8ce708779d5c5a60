/* SPDX-License-Identifier: MIT */
/* Remembered ways through the in-order core: how they are kept. What they are is in
 * in_order_path.c, which follows them; in_order_new_way.c adds them, in_order_under_way.c knows
 * what is under way between two blocks, in_order_room.c has the room for all of it. */
#ifndef SL_IN_ORDER_WAY_H
#define SL_IN_ORDER_WAY_H

#include "in_order_state.h"
#include "index_map.h"

enum sl_way_kind {
    SL_WAY_UNKNOWN, /* nobody has been here */
    SL_WAY_JUMP,    /* goes on at the step that the next word says */
    SL_WAY_END,     /* exit that the next word says */
    SL_WAY_FETCH,   /* line `place`, counted from that of the first instruction */
    SL_WAY_LOAD,    /* reference `place`, while no miss is under way */
    SL_WAY_STORE,
    SL_WAY_ASK, /* all other references, from `place` on */
};

union sl_way_word {
    struct {
        uint8_t kind, place;
        uint8_t n;        /* references */
        uint8_t question; /* its number in the block */
    } step;
    uint32_t index;
};
_Static_assert(sizeof(union sl_way_word) == 4, "a step is a word");
_Static_assert(SL_IN_ORDER_QUESTIONS <= UINT8_MAX, "a question's number fits");

/* The same step when it is no hit. */
struct sl_way_beside {
    uint32_t fork; /* for answers other than a hit; 0: none */
    uint16_t at;   /* cycles since the block began */
    bool under_way;
};

struct sl_way_fork {
    struct sl_in_order_answer answer;
    uint32_t word, next;
};

/* Happenings that a core counts: these, SL_H_CYCLES, which is their sum, and SL_H_DATA_HALVES. */
#define SL_WAY_SUMS (SL_H_LOST_LAST - SL_H_BASE + 1)

struct sl_way_next {
    uint32_t entry; /* 0: none */
    uint32_t word;
};

#define SL_WAY_NEVER UINT16_MAX

struct sl_way_exit {
    struct sl_way_next next[2];
    uint64_t line, pc; /* fetched last; of the last that accessed memory, if one did */
    uint32_t state;
    uint16_t cycles, asked_at; /* when the last question was asked; SL_WAY_NEVER: there was none */
    uint16_t sum[SL_WAY_SUMS];
    uint16_t halves : 11, begun : 5; /* SL_WAY_HALVES_MAX, SL_WAY_BEGUN_MAX */
};
#define SL_WAY_HALVES_MAX ((1u << 11) - 1)
#define SL_WAY_BEGUN_MAX ((1u << 5) - 1)
_Static_assert(sizeof(struct sl_way_exit) == 64, "an exit is a line");

/* What is under way: of what is over, 0. Cycles from now on. */
struct sl_in_order_pending {
    uint32_t ready, written;
    uint16_t reg, cause;
};

struct sl_in_order_under_way {
    uint32_t memory_free, store_free, unit_free[2];
    uint32_t begun[SL_IN_ORDER_SHARED];
    uint32_t n_pending;
    uint64_t pending_at; /* in the list of all */
};

struct sl_in_order_paths {
    union sl_way_word *word;      /* the first ones of words, forks and exits are not used */
    struct sl_way_beside *beside; /* by word */
    struct sl_way_fork *fork;
    struct sl_way_exit *exit;
    struct sl_in_order_under_way *state;
    struct sl_in_order_pending *pending;
    uint32_t *entry_word; /* by entry */
    size_t n_words, n_forks, n_exits, n_pending;
    size_t room_words, room_beside, room_forks, room_exits, room_states, room_pending, room_entries;
    struct sl_index_map states;  /* by hashes */
    struct sl_index_map entries; /* by state and how a shape is entered */
    uint32_t now_in;             /* state, + 1; 0: it is in the core's own fields */
    uint32_t left_by;            /* exit; 0: none */
    /* Of a way that is followed: answers of all questions, which are hits but for those that are
     * named in `stalled`. */
    struct sl_in_order_questions questions;
    uint32_t n_stalled;
    uint8_t stalled[SL_IN_ORDER_QUESTIONS];
};

/* Where a way is new: at an entry without steps, at a step that is not known, or at an answer. */
struct sl_way_end {
    uint32_t entry;   /* if it is at an entry */
    uint32_t word;    /* else; 0: at an entry */
    uint32_t n_known; /* questions that have been asked */
    bool at_answer;   /* the last of these was answered as never before */
};

static inline bool sl_way_is_hit(const struct sl_in_order_answer *a)
{
    return !a->walk && !a->data && !a->waits;
}

/* Room for all that one block may add, made if there is none yet; false when memory ran out. */
bool sl_in_order_paths_prepare(struct sl_in_order *c);
bool sl_in_order_paths_make_room(struct sl_in_order_paths *p);

/* Whether another block might find no room. */
bool sl_in_order_paths_full(const struct sl_in_order_paths *p);

/* The number of the state that the core's fields say, + 1; 0: it is not to be kept. */
uint32_t sl_in_order_find_state(const struct sl_in_order *c, struct sl_in_order_paths *p);

/* The block is gone through from its beginning; what the caches have been asked is known. */
void sl_in_order_go_new_way(struct sl_in_order *c, const struct sl_executed *e,
                            struct sl_way_end end, uint64_t happened[SL_HAPPENINGS]);

#endif
