#include "data_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    char self[4096];
    const char *given = getenv("SLUICE_DATA");
    if (given && *given)
        return readable(given, "", name);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (!slash)
        return NULL;
    *slash = 0;
    char *path = readable(self, "/data", name);
    return path ? path : readable(self, "/../share/sluice", name);
}
