/* SPDX-License-Identifier: MIT */
/* Calling context tree, read from the context profiles of a database (detect/context.c).
 *
 * Contexts are in preorder: a context is followed by all contexts below it, up to `end`. The cost
 * of a subtree is therefore the difference of two prefix sums, and the inclusive cost of a function
 * is one scan that skips subtrees already counted:
 *
 *     for each context of the function, in order:
 *         if it is not below the last one counted: count it and all below it
 *
 * Each event counts once, even if the function is on the stack several times.
 *
 * Inlined functions (context(inlined=1)) are functions of the source: one function, even if it was
 * inlined in several places, and distinct from the function of the same name that was called. */
#ifndef SL_CONTEXT_TREE_H
#define SL_CONTEXT_TREE_H

#include "index_map.h"
#include "db_lines.h"

#define SL_CONTEXT_COSTS 4

struct sl_context {
    uint64_t pc, caller;               /* the tuple */
    const struct sl_db_inlined *frame; /* inlined call; NULL: a real call */
    uint32_t function;
    uint32_t entry;  /* index of its entry in the first profile; SL_NO_INDEX: it is not there */
    uint32_t parent; /* SL_NO_INDEX: a root */
    uint32_t end;    /* the next context that is not below this one */
};

struct sl_context_function {
    uint64_t pc;
    char *name, *line; /* printable; the line may be NULL */
    bool inlined;      /* then pc is the start of some of its inlined code */
};

struct sl_context_tree {
    struct sl_context *context;
    size_t n, capacity;
    struct sl_context_function *function;
    size_t n_functions, functions_capacity;
    size_t n_costs;
    uint64_t *cost[SL_CONTEXT_COSTS]; /* by context */
    uint64_t *sum[SL_CONTEXT_COSTS]; /* prefix sums: of all contexts before each one; [n]: of all */
    uint64_t orphans;                /* contexts whose callers are missing */
    bool has_frames;
    struct sl_db_lines frames;                    /* inlined calls, if has_frames */
    struct sl_index_map tuples, functions, names; /* for sl_context_find(), and while loading */
    uint32_t *place;                              /* by number of a tuple: index of its context */
};

/* The first profile of contexts by this metric (NULL: by a cost, which is any metric but count);
 * `called`: the first one without inlined functions. NULL if there is none. */
const struct sl_db_profile *sl_context_profile(const struct sl_db_profiles *profiles,
                                               const char *metric, bool called);

/* True if an option of the profile, "nested" or "inlined", is on. */
bool sl_context_has(const struct sl_db_profile *profile, const char *option);

/* Loads the tree of all profiles, with one cost per profile (at most SL_CONTEXT_COSTS). Returns 0,
 * SL_EFORMAT if the database is damaged, or SL_ENOMEM. Call sl_context_tree_free() only after
 * success; a zeroed tree is allowed. */
int sl_context_tree_load(struct sl_context_tree *tree, struct sl_database *database,
                         const struct sl_db_profile *const *profile, size_t n_profiles,
                         struct sl_failure *f);
void sl_context_tree_free(struct sl_context_tree *tree);

/* Merges contexts that have the same function and the same callers: calls of a function that were
 * inlined in several places of another function. The first of the merged contexts determines the
 * call lines. A context whose function is SL_NO_INDEX is merged with its caller. */
int sl_context_tree_merge(struct sl_context_tree *tree, struct sl_failure *f);

/* Cost of a context with all contexts below it. */
static inline uint64_t sl_context_cost(const struct sl_context_tree *tree, size_t cost,
                                       uint32_t context)
{
    return tree->sum[cost][tree->context[context].end] - tree->sum[cost][context];
}

/* Computes the inclusive cost of each function. `sum` is tree->sum[i], or prefix sums of some of
 * the contexts; `covered` is scratch memory. Both arrays are indexed by function. */
void sl_context_inclusive(const struct sl_context_tree *tree, const uint64_t *sum,
                          uint32_t *covered, uint64_t *inclusive);

/* Inclusive cost of a set of functions together; `chosen` is indexed by function. */
uint64_t sl_context_cost_of(const struct sl_context_tree *tree, size_t cost, const bool *chosen);

/* All calls of a function by another one. */
struct sl_arc_costs {
    uint32_t caller; /* SL_NO_INDEX: none, or not known */
    uint32_t callee;
    bool inlined;                    /* the callee is inlined in the caller */
    uint64_t self, inclusive, calls; /* of cost 0; `calls` is cost 1, if there is one */
};

/* Lists the calls between functions, or between the groups of contexts that `node` assigns to each
 * context (SL_NO_INDEX: to none). Each event counts once per arc. Returns false if out of memory;
 * *arc must be freed in either case. */
bool sl_context_arcs(const struct sl_context_tree *tree, const uint32_t *node,
                     struct sl_arc_costs **arc, size_t *n);

/* Index of the context with this tuple; SL_NO_INDEX if there is none. */
uint32_t sl_context_find(const struct sl_context_tree *tree, uint64_t pc, uint64_t caller);

#endif
