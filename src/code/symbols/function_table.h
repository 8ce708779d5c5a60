/* SPDX-License-Identifier: MIT */
/* Function table: the functions of one ELF file by address. The addresses are those in the file,
 * not those in a running process.
 *
 * The name of an address is
 *   - that of the innermost symbol with a size that contains it;
 *   - in a gap, that of the last symbol without a size before it (a label of an assembler file), up
 *     to the next symbol or the end of the section;
 *   - otherwise unknown.
 * If several symbols have the same start, the first in this order wins, so that the result does not
 * depend on the order of the symbol table: stubs of the procedure linkage table, symbols with a
 * size, global, weak, local; functions before labels; fewer leading underscores; shorter;
 * alphabetical. */
#ifndef SL_FUNCTION_TABLE_H
#define SL_FUNCTION_TABLE_H

#include "sluice.h"
#include "spans.h"

/* Symbols can share the bytes of names, and comparing names takes time. So a name has at most
 * SL_NAME_MAX bytes; once all names together exceed SL_NAMES_MAX, only short ones are added. */
#define SL_NAME_MAX 65536u
#define SL_NAMES_MAX ((size_t)256 << 20)
#define SL_SHORT_NAME 256u

enum sl_function_rank { /* smaller is better; SL_RANK_IS_LABEL is added to the binding */
                        SL_RANK_STUB = 0,
                        SL_RANK_GLOBAL = 2,
                        SL_RANK_WEAK = 4,
                        SL_RANK_LOCAL = 6,
                        SL_RANK_IS_LABEL = 1,
};

struct sl_function {
    uint64_t start;
    uint64_t end;     /* equal to start: no size */
    const char *name; /* the linker's name, not owned; NULL: an end of labels */
    char *shown;      /* demangled at first use */
    uint64_t
        whole; /* start of the function that it was split off from (f.cold), or its own start */
    uint8_t rank;
};

struct sl_function_table {
    struct sl_function *function; /* by start, best first, once finished */
    size_t n, capacity;
    size_t name_bytes; /* of all added names */
    struct sl_spans spans;
};

/* Adds a function; `name` must outlive the table. A NULL name ends the labels before `start`.
 * Functions with names that exceed the bounds are ignored. Returns false if out of memory. */
bool sl_function_add(struct sl_function_table *table, uint64_t start, uint64_t size,
                     const char *name, unsigned rank);

/* Sorts the table and builds its spans. Required before lookups and after additions. Returns false
 * if out of memory. */
bool sl_functions_finish(struct sl_function_table *table);

/* Returns the function at an address, NULL if there is none. */
struct sl_function *sl_function_at(const struct sl_function_table *table, uint64_t address);

/* Returns the first address after the function: its end, or for a label the next symbol. */
uint64_t sl_function_reach(const struct sl_function_table *table,
                           const struct sl_function *function);

/* Lists the functions that have code, and their code ranges, with `bias` added to all addresses.
 * Free with sl_function_list_free(). Returns false if out of memory. */
bool sl_functions_list(const struct sl_function_table *table, uint64_t bias,
                       struct sl_function_list *list);
void sl_function_list_free(struct sl_function_list *list);

/* Returns the demangled name without symbol version, and subtracts its size from *capacity at the
 * first call. Returns the linker's name if *capacity is 0 or if out of memory. */
const char *sl_function_name(struct sl_function *function, size_t *capacity);

void sl_functions_free(struct sl_function_table *table);

#endif
