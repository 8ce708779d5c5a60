/* SPDX-License-Identifier: MIT */
/* Functional warming: runs a chunk only through caches and branch predictors, so that their
 * contents are realistic when detailed simulation begins (machine_state.h). */
#include "machine_state.h"

static inline void fetch_lines(struct sl_hierarchy *h, uint64_t pc, uint64_t end)
{
    unsigned line_log2 = h->port[0].line_log2;
    uint64_t last = (end > pc ? end - 1 : pc) >> line_log2;
    for (uint64_t line = pc >> line_log2; line <= last; line++)
        sl_hierarchy_fetch(h, line << line_log2, 1);
}

static inline void access_data(struct sl_hierarchy *h, const struct sl_statics *statics,
                               const struct sl_chunk *chunk, uint32_t at)
{
    uint32_t word = chunk->mem_insn[at], insn = word & SL_MEM_INSN_MASK;
    h->pc = insn < statics->n_insns ? statics->insn[insn].pc : 0;
    sl_hierarchy_access(h, word & SL_MEM_STORE ? SL_ACCESS_STORE : SL_ACCESS_LOAD,
                        chunk->mem_addr[at], 1u << (word >> SL_MEM_SIZE_SHIFT & 7));
}

void sl_warm(struct sl_hierarchy *h, struct sl_predictor *predictor, const struct sl_code *code,
             struct sl_thread_position *position, const struct sl_chunk *chunk)
{
    const struct sl_statics *statics = code->statics;
    struct sl_retired_branch branch;
    uint32_t at = 0;
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        uint32_t block = chunk->block[i];
        for (; at < chunk->block_mem[i]; at++)
            access_data(h, statics, chunk, at);
        if (sl_arrival_step(code, position, block, &branch) == SL_ARRIVED_BY_BRANCH)
            sl_predictor_step(predictor, &branch);
        fetch_lines(h, statics->block[block].pc, code->end[block].next);
        h->now += statics->block_size[block];
    }
    for (; at < chunk->n_mems; at++)
        access_data(h, statics, chunk, at);
}
