/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of the flame graph, the calling context tree in preorder:
 *
 *     {"metrics": [{"name": "instructions", "total": 36877131}, ...], "inlined": true,
 *      "nodes": [[depth, row, inclusive cost and self cost by each metric...], ...]}
 *
 * A row is one of the view of functions; `inlined` says whether inlined functions have their own
 * nodes. If there are more than NODES nodes, those with the smallest costs are left out. The rest
 * of a node's cost, without its own and that of its children in the list, is the cost of nodes that
 * were left out. */
#include <inttypes.h>
#include <stdlib.h>

#include "page_code.h"

#define NODES 6000

struct frame {
    uint32_t depth;
    int64_t row;  /* -1: left out, because its function or a caller is not on the page */
    double share; /* the largest part of a metric's total */
};

static struct frame *make_frames(const struct sl_page_code *code)
{
    const struct sl_context_tree *tree = &code->tree;
    struct frame *frames = calloc(tree->n + 1, sizeof *frames);
    for (uint32_t i = 0; frames && i < tree->n; i++) {
        const struct sl_context *c = &tree->context[i];
        const struct frame *caller = c->parent == SL_NO_INDEX ? NULL : &frames[c->parent];
        frames[i].depth = caller ? caller->depth + 1 : 0;
        frames[i].row = caller && caller->row < 0 ? -1 : sl_page_function(code, c->function);
        for (size_t m = 0; m < tree->n_costs && frames[i].row >= 0; m++) {
            double share = sl_ratio(sl_context_cost(tree, m, i), tree->sum[m][tree->n]);
            frames[i].share = share > frames[i].share ? share : frames[i].share;
        }
    }
    return frames;
}

/* The smallest share of the total for which at most NODES frames have that share or more. Sets *n
 * to their number. */
static double least_share(const struct frame *frames, size_t n_frames, size_t *n)
{
    for (double share = 1e-6;; share *= 1.5) {
        *n = 0;
        for (size_t i = 0; i < n_frames; i++)
            *n += frames[i].share >= share;
        if (*n <= NODES || share > 1)
            return share;
    }
}

static void write_nodes(struct sl_page *page, const struct frame *frames, double least)
{
    const struct sl_context_tree *tree = &page->code->tree;
    bool begun = false;
    for (uint32_t i = 0; i < tree->n && !page->result; i++) {
        if (frames[i].share < least)
            continue;
        fprintf(page->out, "%s[%u,%lld", begun ? ",\n" : "", frames[i].depth,
                (long long)frames[i].row);
        for (size_t m = 0; m < tree->n_costs; m++)
            fprintf(page->out, ",%" PRIu64 ",%" PRIu64, sl_context_cost(tree, m, i),
                    tree->cost[m][i]);
        sl_page_put(page, "]");
        begun = true;
    }
}

void sl_page_flame(struct sl_page *page)
{
    const struct sl_page_code *code = page->code;
    const struct sl_context_tree *tree = &code->tree;
    size_t drawn;
    if (!code->has_contexts) {
        sl_page_put(page, "null");
        return;
    }
    struct frame *frames = make_frames(code);
    if (!frames) {
        sl_page_fail(page, sl_report_no_memory(page->f));
        return;
    }
    double least = least_share(frames, tree->n, &drawn);
    fprintf(page->out, "{\"inlined\":%s,\"metrics\":[", tree->has_frames ? "true" : "false");
    for (size_t m = 0; m < tree->n_costs; m++) {
        const struct sl_metric *metric = code->profile[m]->metric;
        sl_page_value(page, m ? "," : "",
                      json_pack("{s:s,s:I}", "name", metric->weigh ? metric->name : "calls",
                                "total", (json_int_t)tree->sum[m][tree->n]));
    }
    sl_page_put(page, "],\n\"nodes\":[");
    write_nodes(page, frames, least);
    sl_page_put(page, "]}");
    if (drawn < tree->n)
        sl_page_left_out(page,
                         "Flame graph: %s of %s frames. Frames with less than %.2g%% of the total "
                         "are the rest of the frame that contains them.",
                         SL_NUMBER(drawn), SL_NUMBER(tree->n), 100 * least);
    free(frames);
}
