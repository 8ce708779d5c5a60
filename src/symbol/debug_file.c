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

/* CRC-32 as in zip, a bit at a time with a nibble table: reading the file from
 * disk costs as much. */
static bool crc_matches(int fd, uint32_t wanted)
{
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = UINT32_MAX;
    uint8_t buffer[1 << 14];
    off_t at = 0;
    ssize_t n;
    while ((n = pread(fd, buffer, sizeof buffer, at)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            crc ^= buffer[i];
            crc = crc >> 4 ^ table[crc & 15];
            crc = crc >> 4 ^ table[crc & 15];
        }
        at += n;
    }
    return n == 0 && ~crc == wanted;
}

static bool build_id_matches(int fd, const unsigned char *id, size_t length)
{
    const void *other;
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    ssize_t other_length = elf ? dwelf_elf_gnu_build_id(elf, &other) : -1;
    bool same = other_length == (ssize_t)length && !memcmp(other, id, length);
    elf_end(elf);
    return same;
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
        if (length > 0 ? build_id_matches(fd, id, (size_t)length) : crc && crc_matches(fd, crc))
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

    static const char *const places[] = {"%.*s/%s%s", "%.*s/.debug/%s%s", "/usr/lib/debug%.*s/%s%s"};
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
