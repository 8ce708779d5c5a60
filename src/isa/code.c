/* Decodes each static instruction once and each block's end once. */
#include "code.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"

int sl_code_init(struct sl_code *code, const struct sl_statics *statics, struct sl_failure *f)
{
    (void)f;
    *code = (struct sl_code){.statics = statics};
    return 0;
}

static void set_end(const struct sl_code *code, const struct sl_block *block,
                    struct sl_block_end *end)
{
    *end = (struct sl_block_end){.branch_insn = SL_NO_INDEX, .next = block->pc + block->n_bytes};
    if (block->n_insns == 0)
        return;
    const uint32_t *number = &code->statics->block_insn[block->insns_at];
    uint32_t last = number[block->n_insns - 1], branch = last;
    end->flags = code->insn[last].flags;
    end->next = code->statics->insn[last].pc + code->statics->insn[last].size;
    if (block->n_insns > 1 && code->insn[number[block->n_insns - 2]].flags & SL_INSN_DELAY_SLOT)
        branch = number[block->n_insns - 2];
    if (code->insn[branch].branch == SL_BRANCH_NONE)
        return;
    end->branch_insn = branch;
    end->branch = code->insn[branch].branch;
    end->branch_pc = code->statics->insn[branch].pc;
    end->target = code->insn[branch].target;
    end->slot_missing = branch == last && code->insn[branch].flags & SL_INSN_DELAY_SLOT;
}

int sl_code_sync(struct sl_code *code, struct sl_failure *f)
{
    const struct sl_statics *statics = code->statics;
    if (code->n_insns == statics->n_insns && code->n_blocks == statics->n_blocks)
        return 0;
    /* Not before there is code: the architecture is known from then on. */
    if (!code->decoder && !(code->decoder = sl_decoder_open(statics->program.arch)))
        return sl_fail(f, SL_ENOMEM, "no decoder for %s: out of memory, or Capstone lacks it",
                       sl_arch_name(statics->program.arch));
    if (!SL_GROW(code->insn, code->room_insns, statics->n_insns) ||
        !SL_GROW(code->end, code->room_blocks, statics->n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory for %zu instructions", statics->n_insns);
    for (; code->n_insns < statics->n_insns; code->n_insns++) {
        const struct sl_insn *insn = &statics->insn[code->n_insns];
        sl_decode(code->decoder, insn->pc, &statics->bytes[insn->bytes_at], insn->size,
                  &code->insn[code->n_insns]);
    }
    for (; code->n_blocks < statics->n_blocks; code->n_blocks++)
        set_end(code, &statics->block[code->n_blocks], &code->end[code->n_blocks]);
    return 0;
}

void sl_code_free(struct sl_code *code)
{
    sl_decoder_close(code->decoder);
    free(code->insn);
    free(code->end);
    *code = (struct sl_code){0};
}
