/* SPDX-License-Identifier: MIT */
/* Source lines of one file, from its debug information.
 *
 * The compilation unit of an address is found by the units' own ranges, not by
 * .debug_aranges (which is what dwfl_module_getsrc uses): clang does not write
 * that section, and a file may be linked from both kinds of objects. */
#ifndef SL_SOURCE_LINES_H
#define SL_SOURCE_LINES_H

#include <elfutils/libdwfl.h>

#include "spans.h"

struct sl_source_lines {
    Dwarf_Die *unit;
    size_t n_units, room_units;
    struct sl_spans spans; /* of unit numbers, in the debug file's numbering */
    Dwarf_Addr bias;       /* of that numbering */
    size_t entries;        /* that the file can have (elf_bounds.h) */
    size_t unpacked;       /* bytes of debug information that had been compressed */
};

/* `is_code` says whether an address of the file is in an executable segment:
 * for functions that the linker threw out, units claim ranges at 0. */
bool sl_source_lines_init(struct sl_source_lines *lines, Dwfl_Module *module,
                          bool (*is_code)(void *context, uint64_t address), void *context);

/* The file as the debug information has it, and the line; NULL if unknown. */
const char *sl_source_line(const struct sl_source_lines *lines, uint64_t address, int *line);

void sl_source_lines_free(struct sl_source_lines *lines);

#endif
