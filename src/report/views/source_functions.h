/* SPDX-License-Identifier: MIT */
/* What functions cost, as the source has them, not the linker:
 *
 *   - Inlined code is the function's that it was written as. What the code costs moves from the
 *     function that it is in to that one, so that sums stay the same.
 *   - What compilers split off or made again (f.cold, f.part.0), linkers' stubs and thunks are part
 *     of the function that they belong to (source_name.h).
 *
 * Self costs are those of a profile of functions or contexts. What of them is inlined code is known
 * from a profile of blocks by the same metric, instruction by instruction.
 *
 * With contexts, there is also what a function costs with all that it calls. Contexts that have
 * inlined functions among them (inlined=1) say all of this, exactly. Others do not know of inlined
 * calls, but blocks know who calls from where:
 *
 *     main          is in the profile of contexts: calls puts (for 100), qsort (for 900)
 *       report      inlined in it; puts is called from here alone, so its 100 are report's, too
 *
 * If both call it, the cost is shared out among the instructions that call, by how often each was
 * executed, and what follows is `shared`: a good guess. A function whose inlined code is executed
 * while it is on the stack already counts twice then, but never for more than everything. */
#ifndef SL_SOURCE_FUNCTIONS_H
#define SL_SOURCE_FUNCTIONS_H

#include "context_tree.h"
#include "costs.h"

struct sl_source_caller {
    uint32_t function;
    bool inlined;  /* in that, not called by it */
    uint64_t cost; /* of what was called so, with all that it called */
};

struct sl_source_function {
    char *name;   /* printable */
    char *line;   /* where it begins, "primes.c:12"; NULL if unknown */
    char *object; /* NULL if in none */
    uint64_t self, inclusive;
    uint64_t inlined;                /* of self: in the code of others */
    bool shared;                     /* inclusive is a guess */
    struct sl_source_caller *caller; /* costliest first */
    size_t n_callers, room_callers;
};

struct sl_source_functions {
    struct sl_source_function *function;
    size_t n, room;
    uint32_t *by_self, *by_inclusive; /* all of them, costliest first */
    bool has_inclusive;               /* and callers of those that are called */
    uint64_t total;                   /* of self costs */
};

/* `profile` is one of functions or contexts by some cost. `symbols`: as the linker has them, after
 * all.
 *
 * SL_EFORMAT the database is damaged
 * SL_ENOMEM
 * To be freed all the same. */
int sl_source_functions_load(struct sl_source_functions *functions, struct sl_database *database,
                             const struct sl_saved_profile *profile, bool symbols,
                             struct sl_failure *f);
void sl_source_functions_free(struct sl_source_functions *functions);

#endif
