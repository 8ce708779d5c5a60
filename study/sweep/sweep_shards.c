/* SPDX-License-Identifier: MIT */
/* Divides the results that a sweep still lacks into shards, which run independently, and stores the
 * results of finished shards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "sweep.h"

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

/* Returns the index after the last point with the same CPU model as the first one. */
static size_t end_of_machine(const struct sl_sweep *s, size_t first)
{
    size_t end = first;
    while (end < s->n_points && !strcmp(s->point[end].described, s->point[first].described))
        end++;
    return end;
}

static int add(struct sl_sweep *s, size_t stream, const size_t *point, size_t n,
               struct sl_failure *f)
{
    if (!SL_GROW(s->batch, s->batches_capacity, s->n_batches + 1))
        return no_memory(f);
    struct sl_sweep_batch *batch = &s->batch[s->n_batches];
    *batch = (struct sl_sweep_batch){.stream = stream,
                                     .n = n,
                                     .point = malloc(n * sizeof *point),
                                     .length = s->stream[stream].length};
    if (!batch->point)
        return no_memory(f);
    memcpy(batch->point, point, n * sizeof *point);
    for (size_t i = 0; i < n; i++)
        batch->bytes += s->point[point[i]].bytes;
    s->n_batches++;
    s->n_todo += n;
    return 0;
}

/* Neighbours in a grid take about the same time, but its first and last points may not. Each shard
 * therefore gets every n-th point instead of consecutive ones. */
static void spread(size_t *point, size_t n, size_t parts, size_t *capacity)
{
    size_t to = 0;
    for (size_t part = 0; part < parts; part++)
        for (size_t i = part; i < n; i += parts)
            capacity[to++] = point[i];
    memcpy(point, capacity, n * sizeof *point);
}

/* Makes shards of about equal size within the limits. */
static int divide_points(struct sl_sweep *s, size_t stream, size_t *point, size_t n, uint64_t bytes,
                         size_t points, size_t parts, struct sl_failure *f)
{
    size_t most = (n + parts - 1) / parts, first = 0;
    int error = 0;
    most = most < points ? most : points;
    spread(point, n, (n + most - 1) / most, point + n);
    while (first < n && error >= 0) {
        uint64_t sum = 0;
        size_t end = first;
        while (end < n && end - first < most &&
               (end == first || sum + s->point[point[end]].bytes <= bytes) &&
               (end == first || !s->point[point[end]].alone))
            sum += s->point[point[end++]].bytes;
        error = add(s, stream, point + first, end - first, f);
        first = end;
    }
    return error;
}

/* Sort order: the shards with the most work first, so that none of them starts last. Equal ones
 * stay in the order of the configuration. */
static int longest_first(const void *a, const void *b)
{
    const struct sl_sweep_batch *x = a, *y = b;
    double first = x->length * (double)x->n, second = y->length * (double)y->n;
    return first != second          ? (first < second) - (first > second)
           : x->stream != y->stream ? (x->stream > y->stream) - (x->stream < y->stream)
                                    : (x->point[0] > y->point[0]) - (x->point[0] < y->point[0]);
}

int sl_sweep_batch(struct sl_sweep *s, uint64_t bytes, size_t points, size_t parts,
                   struct sl_failure *f)
{
    size_t *missing = malloc((2 * s->n_points + 1) * sizeof *missing);
    int error = missing ? 0 : no_memory(f);
    for (size_t stream = 0; stream < s->n_streams; stream++)
        for (size_t first = 0, end; first < s->n_points && error >= 0; first = end) {
            size_t n = 0;
            end = end_of_machine(s, first);
            for (size_t i = first; i < end && error >= 0; i++) {
                error = sl_sweep_store_has(s->store, s->stream[stream].id, s->point[i].id, f);
                if (!error)
                    missing[n++] = i;
            }
            if (error >= 0 && n)
                error = divide_points(s, stream, missing, n, bytes, points, parts, f);
        }
    free(missing);
    if (s->n_batches)
        qsort(s->batch, s->n_batches, sizeof *s->batch, longest_first);
    return error < 0 ? error : 0;
}

