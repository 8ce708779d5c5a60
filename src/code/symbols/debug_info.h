/* SPDX-License-Identifier: MIT */
/* Debug information of one ELF file, in the reader process: finds its separate debug file, and
 * reads the source lines (debug_info.c) and inlined calls (inlining.c) of one compilation unit into
 * plain tables.
 *
 * The compilation unit of an address is found by the ranges of the units, not by .debug_aranges
 * (which dwfl_module_getsrc() uses): clang does not write that section, and a file may be linked
 * from objects of both compilers. */
#ifndef SL_DEBUG_INFO_H
#define SL_DEBUG_INFO_H

#include <elfutils/libdwfl.h>

#include "elf_tables.h"

/* Finds the separate debug file of a module: libdwfl's find_debuginfo hook. Returns a file
 * descriptor, or -1 if there is none. */
int sl_debug_file_find(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                       const char *file, const char *link, GElf_Word crc, char **found);

struct sl_debug_units {
    Dwarf_Die *unit;
    size_t n, capacity;
    struct sl_spans spans;     /* of unit numbers, by addresses of the debug file */
    Dwarf_Addr bias;           /* address in the module - address in the debug file */
    size_t left;               /* entries and ranges that may still be read (elf_bounds.h) */
    struct sl_index_map names; /* <address in the file, is mangled>: ids of names */
};

/* Reads the ranges of all compilation units, once for each file: the process never frees them.
 * `is_code` returns whether an address of the file is in an executable segment: units claim ranges
 * at 0 for functions that the linker removed. Returns false if out of memory. */
bool sl_debug_units_read(struct sl_debug_units *units, Dwfl_Module *module,
                         bool (*is_code)(void *context, uint64_t address), void *context);

/* Returns whether the last error of libelf, libdw or libdwfl was lack of memory, and clears it. */
bool sl_elf_out_of_memory(void);

/* Names of one unit, each stored once. */
struct sl_unit_names {
    char *at;
    size_t n, capacity;
    struct sl_index_map known; /* address in the file */
    uint32_t *offset;
    size_t offsets_capacity;
    bool out_of_memory;
};

/* Returns the offset of a name; SL_NO_INDEX if `name` is NULL or if out of memory. */
uint32_t sl_unit_name(struct sl_unit_names *names, const char *name);

/* Reads the lines and inlined calls of a unit, for SL_ELF_UNIT. Returns false if out of memory. */
bool sl_debug_unit_read(struct sl_debug_units *units, uint32_t unit, struct sl_elf_table *table);

/* Reads the inlined calls of a unit: fills frames and spans of the table.
 *
 * An inlined call is a frame: the function, and where it was called, in the frame `parent` or in
 * the function itself. An address belongs to the innermost frame whose ranges contain it:
 *
 *     main        [                                   )
 *       total           [ frame 0                )
 *         weigh               [ frame 1   )                parent 0
 *
 * Entries may refer to the same names and ranges, and to themselves, so the number of entries read
 * is bounded by the size of the file (elf_bounds.h). Returns false if out of memory. */
bool sl_inlining_read(struct sl_debug_units *units, uint32_t unit, struct sl_unit_names *names,
                      struct sl_elf_table *table);

#endif
