/* SPDX-License-Identifier: MIT */
/* Fills a function table from an ELF file and its separate debug file: symbol
 * tables, dynamic symbols, and the stubs of the procedure linkage table. */
#ifndef SL_ELF_FUNCTIONS_H
#define SL_ELF_FUNCTIONS_H

#include <elfutils/libdwfl.h>

#include "function_table.h"

/* The module must have been reported with its own addresses (bias 0). False
 * when memory ran out. */
bool sl_elf_functions(struct sl_function_table *table, Dwfl_Module *module);

/* Likewise with data of a known size, as tables of methods. */
bool sl_elf_data(struct sl_function_table *table, Dwfl_Module *module);

/* Adds a function "NAME@plt" for each stub that it understands (x86-64,
 * AArch64, RISC-V, MIPS), from a table with all other functions, finished;
 * the caller finishes it again. Reads `left` entries at most (elf_bounds.h). */
bool sl_plt_stubs(struct sl_function_table *table, Elf *elf, size_t *left);

#endif
