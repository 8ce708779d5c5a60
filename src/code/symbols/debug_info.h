/* SPDX-License-Identifier: MIT */
/* Debug information of one ELF file: finds its separate debug file, and reads its source lines.
 *
 * The compilation unit of an address is found by the ranges of the units, not by .debug_aranges
 * (which dwfl_module_getsrc() uses): clang does not write that section, and a file may be linked
 * from objects of both compilers. */
#ifndef SL_DEBUG_INFO_H
#define SL_DEBUG_INFO_H

#include <elfutils/libdwfl.h>

#include "spans.h"

/* Finds the separate debug file of a module: libdwfl's find_debuginfo hook. Returns a file
 * descriptor, or -1 if there is none. */
int sl_debug_file_find(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                       const char *file, const char *link, GElf_Word crc, char **found);

struct sl_source_lines {
    Dwarf_Die *unit;
    size_t n_units, units_capacity;
    struct sl_spans spans; /* of unit numbers, by addresses of the debug file */
    Dwarf_Addr bias;       /* address in the module - address in the debug file */
    size_t entries;        /* upper bound of the file's entries (elf_bounds.h) */
    size_t unpacked;       /* bytes of debug information that were decompressed */
};

/* Reads the ranges of all compilation units. `is_code` returns whether an address of the file is in
 * an executable segment: units claim ranges at 0 for functions that the linker removed. Returns
 * false if out of memory; sl_source_lines_free() in either case. */
bool sl_source_lines_init(struct sl_source_lines *lines, Dwfl_Module *module,
                          bool (*is_code)(void *context, uint64_t address), void *context);

/* Returns the source file as the debug information names it, and sets *line; NULL if unknown. */
const char *sl_source_line(const struct sl_source_lines *lines, uint64_t address, int *line);

void sl_source_lines_free(struct sl_source_lines *lines);

#endif
