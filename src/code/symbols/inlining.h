/* SPDX-License-Identifier: MIT */
/* Which functions were inlined at an address, from the debug information of one file.
 *
 * An inlined call is a frame: the function, and where it was called, in the frame of `parent` or
 * in the function itself. An address is in the innermost of those whose ranges contain it:
 *
 *     main        [                                   )
 *       total           [ frame 0                )
 *         weigh               [ frame 1   )                parent 0
 *
 * A compilation unit is read when an address in it is first asked for. What units have together is
 * bounded by what the file has bytes for: entries may point to the same names and ranges, and to
 * themselves. */
#ifndef SL_INLINING_H
#define SL_INLINING_H

#include "debug_info.h"
#include "symbol.h"

struct sl_inlining {
    struct sl_inlined *frame; /* of all units read so far */
    size_t n, room;
    char **name; /* of functions, each once */
    size_t room_named;
    struct sl_index_map named; /* <where it is in the file, whether it was mangled> to name */
    size_t *room_names;        /* bytes that they may still take */
    size_t left;               /* entries and ranges that may still be read */
    struct sl_inlining_unit {
        bool read;
        struct sl_spans spans; /* of frames */
    } * unit;                  /* as those of the lines */
    size_t room_units;
};

/* Of a file with so many entries and ranges (elf_bounds.h), and room for names. */
void sl_inlining_init(struct sl_inlining *inlining, size_t entries, size_t *room_names);

/* The number of the innermost frame at an address of the file, SL_NO_INDEX if it is in none or
 * memory ran out. */
uint32_t sl_inlining_find(struct sl_inlining *inlining, struct sl_source_lines *lines,
                          uint64_t address);

/* The inlined calls that an address is in, from the outermost on, `most` at most: for each, an
 * address of its code that is the same wherever one asks, the lowest unless that is somebody
 * else's. Returns how many there are. */
size_t sl_inlining_starts(struct sl_inlining *inlining, struct sl_source_lines *lines,
                          uint64_t address, uint64_t *start, size_t most);

void sl_inlining_free(struct sl_inlining *inlining, const struct sl_source_lines *lines);

#endif
