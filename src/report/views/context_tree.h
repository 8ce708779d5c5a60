/* SPDX-License-Identifier: MIT */
/* The tree of calls that profiles of contexts have in them (detect/context.c), read back.
 *
 * Contexts are in preorder: behind each come all below it, up to `end`. What a part of the
 * tree costs is therefore the difference of two sums, and what something costs with all that
 * it called is a scan that skips what is below a context already counted:
 *
 *     for each context of the function, in order:
 *         if it is not below the last one counted: count it and all below it
 *
 * So each event counts once, however often the function is on the stack.
 *
 * Inlined functions (context(inlined=1)) are functions of the source: one, wherever it was inlined,
 * and another than that of the same name that was called. */
#ifndef SL_CONTEXT_TREE_H
#define SL_CONTEXT_TREE_H

#include "index_map.h"
#include "saved_lines.h"

#define SL_CONTEXT_COSTS 4

struct sl_context {
    uint64_t pc, caller;                  /* the tuple */
    const struct sl_saved_inlined *frame; /* NULL: it was called */
    uint32_t function;
    uint32_t
        entry; /* its place among those of the first profile, from 0; SL_NO_INDEX: it is in none */
    uint32_t parent; /* SL_NO_INDEX: it has none */
    uint32_t end;    /* the first behind it that is not below it */
};

struct sl_context_function {
    uint64_t pc;
    char *name, *line; /* printable; the line may be NULL */
    bool inlined;      /* then pc is where some of its code begins */
};

struct sl_context_tree {
    struct sl_context *context;
    size_t n, room;
    struct sl_context_function *function;
    size_t n_functions, room_functions;
    size_t n_costs;
    uint64_t *cost[SL_CONTEXT_COSTS]; /* by context */
    uint64_t *sum[SL_CONTEXT_COSTS];  /* of all in front of each, and at n of all */
    uint64_t orphans;                 /* contexts whose callers are not there */
    bool has_frames;
    struct sl_saved_lines frames;                 /* inlined calls, if there are any */
    struct sl_index_map tuples, functions, names; /* for sl_context_find, and while it is made */
    uint32_t *place;                              /* of a tuple, by its number */
};

/* The first profile of contexts by this metric, NULL if there is none. */
const struct sl_saved_profile *sl_context_profile(const struct sl_saved_profiles *profiles,
                                                  const char *metric);

/* The first that is by no count, likewise. */
const struct sl_saved_profile *sl_context_profile_of_cost(const struct sl_saved_profiles *profiles);

/* Whether an option of the profile, "nested" or "inlined", is on. */
bool sl_context_has(const struct sl_saved_profile *profile, const char *option);

/* The first by a cost, or by count, that has no inlined functions. */
const struct sl_saved_profile *sl_context_profile_called(const struct sl_saved_profiles *profiles,
                                                         bool cost);

/* With a cost from each of the profiles. SL_EFORMAT if the database is damaged, SL_ENOMEM. */
int sl_context_tree_load(struct sl_context_tree *tree, struct sl_database *database,
                         const struct sl_saved_profile *const *profile, size_t n_profiles,
                         struct sl_failure *f);
void sl_context_tree_free(struct sl_context_tree *tree);

/* Makes those one that have the same function and the same callers: calls of one function that were
 * inlined in several places of another. Lines of calls are then those of the first. */
int sl_context_tree_merge(struct sl_context_tree *tree, struct sl_failure *f);

/* What a context cost with all below it. */
static inline uint64_t sl_context_cost(const struct sl_context_tree *tree, size_t cost,
                                       uint32_t context)
{
    return tree->sum[cost][tree->context[context].end] - tree->sum[cost][context];
}

/* What each function costs with all that it called. `sum` is that of the tree, or of some of
 * its contexts in the same way; `covered` is for use while it works. Both by function. */
void sl_context_inclusive(const struct sl_context_tree *tree, const uint64_t *sum,
                          uint32_t *covered, uint64_t *inclusive);

/* What the functions cost together with all that they called; `chosen` by function. */
uint64_t sl_context_cost_of(const struct sl_context_tree *tree, size_t cost, const bool *chosen);

/* The place of the context with this tuple; SL_NO_INDEX if there is none. */
uint32_t sl_context_find(const struct sl_context_tree *tree, uint64_t pc, uint64_t caller);

#endif
