/* SPDX-License-Identifier: MIT */
/* Interface between source_functions.c and source_calls.c: their common state, and the functions
 * that compute the costs of calls between functions as written in the source. */
#ifndef SL_SOURCE_CALLS_H
#define SL_SOURCE_CALLS_H

#include "source_functions.h"

/* A function of the profile: a linker symbol. */
struct sl_source_base {
    uint64_t pc, self;
    char *name, *object, *file; /* `object` and `file` may be NULL */
    int line;
    bool derived;     /* a PLT stub, or part of a function: its name is not the function's */
    bool is_stub;     /* a PLT stub that belongs to the function that it jumps to */
    uint64_t moved;   /* of self: cost of code inlined in it */
    uint64_t entries; /* executions of its first instruction; 0: unknown */
    uint32_t source;  /* index of the source function */
};

/* An inlined call, indexed as in the saved lines. */
struct sl_source_frame {
    uint64_t self, called, inclusive; /* `called`: cost of its calls, without inlined calls */
    uint64_t again;        /* of that, calls of the same function, which are already counted */
    uint32_t base, source; /* index of the function that it is in; of its source function */
    bool shared;           /* as in struct sl_source_function */
};

/* The cost of an inlined call in one function: code of a call can be in several functions if the
 * compiler has split off parts of a function. */
struct sl_source_moved {
    uint64_t self;
    size_t frame;
    uint32_t base;
};

/* A call instruction. */
struct sl_source_site {
    uint64_t pair; /* source functions: caller << 32 | callee; callee SL_NO_INDEX: indirect call */
    const struct sl_db_inlined *frame; /* NULL: not in inlined code */
    uint64_t weight;
};

struct sl_source_work {
    struct sl_source_functions *all;
    struct sl_database *database;
    const struct sl_db_profile *profile;         /* the first of these: */
    const struct sl_db_profile *const *profiles; /* profiles of the same contexts */
    size_t n_profiles;
    bool symbols;
    struct sl_costs costs; /* no columns without a profile of functions or blocks */
    size_t column;
    struct sl_context_tree tree; /* empty without a profile of contexts */
    uint32_t *of_context; /* by context: its source function; NULL unless the tree has inlined
                             functions */
    struct sl_source_base *base;
    size_t n_bases, bases_capacity;
    struct sl_index_map pcs; /* of bases, by start address */
    struct sl_source_frame *frame;
    struct sl_source_moved *moved;
    size_t n_moved, moved_capacity;
    struct sl_source_site *site;
    size_t n_sites, sites_capacity;
    uint64_t last_start; /* start of the function whose rows are being read; 0: none */
    uint32_t last_base;
    struct sl_failure *f;
};

/* Records an instruction if it is a call. All functions return false if out of memory. */
bool sl_source_calls_add(struct sl_source_work *w, const struct sl_cost_location *at,
                         uint64_t weight);

/* Computes inclusive costs and callers of all functions, and the calls of inlined calls. */
bool sl_source_calls_finish(struct sl_source_work *w);

/* Adds a cost to a caller of a function. `inlined`: the callee is inlined in the caller. */
bool sl_source_add_call(struct sl_source_work *w, uint32_t callee, uint32_t caller, bool inlined,
                        uint64_t cost, uint64_t calls);

/* Sorts all callers, and the indices of the functions by self cost. Limits inclusive costs to the
 * total. */
bool sl_source_functions_order(struct sl_source_functions *functions);

/* Makes source functions those of the tree's contexts, and merges contexts of the same function and
 * callers. */
bool sl_source_merge_contexts(struct sl_source_work *w);

#endif
