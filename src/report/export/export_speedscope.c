/* SPDX-License-Identifier: MIT */
/* Report format `speedscope`: profiles of the type "sampled" for https://www.speedscope.app. With a
 * context profile, a sample is a call stack. Otherwise a sample is a source line, whose stack
 * consists of object, function, inlined functions and line (as in export_folded.c), and the file
 * has one profile for each metric.
 *
 *     {"$schema": ..., "shared": {"frames": [{"name": "primes"}, {"name": "is_prime"}, ...]},
 *      "profiles": [{"type": "sampled", "name": "instructions", "unit": "none",
 *                    "startValue": 0, "endValue": 300098,
 *                    "samples": [[0,1,2], ...], "weights": [299998, ...]}, ...]}
 *
 * Frames are written when they first occur. Samples and weights wait in memory, because they come
 * later in the file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "context_tree.h"
#include "costs.h"
#include "exporter.h"
#include "grow.h"
#include "json.h"

/* A profile of the file. */
struct column {
    const char *name;
    struct list {
        FILE *out; /* a memory stream */
        char *text;
        size_t size;
    } samples, weights;
    bool begun; /* the lists have an element */
    uint64_t total;
};

struct writing {
    FILE *out;
    struct sl_failure *f;
    struct column column[SL_COST_COLUMNS];
    size_t n_columns;
    struct sl_index_map frames; /* by the hash of name, file and line */
    uint32_t *stack;            /* frames of a row, the outermost first */
    size_t depth, capacity;
};

/* Pushes a frame, and writes it if it is new. `file` may be NULL, `line` 0. */
static int push_frame(void *context, const char *name, const char *file, int line)
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
    fputs(before ? ",\n  " : "\n  ", w->out);
    return sl_json_dump(frame, w->out, w->f);
}

/* Adds the stack to each profile in which it has a cost. */
static void add_sample(struct writing *w, const uint64_t *cost)
{
    for (size_t i = 0; i < w->n_columns; i++) {
        struct column *c = &w->column[i];
        if (!cost[i])
            continue;
        fputs(c->begun ? ",[" : "[", c->samples.out);
        for (size_t k = 0; k < w->depth; k++)
            fprintf(c->samples.out, "%s%" PRIu32, k ? "," : "", w->stack[k]);
        putc(']', c->samples.out);
        fprintf(c->weights.out, "%s%" PRIu64, c->begun ? "," : "", cost[i]);
        c->begun = true;
        c->total += cost[i];
    }
}

static int add_row(void *context, const struct sl_cost_location *at, const uint64_t *cost)
{
    struct writing *w = context;
    w->depth = 0;
    int result = sl_cost_frames(at, push_frame, w);
    if (!result)
        add_sample(w, cost);
    return result;
}

/* Pushes the functions of a context and its callers. */
static int push_context(struct writing *w, const struct sl_context_tree *tree, uint32_t context)
{
    uint32_t parent = tree->context[context].parent;
    if (parent == SL_NO_INDEX)
        w->depth = 0;
    int result = parent == SL_NO_INDEX ? 0 : push_context(w, tree, parent);
    return result ? result
                  : push_frame(w, tree->function[tree->context[context].function].name, NULL, 0);
}

static int add_contexts(struct writing *w, struct sl_database *database,
                        const struct sl_db_profile *profile)
{
    struct sl_context_tree tree;
    int result = sl_context_tree_load(&tree, database, &profile, 1, w->f);
    if (result)
        return result;
    result = sl_context_tree_merge(&tree, w->f);
    for (uint32_t i = 0; i < tree.n && !result; i++)
        if (tree.cost[0][i]) {
            result = push_context(w, &tree, i);
            if (!result)
                add_sample(w, &tree.cost[0][i]);
        }
    sl_context_tree_free(&tree);
    return result;
}

static bool open_column(struct writing *w, const char *name)
{
    struct column *c = &w->column[w->n_columns++];
    c->name = name;
    c->samples.out = open_memstream(&c->samples.text, &c->samples.size);
    c->weights.out = open_memstream(&c->weights.text, &c->weights.size);
    return c->samples.out && c->weights.out;
}

/* Writes a list, and frees it. Returns false if out of memory. */
static bool write_list(struct list *list, const char *before, FILE *out)
{
    bool whole = list->out && !fclose(list->out);
    fputs(before, out);
    if (whole)
        fwrite(list->text, 1, list->size, out);
    free(list->text);
    return whole;
}

static int write_columns(struct writing *w)
{
    bool whole = true;
    for (size_t i = 0; i < w->n_columns; i++) {
        struct column *c = &w->column[i];
        fprintf(w->out, "%s\n  {\"type\": \"sampled\", \"name\": \"%s\", \"unit\": \"none\",\n   ",
                i ? "," : "]},\n \"profiles\": [", c->name);
        whole &= write_list(&c->samples, "\"samples\": [", w->out);
        whole &= write_list(&c->weights, "],\n   \"weights\": [", w->out);
        fprintf(w->out, "],\n   \"startValue\": 0, \"endValue\": %" PRIu64 "}", c->total);
    }
    return whole ? 0 : sl_report_no_memory(w->f);
}

static int write_speedscope(const struct sl_output *o)
{
    const struct sl_db_profile *contexts = sl_context_profile(&o->database->profiles, NULL, false);
    struct writing w = {.out = o->out, .f = o->f};
    struct sl_costs costs = {0};
    bool opened = true;
    int result = contexts ? 0 : sl_costs_open(&costs, o->database, o->config->n, o->f);
    if (result)
        return result;
    if (contexts)
        opened = open_column(&w, contexts->metric->name);
    for (size_t i = 0; i < costs.n_columns && opened; i++)
        opened = open_column(&w, costs.column[i].name);
    fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
          " \"exporter\": \"sluice " SL_VERSION "\",\n \"shared\": {\"frames\": [",
          o->out);
    if (opened)
        result = contexts ? add_contexts(&w, o->database, contexts)
                          : sl_costs_lines(&costs, add_row, &w, o->f);
    int written = write_columns(&w);
    fputs("]}\n", o->out);
    sl_costs_close(&costs);
    sl_index_free(&w.frames);
    free(w.stack);
    return result ? result : written;
}

const struct sl_exporter sl_speedscope_exporter = {
    .name = "speedscope",
    .summary = "profile for speedscope.app: call stacks from a context profile, or source lines",
    .shown = SL_SHOWN_AS_JSON,
    .default_specs = {SL_SPECS("context(nested=1,inlined=1)"),
                      SL_SPECS("context(nested=1,inlined=1):cycles")},
    .needs = "context function block",
    .write = write_speedscope,
};
