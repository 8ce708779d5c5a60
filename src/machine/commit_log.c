/* SPDX-License-Identifier: MIT */
#include "commit_log.h"

#include <stdlib.h>

#include "grow.h"
#include "op.h"

bool sl_commit_log_begin(struct sl_commit_log *log, const struct sl_ops *ops,
                         const struct sl_chunk *chunk)
{
    uint32_t n = 0;
    if (!SL_GROW(log->first, log->room_firsts, (size_t)chunk->n_blocks + 1))
        return false;
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        log->first[i] = n;
        n += ops->block_at[chunk->block[i] + 1] - ops->block_at[chunk->block[i]];
    }
    log->first[chunk->n_blocks] = n;
    return SL_GROW(log->commit, log->room_commits, (size_t)n + 1);
}

void sl_commit_log_free(struct sl_commit_log *log)
{
    free(log->commit);
    free(log->first);
}
