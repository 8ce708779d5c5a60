/* SPDX-License-Identifier: MIT */
#include "data_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "own_place.h"

static char *readable(const char *directory, const char *below, const char *name)
{
    char *path;
    if (asprintf(&path, "%s%s/%s", directory, below, name) < 0)
        return NULL;
    if (!access(path, R_OK))
        return path;
    free(path);
    return NULL;
}

char *sl_data_path(const char *name)
{
    static const char *const below[] = {"/data", "/../share/sluice", "/../../share/sluice"};
    const char *given = getenv("SLUICE_DATA");
    if (given && *given)
        return readable(given, "", name);
    char *own = sl_own_directory(), *path = NULL;
    for (size_t i = 0; own && !path && i < sizeof below / sizeof *below; i++)
        path = readable(own, below[i], name);
    free(own);
    return path;
}
