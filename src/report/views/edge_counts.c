/* SPDX-License-Identifier: MIT */
/* Edge counts of an object file, read from an edge profile or derived from a path profile
 * (edge_counts.h). Counts of other transfers are derived from the counts of blocks: a jump or a
 * call is executed as often as its block, and execution continues after a call as often as the call
 * is executed. If there is a call profile, calls are read from it, because it also contains
 * indirect calls. Return instructions are left out, because optimizers do not use their targets. */
#include "edge_counts.h"

#include <stdlib.h>

#include "failure.h"
#include "path_descriptor.h"
#include "path_turn.h"
#include "path_walk.h"

/* ---- profiles of paths ---- */

struct walking {
    const struct sl_db_code *code;
    struct sl_path_walker walker;
    const struct sl_path_config *config;
    struct sl_path_walk walk;
    struct sl_transfer_counts *edges, *blocks;
};

/* Finds the target that the conditional branch at the end of the walk's i-th block took. Returns
 * false if the path does not contain it. */
static bool find_target(const struct walking *w, size_t i, uint64_t value, uint64_t *to)
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

static int add_path(void *context, const struct sl_db_entry *entry)
{
    struct walking *w = context;
    bool added = true;
    sl_path_walk(&w->walker, w->config, entry->at.address, entry->value, &w->walk);
    for (size_t i = 0; i < w->walk.n && added; i++) {
        uint32_t block = w->walk.block[i];
        const struct sl_block_end *end = &w->code->code.end[block];
        uint64_t to;
        added = sl_transfer_counts_add(w->blocks, w->code->statics.block[block].pc,
                                       sl_db_code_last(w->code, block), entry->count);
        if (added && end->branch == SL_BRANCH_CONDITIONAL && find_target(w, i, entry->value, &to))
            added = sl_transfer_counts_add(w->edges, end->branch_pc, to, entry->count);
    }
    return added ? 0 : SL_ENOMEM;
}

/* Adds the edges and blocks of the first n paths (0: all): each path contains the blocks along it,
 * and the outcomes of their conditional branches, as often as the path was executed. Paths are
 * walked as far as the code is known (path_walk.h). The target of an indirect jump is not part of a
 * path, which ends there; the blocks at the target are in the next path. */
static int load_paths(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                      const struct sl_db_code *code, struct sl_transfer_counts *edges,
                      struct sl_transfer_counts *blocks, struct sl_failure *f)
{
    struct walking w = {.code = code, .config = profile->config, .edges = edges, .blocks = blocks};
    int result = sl_path_walker_init(&w.walker, &code->code, f);
    if (!result)
        result = sl_db_entries(database, profile, n, add_path, &w, f);
    sl_path_walker_free(&w.walker);
    return result == SL_ENOMEM ? sl_db_fail_memory(f) : result;
}

/* ---- all profiles ---- */

struct profiles {
    struct sl_transfer_counts edges, calls, blocks;
    bool has_calls, has_blocks;
};

static int load(struct profiles *loaded, struct sl_database *database,
                const struct sl_db_code *code, uint64_t n, struct sl_failure *f)
{
    const struct sl_db_profiles *all = &database->profiles;
    int result = 0;
    const struct sl_db_profile *edges = sl_transfer_counts_profile(all, SL_FIELD_TARGET, false);
    const struct sl_db_profile *paths = sl_transfer_counts_profile(all, SL_FIELD_OUTCOMES, false);
    const struct sl_db_profile *blocks = sl_transfer_counts_profile(all, SL_FIELD_END, false);
    if (edges)
        result = sl_transfer_counts_load(&loaded->edges, database, edges, n, f);
    else if (paths)
        result = load_paths(database, paths, n, code, &loaded->edges, &loaded->blocks, f);
    else
        result = sl_fail(f, SL_EUSAGE,
                         "this format needs an edge or path profile, and the database has none: "
                         "run again with the profile edge or path, and preferably also with block");
    if (!result)
        result = sl_transfer_counts_load_first(&loaded->calls, database, SL_FIELD_CALLEE, false, n,
                                               f);
    if (!result && blocks) {
        sl_transfer_counts_free(&loaded->blocks); /* counts are better than derived counts */
        result = sl_transfer_counts_load(&loaded->blocks, database, blocks, n, f);
    }
    loaded->has_calls = sl_transfer_counts_profile(all, SL_FIELD_CALLEE, false);
    loaded->has_blocks = blocks || !edges;
    sl_transfer_counts_sort(&loaded->edges);
    sl_transfer_counts_sort(&loaded->blocks);
    return result;
}

/* ---- lists of the file ---- */

