/* SPDX-License-Identifier: MIT */
/* Inlined calls that contain an address, from the debug information of one ELF file.
 *
 * An inlined call is a frame: the function, and where it was called, in the frame `parent` or in
 * the function itself. An address belongs to the innermost frame whose ranges contain it:
 *
 *     main        [                                   )
 *       total           [ frame 0                )
 *         weigh               [ frame 1   )                parent 0
 *
 * A compilation unit is read at the first lookup of an address in it. Entries may refer to the same
 * names and ranges, and to themselves, so the number of entries read is bounded by the size of the
 * file (elf_bounds.h). */
#ifndef SL_INLINING_H
#define SL_INLINING_H

#include "debug_info.h"
#include "symbol.h"

struct sl_inlining {
    struct sl_inlined *frame; /* of all units that were read */
    size_t n, capacity;
    char **name; /* function names, each once */
    size_t named_capacity;
    struct sl_index_map
        named;              /* <address of the string in the file, is mangled> to index in `name` */
    size_t *names_capacity; /* budget of demangled names */
    size_t left;            /* entries and ranges that may still be read */
    struct sl_inlining_unit {
        bool read;
        struct sl_spans spans; /* of frame indices */
    } * unit;                  /* same indices as sl_source_lines.unit */
    size_t units_capacity;
};

/* `entries` bounds the entries and ranges to read (elf_bounds.h); *names_capacity is the
 * budget of names and must outlive `inlining`. */
void sl_inlining_init(struct sl_inlining *inlining, size_t entries, size_t *names_capacity);

/* Returns the index of the innermost frame at an address of the file, SL_NO_INDEX if there is none
 * or if out of memory. */
uint32_t sl_inlining_find(struct sl_inlining *inlining, struct sl_source_lines *lines,
                          uint64_t address);

/* Fills `start` with at most `most` inlined calls that contain the address, outermost first: for
 * each an address of its code that is the same for every lookup, the lowest one unless that belongs
 * to another call. Returns their number. */
size_t sl_inlining_starts(struct sl_inlining *inlining, struct sl_source_lines *lines,
                          uint64_t address, uint64_t *start, size_t most);

void sl_inlining_free(struct sl_inlining *inlining, const struct sl_source_lines *lines);

#endif
