/* SPDX-License-Identifier: MIT */
/* Reads a trace of the ChampSim simulator (champsim.h) as a stream of events.
 *
 * A record has the address of an instruction but not its length. The length follows from the next
 * record if that is the next instruction in memory. This is the case for a branch when it is first
 * not taken, and for a call when it returns. Until then a length is assumed. When the length
 * becomes known, the instruction gets a new id. The same holds for the target of a direct branch.
 *
 * Blocks end with branches, and where the next record is not the next instruction in memory. The
 * format has no sizes of accesses and no classes of instructions: accesses count as 8 bytes, and
 * instructions without access or branch as integer arithmetic. */
#include <stdlib.h>
#include <unistd.h>

#include "champsim.h"
#include "describer.h"
#include "foreign_file.h"
#include "grow.h"
#include "trace_format.h"

#define INSN_BYTES 15u  /* the longest instruction of x86-64 */
#define ASSUMED_CALL 5u /* x86-64's direct call */
#define ASSUMED_OTHER 2u
#define ASSUMED_LONG 6u
#define CALLS 64u
#define MEMS_MAX 6u                                    /* of a record */
#define ACCESS_WORD (UINT32_C(3) << SL_MEM_SIZE_SHIFT) /* 8 bytes */

struct record {
    uint8_t byte[SL_CHAMPSIM_RECORD];
};

struct champsim {
    struct sl_source source;
    struct sl_foreign_file *file, *values;
    struct sl_describer describer;
    struct sl_index_map sites; /* indices into `site`, by address */
    struct site {
        uint64_t target; /* of a direct branch; 0: not known yet */
        uint8_t size;    /* 0: not known yet */
    } * site;
    size_t sites_capacity;
    uint64_t call[CALLS]; /* addresses of the last calls that have not returned; a ring buffer */
    uint32_t n_calls;
    struct record next; /* the next record */
    bool more;          /* `next` is valid */
    bool begun;
    uint64_t n_records;
    struct sl_chunk_arrays arrays;
};

static uint64_t word_at(const struct record *r, unsigned at)
{
    return sl_get64(r->byte + at);
}

/* ---- the instruction of a record ---- */

static enum sl_branch branch_of(const struct record *r)
{
    bool writes_ip = false, writes_sp = false, sp = false, flags = false, ip = false,
         others = false;
    for (unsigned i = 0; i < 2; i++) {
        writes_ip |= r->byte[SL_CHAMPSIM_AT_WRITTEN + i] == SL_CHAMPSIM_IP;
        writes_sp |= r->byte[SL_CHAMPSIM_AT_WRITTEN + i] == SL_CHAMPSIM_SP;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint8_t id = r->byte[SL_CHAMPSIM_AT_READ + i];
        sp |= id == SL_CHAMPSIM_SP;
        flags |= id == SL_CHAMPSIM_FLAGS;
        ip |= id == SL_CHAMPSIM_IP;
        others |= id && id != SL_CHAMPSIM_SP && id != SL_CHAMPSIM_FLAGS && id != SL_CHAMPSIM_IP;
    }
    if (!writes_ip)
        return SL_BRANCH_NONE;
    if (!sp && !flags && !others)
        return SL_BRANCH_JUMP;
    if (!sp && !writes_sp && ip && (flags || others))
        return SL_BRANCH_CONDITIONAL;
    if (sp && writes_sp && ip && !flags)
        return others ? SL_BRANCH_INDIRECT_CALL : SL_BRANCH_CALL;
    if (sp && writes_sp && !ip)
        return SL_BRANCH_RETURN;
    return SL_BRANCH_INDIRECT;
}

