/* SPDX-License-Identifier: MIT */
/* Unit tests of the decoded code of a program (code.h): the branch at the end of each block is
 * found and classified, with and without a delay slot, and instructions are decoded while new
 * blocks are added to the static table, which describes the program's code. */
#include <string.h>

#include "code.h"
#include "sluice.h"
#include "tap.h"

/* A static table by hand: instructions of 4 bytes (MIPS, little-endian). */
static uint8_t bytes[64];
static struct sl_insn insn[16];
static struct sl_block block[8];
static uint32_t block_insn[32];
static struct sl_statics statics = {
    .block = block,
    .insn = insn,
    .block_insn = block_insn,
    .bytes = bytes,
    .program = {.arch = SL_ARCH_MIPSEL},
};

static uint32_t add_insn(uint64_t pc, uint32_t word)
{
    size_t n = statics.n_insns++;
    for (unsigned i = 0; i < 4; i++)
        bytes[statics.n_bytes + i] = (uint8_t)(word >> 8 * i);
    insn[n] = (struct sl_insn){.pc = pc, .bytes_at = (uint32_t)statics.n_bytes, .size = 4};
    statics.n_bytes += 4;
    return (uint32_t)n;
}

static void add_block(const uint32_t *number, unsigned n)
{
    block[statics.n_blocks++] = (struct sl_block){.pc = n ? insn[number[0]].pc : 0x99,
                                                  .insns_at = (uint32_t)statics.n_block_insns,
                                                  .n_insns = (uint16_t)n,
                                                  .n_bytes = (uint16_t)(4 * n)};
    for (unsigned i = 0; i < n; i++)
        block_insn[statics.n_block_insns++] = number[i];
}

int main(void)
{
    struct sl_failure f;
    struct sl_code code;
    ok(sl_code_init(&code, &statics, &f) == 0 && sl_code_sync(&code, &f) == 0 && code.n_insns == 0,
       "an empty table is in order");

    uint32_t addiu = add_insn(0x1000, 0x27bdffe0), jal = add_insn(0x1004, 0x0c000800);
    uint32_t slot = add_insn(0x1008, 0x00000000);
    add_block((uint32_t[]){addiu, jal, slot}, 3);
    ok(sl_code_sync(&code, &f) == 0 && code.n_insns == 3 && code.n_blocks == 1,
       "what came is decoded");
    const struct sl_block_end *end = &code.end[0];
    ok(end->branch == SL_BRANCH_CALL && end->branch_insn == jal && end->branch_pc == 0x1004 &&
           end->target == 0x2000 && end->next == 0x100c && !end->slot_missing && end->flags == 0,
       "with a delay slot the branch is the last but one");

    const struct sl_insn_info *info = sl_code_insn(&code, addiu);
    ok(info->class == SL_CLASS_ARITHMETIC && info->size == 4 && info == sl_code_insn(&code, addiu),
       "any instruction is decoded when it is requested, and once");
    uint32_t beq = add_insn(0x2000, 0x10850004), sw = add_insn(0x2004, 0xafbf0000);
    uint32_t syscall = add_insn(0x2008, 0x0000000c), ret = add_insn(0x200c, 0x03e00008);
    add_block((uint32_t[]){beq}, 1);
    add_block((uint32_t[]){addiu, sw}, 2);
    add_block((uint32_t[]){sw, syscall}, 2);
    add_block((uint32_t[]){beq, ret}, 2);
    add_block(NULL, 0);
    ok(sl_code_sync(&code, &f) == 0 && code.n_insns == 7 && code.n_blocks == 6 &&
           sl_code_insn(&code, addiu)->class == SL_CLASS_ARITHMETIC &&
           sl_code_insn(&code, sw)->class == SL_CLASS_STORE &&
           sl_code_insn(&code, ret)->target == 0,
       "what is new is there, and what was before");
    end = &code.end[1];
    ok(end->branch == SL_BRANCH_CONDITIONAL && end->slot_missing && end->branch_insn == beq &&
           end->target == 0x2014 && end->next == 0x2004 && end->flags == SL_INSN_DELAY_SLOT,
       "a branch at the end misses its slot");
    end = &code.end[2];
    ok(end->branch == SL_BRANCH_NONE && end->branch_insn == SL_NO_INDEX && end->next == 0x2008 &&
           end->flags == SL_INSN_STORES && end->target == 0,
       "a block may end without a branch");
    end = &code.end[3];
    ok(end->branch == SL_BRANCH_NONE && end->flags == SL_INSN_ENDS && end->next == 0x200c,
       "a system call ends a block and is no branch");
    end = &code.end[4];
    ok(end->branch_insn == beq && !end->slot_missing, "a branch in a delay slot does not count");
    end = &code.end[5];
    ok(end->branch_insn == SL_NO_INDEX && end->next == 0x99, "a block of nothing is harmless");

    struct sl_block_end before = code.end[1];
    ok(sl_code_sync(&code, &f) == 0 && memcmp(&before, &code.end[1], sizeof before) == 0,
       "nothing new, nothing done");
    sl_code_free(&code);
    ok(code.insns == NULL && code.end == NULL, "freed");
    sl_code_free(&code);
    return done_testing();
}
