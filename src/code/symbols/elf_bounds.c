/* SPDX-License-Identifier: MIT */
/* Limits on memory and time for untrusted ELF files, derived from the size of the file and the
 * decompressed sizes of its sections (elf_bounds.h). Section headers state these sizes, except for
 * .gnu_debugdata, which is decompressed once to measure it. */
#include "elf_bounds.h"

#include <lzma.h>
#include <string.h>

#define UNPACKED_TIMES 16u
#define UNPACKED_BYTES ((size_t)64 << 20)

size_t sl_elf_bytes(Elf *elf)
{
    size_t size = 0;
    return elf && elf_rawfile(elf, &size) ? size : 0;
}

size_t sl_elf_entries(Elf *elf)
{
    return sl_elf_bytes(elf) / 4;
}

size_t sl_elf_debug_entries(Elf *elf)
{
    size_t longest = 0, most = UNPACKED_BYTES + UNPACKED_TIMES * sl_elf_bytes(elf);
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    while (elf && (scn = elf_nextscn(elf, scn)))
        if (gelf_getshdr(scn, &header) && header.sh_size > longest && header.sh_size <= most)
            longest = header.sh_size;
    return longest / 2;
}

/* Size of .gnu_debugdata when libdwfl has decompressed it, at most `most`. */
static size_t xz_bytes(const Elf_Data *data, size_t most)
{
    uint8_t out[1 << 14];
    lzma_stream s = LZMA_STREAM_INIT;
    size_t n = 0;
    if (lzma_stream_decoder(&s, most, 0) != LZMA_OK)
        return 0; /* libdwfl cannot read it, either */
    s.next_in = data->d_buf;
    s.avail_in = data->d_size;
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK && n < most) {
        s.next_out = out;
        s.avail_out = sizeof out;
        result = lzma_code(&s, LZMA_FINISH);
        n += sizeof out - s.avail_out;
    }
    lzma_end(&s);
    return result == LZMA_MEMLIMIT_ERROR ? most : n;
}

/* Size of a section after decompression; 0 if it is not compressed. */
static size_t unpacked(Elf_Scn *scn, const GElf_Shdr *header, const char *name, size_t most)
{
    GElf_Chdr compressed;
    if (header->sh_flags & SHF_COMPRESSED)
        return gelf_getchdr(scn, &compressed) ? compressed.ch_size : 0;
    bool old = !strncmp(name, ".zdebug", 7), xz = !strcmp(name, ".gnu_debugdata");
    Elf_Data *data = old || xz ? elf_rawdata(scn, NULL) : NULL;
    if (!data || !data->d_buf)
        return 0;
    if (xz)
        return xz_bytes(data, most);
    size_t size = 0; /* after "ZLIB", big-endian */
    for (size_t i = 4; i < 12 && data->d_size >= 12; i++)
        size = size << 8 | ((const uint8_t *)data->d_buf)[i];
    return size;
}

bool sl_elf_unpacks(Elf *elf)
{
    size_t left = UNPACKED_BYTES + UNPACKED_TIMES * sl_elf_bytes(elf), names;
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &names))
        return true;
    while ((scn = elf_nextscn(elf, scn))) {
        const char *name = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name)
                                                      : NULL;
        size_t size = name ? unpacked(scn, &header, name, left) : 0;
        if (size >= left)
            return false;
        left -= size;
    }
    return true;
}

size_t sl_elf_unpacked(Elf *elf)
{
    size_t size = 0, bytes = 0;
    const char *file = elf ? elf_rawfile(elf, &size) : NULL;
    Elf_Scn *scn = NULL;
    while (file && (scn = elf_nextscn(elf, scn))) {
        const Elf_Data *data = elf_rawdata(scn, NULL);
        if (data && data->d_buf && (uintptr_t)data->d_buf - (uintptr_t)file >= size)
            bytes += data->d_size;
    }
    return bytes;
}
