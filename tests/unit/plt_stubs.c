/* SPDX-License-Identifier: MIT */
/* Unit tests of naming the stubs in procedure linkage tables (PLT), through which programs call
 * library functions. Each instruction sequence that linkers write on four architectures is
 * recognized, and the stub gets the name of its relocation. The tests build the ELF files in
 * memory. */
#include <string.h>

#include "../support/synthetic_elf.h"
#include "elf_bounds.h"
#include "elf_functions.h"
#include "tap.h"

#define PLT UINT64_C(0x10000)
#define GOT UINT64_C(0x12000)
#define N_SLOTS 4u /* slots of puts, exit, memcpy, and of an IRELATIVE relocation */

static const char *const names[] = {"puts", "exit", "memcpy"};

static void put_tables(struct made_elf *e)
{
    struct elf_bytes strings = {0}, symbols = {0}, slots = {0};
    Elf64_Sym none = {0};
    elf_text(&strings, "");
    elf_put(&symbols, &none, sizeof none);
    for (unsigned i = 0; i < 3; i++) {
        Elf64_Sym s = {.st_name = (uint32_t)strings.size,
                       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
        elf_put(&symbols, &s, sizeof s);
        elf_text(&strings, names[i]);
    }
    for (unsigned i = N_SLOTS; i-- > 0;) { /* not in the order of addresses */
        Elf64_Rela r = {.r_offset = GOT + 8 * i,
                        .r_info = ELF64_R_INFO(i < 3 ? i + 1 : 0, 7),
                        .r_addend = i < 3 ? 0 : 0x20000};
        elf_put(&slots, &r, sizeof r);
    }
    unsigned at = made_section(e, ".dynstr", SHT_STRTAB, &strings);
    unsigned table = made_section(e, ".dynsym", SHT_DYNSYM, &symbols);
    e->section[table].sh_link = at;
    e->section[table].sh_entsize = sizeof(Elf64_Sym);
    at = made_section(e, ".rela.plt", SHT_RELA, &slots);
    e->section[at].sh_flags = SHF_ALLOC;
    e->section[at].sh_entsize = sizeof(Elf64_Rela);
    free(strings.at);
    free(symbols.at);
    free(slots.at);
}

static void put_words(struct elf_bytes *code, const uint32_t *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        elf_number(code, word[i], 4);
}

/* The file of the last read_stubs(). Names in the table are in its memory. */
static struct elf_bytes file;
static Elf *elf;

/* Reads the stubs of a section with this code. Call close_stubs() afterwards. */
static void read_stubs(struct sl_function_table *table, uint16_t machine, const char *section,
                       struct elf_bytes *code, size_t left)
{
    struct made_elf *made = made_elf();
    made->machine = machine;
    put_tables(made);
    unsigned plt = made_section(made, section, SHT_PROGBITS, code);
    made->section[plt].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    made->section[plt].sh_addr = PLT;
    file = made_file(made);
    elf = elf_memory((char *)file.at, file.size);
    *table = (struct sl_function_table){0};
    bool good = elf && sl_elf_bytes(elf) == file.size && sl_elf_entries(elf) == file.size / 4 &&
                sl_function_add(table, 0x20000, 16, "strlen", SL_RANK_GLOBAL) &&
                sl_functions_finish(table) && sl_plt_stubs(table, elf, &left) &&
                sl_functions_finish(table);
    if (!good)
        printf("# the file cannot be read\n");
}

static void close_stubs(struct sl_function_table *table)
{
    sl_functions_free(table);
    elf_end(elf);
    free(file.at);
}

static bool is_at(const struct sl_function_table *table, uint64_t address, uint64_t start,
                  uint64_t size, const char *name)
{
    const struct sl_function *function = sl_function_at(table, address);
    return function && function->start == start && function->end == start + size &&
           !strncmp(function->name, name, strlen(name)) && function->rank == SL_RANK_STUB;
}

/* ff 25: jmp *distance(%rip) */
static void put_jump(struct elf_bytes *code, unsigned slot, const char *before, size_t n)
{
    size_t start = code->size;
    elf_put(code, before, n);
    elf_number(code, 0x25ff, 2);
    elf_number(code, GOT + 8 * slot - (PLT + code->size + 4), 4);
    while (code->size < start + 16)
        elf_number(code, 0x90, 1);
}

static void test_x86_64(void)
{
    struct elf_bytes code = {0};
    struct sl_function_table table;
    for (int i = 0; i < 16; i++) /* the first entry, which calls the linker */
        elf_number(&code, 0x90, 1);
    put_jump(&code, 0, "", 0);
    put_jump(&code, 1, "\xf3\x0f\x1e\xfa", 4);     /* endbr64 */
    put_jump(&code, 2, "\xf3\x0f\x1e\xfa\xf2", 5); /* endbr64; bnd */
    put_jump(&code, 3, "", 0);
    put_jump(&code, 9, "", 0); /* a slot without a relocation */
    read_stubs(&table, EM_X86_64, ".plt.sec", &code, 1000);
    ok(is_at(&table, PLT + 16, PLT + 16, 16, "puts") &&
           is_at(&table, PLT + 47, PLT + 32, 16, "exit") &&
           is_at(&table, PLT + 48, PLT + 48, 16, "memcpy"),
       "x86-64: stubs with and without endbr64 and bnd");
    ok(is_at(&table, PLT + 64, PLT + 64, 16, "strlen"),
       "x86-64: a slot of an IRELATIVE relocation has the name of the resolver");
    ok(!sl_function_at(&table, PLT) && !sl_function_at(&table, PLT + 80),
       "x86-64: other code and a slot without a relocation are no stubs");
    close_stubs(&table);
    read_stubs(&table, EM_X86_64, ".text", &code, 1000);
    ok(!sl_function_at(&table, PLT + 16), "x86-64: .text has no stubs");
    close_stubs(&table);
    read_stubs(&table, EM_X86_64, ".plt", &code, 3);
    ok(!sl_function_at(&table, PLT + 64), "x86-64: no more entries are read than the limit");
    close_stubs(&table);
    code.size = 16 + 5; /* ends inside the displacement */
    read_stubs(&table, EM_X86_64, ".plt", &code, 1000);
    ok(!sl_function_at(&table, PLT + 16), "x86-64: a stub that is cut off is none");
    close_stubs(&table);
    free(code.at);
}

/* The linker gives the stubs of static programs 8 bytes and no entry size. */
static void test_x86_64_static(void)
{
    struct elf_bytes code = {0};
    struct sl_function_table table;
    static const char *const wanted[] = {"puts", "exit", "memcpy", "strlen"};
    for (int i = 0; i < 4; i++) {
        elf_number(&code, 0x25ff, 2);
        elf_number(&code, GOT + 8 * (uint64_t)i - (PLT + code.size + 4), 4);
        elf_number(&code, 0x9066, 2);
    }
    read_stubs(&table, EM_X86_64, ".plt", &code, 1000);
    bool all = true;
    for (uint64_t i = 0; i < 4; i++)
        all &= is_at(&table, PLT + 8 * i + 7, PLT + 8 * i, 8, wanted[i]);
    ok(all, "x86-64: each of the 8-byte stubs of a static program has its own name");
    close_stubs(&table);
    free(code.at);
}

static void test_aarch64(void)
{
    struct elf_bytes code = {0};
    struct sl_function_table table;
    uint32_t add = 0x91000210, br = 0xd61f0220, nop = 0xd503201f, bti = 0xd503245f,
             adrp = 0xd0000010; /* adrp x16, two pages further */
    /* ldr x17, [x16, #8 * slot] */
    uint32_t plain[] = {adrp, 0xf9400211, add, br},
             protected[] = {bti, adrp, 0xf9400211 | 1 << 10, add, br, nop};
    put_words(&code, plain, 4);
    put_words(&code, protected, 6);
    read_stubs(&table, EM_AARCH64, ".plt", &code, 1000);
    ok(is_at(&table, PLT, PLT, 16, "puts") && is_at(&table, PLT + 39, PLT + 16, 24, "exit"),
       "AArch64: stubs with and without bti; a nop belongs to the stub");
    close_stubs(&table);
    free(code.at);
}

static void test_riscv(void)
{
    struct elf_bytes code = {0};
    struct sl_function_table table;
    /* auipc t3, 2; ld t3, 8 * slot(t3); jalr t1, t3; nop. The second one is at PLT + 16. */
    uint32_t first[] = {0x2e17, 0x000e3e03, 0x000e0367, 0x13},
             second[] = {0x2e17, 0x000e3e03 | (uint32_t)(8 - 16) << 20, 0x000e0367, 0x13},
             third[] = {0x2e17, 0x000e2e03 | (uint32_t)(16 - 32) << 20, 0x000e0367, 0x13};
    put_words(&code, first, 4);
    put_words(&code, second, 4);
    put_words(&code, third, 4);
    read_stubs(&table, EM_RISCV, ".plt", &code, 1000);
    ok(is_at(&table, PLT, PLT, 16, "puts") && is_at(&table, PLT + 16, PLT + 16, 16, "exit"),
       "RISC-V: stubs with ld");
    ok(is_at(&table, PLT + 32, PLT + 32, 16, "memcpy"), "RISC-V: a stub with lw");
    close_stubs(&table);
    free(code.at);
}

static void test_mips(void)
{
    struct elf_bytes code = {0};
    struct sl_function_table table;
    /* lw t9, -32752(gp); move t7, ra; jalr t9; li t8, symbol */
    uint32_t lazy[] = {0x8f998010, 0x03e07825, 0x0320f809, 0x24180002},
             far_away[] = {0x8f998010, 0x03e07825, 0x3c180000, 0x0320f809, 0x37180003},
             slot[] = {0x3c0f0001, 0x8df92000, 0x03200008, 0x25f80000}; /* lui t7; lw t9 */
    put_words(&code, lazy, 4);
    put_words(&code, far_away, 5);
    read_stubs(&table, EM_MIPS, ".MIPS.stubs", &code, 1000);
    ok(is_at(&table, PLT, PLT, 16, "exit") && is_at(&table, PLT + 16, PLT + 16, 20, "memcpy"),
       "MIPS: stubs with the index of the symbol, in 16 bits and in 32");
    close_stubs(&table);
    code.size = 0;
    put_words(&code, slot, 4);
    read_stubs(&table, EM_MIPS, ".plt", &code, 1000);
    ok(is_at(&table, PLT, PLT, 16, "puts"), "MIPS: stubs with a slot");
    close_stubs(&table);
    free(code.at);
}

int main(void)
{
    elf_version(EV_CURRENT);
    test_x86_64();
    test_x86_64_static();
    test_aarch64();
    test_riscv();
    test_mips();
    return done_testing();
}
