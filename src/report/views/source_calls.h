/* SPDX-License-Identifier: MIT */
/* What source_functions.c works with, and its second half: who called whom, and for how much. */
#ifndef SL_SOURCE_CALLS_H
#define SL_SOURCE_CALLS_H

#include "source_functions.h"

/* A function of the profile, as the linker has it. */
struct sl_source_base {
    uint64_t pc, self;
    char *name, *object, *file; /* the last two may be NULL */
    int line;
    uint64_t moved;  /* of self: what its inlined code cost */
    uint32_t source; /* number of the function in the source */
};

/* An inlined call, numbered as those of the saved lines. */
struct sl_source_frame {
    uint64_t self, called, inclusive; /* `called`: what it calls costs, but inlined calls */
    uint64_t again;        /* of that, what is calls of the same function: known already */
    uint32_t base, source; /* it is in; it is */
    bool shared;           /* see struct sl_source_function */
};

/* An instruction that calls. */
struct sl_source_site {
    uint32_t caller, callee; /* in the source; the second SL_NO_INDEX: it is not fixed */
    const struct sl_saved_inlined *frame; /* NULL: in the function itself */
    uint64_t weight;
};

struct sl_source_work {
    struct sl_source_functions *all;
    struct sl_database *database;
    const struct sl_saved_profile *profile;
    bool symbols, has_costs;
    struct sl_costs costs; /* if has_costs */
    size_t column;
    struct sl_context_tree tree; /* empty without contexts */
    uint32_t *of_context;        /* its functions in the source, if it has inlined ones */
    struct sl_source_base *base;
    size_t n_bases, room_bases;
    struct sl_index_map names, pcs; /* of functions in the source; of bases, by their start */
    struct sl_source_frame *frame;
    struct sl_source_site *site;
    size_t n_sites, room_sites;
    uint64_t last_start; /* of the function whose rows come; 0: none */
    uint32_t last_base;
    struct sl_failure *f;
};

/* Notes the instruction if it calls. False when memory ran out, as all. */
bool sl_source_calls_note(struct sl_source_work *w, const struct sl_cost_place *at,
                          uint64_t weight);

/* What all functions cost with those that they call; their callers; and what inlined calls call. */
bool sl_source_calls_settle(struct sl_source_work *w);

/* Adds to the callers of a function; `inlined`: in that. */
bool sl_source_add_call(struct sl_source_work *w, uint32_t callee, uint32_t caller, bool inlined,
                        uint64_t cost);

void sl_source_calls_free(struct sl_source_work *w);

#endif
