/* SPDX-License-Identifier: MIT */
/* Test helpers that build 64-bit little-endian ELF files in memory. The files can have overlapping
 * sections, tables of any length, and DWARF 4 debug information.
 *
 *     header | program headers | contents of sections | section headers
 *
 * Section 0 is the empty one, and the last one has the names. */
#ifndef SL_TESTS_MADE_ELF_H
#define SL_TESTS_MADE_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct elf_bytes {
    uint8_t *at;
    size_t size, capacity;
};

static inline void elf_put(struct elf_bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size);
        b->at = realloc(b->at, b->capacity);
    }
    if (b->at && size)
        memcpy(b->at + b->size, data, size);
    b->size += size;
}

static inline void elf_number(struct elf_bytes *b, uint64_t value, unsigned n_bytes)
{
    elf_put(b, &value, n_bytes); /* by machines of the same order of bytes only */
}

static inline void elf_text(struct elf_bytes *b, const char *text)
{
    elf_put(b, text, strlen(text) + 1);
}

#define MADE_SECTIONS 6000u

struct made_elf {
    struct elf_bytes heads, contents, names; /* program heads, contents, names of sections */
    Elf64_Shdr section[MADE_SECTIONS];       /* offsets are from the beginning of contents */
    unsigned n_sections;
    uint16_t machine, type;
};

static inline struct made_elf *made_elf(void)
{
    struct made_elf *e = calloc(1, sizeof *e);
    e->machine = EM_X86_64;
    e->type = ET_EXEC;
    e->n_sections = 1;
    elf_text(&e->names, "");
    return e;
}

static inline void made_segment(struct made_elf *e, uint32_t type, uint64_t offset,
                                uint64_t address, uint64_t size)
{
    Elf64_Phdr p = {.p_type = type,
                    .p_flags = PF_R | PF_X,
                    .p_offset = offset,
                    .p_vaddr = address,
                    .p_paddr = address,
                    .p_filesz = size,
                    .p_memsz = size,
                    .p_align = 1};
    elf_put(&e->heads, &p, sizeof p);
}

/* Returns the section's number; its head may be changed. */
static inline unsigned made_section(struct made_elf *e, const char *name, uint32_t type,
                                    const struct elf_bytes *data)
{
    Elf64_Shdr *s = &e->section[e->n_sections];
    s->sh_name = (uint32_t)e->names.size;
    s->sh_type = type;
    s->sh_offset = e->contents.size;
    s->sh_size = data->size;
    s->sh_addralign = 1;
    elf_text(&e->names, name);
    elf_put(&e->contents, data->at, data->size);
    return e->n_sections++;
}

/* The file; to be freed, as what it was made from is. */
static inline struct elf_bytes made_file(struct made_elf *e)
{
    struct elf_bytes file = {0};
    const struct elf_bytes none = {0};
    unsigned names = made_section(e, ".shstrtab", SHT_STRTAB, &none); /* which adds a name itself */
    e->section[names].sh_size = e->names.size;
    elf_put(&e->contents, e->names.at, e->names.size);
    uint64_t base = sizeof(Elf64_Ehdr) + e->heads.size;
    Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = e->type,
        .e_machine = e->machine,
        .e_version = EV_CURRENT,
        .e_phoff = sizeof head,
        .e_shoff = base + e->contents.size,
        .e_ehsize = sizeof head,
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = (uint16_t)(e->heads.size / sizeof(Elf64_Phdr)),
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = (uint16_t)e->n_sections,
        .e_shstrndx = (uint16_t)names};
    elf_put(&file, &head, sizeof head);
    elf_put(&file, e->heads.at, e->heads.size);
    elf_put(&file, e->contents.at, e->contents.size);
    for (unsigned i = 0; i < e->n_sections; i++) {
        Elf64_Shdr s = e->section[i];
        s.sh_offset += i ? base : 0;
        elf_put(&file, &s, sizeof s);
    }
    free(e->heads.at);
    free(e->contents.at);
    free(e->names.at);
    free(e);
    return file;
}

#endif
