/* SPDX-License-Identifier: MIT */
/* Costs by function of the source code. The functions of the source code differ from the linker
 * symbols:
 *
 *   - The cost of inlined code moves from the function that contains it to the function that it was
 *     written in. Sums stay the same.
 *   - Code that compilers split off or cloned (f.cold, f.part.0), PLT stubs and thunks belong to
 *     their function (source_functions.h).
 *
 * Self costs come from a profile of functions or contexts. Costs of inlined code come from a
 * profile of blocks by the same metric, by instruction.
 *
 * A context profile adds inclusive costs. With the option inlined=1 they are exact. Without it,
 * contexts do not contain inlined calls, and the call instructions in blocks are used:
 *
 *     main          is in the context profile: calls puts (cost 100), qsort (cost 900)
 *       report      inlined in main; only report calls puts, so its cost includes the 100
 *
 * If main and report both call puts, the cost is divided among the call instructions by their
 * execution counts, and the result is `shared`: an estimate. A function whose inlined code runs
 * while the function is already on the stack is then counted twice, but never for more than the
 * total. */
#ifndef SL_SOURCE_FUNCTIONS_H
#define SL_SOURCE_FUNCTIONS_H

#include <stdbool.h>

#include "context_tree.h"
#include "costs.h"

struct sl_source_caller {
    uint32_t function;
    bool inlined;   /* inlined in that function, not called by it */
    uint64_t cost;  /* inclusive cost of these calls */
    uint64_t calls; /* their number, if has_calls */
};

struct sl_source_function {
    char *name;   /* printable */
    char *line;   /* its start, "primes.c:12"; NULL if unknown */
    char *file;   /* path of its source file; NULL if unknown */
    char *object; /* NULL if unknown */
    uint64_t self, inclusive;
    uint64_t calls;                  /* if has_calls; tail calls (jumps) count, too */
    bool own;                        /* the user's own code; set by sl_modules_add() */
    bool shared;                     /* `inclusive` is an estimate */
    struct sl_source_caller *caller; /* costliest first */
    size_t n_callers, callers_capacity;
};

struct sl_source_functions {
    struct sl_source_function *function;
    size_t n, capacity;
    uint32_t *by_self;  /* indices of all functions, the costliest first */
    bool has_inclusive; /* inclusive costs and callers are known */
    bool has_calls;     /* numbers of calls are known */
    uint64_t total;     /* of self costs */
    struct sl_index_map names;
};

/* `profile` is a profile of functions or contexts by a cost. `symbols`: one function per linker
 * symbol, without moving inlined code. Returns 0, SL_EFORMAT if the database is damaged, or
 * SL_ENOMEM. Call sl_source_functions_free() in either case. */
int sl_source_functions_load(struct sl_source_functions *functions, struct sl_database *database,
                             const struct sl_db_profile *profile, bool symbols,
                             struct sl_failure *f);

/* Index of the function with this name, as in the source, in this object and source file, which may
 * be NULL; SL_NO_INDEX if there is none. */
uint32_t sl_source_functions_find(const struct sl_source_functions *functions, const char *object,
                                  const char *name, const char *file);

/* The same from several profiles of the same contexts, the first by a cost, the second by `count`
 * if there is one by `count`. Also loads their tree: the function of each context is an index of
 * `functions`; SL_NO_INDEX: not known. PLT stubs and parts of a function that compilers split off
 * are merged with the function's context. Call sl_context_tree_free() only after success. */
int sl_source_tree_load(struct sl_source_functions *functions, struct sl_context_tree *tree,
                        struct sl_database *database, const struct sl_db_profile *const *profile,
                        size_t n_profiles, struct sl_failure *f);

/* Adds the functions of another process, and frees `from`. Functions of the same name, file and
 * line become one; if both have functions, callers are lost. Returns false if out of memory. */
bool sl_source_functions_add(struct sl_source_functions *all, struct sl_source_functions *from);
void sl_source_functions_free(struct sl_source_functions *functions);

/* ---- names (source_name.c) ---- */

/* Name of a function in the source, from its symbol: the suffixes and prefixes that compilers
 * and linkers add are removed.
 *
 *     f.cold  f.part.0  f.isra.2.constprop.0   f        split off or cloned by a compiler
 *     f(int) [clone .cold]                     f(int)   the same, demangled
 *     puts@plt                                 puts     PLT stub
 *     non-virtual thunk to B::f()              B::f()   adjusts `this` and jumps there */

/* The caller frees it; NULL if out of memory. Sets *stub if the symbol is a PLT stub, whose
 * function may be in another file. */
char *sl_source_name(const char *symbol, bool *stub);

#endif
