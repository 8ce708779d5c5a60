/* SPDX-License-Identifier: MIT */
/* Finds the Debian package of a file in the lists of files that dpkg stores, one per package. The
 * debug information of the package NAME is in NAME-dbgsym, that of the C library in libc6-dbg. */
#include "debug_package.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice.h"
#include "utf8.h"

#define LISTS "/var/lib/dpkg/info"

/* Files are in /usr/lib, but some packages list them in /lib, a link to /usr/lib. */
static bool lists(FILE *list, const char *path)
{
    const char *old = !strncmp(path, "/usr/lib", 8) ? path + 4 : path;
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (!found && getline(&line, &capacity, list) > 0) {
        line[strcspn(line, "\n")] = '\0';
        found = !strcmp(line, path) || !strcmp(line, old);
    }
    free(line);
    return found;
}

static char *name_of(const char *file)
{
    const char *end = strchr(file, ':'); /* "libc6:amd64.list", "python3.11-minimal.list" */
    size_t length = end ? (size_t)(end - file) : strlen(file) - strlen(".list");
    return sl_asprintf("%.*s-%s", (int)length, file,
                       !strncmp(file, "libc6:", 6) ? "dbg" : "dbgsym");
}

char *sl_debug_package(const char *path)
{
    char *package = NULL;
    DIR *directory = opendir(LISTS);
    for (struct dirent *entry; directory && !package && (entry = readdir(directory));) {
        char *file = sl_asprintf("%s/%s", LISTS, entry->d_name);
        size_t length = strlen(entry->d_name);
        bool is_list = length > 5 && !strcmp(entry->d_name + length - 5, ".list");
        FILE *list = file && is_list ? fopen(file, "re") : NULL;
        if (list && lists(list, path))
            package = name_of(entry->d_name);
        if (list)
            fclose(list);
        free(file);
    }
    if (directory)
        closedir(directory);
    return package;
}
