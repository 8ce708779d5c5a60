/* SPDX-License-Identifier: MIT */
/* Finds the separate debug file of a module: libdwfl's find_debuginfo hook. */
#ifndef SL_DEBUG_FILE_H
#define SL_DEBUG_FILE_H

#include <elfutils/libdwfl.h>

int sl_debug_file_find(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                       const char *file, const char *link, GElf_Word crc, char **found);

#endif
