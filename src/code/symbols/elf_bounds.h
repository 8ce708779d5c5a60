/* SPDX-License-Identifier: MIT */
/* What a file that somebody gave us may cost.
 *
 * Tables of an ELF file are found by offsets, and nothing keeps two of them from pointing to the
 * same bytes, or a compressed section from standing for a thousand times its size. So a file of a
 * megabyte can ask for gigabytes. What linkers write does not overlap: no table of theirs has more
 * entries than the file has bytes for, and what is behind that is left away. */
#ifndef SL_ELF_BOUNDS_H
#define SL_ELF_BOUNDS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

#define SL_SEGMENTS_MAX 256u                  /* linkers make some ten */
#define SL_READABLE_BYTES ((size_t)256 << 20) /* of all names of a program that are written out */

/* Bytes of the file, or of the memory that it is in. */
size_t sl_elf_bytes(Elf *elf);

/* Entries that all tables of symbols, relocations and stubs can have together: none is of fewer
 * than 4 bytes. */
size_t sl_elf_entries(Elf *elf);

/* Entries and ranges that debug information can have, of 2 bytes at least, once it is decompressed:
 * all of one kind are in one section. */
size_t sl_elf_debug_entries(Elf *elf);

/* Compressed sections together stand for at most 16 times the file and 64 MiB: debug information
 * shrinks to a third. */
bool sl_elf_unpacks(Elf *elf);

/* Bytes of its sections that are in memory beside the file: what has been decompressed. */
size_t sl_elf_unpacked(Elf *elf);

#endif
