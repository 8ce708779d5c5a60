/* SPDX-License-Identifier: MIT */
/* Finds the stubs in the procedure linkage table (PLT) of an ELF file and names them after the
 * functions to which they jump, for example "puts@plt".
 *
 * A stub has no symbol. It jumps through a slot of the global offset table, and the dynamic
 * relocation of that slot names the function:
 *
 *     .plt   jmp *slot(%rip)  ──►  .got slot  ◄──  .rela.plt {slot, JUMP_SLOT, puts}
 *
 * So a stub is recognized by its instructions, not by its position: this covers .plt, .plt.sec and
 * .plt.got, with and without branch protection. A wrong guess has no effect, because no relocation
 * has such a slot. In a static program the relocation (IRELATIVE) has the address of the function
 * that selects an implementation, and the stub gets that function's name. MIPS stubs (.MIPS.stubs)
 * contain the symbol's index.
 *
 * Not recognized: the first halves of lazily bound stubs with branch protection, which only push an
 * index and jump back to the start. */
#include <stdlib.h>
#include <string.h>

#include "elf_functions.h"
#include "grow.h"

struct slot {
    uint64_t address;
    const char *name; /* NULL: the name of the function at `resolver` */
    uint64_t resolver;
};

struct linkage {
    struct sl_function_table *table;
    Elf *elf;
    GElf_Ehdr header;
    Elf_Scn *dynsym;
    struct slot *slot; /* by address */
    size_t n, capacity;
    size_t *left; /* entries that may still be read */
};

struct code {
    const uint8_t *byte;
    size_t left;
    uint64_t address;
    size_t entry_size; /* of the section header; 0: unknown */
    bool big_endian;
};

/* The slot that a stub jumps through, or the index of its symbol. */
struct stub {
    uint64_t slot;
    uint32_t symbol;
};

static uint32_t word(const struct code *code, size_t i)
{
    const uint8_t *b = code->byte + 4 * i;
    return code->big_endian
               ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
               : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static uint64_t sign_extend(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

/* Each decoder returns the stub's size in bytes, 0 if the code is no stub. */

static size_t x86_64_stub(const struct code *code, struct stub *stub)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    struct code at = *code;
    size_t skip = at.left > 4 && !memcmp(at.byte, endbr64, sizeof endbr64) ? 4 : 0;
    if (at.left > skip && at.byte[skip] == 0xf2) /* bnd */
        skip++;
    if (at.left < skip + 6 || at.byte[skip] != 0xff || at.byte[skip + 1] != 0x25)
        return 0;
    at.byte += skip + 2;
    stub->slot = at.address + skip + 6 + sign_extend(word(&at, 0), 32);
    /* In static programs, the section has no entry size, and stubs have 8 or 16 bytes. */
    bool next = code->left > 9 && code->byte[8] == 0xff && code->byte[9] == 0x25;
    size_t size = code->entry_size ? code->entry_size : next ? 8 : 16;
    return size < code->left ? size : code->left;
}

static size_t aarch64_stub(const struct code *code, struct stub *stub)
{
    size_t n = code->left / 4, at = n && word(code, 0) == 0xd503245f; /* bti c */
    if (n < at + 3)
        return 0;
    uint32_t adrp = word(code, at), ldr = word(code, at + 1);
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
        return 0;
    uint64_t page = sign_extend((uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3), 21) << 12;
    stub->slot = ((code->address + 4 * at) & ~UINT64_C(0xfff)) + page + 8 * (ldr >> 10 & 0xfff);
    for (at += 2; at < n && at < 6 && word(code, at) != 0xd61f0220; at++) /* br x17 */
        ;
    for (at++; at < n && word(code, at) == 0xd503201f; at++) /* nop */
        ;
    return 4 * (at < n ? at : n);
}

static size_t riscv_stub(const struct code *code, struct stub *stub)
{
    if (code->left < 16)
        return 0;
    uint32_t auipc = word(code, 0), load = word(code, 1);
    bool loads_t3 = (load & 0xfffff) == 0xe3e03 || (load & 0xfffff) == 0xe2e03; /* ld, lw */
    if ((auipc & 0xfff) != 0xe17 || !loads_t3)
        return 0;
    stub->slot = code->address + sign_extend(auipc & 0xfffff000, 32) + sign_extend(load >> 20, 12);
    return 16;
}

static size_t mips_stub(const struct code *code, struct stub *stub)
{
    if (code->left < 16)
        return 0;
    uint32_t first = word(code, 0), second = word(code, 1);
    if (first >> 16 == 0x3c0f && second >> 16 == 0x8df9) { /* lui $15; lw $25, ($15) */
        stub->slot = ((uint64_t)(first & 0xffff) << 16) + sign_extend(second & 0xffff, 16);
        stub->slot &= UINT32_MAX;
        return 16;
    }
    if (first != 0x8f998010 && first != 0xdf998010) /* lw or ld $25, -32752($28) */
        return 0;
    uint32_t number = word(code, 3);
    if (number >> 16 == 0x2418 || number >> 16 == 0x3418) { /* li $24 in the delay slot */
        stub->symbol = number & 0xffff;
        return 16;
    }
    if (code->left >= 20 && word(code, 2) >> 16 == 0x3c18) { /* lui $24; jalr; ori $24 */
        stub->symbol = word(code, 2) << 16 | (word(code, 4) & 0xffff);
        return 20;
    }
    return 0;
}

static const char *dynamic_name(const struct linkage *linkage, size_t number)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Data *data = linkage->dynsym ? elf_getdata(linkage->dynsym, NULL) : NULL;
    if (!data || number > INT32_MAX || !gelf_getshdr(linkage->dynsym, &header) ||
        !gelf_getsym(data, (int)number, &symbol))
        return NULL;
    return elf_strptr(linkage->elf, header.sh_link, symbol.st_name);
}

