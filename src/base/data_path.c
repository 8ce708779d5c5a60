/* SPDX-License-Identifier: MIT */
/* Finds the files that are installed with sluice, relative to the directory of the library or
 * program that contains this code (data_path.h). */
#include "data_path.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *sl_install_directory(void)
{
    Dl_info info;
    struct link_map *object = NULL;
    /* The main program has an empty name. */
    bool named = dladdr1((const void *)(uintptr_t)&sl_install_directory, &info, (void **)&object,
                         RTLD_DL_LINKMAP) &&
                 *object->l_name;
    char *path = realpath(named ? object->l_name : "/proc/self/exe", NULL);
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
