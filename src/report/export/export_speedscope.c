/* SPDX-License-Identifier: MIT */
/* Report format `speedscope`: sampled profiles for https://www.speedscope.app. With a context
 * profile, the stacks are call stacks. Otherwise the stack of a source line consists of object,
 * function, inlined functions and line, as in export_folded.c, and each metric is a sampled
 * profile.
 *
 *     {"$schema": ..., "shared": {"frames": [{"name": "primes"}, {"name": "is_prime"}, ...]},
 *      "profiles": [{"type": "sampled", "name": "instructions", "unit": "none",
 *                    "startValue": 0, "endValue": 300098,
 *                    "samples": [[0,1,2], ...], "weights": [299998, ...]}, ...]}
 *
 * Rows are read once for the frames, and again for the samples and the weights of each profile, so
 * that they need not be stored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "context_tree.h"
#include "costs.h"
#include "exporter.h"
#include "grow.h"
#include "json_value.h"
#include "format.h"

struct writing {
    const struct sl_costs *costs;
    FILE *out;
    struct sl_failure *f;
    size_t column; /* of the profile being written */
    bool begun;    /* the current list has an element */
    uint64_t total;
    struct sl_index_map frames; /* by the hash of name, file and line */
    uint32_t *stack;            /* frames of a row, the outermost first */
    size_t depth, capacity;
};

/* Pushes a frame, and writes it if it is new. `file` may be NULL, `line` 0. */
static int stack_frame(void *context, const char *name, const char *file, int line)
{
    struct writing *w = context;
    size_t before = w->frames.n_keys;
    name = name ? name : "(no file)";
    XXH128_hash_t own = XXH3_128bits(name, strlen(name));
    XXH64_hash_t from = XXH3_64bits_withSeed(file ? file : "", file ? strlen(file) : 0,
                                             (XXH64_hash_t)line + !!file);
    uint32_t number = sl_index_add(&w->frames, own.low64 ^ from, own.high64);
    if (number == SL_NO_INDEX || !SL_GROW(w->stack, w->capacity, w->depth + 1))
        return sl_report_no_memory(w->f);
    w->stack[w->depth++] = number;
    if (w->frames.n_keys == before)
        return 0;
    json_t *frame = sl_json_object("name", sl_json_text(name), NULL);
    if (file)
        sl_json_set(&frame, "file", sl_json_text(file));
    if (line)
        sl_json_set(&frame, "line", json_integer(line));
    fputs(w->begun ? ",\n  " : "\n  ", w->out);
    w->begun = true;
    return sl_json_dump(frame, w->out, w->f);
}

/* Pushes the frames of a row; they are new only in the first pass. */
static int stack_row(struct writing *w, const struct sl_cost_location *at)
{
    w->depth = 0;
    return sl_cost_frames(at, stack_frame, w);
}

static int write_frames(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    (void)cost;
    return stack_row(context, at);
}

/* Samples and weights are written in separate passes. */
static void put_sample(struct writing *w, uint64_t cost)
{
    fputs(w->begun ? ",[" : "[", w->out);
    w->begun = true;
    for (size_t i = 0; i < w->depth; i++)
        fprintf(w->out, "%s%" PRIu32, i ? "," : "", w->stack[i]);
    putc(']', w->out);
    w->total += cost;
}

static void put_weight(struct writing *w, uint64_t cost)
{
    fprintf(w->out, "%s%" PRIu64, w->begun ? "," : "", cost);
    w->begun = true;
}

/* Starts a profile; the first one ends the list of frames. */
static void begin_profile(struct writing *w, const char *name)
{
    fprintf(w->out,
            "%s\n  {\"type\": \"sampled\", \"name\": \"%s\", \"unit\": \"none\",\n"
            "   \"samples\": [",
            w->column ? "," : "]},\n \"profiles\": [", name);
    w->total = 0;
}

static void end_profile(const struct writing *w)
{
    fprintf(w->out, "],\n   \"startValue\": 0, \"endValue\": %" PRIu64 "}", w->total);
}

