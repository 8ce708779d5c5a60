/* SPDX-License-Identifier: MIT */
/* Decodes the instructions of a program (code.h). The end of a block is decoded when the block is
 * added, and all other instructions at their first use. On MIPS, the last instruction of a block
 * can be the delay slot of the branch that ends the block. */
#include "code.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

/* Infos are stored in the order of their first use. Address space is reserved for one per
 * instruction, but memory is only touched for those that were decoded. */
struct sl_code_insns {
    struct sl_decoder *decoder;
    struct sl_insn_info *info;
    size_t n, capacity;
    uint32_t *at; /* by instruction: 1 + the index of its info; 0: not decoded */
    size_t at_capacity;
};

int sl_code_init(struct sl_code *code, const struct sl_statics *statics, struct sl_failure *f)
{
    *code = (struct sl_code){.statics = statics, .insns = calloc(1, sizeof *code->insns)};
    return code->insns ? 0 : sl_out_of_memory(f);
}

const struct sl_insn_info *sl_code_insn(const struct sl_code *code, uint32_t number)
{
    struct sl_code_insns *insns = code->insns;
    if (!insns->at[number]) {
        const struct sl_insn *insn = &code->statics->insn[number];
        sl_decode(insns->decoder, insn->pc, &code->statics->bytes[insn->bytes_at],
                  sl_insn_stored(code->statics, insn), &insns->info[insns->n]);
        insns->info[insns->n].size = insn->size;
        insns->at[number] = (uint32_t)++insns->n;
    }
    return &insns->info[insns->at[number] - 1];
}

static void set_end(const struct sl_code *code, const struct sl_block *block,
                    struct sl_block_end *end)
{
    *end = (struct sl_block_end){.branch_insn = SL_NO_INDEX, .next = block->pc + block->n_bytes};
    if (block->n_insns == 0)
        return;
    const uint32_t *number = &code->statics->block_insn[block->insns_at];
    uint32_t last = number[block->n_insns - 1], branch = last;
    end->flags = sl_code_insn(code, last)->flags;
    end->next = code->statics->insn[last].pc + code->statics->insn[last].size;
    enum sl_arch arch = code->statics->program.arch;
    if (block->n_insns > 1 && (arch == SL_ARCH_MIPS || arch == SL_ARCH_MIPSEL) &&
        sl_code_insn(code, number[block->n_insns - 2])->flags & SL_INSN_DELAY_SLOT)
        branch = number[block->n_insns - 2];
    const struct sl_insn_info *info = sl_code_insn(code, branch);
    if (info->branch == SL_BRANCH_NONE)
        return;
    end->branch_insn = branch;
    end->branch = info->branch;
    end->branch_pc = code->statics->insn[branch].pc;
    end->target = info->target;
    end->slot_missing = branch == last && info->flags & SL_INSN_DELAY_SLOT;
}

/* Reserves infos for all instructions. Not with SL_GROW, which would write to all of them. */
static bool reserve(struct sl_code_insns *insns, size_t n)
{
    if (!SL_GROW(insns->at, insns->at_capacity, n))
        return false;
    if (insns->capacity >= insns->at_capacity)
        return true;
    void *info = realloc(insns->info, insns->at_capacity * sizeof *insns->info);
    if (!info)
        return false;
    insns->info = info;
    insns->capacity = insns->at_capacity;
    return true;
}

int sl_code_sync(struct sl_code *code, struct sl_failure *f)
{
    const struct sl_statics *statics = code->statics;
    struct sl_code_insns *insns = code->insns;
    if (code->n_insns == statics->n_insns && code->n_blocks == statics->n_blocks)
        return 0;
    /* The architecture is known once there is code. */
    if (!insns->decoder && !(insns->decoder = sl_decoder_open(statics->program.arch)))
        return sl_fail(
            f, SL_ENOMEM,
            "cannot decode %s instructions: out of memory, or the library Capstone does not "
            "support this architecture",
            sl_arch_name(statics->program.arch));
    if (!reserve(insns, statics->n_insns) ||
        !SL_GROW(code->end, code->blocks_capacity, statics->n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory: cannot decode %zu instructions",
                       statics->n_insns);
    code->n_insns = statics->n_insns;
    for (; code->n_blocks < statics->n_blocks; code->n_blocks++)
        set_end(code, &statics->block[code->n_blocks], &code->end[code->n_blocks]);
    return 0;
}

void sl_code_free(struct sl_code *code)
{
    if (code->insns) {
        sl_decoder_close(code->insns->decoder);
        free(code->insns->info);
        free(code->insns->at);
    }
    free(code->insns);
    free(code->end);
    *code = (struct sl_code){0};
}
