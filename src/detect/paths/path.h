/* SPDX-License-Identifier: MIT */
/* State of the detector `path`, which counts sequences of branches. path.c opens the
 * detector, and path_feed.c processes blocks. */
#ifndef SL_PATH_H
#define SL_PATH_H

#include "ngrams.h"
#include "detector_state.h"
#include "path_stack.h"
#include "path_turn.h"

/* Applies a branch to the unfinished paths of a thread, and assigns tuple ids to finished paths. A
 * 32-bit word encodes the operations that the branch applies to the top entry of the path stack,
 * the stack of unfinished paths (path_turn.h).
 *
 * If an `update` finds a path at its maximum length, that path is finished first, and a new one
 * starts at the block that was executed after the last branch: it has this branch as its first,
 * each branch is in exactly one path, and every path can be walked. (Departure: the paper starts it
 * after this branch, which would then be in no path.)
 *
 * A path that ends within a procedure that it was extended into (kind procedure) is followed by one
 * that will be extended back into the caller, as the first would have been. (Departure: the paper
 * starts it without an extension, and from then on the stack has one entry less than there are
 * callers.)
 *
 * The return address that an entry expects depends on the branch that pushed it. After a call, it
 * is that of the call. After a return, it is that of the caller's entry, if that is below. After
 * another branch, it is that of the previous entry, since the procedure is the same. If it is
 * unknown, any return matches. */

/* ---- tuple ids ---- */

/* A direct-mapped cache: most finished paths are among the few that were finished just before. Only
 * misses go to the dictionary. */
#define SL_PATH_MEMO_LOG2 16

struct sl_path_memo {
    uint64_t path;     /* sl_path_entry.path; 0: empty */
    uint32_t tuple_id; /* SL_NO_INDEX: not selected */
};

struct sl_path_ids {
    struct sl_detector_state base; /* its tuples are the paths */
    struct sl_path_memo *memo;
    bool out_of_memory;
};

/* Returns false if out of memory; sl_path_ids_free() is allowed in either case. */
bool sl_path_ids_init(struct sl_path_ids *ids, const struct sl_detector_env *env);
void sl_path_ids_free(struct sl_path_ids *ids);

/* The tuple id of a path that is not in its slot; fills the slot. */
uint32_t sl_path_id_slow(struct sl_path_ids *ids, struct sl_path_memo *memo, uint64_t path);

/* The tuple id of a path; SL_NO_INDEX if it starts outside --range. */
static inline uint32_t sl_path_id(struct sl_path_ids *ids, uint64_t path)
{
    struct sl_path_memo *memo =
        &ids->memo[path * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SL_PATH_MEMO_LOG2)];
    return memo->path == path ? memo->tuple_id : sl_path_id_slow(ids, memo, path);
}

/* ---- branches ---- */

struct sl_path_rules {
    unsigned kind; /* enum sl_path_kind */
    bool repair;
    uint64_t extend;
    uint64_t events_max;
    uint64_t trail_max; /* the smallest trail of a path of maximum length */
};

/* Output of finished paths. `at`: index in the chunk of the block after them. */
struct sl_path_outlet {
    struct sl_path_ids *ids;
    uint32_t *tuple_id;
    uint64_t *weight;   /* NULL: not needed */
    uint32_t *position; /* NULL: not needed */
    size_t n;
    uint32_t at;
    unsigned operations; /* number of operations so far */
};

/* Applies the branch `word`, after which block `next` is executed. */
void sl_path_branch(const struct sl_path_rules *rules, struct sl_path_stack *stack, uint32_t word,
                    uint32_t next, struct sl_path_outlet *out);

/* Adds to an event counter, which saturates. */
static inline uint64_t sl_path_sum(const struct sl_path_rules *rules, uint64_t counter,
                                   uint64_t events)
{
    uint64_t sum = counter + events;
    return sum < counter || sum > rules->events_max ? rules->events_max : sum;
}

/* Appends a finished path to n others. Returns the new number of paths. */
static inline size_t sl_path_put(const struct sl_path_outlet *out, size_t n, uint64_t path,
                                 uint64_t events, bool weighed)
{
    uint32_t tuple_id = sl_path_id(out->ids, path);
    out->tuple_id[n] = tuple_id;
    if (weighed) {
        out->weight[n] = events;
        if (out->position)
            out->position[n] = out->at + 1;
    }
    return n + (tuple_id != SL_NO_INDEX);
}

/* ---- the detector (path.c, path_feed.c) ---- */

/* The effect of an n-gram (ngrams.h) on the paths in flight, for paths that all weigh 1.
 *
 * The n-gram is divided after each branch that does more than update, or update and replace, the
 * path on top (a call, a return). In each part
 *
 *     the path on top     gets `head` appended to its trail; it is finished if a branch of the part
 *                         replaces it
 *     further paths       begin and end within the part, and have their tuple ids in `whole`
 *     the last path       stays on top */
struct sl_path_ngram {
    _Alignas(64) uint32_t serial;
    bool usable;                            /* the effect depends on nothing but the blocks */
    bool single;                            /* one part only, which has a branch */
    uint32_t whole[SL_NGRAM_TRANSFERS - 1]; /* tuple ids, of all parts */
    struct sl_path_ngram_part {
        uint8_t head, head_bits; /* outcomes up to where the path on top ends, if it does */
        uint8_t capacity;        /* number of these outcomes, less one */
        uint8_t n_whole;
        uint8_t start; /* index of the block that the last path starts with; 0: none does */
        uint8_t trail; /* of the last path */
        uint8_t from;  /* index of the block after the last branch; 0: no branch */
        uint8_t end;   /* index of the last block of the part */
        uint32_t word; /* of the branch there (path_turn.h); 0: the last part */
    } part[SL_NGRAM_TRANSFERS + 1];
};
_Static_assert(sizeof(struct sl_path_ngram) == 128, "two cache lines");

struct sl_path {
    struct sl_path_ids ids; /* first: it begins with struct sl_detector_state */
    struct sl_path_config config;
    struct sl_path_rules rules;
    struct sl_flow flow;
    struct sl_path_turns turns;
    struct sl_path_ngram *ngram; /* by n-gram slot; NULL until a slice has n-grams */
    struct sl_path_counts ended; /* of threads that have ended */
};

struct sl_path_thread {
    struct sl_flow_thread flow;
    uint64_t current_weight; /* weight of the current block */
    struct sl_path_stack stack;
};

/* sl_detector_kind.feed. `operations`: NULL, or those of feed_timed, zeroed. */
int sl_path_feed(struct sl_path *p, const struct sl_slice *slice, struct sl_events *out,
                 uint8_t *operations, struct sl_failure *f);

/* Adds up the counts of all threads so far. `state` is the detector's. */
void sl_path_count(const void *state, struct sl_path_counts *counts);

#endif
