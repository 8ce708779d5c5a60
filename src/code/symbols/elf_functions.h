/* SPDX-License-Identifier: MIT */
/* Reads the functions of an ELF file and of its separate debug file into a function table. The
 * sources are the symbol tables, the dynamic symbol tables, and the stubs of the procedure linkage
 * table. */
#ifndef SL_ELF_FUNCTIONS_H
#define SL_ELF_FUNCTIONS_H

#include <elfutils/libdwfl.h>

#include "function_table.h"

/* Adds all functions and finishes the table. The module must be reported with bias 0. Returns false
 * if out of memory. */
bool sl_elf_functions(struct sl_function_table *table, Dwfl_Module *module);

/* The same for data with a size, for example vtables. */
bool sl_elf_data(struct sl_function_table *table, Dwfl_Module *module);

/* Adds a function "NAME@plt" for each stub that it recognizes (x86-64, AArch64, RISC-V, MIPS). The
 * table must contain all other functions and be finished; the caller finishes it again. Reads at
 * most *left entries (elf_bounds.h) and reduces it. Returns false if out of memory. */
bool sl_plt_stubs(struct sl_function_table *table, Elf *elf, size_t *left);

#endif
