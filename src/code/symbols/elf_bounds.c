/* SPDX-License-Identifier: MIT */
/* Limits on the entries of untrusted ELF files, derived from the size of the file and the
 * decompressed sizes of its sections (elf_bounds.h). */
#include "elf_bounds.h"

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