static int write_sample(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct writing *w = context;
    int result = stack_row(w, at);
    if (!result && cost[w->column])
        put_sample(w, cost[w->column]);
    return result;
}

static int write_weight(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct writing *w = context;
    (void)at;
    if (cost[w->column])
        put_weight(w, cost[w->column]);
    return 0;
}

static int write_profile(struct writing *w)
{
    w->begun = false;
    begin_profile(w, w->costs->column[w->column].name);
    int result = sl_costs_lines(w->costs, write_sample, w, w->f);
    w->begun = false;
    fputs("],\n   \"weights\": [", w->out);
    if (!result)
        result = sl_costs_lines(w->costs, write_weight, w, w->f);
    end_profile(w);
    return result;
}

/* ---- stacks of calls ---- */

/* Pushes the functions of a context and its callers. */
static int stack_context(struct writing *w, const struct sl_context_tree *tree, uint32_t context)
{
    uint32_t parent = tree->context[context].parent;
    if (parent == SL_NO_INDEX)
        w->depth = 0;
    int result = parent == SL_NO_INDEX ? 0 : stack_context(w, tree, parent);
    return result ? result
                  : stack_frame(w, tree->function[tree->context[context].function].name, NULL, 0);
}

static int each_context(struct writing *w, const struct sl_context_tree *tree,
                        void (*write)(struct writing *w, uint64_t cost))
{
    int result = 0;
    w->begun = false;
    for (uint32_t i = 0; i < tree->n && !result; i++)
        if (tree->cost[0][i]) {
            result = stack_context(w, tree, i);
            if (!result && write)
                write(w, tree->cost[0][i]);
        }
    return result;
}

static int write_contexts(struct sl_database *database, const struct sl_db_profile *profile,
                          struct writing *w)
{
    struct sl_context_tree tree;
    int result = sl_context_tree_load(&tree, database, &profile, 1, w->f);
    if (result)
        return result;
    result = sl_context_tree_merge(&tree, w->f);
    if (!result)
        result = each_context(w, &tree, NULL);
    begin_profile(w, profile->metric->name);
    if (!result)
        result = each_context(w, &tree, put_sample);
    fputs("],\n   \"weights\": [", w->out);
    if (!result)
        result = each_context(w, &tree, put_weight);
    end_profile(w);
    sl_context_tree_free(&tree);
    return result;
}

static int write_places(const struct sl_costs *costs, struct writing *w)
{
    w->costs = costs;
    int result = sl_costs_lines(costs, write_frames, w, w->f);
    for (; !result && w->column < costs->n_columns; w->column++)
        result = write_profile(w);
    return result;
}

static int write_speedscope(struct sl_database *database, const struct sl_report_config *config,
                            FILE *out, struct sl_failure *f)
{
    const struct sl_db_profile *contexts = sl_context_profile_of_cost(&database->profiles);
    struct writing w = {.out = out, .f = f};
    struct sl_costs costs;
    int result = contexts ? 0 : sl_costs_open(&costs, database, config->n, f);
    if (result)
        return result;
    fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
          " \"exporter\": \"sluice " SL_VERSION "\",\n \"shared\": {\"frames\": [",
          out);
    result = contexts ? write_contexts(database, contexts, &w) : write_places(&costs, &w);
    fputs("]}\n", out);
    if (!contexts)
        sl_costs_close(&costs);
    sl_index_free(&w.frames);
    free(w.stack);
    return result;
}

const struct sl_exporter sl_speedscope_exporter = {
    .name = "speedscope",
    .summary =
        "profile for speedscope.app: call stacks with a context profile, otherwise source lines",
    .shown = SL_SHOWN_AS_JSON,
    .default_specs = {SL_SPECS("context(nested=1,inlined=1)"),
                      SL_SPECS("context(nested=1,inlined=1):cycles")},
    .needs = "context function block",
    .write = write_speedscope,
};
