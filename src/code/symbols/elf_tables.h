/* SPDX-License-Identifier: MIT */
/* Plain tables of one ELF file: what the reader process (elf_process.c) finds in the file and sends
 * to sluice (elf_reader.c). The tables have no pointers into each other: a name is an offset in an
 * array of characters, a span has an index. sluice checks each index, offset and count before its
 * use, because a hostile file may control the reader process.
 *
 *     request   struct sl_elf_request, for SL_ELF_OPEN followed by the path, with the descriptor
 *     reply     struct sl_elf_reply, followed by the elements of its arrays */
#ifndef SL_ELF_TABLES_H
#define SL_ELF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spans.h"

#define SL_ELF_ARRAYS 4
#define SL_SEGMENTS_MAX 256u /* linkers write about ten */

enum sl_elf_part {
    SL_ELF_OPEN,      /* a new file; there is no reply */
    SL_ELF_HEAD,      /* segments, build id; value: is a program, has a symbol table */
    SL_ELF_FUNCTIONS, /* functions, spans of indices of functions, names */
    SL_ELF_DATA,      /* the same of data objects */
    SL_ELF_UNITS,     /* spans of units; value: the bias of the debug file */
    SL_ELF_UNIT,      /* of one unit: rows, inlined calls, spans of inlined calls, names; value: the
                       * offset of the name of the directory, or SL_NO_INDEX */
    SL_ELF_PARTS
};

enum sl_elf_status { SL_ELF_GOOD, SL_ELF_MEMORY, SL_ELF_TIME, SL_ELF_ENDED, SL_ELF_CHANGED };

struct sl_elf_request {
    uint32_t part, file, unit;
    uint16_t path_bytes;
    uint16_t ahead; /* read functions and units before they are requested */
};

struct sl_elf_array {
    void *at;
    uint64_t n;
};

struct sl_elf_table {
    uint64_t value[2];
    struct sl_elf_array array[SL_ELF_ARRAYS];
};

struct sl_elf_reply {
    uint32_t status; /* enum sl_elf_status; if it is not good, the reader process has ended */
    uint32_t file;
    uint64_t value[2], n[SL_ELF_ARRAYS];
};

struct sl_segment {
    uint64_t offset, vaddr, size; /* size in the file */
    uint64_t executable;          /* 0 or 1 */
};

struct sl_elf_function {
    uint64_t start, end, whole; /* as in struct sl_function */
    uint32_t name, rank;        /* offset in the names; SL_NO_INDEX: no name */
};

/* Line of the code from this address up to the next row's. */
struct sl_elf_row {
    uint64_t address;
    uint32_t file; /* offset in the names */
    int32_t line;  /* 0: none */
};

/* An inlined call; see struct sl_inlined. Names are offsets, or SL_NO_INDEX. */
struct sl_elf_frame {
    uint64_t start;
    uint64_t id; /* equal ids from one process: equal names */
    uint32_t parent, linkage_name, name, file, call_file;
    int32_t line, call_line;
    uint32_t padding;
};

/* Sizes of the elements of each part's arrays; 0: the array does not exist. */
static const uint8_t sl_elf_element[SL_ELF_PARTS][SL_ELF_ARRAYS] = {
    [SL_ELF_HEAD] = {sizeof(struct sl_segment), 1},
    [SL_ELF_FUNCTIONS] = {sizeof(struct sl_elf_function), sizeof(struct sl_span), 1},
    [SL_ELF_DATA] = {sizeof(struct sl_elf_function), sizeof(struct sl_span), 1},
    [SL_ELF_UNITS] = {sizeof(struct sl_span)},
    [SL_ELF_UNIT] = {sizeof(struct sl_elf_row), sizeof(struct sl_elf_frame), sizeof(struct sl_span),
                     1},
};

/* Frees the arrays. */
void sl_elf_table_free(struct sl_elf_table *table);

#endif