static bool add_slots(struct linkage *linkage, Elf_Scn *scn, const GElf_Shdr *header)
{
    Elf_Data *data = *linkage->left ? elf_getdata(scn, NULL) : NULL; /* which may copy it */
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < n && i < INT32_MAX && *linkage->left; i++, --*linkage->left) {
        GElf_Rela relocation = {0};
        GElf_Rel short_relocation;
        if (header->sh_type == SHT_RELA) {
            if (!gelf_getrela(data, (int)i, &relocation))
                break;
        } else if (gelf_getrel(data, (int)i, &short_relocation)) {
            relocation.r_offset = short_relocation.r_offset;
            relocation.r_info = short_relocation.r_info;
        } else {
            break;
        }
        size_t symbol = GELF_R_SYM(relocation.r_info);
        if (!SL_GROW(linkage->slot, linkage->capacity, linkage->n + 1))
            return false;
        linkage->slot[linkage->n++] = (struct slot){
            .address = relocation.r_offset,
            .name = symbol ? dynamic_name(linkage, symbol) : NULL,
            .resolver = (uint64_t)relocation.r_addend,
        };
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static const char *stub_name(const struct linkage *linkage, const struct stub *stub)
{
    if (stub->symbol)
        return dynamic_name(linkage, stub->symbol);
    const struct slot wanted = {.address = stub->slot}, *slot = NULL;
    if (linkage->n)
        slot = bsearch(&wanted, linkage->slot, linkage->n, sizeof wanted, by_address);
    if (!slot || slot->name)
        return slot ? slot->name : NULL;
    const struct sl_function *resolver = sl_function_at(linkage->table, slot->resolver);
    return resolver && resolver->start == slot->resolver ? resolver->name : NULL;
}

static bool add_stubs(struct linkage *linkage, Elf_Scn *scn, const GElf_Shdr *header)
{
    static const struct {
        unsigned machine;
        size_t (*decode)(const struct code *code, struct stub *stub);
        size_t step;
    } decoders[] = {
        {EM_X86_64, x86_64_stub, 8},
        {EM_AARCH64, aarch64_stub, 4},
        {EM_RISCV, riscv_stub, 4},
        {EM_MIPS, mips_stub, 4},
    };
    Elf_Data *data = *linkage->left ? elf_getdata(scn, NULL) : NULL;
    size_t which = 0;
    while (which < 4 && decoders[which].machine != linkage->header.e_machine)
        which++;
    if (which == 4 || !data || !data->d_buf)
        return true;
    /* The table grows during the loop; lookups use the functions that were finished. */
    for (size_t at = 0, size; at < data->d_size && *linkage->left;
         at += size ? size : decoders[which].step, --*linkage->left) {
        struct stub stub = {0};
        struct code code = {
            .byte = (const uint8_t *)data->d_buf + at,
            .left = data->d_size - at,
            .address = header->sh_addr + at,
            .entry_size = header->sh_entsize,
            .big_endian = linkage->header.e_ident[EI_DATA] == ELFDATA2MSB,
        };
        size = decoders[which].decode(&code, &stub);
        const char *name = size ? stub_name(linkage, &stub) : NULL;
        if (!name || !name[0])
            size = 0;
        else if (!sl_function_add(linkage->table, code.address, size, name, SL_RANK_STUB))
            return false;
    }
    return true;
}

static bool is_stub_section(const struct linkage *linkage, const GElf_Shdr *header)
{
    size_t names;
    const char *name = elf_getshdrstrndx(linkage->elf, &names)
                           ? NULL
                           : elf_strptr(linkage->elf, names, header->sh_name);
    return name && header->sh_type == SHT_PROGBITS && (header->sh_flags & SHF_EXECINSTR) &&
           (!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt") || !strcmp(name, ".MIPS.stubs"));
}

/* Three passes over the sections: relocations need the symbols, stubs need the relocations. */
bool sl_plt_stubs(struct sl_function_table *table, Elf *elf, size_t *left)
{
    struct linkage linkage = {.table = table, .elf = elf, .left = left};
    bool good = gelf_getehdr(elf, &linkage.header) != NULL;
    for (int pass = 0; good && pass < 3; pass++) {
        Elf_Scn *scn = NULL;
        while (good && (scn = elf_nextscn(elf, scn))) {
            GElf_Shdr header;
            if (!gelf_getshdr(scn, &header))
                continue;
            bool relocates = header.sh_type == SHT_RELA || header.sh_type == SHT_REL;
            if (pass == 0 && header.sh_type == SHT_DYNSYM)
                linkage.dynsym = scn;
            else if (pass == 1 && relocates && (header.sh_flags & SHF_ALLOC))
                good = add_slots(&linkage, scn, &header);
            else if (pass == 2 && is_stub_section(&linkage, &header))
                good = add_stubs(&linkage, scn, &header);
        }
        SL_SORT(linkage.slot, linkage.n, by_address);
    }
    free(linkage.slot);
    return good;
}
