/* SPDX-License-Identifier: MIT */
/* The functions of one file, by address, in the file's own numbering.
 *
 * Which name an address gets:
 *   - the innermost symbol with a size that contains it;
 *   - in a gap, the symbol without a size (a label of an assembler file) next
 *     before it, up to the next symbol or the end of the section;
 *   - otherwise none.
 * Of several names for one start the first in this order, so that the answer
 * does not depend on the order in the symbol table: procedure-linkage stubs,
 * symbols with a size, global, weak, local; functions before plain labels;
 * fewer leading underscores; shorter; alphabetical. */
#ifndef SL_FUNCTION_TABLE_H
#define SL_FUNCTION_TABLE_H

#include "sluice.h"
#include "spans.h"

/* Symbols can share names, and comparing them is work: so there are bounds of each, and of all
 * together, behind which only short ones are taken. */
#define SL_NAME_MAX 65536u
#define SL_NAMES_MAX ((size_t)256 << 20)
#define SL_SHORT_NAME 256u

enum sl_function_rank { /* smaller is better; label adds to binding */
                        SL_RANK_STUB = 0,
                        SL_RANK_GLOBAL = 2,
                        SL_RANK_WEAK = 4,
                        SL_RANK_LOCAL = 6,
                        SL_RANK_IS_LABEL = 1,
};

struct sl_function {
    uint64_t start;
    uint64_t end;     /* equal to start: it has no size */
    const char *name; /* the linker's, which must stay; NULL: where labels end */
    char *shown;      /* made when first asked for */
    uint64_t whole; /* start of the function that it is a piece of (f.cold); its own, if of none */
    uint8_t rank;
};

struct sl_function_table {
    struct sl_function *function; /* by start, best first, once finished */
    size_t n, room;
    size_t name_bytes; /* of all that were added */
    struct sl_spans spans;
};

/* Each returns false when memory ran out. A NULL name ends the labels in front
 * of `start`. A function whose name is beyond what any is (SL_NAME_MAX) is left away. */
bool sl_function_add(struct sl_function_table *table, uint64_t start, uint64_t size,
                     const char *name, unsigned rank);
bool sl_functions_finish(struct sl_function_table *table);

/* NULL if none. */
struct sl_function *sl_function_at(const struct sl_function_table *table, uint64_t address);

/* The first address behind it: its end, or where a label stops to be used. */
uint64_t sl_function_reach(const struct sl_function_table *table,
                           const struct sl_function *function);

/* All that an address can be in, with their code, `bias` added; to be freed with
 * sl_function_list_free. False when memory ran out. */
bool sl_functions_list(const struct sl_function_table *table, uint64_t bias,
                       struct sl_function_list *list);
void sl_function_list_free(struct sl_function_list *list);

/* Demangled, without its version, if that takes no more than `room`, which it takes away; the
 * linker's name otherwise, or when memory ran out. */
const char *sl_function_name(struct sl_function *function, size_t *room);

void sl_functions_free(struct sl_function_table *table);

#endif
