/* SPDX-License-Identifier: MIT */
/* Debug information of one ELF file: finds its separate debug file, and reads its source lines
 * (debug_info.c) and inlined calls (inlining.c).
 *
 * The compilation unit of an address is found by the ranges of the units, not by .debug_aranges
 * (which dwfl_module_getsrc() uses): clang does not write that section, and a file may be linked
 * from objects of both compilers. */
#ifndef SL_DEBUG_INFO_H
#define SL_DEBUG_INFO_H

#include <elfutils/libdwfl.h>

#include "spans.h"
#include "symbol.h"

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
    /* Complete paths, each allocated once. */
    struct sl_index_map paths; /* <address of the name in the file, unit> to index in `path` */
    char **path;
    size_t paths_capacity, path_bytes;
};

/* Reads the ranges of all compilation units. `is_code` returns whether an address of the file is in
 * an executable segment: units claim ranges at 0 for functions that the linker removed. Returns
 * false if out of memory; sl_source_lines_free() in either case. */
bool sl_source_lines_init(struct sl_source_lines *lines, Dwfl_Module *module,
                          bool (*is_code)(void *context, uint64_t address), void *context);

/* Returns the path of the source file, and sets *line; NULL if unknown. */
const char *sl_source_line(struct sl_source_lines *lines, uint64_t address, int *line);

/* Returns the path of a source file that a unit names (NULL: unknown): relative names are relative
 * to the directory in which the unit was compiled. Returns the name itself if that directory is
 * unknown, if the path would be too long, or if out of memory. */
const char *sl_source_path(struct sl_source_lines *lines, uint32_t unit, const char *name);

void sl_source_lines_free(struct sl_source_lines *lines);

/* ---- inlined calls ---- */

/* An inlined call is a frame: the function, and where it was called, in the frame `parent` or in
 * the function itself. An address belongs to the innermost frame whose ranges contain it:
 *
 *     main        [                                   )
 *       total           [ frame 0                )
 *         weigh               [ frame 1   )                parent 0
 *
 * A compilation unit is read at the first lookup of an address in it. Entries may refer to the same
 * names and ranges, and to themselves, so the number of entries read is bounded by the size of the
 * file (elf_bounds.h). */
struct sl_inlining {
    struct sl_inlined *frame; /* of all units that were read */
    size_t n, capacity;
    char **name; /* function names, each once */
    size_t named_capacity;
    struct sl_index_map
        named;              /* <address of the string in the file, is mangled> to index in `name` */
    size_t *names_capacity; /* budget of demangled names; set before the first use */
    size_t left;            /* entries and ranges that may still be read; set, too */
    struct sl_inlining_unit {
        bool read;
        struct sl_spans spans; /* of frame indices */
    } * unit;                  /* same indices as sl_source_lines.unit */
    size_t units_capacity;
};

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
