/* SPDX-License-Identifier: MIT */
#include "path_passages.h"

#include "path_descriptor.h"
#include "path_turn.h"
#include "path_walk.h"

struct walking {
    const struct sl_saved_code *code;
    struct sl_path_walker walker;
    const struct sl_path_config *config;
    struct sl_path_walk walk;
    struct sl_passages *edges, *blocks;
};

/* Where the conditional branch at the end of the walk's i-th block went; false if the path
 * does not say. */
static bool went_to(const struct walking *w, size_t i, uint64_t value, uint64_t *to)
{
    const struct sl_block_end *end = &w->code->code.end[w->walk.block[i]];
    if (i + 1 < w->walk.n) {
        *to = w->code->statics.block[w->walk.block[i + 1]].pc;
        return true;
    }
    unsigned length = sl_path_length(value);
    bool recorded = sl_path_operations(w->config, sl_path_class_of(end)) & SL_PATH_UPDATE;
    if (!w->walk.whole || !recorded || !length)
        return false;
    *to = sl_path_taken(value, length - 1) ? end->target : end->next;
    return true;
}

static int add_path(void *context, const struct sl_saved_entry *entry)
{
    struct walking *w = context;
    bool added = true;
    sl_path_walk(&w->walker, w->config, entry->at.address, entry->value, &w->walk);
    for (size_t i = 0; i < w->walk.n && added; i++) {
        uint32_t block = w->walk.block[i];
        const struct sl_block_end *end = &w->code->code.end[block];
        uint64_t to;
        added = sl_passages_add(w->blocks, w->code->statics.block[block].pc,
                                sl_saved_code_last(w->code, block), entry->count);
        if (added && end->branch == SL_BRANCH_CONDITIONAL && went_to(w, i, entry->value, &to))
            added = sl_passages_add(w->edges, end->branch_pc, to, entry->count);
    }
    return added ? 0 : SL_ENOMEM;
}

int sl_path_passages(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t n, const struct sl_saved_code *code, struct sl_passages *edges,
                     struct sl_passages *blocks, struct sl_failure *f)
{
    struct walking w = {.code = code, .config = profile->config, .edges = edges, .blocks = blocks};
    int result = sl_path_walker_init(&w.walker, &code->code, f);
    if (!result)
        result = sl_saved_entries(database, profile, n, add_path, &w, f);
    sl_path_walker_free(&w.walker);
    return result == SL_ENOMEM ? sl_saved_fail_memory(f) : result;
}
