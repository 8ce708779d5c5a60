/* SPDX-License-Identifier: MIT */
/* Unit tests of the describer (describer.h), which builds the description of a program's code for
 * streams without machine code, for example imported traces. Instructions and blocks get
 * consecutive ids in the order of their first appearance, and the description contains every
 * block. */
#include "champsim.h"
#include "describer.h"

#include <string.h>

#include "isa.h"
#include "random.h"
#include "tap.h"

enum { SEQUENCES = 400 };

/* A sequence of instructions, all of which follow from a few numbers. */
struct sequence {
    uint32_t n;
    uint8_t which[8];
};

static struct sl_description description_of(uint8_t which)
{
    return (struct sl_description){.kind = which % 3,
                                   .flags = which % 2 ? SL_INSN_LOADS : 0,
                                   .width = which % 2 ? 8 : 0,
                                   .target = which % 5 ? 0 : UINT64_C(1) << (which % 64),
                                   .reads = {which, 0, which % 7},
                                   .writes = {which % 4}};
}

static uint64_t pc_of(uint8_t which)
{
    return 0x400000 + 4 * (which / 3u); /* three instructions share an address */
}

static bool same(const struct sequence *a, const struct sequence *b)
{
    return a->n == b->n && !memcmp(a->which, b->which, a->n);
}

/* By the numbers of a description (isa.h): 0 none, 1 to 64 general, 65 to 128 vector registers. */
static void champsim_registers(void)
{
    bool used[129] = {false}, general = true, vector = true;
    for (unsigned id = 1; id < 64; id++) {
        uint8_t reg = sl_champsim_register((uint8_t)id);
        general &= id == SL_CHAMPSIM_IP ? !reg : reg >= 1 && reg <= 64 && !used[reg];
        used[reg] = true;
    }
    for (unsigned id = 64; id < 256; id++)
        vector &= sl_champsim_register((uint8_t)id) == 65 + id % 64;
    ok(general && !sl_champsim_register(0), "ChampSim's registers 1 to 63 are different ones");
    ok(vector, "registers from 64 on share the vector registers");
    ok(sl_champsim_register(SL_CHAMPSIM_FLAGS) == 1 + SL_REG_FLAGS, "the flags are the flags");
}

int main(void)
{
    static struct sequence seen[SEQUENCES];
    static struct sl_describer d;
    struct sl_source source = {.ops = NULL};
    struct sl_failure f = {.text = ""};
    uint64_t random = 9;
    uint32_t n_seen = 0, insn_of[256], n_insns = 0;
    bool blocks = true, insns = true;
    memset(insn_of, 0xff, sizeof insn_of);
    ok(!sl_describer_program(&d, &source, "made.trace", SL_NEED_ADDRESSES, &f) &&
           source.statics.program.arch == SL_ARCH_DESCRIBED &&
           source.statics.program.needs == SL_NEED_ADDRESSES &&
           !strcmp(source.statics.program.path, "made.trace"),
       "the program is described: %s", f.text);
    for (unsigned round = 0; round < 3000 && n_seen < SEQUENCES; round++) {
        struct sequence s = {.n = 1 + (uint32_t)sl_random_below(&random, 8)};
        uint32_t start = (uint32_t)sl_random_below(&random, round % 2 ? 70 : 2);
        for (uint32_t i = 0; i < s.n; i++) {
            s.which[i] = (uint8_t)(3 * (start + i) + sl_random_below(&random, 3));
            struct sl_description is = description_of(s.which[i]);
            uint32_t number = sl_describer_insn(&d, pc_of(s.which[i]), 4, &is);
            if (insn_of[s.which[i]] == UINT32_MAX)
                insn_of[s.which[i]] = n_insns++;
            insns &= number == insn_of[s.which[i]];
        }
        uint32_t expected = 0;
        while (expected < n_seen && !same(&seen[expected], &s))
            expected++;
        if (expected == n_seen)
            seen[n_seen++] = s;
        blocks &= sl_describer_block(&d) == expected;
        if (round % 10 == 0)
            blocks &= !sl_records_apply(&d.records, &source, &f);
    }
    ok(insns, "an instruction has one id, in the order of first appearance");
    ok(blocks, "a sequence of instructions is one block, in the order of first appearance");
    blocks = !sl_records_apply(&d.records, &source, &f) && source.statics.n_blocks == n_seen &&
             source.statics.n_insns == n_insns;
    for (uint32_t b = 0; b < n_seen && blocks; b++) {
        const struct sl_block *block = &source.statics.block[b];
        blocks = block->n_insns == seen[b].n && block->pc == pc_of(seen[b].which[0]);
        for (uint32_t i = 0; i < seen[b].n && blocks; i++)
            blocks = source.statics.block_insn[block->insns_at + i] == insn_of[seen[b].which[i]];
    }
    ok(blocks, "the static table has these blocks: %s", f.text);
    ok(!sl_describer_end(&d, &source, &f) && source.statics.program.ended &&
           source.statics.program.threads == 1,
       "the END record is applied");
    sl_describer_free(&d);
    sl_statics_free(&source.statics);
    champsim_registers();
    return done_testing();
}
