/* SPDX-License-Identifier: MIT */
/* Separate debug files, from this machine only.
 *
 * By build id below /usr/lib/debug/.build-id, which libdwfl does; then by the
 * name in .gnu_debuglink (FILE.debug if there is none), as GDB looks:
 *
 *     /usr/bin/ls  ─►  /usr/bin/ls.debug
 *                      /usr/bin/.debug/ls.debug
 *                      /usr/lib/debug/usr/bin/ls.debug
 *
 * A file found by name counts if its build id is the module's or, where the
 * module has none, if its checksum is the one in the link.
 *
 * What is in none of these places is asked of the servers in $DEBUGINFOD_URLS, if the user has set
 * that, by dwfl_standard_find_debuginfo. Without it, nothing talks to the network. */
#include "debug_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "elf_bounds.h"

#define CHECKED_MAX ((off_t)4 << 30) /* a file with holes can be as long as it likes */

static bool crc_matches(int fd, uint32_t wanted)
{
    uLong crc = crc32(0, NULL, 0);
    uint8_t buffer[1 << 14];
    off_t at = 0;
    ssize_t n;
    while ((n = pread(fd, buffer, sizeof buffer, at)) > 0 && at < CHECKED_MAX) {
        crc = crc32(crc, buffer, (uInt)n);
        at += n;
    }
    return n == 0 && crc == wanted;
}

static bool build_id_matches(Elf *elf, const unsigned char *id, size_t length)
{
    const void *other;
    ssize_t other_length = dwelf_elf_gnu_build_id(elf, &other);
    return other_length == (ssize_t)length && !memcmp(other, id, length);
}

/* Opens it if it is a plain file, another one than `file`, and belongs to the
 * module. */
static int open_if_right(const char *path, const char *file, Dwfl_Module *module, GElf_Word crc)
{
    const unsigned char *id;
    GElf_Addr id_address;
    struct stat status, main_status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
        (stat(file, &main_status) || status.st_ino != main_status.st_ino ||
         status.st_dev != main_status.st_dev)) {
        int length = dwfl_module_build_id(module, &id, &id_address);
        Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
        bool right = elf && sl_elf_unpacks(elf) &&
                     (length > 0 ? build_id_matches(elf, id, (size_t)length)
                                 : crc && crc_matches(fd, crc));
        elf_end(elf);
        if (right)
            return fd;
    }
    close(fd);
    return -1;
}

int sl_debug_file_find(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                       const char *file, const char *link, GElf_Word crc, char **found)
{
    int fd = dwfl_build_id_find_debuginfo(module, userdata, name, base, file, link, crc, found);
    /* Found, or already opened inside the module: then `found` is set. */
    if (fd >= 0 || *found || !file || file[0] != '/')
        return fd;
    /* With a name but without a checksum it is the common part of several debug
     * files (dwz) that is asked for; nothing that we read is in there. */
    if (link && !crc)
        return -1;

    static const char *const places[] = {"%.*s/%s%s", "%.*s/.debug/%s%s",
                                         "/usr/lib/debug%.*s/%s%s"};
    const char *last = strrchr(file, '/');
    for (size_t i = 0; i < 3; i++) {
        char *path;
        if (asprintf(&path, places[i], (int)(last - file), file, link ? link : last + 1,
                     link ? "" : ".debug") < 0)
            return -1;
        fd = open_if_right(path, file, module, crc);
        if (fd >= 0) {
            *found = path;
            return fd;
        }
        free(path);
    }
    const char *servers = getenv("DEBUGINFOD_URLS");
    if (!servers || !*servers)
        return -1;
    return dwfl_standard_find_debuginfo(module, userdata, name, base, file, link, crc, found);
}
