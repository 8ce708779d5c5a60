/* SPDX-License-Identifier: MIT */
/* Finds the files that are installed with sluice, relative to the directory of the library or
 * program that contains this code (data_path.h). */
#include "data_path.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list of loaded objects has an empty name for the main program. */
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

char *sl_install_directory(void)
{
    const char *name = "";
    dl_iterate_phdr(is_here, &name);
    char *path = realpath(*name ? name : "/proc/self/exe", NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = 0;
    return path;
}

static char *accessible(const char *directory, const char *below, const char *name, int mode)
{
    char *path;
    if (asprintf(&path, "%s%s/%s", directory, below, name) < 0)
        return NULL;
    if (!access(path, mode))
        return path;
    free(path);
    return NULL;
}

char *sl_installed_file(const char *directory, const char *const *below, const char *name, int mode)
{
    if (directory)
        return accessible(directory, "", name, mode);
    char *own = sl_install_directory(), *path = NULL;
    for (; own && !path && *below; below++)
        path = accessible(own, *below, name, mode);
    free(own);
    return path;
}

char *sl_data_path(const char *name)
{
    static const char *const below[] = {"/data", "/../share/sluice", "/../../share/sluice", NULL};
    const char *given = getenv("SLUICE_DATA");
    return sl_installed_file(given && *given ? given : NULL, below, name, R_OK);
}

char *sl_data_file(const char *folder, const char *name)
{
    char *below, *path;
    if (strchr(name, '/'))
        return strdup(name);
    if (asprintf(&below, "%s/%s.txt", folder, name) < 0)
        return NULL;
    path = sl_data_path(below);
    free(below);
    return path;
}
