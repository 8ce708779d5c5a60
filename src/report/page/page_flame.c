/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of the flame graph, a tree in preorder.
 *
 *     {"of": "calls", "metrics": [{"name": "instructions", "total": 36877131}], "inlined": true,
 *      "names": [],
 *      "nodes": [[depth, name, inclusive cost and self cost by each metric...], ...]}
 *
 * With a context profile, the tree is the calling context tree, and a name is a row of the view of
 * functions; `inlined` says whether inlined functions have their own nodes. Otherwise each path in
 * the tree is object, function, inlined functions, source line, and a name is an index of `names`.
 * If there are more than NODES nodes, those with the smallest costs are left out. The rest of a
 * node's cost, without its own and that of its children in the list, is the cost of nodes that were
 * left out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "costs.h"
#include "grow.h"
#include "page_code.h"

#define NODES 6000
#define METRICS SL_CONTEXT_COSTS

struct node {
    char *name;        /* of code */
    uint32_t function; /* row of calls */
    uint32_t parent, depth;
    uint64_t self[METRICS], cost[METRICS]; /* inclusive, once all rows are read */
};

struct flame {
    const char *of;
    const char *metric[METRICS];
    size_t n_metrics;
    struct node *node;
    size_t n, capacity;
    uint64_t total[METRICS];
    uint32_t at; /* while rows of code are read: node of the previous row */
};

/* ---- output ---- */

static double weight(const struct flame *flame, const struct node *node)
{
    double most = 0;
    for (size_t i = 0; i < flame->n_metrics; i++) {
        double share = flame->total[i] ? (double)node->cost[i] / (double)flame->total[i] : 0;
        most = share > most ? share : most;
    }
    return most;
}

/* The smallest share of the total for which at most NODES nodes have that share or more. Sets *n to
 * their number. */
static double least_share(const struct flame *flame, size_t *n)
{
    for (double share = 1e-6;; share *= 1.5) {
        *n = 0;
        for (size_t i = 0; i < flame->n; i++)
            *n += weight(flame, &flame->node[i]) >= share;
        if (*n <= NODES || share > 1)
            return share;
    }
}

static void write_nodes(struct sl_page *page, const struct flame *flame, double share,
                        const uint32_t *number)
{
    bool begun = false;
    sl_page_put(page, "],\n\"nodes\":[");
    for (size_t i = 0; i < flame->n && !page->result; i++) {
        const struct node *node = &flame->node[i];
        if (weight(flame, node) < share)
            continue;
        fprintf(page->out, "%s[%u,%u", begun ? ",\n" : "", node->depth, number[i]);
        for (size_t m = 0; m < flame->n_metrics; m++)
            fprintf(page->out, ",%" PRIu64 ",%" PRIu64, node->cost[m], node->self[m]);
        sl_page_put(page, "]");
        begun = true;
    }
}

static void write_names(struct sl_page *page, const struct flame *flame, double share,
                        uint32_t *number)
{
    struct sl_index_map names = {0};
    for (size_t i = 0; i < flame->n && !page->result; i++) {
        const struct node *node = &flame->node[i];
        number[i] = node->function;
        if (weight(flame, node) < share || !node->name)
            continue;
        XXH128_hash_t hash = XXH3_128bits(node->name, strlen(node->name));
        size_t before = names.n_keys;
        number[i] = sl_index_add(&names, hash.low64, hash.high64);
        if (number[i] == SL_NO_INDEX)
            sl_page_fail(page, sl_report_no_memory(page->f));
        else if (names.n_keys > before)
            sl_page_value(page, before ? ",\n" : "", sl_page_string(node->name));
    }
    sl_index_free(&names);
}

static void write_flame(struct sl_page *page, const struct flame *flame)
{
    size_t drawn;
    double share = least_share(flame, &drawn);
    uint32_t *number = calloc(flame->n + 1, sizeof *number);
    fprintf(page->out, "{\"of\":\"%s\",\"inlined\":%s,\"metrics\":[", flame->of,
            page->code->tree.has_frames ? "true" : "false");
    for (size_t i = 0; i < flame->n_metrics; i++)
        sl_page_value(
            page, i ? "," : "",
            json_pack("{s:s,s:I}", "name", flame->metric[i], "total", (json_int_t)flame->total[i]));
    sl_page_put(page, "],\n\"names\":[");
    if (number) {
        write_names(page, flame, share, number);
        write_nodes(page, flame, share, number);
    } else {
        sl_page_fail(page, sl_report_no_memory(page->f));
    }
    sl_page_put(page, "]}");
    if (drawn < flame->n)
        sl_page_left_out(page,
                         "Flame graph: %s of %s frames. Frames with less than %.2g%% of the total "
                         "are the rest of "
                         "the frame that contains them.",
                         SL_NUMBER(drawn), SL_NUMBER(flame->n), 100 * share);
    free(number);
}

