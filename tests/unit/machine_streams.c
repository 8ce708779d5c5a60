/* SPDX-License-Identifier: MIT */
/* Unit tests of complete CPU models on synthetic streams of random code, with chunks of many sizes.
 * Costs add up to the totals after every chunk. Two runs on the same stream give the same costs,
 * and cutting its chunks into smaller pieces does not change the totals.
 *
 * After every chunk, the counts per block add up to the totals. The totals depend neither on the
 * run nor on where the stream is cut into chunks. */
#include <math.h>

#include "../support/checkout_data.h"
#include "../support/synthetic_stream.h"
#include "machine_support.h"
#include "tap.h"

/* The blocks of a chunk from `low` to `high`, with what belongs to them. */
static struct sl_chunk piece(const struct sl_chunk *c, uint32_t low, uint32_t high,
                             uint32_t *block_mem)
{
    uint32_t first = low ? c->block_mem[low] : 0;
    uint32_t end = high < c->n_blocks ? c->block_mem[high] : c->n_mems;
    struct sl_chunk p = *c;
    for (uint32_t i = low; i < high; i++)
        block_mem[i - low] = c->block_mem[i] - first;
    p.flags = low ? 0 : c->flags;
    p.n_blocks = high - low;
    p.n_mems = end - first;
    p.block += low;
    p.block_mem = block_mem;
    p.mem_insn += first;
    p.mem_addr += first;
    return p;
}

struct sums {
    uint64_t row[SL_MACHINE_EVENTS];
    bool wrong; /* something did not add up after a chunk */
};

static void add_rows(struct sums *s, const struct sl_machine *m, uint32_t n)
{
    const uint64_t *total = sl_machine_totals(m);
    uint64_t lost = 0, classes = 0;
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        for (uint32_t b = 0; b < n; b++)
            s->row[i] += sl_machine_block_counts(m, i)[b];
    for (unsigned i = SL_MACHINE_STALL_FIRST; i <= SL_MACHINE_STALL_LAST; i++)
        lost += total[i];
    for (unsigned i = SL_MACHINE_LOAD; i <= SL_MACHINE_OTHER_CLASS; i++)
        classes += total[i];
    s->wrong |= lost + total[SL_MACHINE_BASE] != total[SL_MACHINE_CYCLES] ||
                classes != total[SL_MACHINE_INSTRUCTIONS] ||
                (n && memcmp(s->row, total, sizeof s->row));
}

/* A synthetic stream whose code is what random words are to the decoder. */
static struct made *made_for(enum sl_arch arch, struct sl_statics *statics)
{
    struct made *m = made_new(arch, SL_NEED_ADDRESSES | SL_NEED_STORES);
    made_program(m);
    m->records[SL_RECORD_HEAD] = (uint8_t)arch;
    made_blocks(m, 500);
    *statics = (struct sl_statics){0};
    if (sl_statics_apply(statics, m->records, m->n_records, NULL) != (int64_t)m->n_records)
        abort();
    return m;
}

static void shapes(const char *spec, enum sl_arch arch)
{
    static uint32_t block_mem[SL_CHUNK_BLOCKS];
    struct sl_statics statics;
    struct made *made = made_for(arch, &statics);
    struct sl_code code;
    struct sl_machine *m = open_machine(spec, ALL), *same = open_machine(spec, ALL);
    struct sl_machine *in_pieces = open_machine(spec, 0);
    struct sums sums = {0};
    bool repeats = true;
    sl_code_init(&code, &statics, NULL);
    sl_code_sync(&code, NULL);
    for (unsigned i = 0; i < 200; i++) {
        static const enum made_shape order[] = {MADE_WALK, MADE_WALK,  MADE_RANDOM, MADE_WALK,
                                                MADE_LEAD, MADE_EMPTY, MADE_RANDOM};
        struct sl_chunk chunk;
        made_chunk(made, order[i % 7], &chunk);
        run(m, &code, &chunk);
        run(same, &code, &chunk);
        for (unsigned what = 0; what < SL_MACHINE_EVENTS && chunk.n_blocks; what++)
            repeats &= !memcmp(sl_machine_block_counts(m, what),
                               sl_machine_block_counts(same, what),
                               chunk.n_blocks * sizeof(uint32_t));
        add_rows(&sums, m, chunk.n_blocks);
        for (uint32_t at = 0, next; at < chunk.n_blocks || !at; at = next) {
            next = at + 1 + (at * 7 + i) % 90;
            next = next < chunk.n_blocks ? next : chunk.n_blocks ? chunk.n_blocks : 1;
            struct sl_chunk p = piece(&chunk, at, next < chunk.n_blocks ? next : chunk.n_blocks,
                                      block_mem);
            run(in_pieces, &code, &p);
        }
    }
    const char *name = sl_arch_name(arch);
    ok(!sums.wrong, "%s, %s: rows, classes and causes add up after every chunk", spec, name);
    ok(repeats, "%s, %s: the same stream gives the same rows", spec, name);
    const uint64_t *total = sl_machine_totals(m), *parts = total + SL_MACHINE_GROUP_FIRST;
    ok(!memcmp(total, sl_machine_totals(in_pieces), SL_MACHINE_TOTALS * sizeof *total),
       "%s, %s: chunks cut into pieces give the same totals", spec, name);
    uint64_t cycles = 0;
    double energy = 0;
    for (unsigned i = 0; i < SL_PARTS; i++) {
        cycles += parts[i];
        energy += ldexp((double)parts[i] * (double)sl_machine_parts(m)->unit[i],
                        -(int)sl_machine_parts(m)->unit_log2);
    }
    double off = energy / (double)total[SL_MACHINE_ENERGY] - 1;
    ok(total[SL_MACHINE_CYCLES] - cycles < SL_PARTS && fabs(off) < 1e-4,
       "%s, %s: groups and stalls are all cycles, and their powers the energy (%.1e)", spec, name,
       off);
    sl_machine_close(m);
    sl_machine_close(same);
    sl_machine_close(in_pieces);
    sl_code_free(&code);
    sl_statics_free(&statics);
    made_free(made);
}

int main(void)
{
    use_checkout_data();
    shapes("tiger", SL_ARCH_MIPSEL);
    shapes("rocket", SL_ARCH_RISCV64);
    shapes("rocket,core.blocking=1", SL_ARCH_AARCH64);
    shapes("ss4", SL_ARCH_X86_64);
    return done_testing();
}