static void describe(const struct record *r, enum sl_branch branch, struct sl_description *is)
{
    bool loads = false, stores = false;
    for (unsigned i = 0; i < 4; i++) {
        loads |= word_at(r, SL_CHAMPSIM_AT_LOADS + 8 * i) != 0;
        is->reads[i] = sl_champsim_register(r->byte[SL_CHAMPSIM_AT_READ + i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        stores |= word_at(r, SL_CHAMPSIM_AT_STORES + 8 * i) != 0;
        is->writes[i] = sl_champsim_register(r->byte[SL_CHAMPSIM_AT_WRITTEN + i]);
    }
    is->branch = (uint8_t)branch;
    is->flags = (uint8_t)((loads ? SL_INSN_LOADS : 0) | (stores ? SL_INSN_STORES : 0));
    is->width = loads || stores ? 8 : 0;
    is->kind = branch == SL_BRANCH_CONDITIONAL ? SL_CLASS_BRANCH
               : branch                        ? SL_CLASS_JUMP
               : loads && !stores              ? SL_CLASS_LOAD
               : stores && !loads              ? SL_CLASS_STORE
                                               : SL_CLASS_ARITHMETIC;
}

/* ---- lengths and targets ---- */

static struct site *site_of(struct champsim *c, uint64_t pc)
{
    uint32_t id = sl_index_add(&c->sites, pc, 0);
    return id == SL_NO_INDEX || !SL_GROW(c->site, c->sites_capacity, (size_t)id + 1) ? NULL
                                                                                     : &c->site[id];
}

static bool follows(uint64_t next, uint64_t pc)
{
    return next > pc && next - pc <= INSN_BYTES;
}

/* A return to shortly after the last call gives the length of the call. */
static bool follow_calls(struct champsim *c, enum sl_branch branch, uint64_t pc, uint64_t next)
{
    if (branch == SL_BRANCH_CALL || branch == SL_BRANCH_INDIRECT_CALL) {
        c->call[c->n_calls++ % CALLS] = pc;
    } else if (branch == SL_BRANCH_RETURN && c->n_calls) {
        uint64_t call = c->call[--c->n_calls % CALLS];
        struct site *site = follows(next, call) ? site_of(c, call) : NULL;
        if (follows(next, call) && !site)
            return false;
        if (site)
            site->size = (uint8_t)(next - call);
    }
    return true;
}

/* Returns whether a branch was taken, and stores the length or target that follows from it. */
static bool update_site(struct champsim *c, const struct record *r, enum sl_branch branch,
                        struct site *site)
{
    uint64_t pc = word_at(r, 0), next = word_at(&c->next, 0);
    bool taken = branch && (branch != SL_BRANCH_CONDITIONAL || r->byte[SL_CHAMPSIM_AT_TAKEN]);
    if (c->more && !taken && follows(next, pc))
        site->size = (uint8_t)(next - pc);
    if (c->more && taken && branch != SL_BRANCH_INDIRECT && branch != SL_BRANCH_INDIRECT_CALL &&
        branch != SL_BRANCH_RETURN)
        site->target = next;
    return taken;
}

/* ---- chunks ---- */

static int read_next(struct champsim *c, struct sl_failure *f)
{
    int64_t n = sl_foreign_read(c->file, c->next.byte, sizeof c->next.byte, f);
    if (n < 0)
        return (int)n;
    c->more = n == sizeof c->next.byte;
    if (n && !c->more)
        snprintf(c->source.warning, sizeof c->source.warning,
                 "the ChampSim trace is truncated: it ends within record %llu",
                 (unsigned long long)c->n_records + 1);
    c->n_records += c->more;
    return 0;
}

static int read_value(struct champsim *c, uint64_t *value, struct sl_failure *f)
{
    uint8_t bytes[8];
    int64_t n = c->values ? sl_foreign_read(c->values, bytes, sizeof bytes, f) : 0;
    if (n < 0)
        return (int)n;
    if (c->values && n < (int64_t)sizeof bytes)
        return sl_fail(f, SL_EFORMAT,
                       "%s%s has fewer values than the trace has loads: "
                       "remove it to read the trace without values",
                       c->source.name, SL_CHAMPSIM_VALUES_SUFFIX);
    *value = c->values ? sl_get64(bytes) : 0;
    return 0;
}

static int add_access(struct champsim *c, struct sl_chunk *chunk, uint64_t address, uint32_t word,
                      struct sl_failure *f)
{
    uint32_t at = chunk->n_mems++;
    c->arrays.mem_insn[at] = word;
    c->arrays.mem_addr[at] = address;
    c->arrays.mem_value[at] = 0;
    return word & SL_MEM_STORE ? 0 : read_value(c, &c->arrays.mem_value[at], f);
}

static int add_accesses(struct champsim *c, struct sl_chunk *chunk, const struct record *r,
                        uint32_t id, struct sl_failure *f)
{
    uint32_t more = 0;
    for (unsigned i = 0; i < MEMS_MAX; i++) {
        bool store = i >= 4;
        uint64_t address = word_at(r, store ? SL_CHAMPSIM_AT_STORES + 8 * (i - 4)
                                            : SL_CHAMPSIM_AT_LOADS + 8 * i);
        if (!address)
            continue;
        int error = add_access(c, chunk, address,
                               id | ACCESS_WORD | more | (store ? SL_MEM_STORE : 0), f);
        if (error < 0)
            return error;
        more = SL_MEM_MORE;
    }
    return 0;
}

/* Length of a branch that was always taken so far: such that its target is not the next
 * instruction. */
static uint8_t assumed(enum sl_branch branch, uint64_t pc, uint64_t next)
{
    uint8_t usual = branch == SL_BRANCH_CALL ? ASSUMED_CALL : ASSUMED_OTHER;
    return next == pc + usual ? ASSUMED_LONG : usual;
}

/* Adds one record to the current block. Returns 1 if the block continues, 0 if it ends, or an
 * error. */
static int read_record(struct champsim *c, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct record r = c->next;
    uint64_t pc = word_at(&r, 0);
    enum sl_branch branch = branch_of(&r);
    struct sl_description is = {0};
    int error = read_next(c, f);
    struct site *site = error < 0 ? NULL : site_of(c, pc);
    if (!site)
        return error < 0 ? error : sl_out_of_memory(f);
    bool taken = update_site(c, &r, branch, site);
    bool direct = branch == SL_BRANCH_CONDITIONAL || branch == SL_BRANCH_JUMP ||
                  branch == SL_BRANCH_CALL;
    uint8_t size = site->size ? site->size : assumed(branch, pc, word_at(&c->next, 0));
    describe(&r, branch, &is);
    is.target = direct ? site->target : 0;
    if (c->more && !branch && word_at(&c->next, 0) == pc)
        is.flags |= SL_INSN_REPEATS;
    uint32_t id = sl_describer_insn(&c->describer, pc, size, &is);
    if (id == SL_NO_INDEX || !follow_calls(c, branch, pc, word_at(&c->next, 0)))
        return sl_out_of_memory(f);
    if (sl_describer_full(&c->describer))
        return sl_fail(f, SL_EFORMAT,
                       "%s has more than %u different instructions: it is probably not a ChampSim "
                       "trace",
                       c->source.name, SL_DESCRIBED_MAX);
    error = add_accesses(c, chunk, &r, id, f);
    if (error < 0)
        return error;
    return c->more && !taken && !branch && word_at(&c->next, 0) == pc + size &&
           c->describer.n < SL_DESCRIBED_INSNS;
}

static int read_block(struct champsim *c, struct sl_chunk *chunk, struct sl_failure *f)
{
    uint32_t at = chunk->n_blocks++;
    int more;
    c->arrays.block_mem[at] = chunk->n_mems;
    while ((more = read_record(c, chunk, f)) > 0)
        ;
    if (more < 0)
        return more;
    c->arrays.block[at] = sl_describer_block(&c->describer);
    return c->arrays.block[at] == SL_NO_INDEX ? sl_out_of_memory(f) : 0;
}

static int champsim_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct champsim *c = (struct champsim *)source;
    struct sl_chunk_arrays *to = &c->arrays;
    *chunk = (struct sl_chunk){.flags = c->begun ? 0 : SL_CHUNK_START,
                               .block = to->block,
                               .block_mem = to->block_mem,
                               .mem_insn = to->mem_insn,
                               .mem_value = c->values ? to->mem_value : NULL,
                               .mem_addr = to->mem_addr};
    c->begun = true;
    while (c->more && chunk->n_blocks < SL_CHUNK_BLOCKS &&
           chunk->n_mems + SL_DESCRIBED_INSNS * MEMS_MAX <= SL_CHUNK_MEMS) {
        int error = read_block(c, chunk, f);
        if (error < 0)
            return error;
    }
    int error = chunk->n_blocks ? sl_records_apply(&c->describer.records, source, f)
                                : sl_describer_end(&c->describer, source, f);
    return error < 0 ? error : chunk->n_blocks > 0;
}

/* ---- beginning and end ---- */

static void champsim_close(struct sl_source *source)
{
    struct champsim *c = (struct champsim *)source;
    sl_foreign_close(c->file);
    sl_foreign_close(c->values);
    sl_describer_free(&c->describer);
    sl_index_free(&c->sites);
    free(c->site);
}

/* Opens the file of values if there is one. */
static int open_values(struct champsim *c, struct sl_failure *f)
{
    char *path, head[sizeof SL_CHAMPSIM_VALUES - 1];
    if (asprintf(&path, "%s%s", c->source.name, SL_CHAMPSIM_VALUES_SUFFIX) < 0)
        return sl_out_of_memory(f);
    int error = access(path, F_OK) ? 0 : sl_foreign_open(&c->values, path, f);
    if (c->values) {
        int64_t n = sl_foreign_read(c->values, head, sizeof head, f);
        error =
            n < 0 ? (int)n
            : n < (int64_t)sizeof head || memcmp(head, SL_CHAMPSIM_VALUES, sizeof head)
                ? sl_fail(
                      f, SL_EFORMAT,
                      "%s is not a file of load values: its first line is not \"sluice-values 1\"",
                      path)
                : 0;
    }
    free(path);
    return error;
}

static int champsim_open(struct sl_source *source, struct sl_failure *f)
{
    struct champsim *c = (struct champsim *)source;
    int error = sl_foreign_open(&c->file, c->source.name, f);
    if (error >= 0)
        error = open_values(c, f);
    if (error >= 0)
        error = read_next(c, f);
    if (error >= 0 && !c->more)
        error = sl_fail(f, SL_EFORMAT,
                        "%s is not a ChampSim trace: it has no complete record of %u bytes",
                        c->source.name, SL_CHAMPSIM_RECORD);
    unsigned needs = SL_NEED_ADDRESSES | SL_NEED_STORES | (c->values ? SL_NEED_VALUES : 0);
    return error < 0 ? error : sl_describer_program(&c->describer, source, source->name, needs, f);
}

const struct sl_source_ops sl_champsim_ops = {
    .size = sizeof(struct champsim),
    .open = champsim_open,
    .next = champsim_next,
    .close = champsim_close,
};
