/* SPDX-License-Identifier: MIT */
/* Implementation of `sluice simpoint`: reads the basic-block vectors of a trace, clusters them, and
 * writes the selected slices. To write the slices, it reads the trace again, up to the end of the
 * last slice. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clusters.h"
#include "config.h"
#include "cutting.h"
#include "failure.h"
#include "stored_slices.h"
#include "random.h"
#include "replacement.h"
#include "trace_summary.h"

#define INTERVALS 10000u /* of a run, by default */
#define CLUSTERS 20u
#define LENGTH_PART 10u /* default length of a slice: this part of an interval */
#define WARM_UP_PART 2u /* default warm-up: this part of a slice; it fills the pipeline */
#define DETAILED 0.019  /* default limit: part of the run that is run in detail */

/* Instructions before a slice whose accesses are all stored, for prefetchers and for caches whose
 * replacement is not LRU. */
#define WHOLE 5000u

struct cutting {
    const char *trace, *directory;
    struct sl_vectors vectors;
    struct sl_clusters clusters;
    struct sl_stored_slices slices;
    struct sl_failure *f;
};

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

static char *path_of(const struct cutting *c, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", c->directory, name) < 0 ? NULL : path;
}

/* Fills c->slices, the content of slices.txt. The position of a slice in its interval is random.
 * Slices are in the order of the run, like the clusters. */
static bool list_slices(struct cutting *c, uint64_t length, uint64_t random)
{
    struct sl_stored_slices *k = &c->slices;
    k->instructions = c->vectors.begins[c->vectors.n];
    k->interval = c->vectors.interval;
    k->trace = path_of(c, SL_SLICES_TRACE);
    k->slice = calloc(c->clusters.n, sizeof *k->slice);
    if (!k->trace || !k->slice)
        return false;
    for (; k->n < c->clusters.n; k->n++) {
        const struct sl_cluster *cluster = &c->clusters.cluster[k->n];
        const uint64_t *begins = &c->vectors.begins[cluster->interval];
        uint64_t all = begins[1] - begins[0], n = length < all ? length : all;
        k->slice[k->n] = (struct sl_stored_slice){begins[0] + sl_random_below(&random, all - n + 1),
                                                  n, cluster->weight};
    }
    return true;
}

static void print_slices(const struct cutting *c, FILE *out)
{
    const struct sl_stored_slices *k = &c->slices;
    fprintf(out,
            "sluice-slices 2\ntrace %s\ninstructions %" PRIu64 "\ninterval %" PRIu64
            "\nwarm-up %" PRIu64 "\n",
            SL_SLICES_TRACE, k->instructions, k->interval, k->warm_up);
    for (const struct sl_stored_slice *s = k->slice; s < k->slice + k->n; s++)
        fprintf(out, "slice start %" PRIu64 " length %" PRIu64 " weight %.9f\n", s->start,
                s->length, s->weight);
}

static void print_vectors(const struct cutting *c, FILE *out)
{
    sl_vectors_print(&c->vectors, out);
}

static void print_simpoints(const struct cutting *c, FILE *out)
{
    for (size_t i = 0; i < c->clusters.n; i++)
        fprintf(out, "%zu %zu\n", c->clusters.cluster[i].interval, i);
}

static void print_weights(const struct cutting *c, FILE *out)
{
    for (size_t i = 0; i < c->clusters.n; i++)
        fprintf(out, "%.9f %zu\n", c->clusters.cluster[i].weight, i);
}

/* Writes slices.txt last: if it exists, all files are complete. */
static int write_lists(const struct cutting *c)
{
    static const struct {
        const char *name;
        void (*print)(const struct cutting *, FILE *);
    } list[] = {{"vectors.bb", print_vectors},
                {"simpoints", print_simpoints},
                {"weights", print_weights},
                {SL_SLICES_FILE, print_slices}};
    int error = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list && error >= 0; i++) {
        char *path = path_of(c, list[i].name);
        FILE *out = path ? sl_create_anew(path) : NULL;
        if (!out)
            error = path ? sl_fail_errno(c->f, SL_EIO, "cannot create %s", path) : no_memory(c->f);
        if (out) {
            list[i].print(c, out);
            error = sl_flush_output(out, path, c->f);
            if (fclose(out) && error >= 0)
                error = sl_fail_errno(c->f, SL_EIO, "cannot write %s", path);
        }
        free(path);
    }
    return error;
}

