/* The file format of speedscope (https://www.speedscope.app), sampled profiles: one for
 * each metric, over the same frames. What is stacked is the code, as in export_folded.c:
 * file, function, source line.
 *
 *     {"$schema": ..., "shared": {"frames": [{"name": "primes"}, {"name": "is_prime"}, ...]},
 *      "profiles": [{"type": "sampled", "name": "instructions", "unit": "none",
 *                    "startValue": 0, "endValue": 300098,
 *                    "samples": [[0,1,2], ...], "weights": [299998, ...]}, ...]}
 *
 * Rows come by file, function and line, so frames that are the same come together: a row
 * has a new frame where it differs from the one before. The rows are read once for the
 * frames, and again for the samples and the weights of each profile: none has to be kept. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"
#include "exporter.h"
#include "json_value.h"

struct writing {
    const struct sl_costs *costs;
    FILE *out;
    struct sl_failure *f;
    size_t column; /* of the profile being written */
    bool begun;    /* the list being written */
    uint64_t total;
    /* The frames of the row before, from the outermost on; by name, number of the frame. */
    struct frame {
        char *name;
        size_t number;
    } stack[3];
    size_t depth, n_frames;
};

static void forget(struct writing *w, size_t depth)
{
    while (w->depth > depth)
        free(w->stack[--w->depth].name);
}

static void start(struct writing *w)
{
    forget(w, 0);
    w->n_frames = 0;
    w->begun = false;
}

/* Returns 1 if the frame is new, 0 if it is that of the row before, or an error. */
static int stack_frame(struct writing *w, size_t level, const char *name)
{
    if (level < w->depth && !strcmp(w->stack[level].name, name))
        return 0;
    forget(w, level);
    char *copy = strdup(name);
    if (!copy)
        return sl_report_no_memory(w->f);
    w->stack[w->depth++] = (struct frame){copy, w->n_frames++};
    return 1;
}

static int write_frame(struct writing *w, const char *name, const struct sl_cost_place *at,
                       bool with_line)
{
    json_t *frame = sl_json_object("name", sl_json_text(name), NULL);
    if (at && at->file)
        sl_json_set(&frame, "file", sl_json_text(at->file));
    if (with_line)
        sl_json_set(&frame, "line", json_integer(at->line));
    fputs(w->begun ? ",\n  " : "\n  ", w->out);
    w->begun = true;
    return sl_json_dump(frame, w->out, w->f);
}

/* Stacks the frames of a row; `write`: and writes those that are new. */
static int stack_row(struct writing *w, const struct sl_cost_place *at, bool write)
{
    char line[SL_COST_LINE_ROOM];
    const char *name[3] = {at->object_name ? at->object_name : "(no file)", at->function,
                           sl_cost_line(at, line)};
    size_t n = name[2] && at->is_block ? 3 : 2;
    forget(w, n);
    for (size_t i = 0; i < n; i++) {
        int fresh = stack_frame(w, i, name[i]);
        int result = fresh > 0 && write ? write_frame(w, name[i], i ? at : NULL, i == 2) : 0;
        if (fresh < 0 || result)
            return fresh < 0 ? fresh : result;
    }
    return 0;
}

static int write_frames(void *context, const struct sl_cost_place *at, const uint64_t *cost)
{
    (void)cost;
    return stack_row(context, at, true);
}

static int write_sample(void *context, const struct sl_cost_place *at, const uint64_t *cost)
{
    struct writing *w = context;
    int result = stack_row(w, at, false);
    if (result || !cost[w->column])
        return result;
    fputs(w->begun ? ",[" : "[", w->out);
    w->begun = true;
    for (size_t i = 0; i < w->depth; i++)
        fprintf(w->out, "%s%zu", i ? "," : "", w->stack[i].number);
    putc(']', w->out);
    w->total += cost[w->column];
    return 0;
}

static int write_weight(void *context, const struct sl_cost_place *at, const uint64_t *cost)
{
    struct writing *w = context;
    (void)at;
    if (!cost[w->column])
        return 0;
    fprintf(w->out, "%s%" PRIu64, w->begun ? "," : "", cost[w->column]);
    w->begun = true;
    return 0;
}

static int write_profile(struct writing *w)
{
    w->total = 0;
    start(w);
    fprintf(w->out, "%s\n  {\"type\": \"sampled\", \"name\": \"%s\", \"unit\": \"none\",\n"
            "   \"samples\": [", w->column ? "," : "", w->costs->column[w->column].name);
    int result = sl_costs_each(w->costs, write_sample, w, w->f);
    start(w);
    fputs("],\n   \"weights\": [", w->out);
    if (!result)
        result = sl_costs_each(w->costs, write_weight, w, w->f);
    fprintf(w->out, "],\n   \"startValue\": 0, \"endValue\": %" PRIu64 "}", w->total);
    return result;
}

static int write_speedscope(struct sl_database *database, const struct sl_report_config *config,
                            FILE *out, struct sl_failure *f)
{
    struct sl_costs costs;
    struct writing w = {.costs = &costs, .out = out, .f = f};
    int result = sl_costs_open(&costs, database, config, f);
    if (result)
        return result;
    fputs("{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
          " \"exporter\": \"sluice " SL_VERSION "\",\n \"shared\": {\"frames\": [", out);
    result = sl_costs_each(&costs, write_frames, &w, f);
    fputs("]},\n \"profiles\": [", out);
    for (; !result && w.column < costs.n_columns; w.column++)
        result = write_profile(&w);
    fputs("]}\n", out);
    forget(&w, 0);
    sl_costs_close(&costs);
    return result;
}

const struct sl_exporter sl_speedscope_exporter = {
    .name = "speedscope",
    .summary = "for speedscope.app: file, function and line, a profile for each metric",
    .shown = SL_SHOWN_AS_JSON,
    .write = write_speedscope,
};
