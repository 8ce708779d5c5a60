/* SPDX-License-Identifier: MIT */
/* Limits on the number of entries that are read from an untrusted ELF file.
 *
 * Tables of an ELF file are found by offsets, so two of them may share bytes. Tables written by
 * linkers do not overlap: together they have no more entries than the file has bytes for, and
 * further entries are ignored. So a file with overlapping tables keeps the names in its valid
 * parts. The limits on memory and time are those of the reader process (elf_sandbox.c). */
#ifndef SL_ELF_BOUNDS_H
#define SL_ELF_BOUNDS_H

#include <gelf.h>
#include <stddef.h>

#define SL_READABLE_BYTES ((size_t)256 << 20) /* of all demangled names of a program */

/* Size of the file, or of the memory image that it is in. */
size_t sl_elf_bytes(Elf *elf);

/* Upper bound of the entries of all symbol tables, relocations and stubs: each has at least 4
 * bytes. */
size_t sl_elf_entries(Elf *elf);

/* Upper bound of the entries or ranges of the debug information: each has at least 2 bytes, and all
 * of one kind are in one (decompressed) section. */
size_t sl_elf_debug_entries(Elf *elf);

#endif
