/* SPDX-License-Identifier: MIT */
/* Writes a stream as a trace in ChampSim's format, with one record for each instruction. */
#include "champsim_write.h"

#include <string.h>

#include "champsim.h"
#include "failure.h"
#include "isa.h"
#include "source.h"
#include "trace_format.h"

#define FIRST_GENERAL 27u /* after the registers with a meaning, or a name on x86-64 */
#define FIRST_VECTOR 64u

struct record {
    uint8_t byte[SL_CHAMPSIM_RECORD];
    unsigned n_written, n_read, n_stores, n_loads;
};

static void add_written(struct record *r, uint8_t id)
{
    if (r->n_written < 2)
        r->byte[SL_CHAMPSIM_AT_WRITTEN + r->n_written++] = id;
}

static void add_read(struct record *r, uint8_t id)
{
    if (r->n_read < 4)
        r->byte[SL_CHAMPSIM_AT_READ + r->n_read++] = id;
}

/* Index of the stack pointer in sl_regs.general. */
static int stack_pointer(enum sl_arch arch)
{
    static const int number[SL_ARCH_COUNT] = {[SL_ARCH_X86_64] = 4,
                                              [SL_ARCH_AARCH64] = 31,
                                              [SL_ARCH_RISCV64] = 2,
                                              [SL_ARCH_RISCV32] = 2,
                                              [SL_ARCH_MIPSEL] = 29,
                                              [SL_ARCH_MIPS] = 29,
                                              [SL_ARCH_DESCRIBED] = SL_CHAMPSIM_SP};
    return number[arch];
}

static uint8_t id_of(enum sl_arch arch, unsigned general)
{
    if (general == SL_REG_FLAGS)
        return SL_CHAMPSIM_FLAGS;
    return (uint8_t)((int)general == stack_pointer(arch) ? SL_CHAMPSIM_SP
                                                         : FIRST_GENERAL + general % 37);
}

static void add_set(struct record *r, enum sl_arch arch, struct sl_regs set,
                    void (*add)(struct record *, uint8_t))
{
    for (unsigned i = 0; i < 64; i++)
        if (set.general >> i & 1)
            add(r, id_of(arch, i));
    for (unsigned i = 0; i < 64; i++)
        if (set.vector >> i & 1)
            add(r, (uint8_t)(FIRST_VECTOR + i));
}

/* A register that marks an indirect branch: one that it reads, other than the special three. */
static uint8_t other_of(enum sl_arch arch, struct sl_regs set)
{
    for (unsigned i = 0; i < 64; i++)
        if (set.general >> i & 1 && id_of(arch, i) >= FIRST_GENERAL)
            return id_of(arch, i);
    return FIRST_GENERAL;
}

/* Sets the registers from which the simulator derives the kind of a branch (champsim.h). */
static void add_branch(struct record *r, enum sl_arch arch, const struct sl_instruction *i)
{
    bool call = i->branch == SL_BRANCH_CALL || i->branch == SL_BRANCH_INDIRECT_CALL;
    bool indirect = i->branch == SL_BRANCH_INDIRECT || i->branch == SL_BRANCH_INDIRECT_CALL;
    r->byte[SL_CHAMPSIM_AT_BRANCH] = 1;
    r->byte[SL_CHAMPSIM_AT_TAKEN] = i->branch != SL_BRANCH_CONDITIONAL || i->taken;
    add_written(r, SL_CHAMPSIM_IP);
    if (i->branch != SL_BRANCH_INDIRECT && i->branch != SL_BRANCH_RETURN)
        add_read(r, SL_CHAMPSIM_IP);
    if (i->branch == SL_BRANCH_CONDITIONAL)
        add_read(r, SL_CHAMPSIM_FLAGS);
    if (call || i->branch == SL_BRANCH_RETURN) {
        add_written(r, SL_CHAMPSIM_SP);
        add_read(r, SL_CHAMPSIM_SP);
    }
    if (indirect)
        add_read(r, other_of(arch, i->reads));
}

/* Adds an access, and its value to `values`. Returns false if it does not fit; address 0 means no
 * access. */
static bool add_access(struct record *r, const struct sl_instruction_access *a, FILE *values)
{
    uint8_t value[8];
    unsigned *n = a->store ? &r->n_stores : &r->n_loads;
    if (*n == (a->store ? 2 : 4) || !a->address)
        return false;
    sl_put64(r->byte + (a->store ? SL_CHAMPSIM_AT_STORES : SL_CHAMPSIM_AT_LOADS) + 8 * (*n)++,
             a->address);
    if (!a->store && values) {
        sl_put64(value, a->value);
        fwrite(value, sizeof value, 1, values);
    }
    return true;
}

static int check(struct sl_source *source, struct sl_failure *f)
{
    if (~sl_source_contents(source) & (SL_NEED_ADDRESSES | SL_NEED_STORES))
        return sl_fail(f, SL_EUSAGE,
                       "a ChampSim trace needs addresses of loads and stores, which this stream "
                       "does not have: record it again with -m");
    return 0;
}

int sl_champsim_write(struct sl_source *source, FILE *out, FILE *values, uint64_t *left_out,
                      struct sl_failure *f)
{
    struct sl_instructions *it;
    struct sl_instruction i;
    int more = check(source, f);
    *left_out = 0;
    if (more < 0 || (more = sl_instructions_open(&it, source, f)) < 0)
        return more;
    if (values)
        fputs(SL_CHAMPSIM_VALUES, values);
    uint32_t thread = UINT32_MAX;
    while ((more = sl_instructions_next(it, &i, f)) > 0) {
        enum sl_arch arch = source->statics.program.arch;
        struct record r = {0};
        thread = thread == UINT32_MAX ? i.thread : thread;
        if (i.thread != thread) {
            more = sl_fail(f, SL_EUSAGE,
                           "a ChampSim trace has one thread, but this stream has several: use a "
                           "program with one thread");
            break;
        }
        sl_put64(r.byte, i.pc);
        if (i.branch) {
            add_branch(&r, arch, &i);
        } else {
            add_set(&r, arch, i.reads, add_read);
            add_set(&r, arch, i.writes, add_written);
        }
        for (size_t k = 0; k < i.n_accesses; k++)
            *left_out += !add_access(&r, &i.access[k], values);
        fwrite(r.byte, sizeof r.byte, 1, out);
    }
    sl_instructions_close(it);
    return more;
}
