/* SPDX-License-Identifier: MIT */
/* One ELF file in the reader process: reads its parts into plain tables (elf_tables.h). */
#ifndef SL_ELF_FILE_H
#define SL_ELF_FILE_H

#include <elfutils/libdwfl.h>

#include "debug_info.h"
#include "elf_reader.h"

/* A libdwfl session for this file alone, reported at its own addresses, so that it is independent
 * of mappings. */
struct sl_elf_file {
    struct sl_elf_use use;
    char *path;
    int fd; /* -1: the session owns it */
    bool opened;
    Dwfl *dwfl;
    Dwfl_Module *module; /* NULL: it is no ELF file */
    struct sl_segment *segment;
    size_t n_segments;
    bool is_program, has_units;
    struct sl_debug_units units;
    bool ahead[SL_ELF_PARTS];                /* this part is read in advance: in `table` */
    struct sl_elf_table table[SL_ELF_PARTS]; /* not requested yet */
};

/* Reads a part. Returns false if out of memory. */
bool sl_elf_file_read(struct sl_elf_file *file, enum sl_elf_part part, uint32_t unit,
                      struct sl_elf_table *table);

#endif