static bool add(struct sl_edge_counts *counts, struct sl_transfer_counts *list, uint64_t from,
                uint64_t to, uint64_t count)
{
    bool leaves = sl_code_object_at(&counts->object, from);
    bool arrives = sl_code_object_at(&counts->object, to);
    if (!count || !arrives || (!leaves && list != &counts->taken))
        return true;
    return leaves ? sl_transfer_counts_add(list, from, to, count)
                  : sl_transfer_counts_add(&counts->entered, 0, to, count);
}

static bool add_transfers(struct sl_edge_counts *counts, const struct sl_db_code *code,
                          const struct sl_transfer_counts *list)
{
    bool added = true;
    for (size_t i = 0; i < list->n && added; i++) {
        const struct sl_transfer_count *p = &list->transfer[i];
        bool passes = sl_db_code_falls_through(code, p->from, p->to);
        added = add(counts, passes ? &counts->passed : &counts->taken, p->from, p->to, p->count);
    }
    return added;
}

static bool add_block(struct sl_edge_counts *counts, const struct sl_db_code *code,
                      const struct profiles *from, size_t block, uint64_t count)
{
    const struct sl_block_end *end = &code->code.end[block];
    uint64_t last = sl_db_code_last(code, block);
    if (!add(counts, &counts->runs, code->statics.block[block].pc, last, count))
        return false;
    switch ((enum sl_branch)end->branch) {
    case SL_BRANCH_NONE:
        return add(counts, &counts->passed, last, end->next, count);
    case SL_BRANCH_JUMP:
        return add(counts, &counts->taken, end->branch_pc, end->target, count);
    case SL_BRANCH_CALL:
        if (!from->has_calls && !add(counts, &counts->taken, end->branch_pc, end->target, count))
            return false;
        /* fall through */
    case SL_BRANCH_INDIRECT_CALL:
        return add(counts, &counts->passed, end->branch_pc, end->next, count);
    case SL_BRANCH_CONDITIONAL: /* a branch without counts falls through, as in block_counts.c */
        return sl_transfer_counts_leave(&from->edges, end->branch_pc) ||
               add(counts, &counts->passed, end->branch_pc, end->next, count);
    case SL_BRANCH_INDIRECT:
    case SL_BRANCH_RETURN:
    case SL_BRANCH_COUNT:
        break;
    }
    return true;
}

static int collect(struct sl_edge_counts *counts, const struct sl_db_code *code,
                   const struct profiles *from, struct sl_failure *f)
{
    size_t n = code->statics.n_blocks;
    uint64_t *count = calloc(n + 1, sizeof *count);
    const struct sl_transfer_counts *calls = from->has_calls ? &from->calls : NULL;
    const struct sl_transfer_counts *blocks = from->has_blocks ? &from->blocks : NULL;
    int result = count ? sl_block_counts(code, &from->edges, calls, blocks, count, f)
                       : sl_db_fail_memory(f);
    bool added = !result && add_transfers(counts, code, &from->edges) &&
                 add_transfers(counts, code, &from->calls);
    for (size_t b = 0; b < n && added; b++)
        added = add_block(counts, code, from, b, count[b]);
    if (!result && !added)
        result = sl_db_fail_memory(f);
    free(count);
    sl_transfer_counts_sort(&counts->runs);
    sl_transfer_counts_sort(&counts->taken);
    sl_transfer_counts_sort(&counts->passed);
    sl_transfer_counts_sort(&counts->entered);
    return result;
}

int sl_edge_counts(struct sl_edge_counts *counts, struct sl_database *database,
                   const struct sl_report_config *config, struct sl_failure *f)
{
    struct profiles from = {0};
    struct sl_db_code code = {0};
    *counts = (struct sl_edge_counts){0};
    int result = sl_db_code(database, &code, f);
    if (!result)
        result = load(&from, database, &code, config->n, f);
    if (!result)
        result = sl_code_object_find(&counts->object, database, config->object, f);
    if (!result)
        result = collect(counts, &code, &from, f);
    sl_db_code_free(&code);
    sl_transfer_counts_free(&from.edges);
    sl_transfer_counts_free(&from.calls);
    sl_transfer_counts_free(&from.blocks);
    if (result)
        sl_edge_counts_free(counts);
    return result;
}

void sl_edge_counts_free(struct sl_edge_counts *counts)
{
    sl_code_object_free(&counts->object);
    sl_transfer_counts_free(&counts->runs);
    sl_transfer_counts_free(&counts->taken);
    sl_transfer_counts_free(&counts->passed);
    sl_transfer_counts_free(&counts->entered);
}

uint64_t sl_edge_counts_file_address(const struct sl_edge_counts *counts, uint64_t address)
{
    return address - sl_code_object_at(&counts->object, address)->bias;
}

uint64_t sl_edge_counts_file_offset(const struct sl_edge_counts *counts, uint64_t address)
{
    const struct sl_code_mapping *mapping = sl_code_object_at(&counts->object, address);
    return address - mapping->start + mapping->offset;
}