/* Default number of slices: as many as DETAILED allows. */
static size_t default_slices(const struct cutting *c, uint64_t length)
{
    return (size_t)(DETAILED * (double)c->vectors.begins[c->vectors.n] /
                    (double)(length + c->slices.warm_up)) +
           1;
}

static int find_clusters(struct cutting *c, const struct sl_simpoint_config *config,
                         uint64_t interval, uint64_t length)
{
    struct sl_source *source;
    int error = sl_source_open(&source, c->trace, c->f);
    if (error < 0)
        return error;
    unsigned missing = ~sl_source_contents(source) & (SL_NEED_ADDRESSES | SL_NEED_STORES);
    if (missing)
        error = sl_fail(c->f, SL_EUSAGE,
                        "%s has no addresses of loads and stores, which CPU models need: record it "
                        "again with -m",
                        c->trace);
    if (error >= 0)
        error = sl_vectors_read(&c->vectors, source, interval, c->f);
    sl_source_close(source);
    if (error >= 0)
        error = sl_clusters_find(
            &c->clusters, &c->vectors, config->clusters ? config->clusters : CLUSTERS,
            config->slices ? config->slices : default_slices(c, length), config->seed, c->f);
    return error;
}

/* Sets the default interval, which divides the run into about INTERVALS. */
static int default_interval(const char *trace, uint64_t *interval, struct sl_failure *f)
{
    struct sl_trace_summary summary;
    int error = sl_trace_summarize(trace, &summary, f);
    if (error >= 0)
        *interval = summary.instructions / INTERVALS > SL_VECTORS_INTERVAL_MIN
                        ? summary.instructions / INTERVALS
                        : SL_VECTORS_INTERVAL_MIN;
    return error;
}

/* Creates the directory if necessary. Removes an old slices.txt before its slices are replaced, so
 * that it is not taken for the new one. */
static int empty_directory(const struct cutting *c)
{
    if (mkdir(c->directory, 0777) < 0 && errno != EEXIST)
        return sl_fail_errno(c->f, SL_EIO, "cannot create directory %s", c->directory);
    char *path = path_of(c, SL_SLICES_FILE);
    int error = !path ? no_memory(c->f)
                : unlink(path) < 0 && errno != ENOENT
                    ? sl_fail_errno(c->f, SL_EIO, "cannot replace %s", path)
                    : 0;
    free(path);
    return error;
}

int sl_simpoint(const char *trace, const char *directory, const struct sl_simpoint_config *given,
                struct sl_failure *f)
{
    SL_REQUIRE(f, trace && directory);
    struct sl_simpoint_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_simpoint_config", f);
    if (unread < 0)
        return unread;
    struct cutting c = {.trace = trace, .directory = directory, .f = f};
    uint64_t interval = config->interval;
    if (interval && interval < SL_VECTORS_INTERVAL_MIN)
        return sl_fail_setting(f, "interval",
                               "interval too short: it must have at least %u instructions",
                               SL_VECTORS_INTERVAL_MIN);
    int error = interval ? 0 : default_interval(trace, &interval, f);
    uint64_t length = config->length ? config->length : interval / LENGTH_PART;
    c.slices.warm_up = config->warm_up ? config->warm_up : length / WARM_UP_PART;
    if (error >= 0)
        error = find_clusters(&c, config, interval, length);
    if (error >= 0)
        error = empty_directory(&c);
    if (error >= 0 && !list_slices(&c, length, config->seed))
        error = no_memory(f);
    if (error >= 0)
        error = sl_cut(trace, &c.slices, c.slices.warm_up + WHOLE, f);
    if (error >= 0)
        error = write_lists(&c);
    sl_slices_free(&c.slices);
    sl_clusters_free(&c.clusters);
    sl_vectors_free(&c.vectors);
    return error;
}
