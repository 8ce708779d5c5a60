/* Programs that the guest starts, when sluice follows them: instead of the program, sluice is
 * started in this process. It makes a ring, leaves a reader beside it, and becomes the engine for
 * that program, so the process keeps its number, its parent and its files.
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * `family` is a directory of sluice's; `sluice` in it is the program to start, as
 *
 *     sluice followed FAMILY PROGRAM ARGUMENTS, the first of which is the program's own name */
#include "qemu/osdep.h"

#include <elf.h>

#include "hooks.h"

static const char *family, *sluice;

void sluice_follows(const char *directory)
{
    family = g_strdup(directory);
    sluice = g_strdup_printf("%s/sluice", directory);
}

/* Whether it can be executed, and sluice will know how: a program or a script. All else gets the
 * answer that it would get from the system. */
static bool can_follow(const char *path)
{
    unsigned char head[SELFMAG];
    struct stat info;
    bool known = false;
    if (access(path, X_OK) < 0 || stat(path, &info) < 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        known = read(fd, head, sizeof head) == sizeof head &&
                (!memcmp(head, ELFMAG, SELFMAG) || !memcmp(head, "#!", 2));
        close(fd);
    }
    return known;
}

char **sluice_followed(int directory, const char **path, char **argv)
{
    size_t n = 0;
    char **longer, *whole;
    if (!family || !argv[0]) {
        return NULL;
    }
    whole = directory == AT_FDCWD || **path == '/'
                ? g_strdup(*path)
                : g_strdup_printf("/proc/self/fd/%d%s%s", directory, **path ? "/" : "", *path);
    if (!can_follow(whole)) {
        g_free(whole);
        return NULL;
    }
    while (argv[n]) {
        n++;
    }
    longer = g_new0(char *, n + 5);
    longer[0] = (char *)"sluice";
    longer[1] = (char *)"followed";
    longer[2] = (char *)family;
    longer[3] = whole;
    memcpy(longer + 4, argv, n * sizeof *argv);
    *path = sluice;
    return longer;
}

void sluice_not_followed(char **argv)
{
    if (argv) {
        g_free(argv[3]);
        g_free(argv);
    }
}
