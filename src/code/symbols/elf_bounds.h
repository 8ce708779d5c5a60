/* SPDX-License-Identifier: MIT */
/* Limits on the memory and time for reading an untrusted ELF file.
 *
 * Tables of an ELF file are found by offsets. Two of them may share bytes, and a
 * compressed section may expand a thousandfold, so that a file of a megabyte can request gigabytes.
 * Tables written by linkers do not overlap: together they have no more entries than the file has
 * bytes for, and further entries are ignored. */
#ifndef SL_ELF_BOUNDS_H
#define SL_ELF_BOUNDS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

#define SL_SEGMENTS_MAX 256u                  /* linkers write about ten */
#define SL_READABLE_BYTES ((size_t)256 << 20) /* of all demangled names of a program */

/* Size of the file, or of the memory image that it is in. */
size_t sl_elf_bytes(Elf *elf);

/* Upper bound of the entries of all symbol tables, relocations and stubs: each has at least 4
 * bytes. */
size_t sl_elf_entries(Elf *elf);

/* Upper bound of the entries or ranges of the debug information: each has at least 2 bytes, and all
 * of one kind are in one (decompressed) section. */
size_t sl_elf_debug_entries(Elf *elf);

/* Returns whether the compressed sections together expand to at most 16 times the file plus 64 MiB.
 * (Debug information is compressed to a third.) */
bool sl_elf_unpacks(Elf *elf);

/* Bytes of decompressed sections, which are in memory in addition to the file. */
size_t sl_elf_unpacked(Elf *elf);

#endif
