/* SPDX-License-Identifier: MIT */
#include "own_place.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The program itself has no name in the list of what is loaded. */
static int is_here(struct dl_phdr_info *object, size_t size, void *name)
{
    (void)size;
    uintptr_t here = (uintptr_t)&is_here;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)(object->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_LOAD && here >= start && here - start < part->p_memsz) {
            *(const char **)name = object->dlpi_name;
            return 1;
        }
    }
    return 0;
}

char *sl_own_directory(void)
{
    const char *name = "";
    dl_iterate_phdr(is_here, &name);
    char *path = realpath(*name ? name : "/proc/self/exe", NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = 0;
    return path;
}