/* ---- from calls ---- */

/* A context whose function is not on the page is left out, with all contexts below it. */
static void from_contexts(struct sl_page *page, struct flame *flame)
{
    const struct sl_page_code *code = page->code;
    const struct sl_context_tree *tree = &code->tree;
    flame->of = "calls";
    flame->n_metrics = code->n_profiles;
    for (size_t m = 0; m < flame->n_metrics; m++) {
        const struct sl_metric *metric = code->profile[m]->metric;
        flame->metric[m] = metric->weigh ? metric->name : "calls";
        flame->total[m] = tree->sum[m][tree->n];
    }
    flame->node = calloc(tree->n + 1, sizeof *flame->node);
    for (uint32_t i = 0; flame->node && i < tree->n; i++) {
        struct node *node = &flame->node[flame->n++];
        const struct sl_context *c = &tree->context[i];
        int64_t function = sl_page_function(code, c->function);
        node->parent = c->parent;
        node->depth = c->parent == SL_NO_INDEX ? 0 : flame->node[c->parent].depth + 1;
        node->function = (uint32_t)function; /* SL_NO_INDEX: none */
        if (c->parent != SL_NO_INDEX && flame->node[c->parent].function == SL_NO_INDEX)
            node->function = SL_NO_INDEX;
        for (size_t m = 0; m < flame->n_metrics && node->function != SL_NO_INDEX; m++) {
            node->cost[m] = sl_context_cost(tree, m, i);
            node->self[m] = tree->cost[m][i];
        }
    }
    if (flame->node)
        write_flame(page, flame);
    else
        sl_page_fail(page, sl_report_no_memory(page->f));
}

/* ---- from code ---- */

struct stacking {
    struct flame *flame;
    uint32_t below, last; /* parent of the next node; the last node made */
};

/* Descends to the child with this name. Reuses the child of the previous row if the names are
 * equal, otherwise adds a child. */
static int stack(void *context, const char *name, const char *file, int line)
{
    struct stacking *s = context;
    struct flame *flame = s->flame;
    (void)file;
    (void)line;
    name = name ? name : "(no file)";
    uint32_t depth = s->below == SL_NO_INDEX ? 0 : flame->node[s->below].depth + 1;
    uint32_t there = s->last;
    while (there != SL_NO_INDEX && flame->node[there].depth > depth)
        there = flame->node[there].parent;
    bool same = there != SL_NO_INDEX && flame->node[there].depth == depth &&
                flame->node[there].parent == s->below && !strcmp(flame->node[there].name, name);
    if (!same) {
        char *own = strdup(name);
        if (!own || !SL_GROW(flame->node, flame->capacity, flame->n + 1)) {
            free(own);
            return SL_ENOMEM;
        }
        there = (uint32_t)flame->n;
        flame->node[flame->n++] = (struct node){.name = own, .parent = s->below, .depth = depth};
        s->last = there;
    }
    s->below = there;
    return 0;
}

static int add_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct flame *flame = context;
    struct stacking s = {flame, SL_NO_INDEX, flame->at};
    int result = sl_cost_frames(at, stack, &s);
    if (result)
        return result;
    flame->at = s.below;
    for (size_t m = 0; m < flame->n_metrics; m++) {
        flame->node[s.below].cost[m] += cost[m];
        flame->node[s.below].self[m] += cost[m];
        flame->total[m] += cost[m];
    }
    return 0;
}

static void from_code(struct sl_page *page, struct flame *flame)
{
    struct sl_costs costs;
    int result = sl_costs_open(&costs, page->database, 0, page->f);
    if (result) {
        sl_page_nothing(page, result);
        return;
    }
    flame->of = "code";
    flame->at = SL_NO_INDEX;
    for (; flame->n_metrics < costs.n_columns && flame->n_metrics < METRICS; flame->n_metrics++)
        flame->metric[flame->n_metrics] = costs.column[flame->n_metrics].name;
    result = sl_costs_lines(&costs, add_row, flame, page->f);
    for (size_t i = flame->n; i-- > 0;)
        for (size_t m = 0; m < flame->n_metrics && flame->node[i].parent != SL_NO_INDEX; m++)
            flame->node[flame->node[i].parent].cost[m] += flame->node[i].cost[m];
    if (result)
        sl_page_fail(page, result == SL_ENOMEM ? sl_report_no_memory(page->f) : result);
    else
        write_flame(page, flame);
    for (size_t i = 0; i < flame->n; i++)
        free(flame->node[i].name);
    sl_costs_close(&costs);
}

void sl_page_flame(struct sl_page *page)
{
    struct flame flame = {0};
    if (page->code->has_contexts)
        from_contexts(page, &flame);
    else
        from_code(page, &flame);
    free(flame.node);
}
