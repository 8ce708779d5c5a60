/* SPDX-License-Identifier: MIT */
/* Source lines and inlined calls of one ELF file: the tables of its compilation units, as the
 * reader process sends them (elf_reader.h), checked. A unit is requested at the first lookup of an
 * address in it. */
#ifndef SL_SOURCE_UNITS_H
#define SL_SOURCE_UNITS_H

#include "elf_reader.h"
#include "symbol.h"

struct sl_source_units {
    struct sl_elf_reader *reader;
    uint32_t file;
    size_t *names_capacity;    /* budget of demangled names */
    uint64_t bias;             /* address in the file - address in its debug file */
    bool ready;                /* the ranges of the units have been requested */
    struct sl_spans spans;     /* of unit numbers, by addresses of the debug file */
    struct sl_index_map known; /* numbers of the requested units, to index in `unit` */
    struct sl_source_unit *unit;
    size_t units_capacity;
    struct sl_inlined *frame; /* of all requested units */
    size_t n, capacity;
    char **name; /* of inlined functions, each once */
    size_t named_capacity;
    struct sl_index_map named; /* <id of a name, number of the process that sent it> */
    /* Complete paths, each allocated once. */
    struct sl_index_map paths; /* <offset of the name, unit> to index in `path` */
    char **path;
    size_t paths_capacity, path_bytes;
};

/* Requests the ranges of all units. Called by the functions below. */
void sl_source_units_read(struct sl_source_units *units);

/* Returns the path of the source file, and sets *line; NULL if unknown. */
const char *sl_source_line(struct sl_source_units *units, uint64_t address, int *line);

/* Returns the index of the innermost inlined call at an address of the file, SL_NO_INDEX if there
 * is none or if out of memory. */
uint32_t sl_inlining_find(struct sl_source_units *units, uint64_t address);

/* Fills `start` with at most `most` inlined calls that contain the address, outermost first: for
 * each an address of its code that is the same for every lookup, the lowest one unless that belongs
 * to another call. Returns their number. */
size_t sl_inlining_starts(struct sl_source_units *units, uint64_t address, uint64_t *start,
                          size_t most);

void sl_source_units_free(struct sl_source_units *units);

#endif