int sl_sweep_batch_again(struct sl_sweep *s, struct sl_sweep_batch *batch, struct sl_failure *f)
{
    size_t n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        int has = sl_sweep_store_has(s->store, s->stream[batch->stream].id,
                                     s->point[batch->point[i]].id, f);
        if (has < 0)
            return has;
        if (!has)
            batch->point[n++] = batch->point[i];
    }
    s->n_done += batch->n - n;
    batch->n = n;
    return 0;
}

bool sl_sweep_shard(const struct sl_sweep *s, const struct sl_sweep_batch *batch,
                    struct sl_shard *shard)
{
    const char **spec = malloc((batch->n + 1) * sizeof *spec);
    const char *machine = s->point[batch->point[0]].machine;
    for (size_t i = 0; spec && i < batch->n; i++)
        spec[i] = s->point[batch->point[i]].spec;
    *shard = (struct sl_shard){.stream = s->stream[batch->stream].trace,
                               .machine = *machine ? machine : NULL,
                               .spec = spec,
                               .n = batch->n,
                               .how = &s->how};
    return spec;
}

/* ---- results ---- */

/* Skips results that another process has stored meanwhile: they are the same. */
static int put_figures(struct sl_sweep *s, const struct sl_sweep_batch *batch,
                       const struct sl_job_results *figures, const bool *there,
                       struct sl_failure *f)
{
    uint64_t stream = s->stream[batch->stream].id;
    char label[24];
    int error = 0;
    for (size_t i = 0; i < figures->n && error >= 0; i++) {
        const struct sl_job_result *figure = &figures->figure[i];
        if (figure->of >= batch->n || there[figure->of])
            continue;
        snprintf(label, sizeof label, "%lld", (long long)s->point[batch->point[figure->of]].id);
        error = sl_sweep_store_measurement(s->store, stream, label, figure->measure, NULL,
                                           (double)NAN, figure->value, f);
    }
    return error < 0 ? error
                     : sl_sweep_store_seconds(s->store, stream, figures->seconds, figures->useful,
                                              SL_VERSION, f);
}

static int put(struct sl_sweep *s, const struct sl_sweep_batch *batch,
               const struct sl_job_results *figures, struct sl_failure *f)
{
    uint64_t stream = s->stream[batch->stream].id;
    bool *there = calloc(batch->n + 1, sizeof *there);
    int error = there ? 0 : no_memory(f);
    for (size_t i = 0; i < batch->n && error >= 0; i++) {
        error = sl_sweep_store_has(s->store, stream, s->point[batch->point[i]].id, f);
        there[i] = error > 0;
    }
    if (error >= 0)
        error = put_figures(s, batch, figures, there, f);
    for (size_t i = 0; i < batch->n && error >= 0; i++) {
        uint64_t point = s->point[batch->point[i]].id;
        const char *why = sl_job_why(figures, i);
        error = why ? sl_sweep_store_failed(s->store, stream, point, why, f)
                    : sl_sweep_store_done(s->store, stream, point, f);
    }
    free(there);
    return error;
}

static int in_one(struct sl_sweep *s, int error, struct sl_failure *f)
{
    if (error >= 0)
        return sl_sweep_store_commit(s->store, f);
    sl_sweep_store_abandon(s->store);
    return error;
}

int sl_sweep_add_results(struct sl_sweep *s, const struct sl_sweep_batch *batch,
                         const struct sl_job_results *figures, struct sl_failure *f)
{
    int error = sl_sweep_store_begin(s->store, f);
    if (error >= 0)
        error = in_one(s, put(s, batch, figures, f), f);
    s->n_done += error < 0 ? 0 : batch->n - figures->n_failures;
    s->effort.results += error < 0 ? 0 : batch->n - figures->n_failures;
    s->effort.useful += figures->useful;
    s->effort.processor += figures->seconds;
    s->effort.available += figures->elapsed; /* 0 if the shard ran in a thread */
    return error;
}

int sl_sweep_add_failure(struct sl_sweep *s, const struct sl_sweep_batch *batch, const char *why,
                         struct sl_failure *f)
{
    int error = sl_sweep_store_begin(s->store, f);
    if (error < 0)
        return error;
    for (size_t i = 0; i < batch->n && error >= 0; i++)
        error = sl_sweep_store_failed(s->store, s->stream[batch->stream].id,
                                      s->point[batch->point[i]].id, why, f);
    return in_one(s, error, f);
}
