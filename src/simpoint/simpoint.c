/* Making slices of a trace: its vectors are read and clustered, and then it is read again, up to the
 * last slice, to know at the beginning of each what was touched before. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clusters.h"
#include "failure.h"
#include "kept_slices.h"
#include "touched.h"

/* So that warm-up and slices together are less than a fiftieth of the run. */
#define INTERVALS 5500u /* of a run */
#define CLUSTERS 20u
#define SLICES 25u
static const struct sl_touched_limits lately = {.lines = 32768, .blocks = 0};

struct cutting {
    const char *trace, *directory;
    uint64_t warm_up;
    struct sl_vectors vectors;
    struct sl_clusters clusters;
    struct sl_touched touched;
    uint64_t *ahead; /* of each slice, as it was written */
    size_t next;     /* the slice that comes next */
    uint64_t done;   /* instructions */
    struct sl_failure *f;
};

static int no_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory");
}

static void slice_name(char out[32], size_t i)
{
    snprintf(out, 32, "slice-%03zu.slt", i + 1);
}

static char *path_of(const struct cutting *c, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", c->directory, name) < 0 ? NULL : path;
}

/* ---- one slice ----------------------------------------------------------------------- */

/* Where the slice's interval begins, and how much is kept in front of it. */
static uint64_t start_of(const struct cutting *c, size_t i)
{
    return c->clusters.cluster[i].interval * c->vectors.interval;
}

static uint64_t warm_from(const struct cutting *c, size_t i)
{
    uint64_t start = start_of(c, i);
    return start > c->warm_up ? start - c->warm_up : 0;
}

/* The trace from the warm-up to the end of the slice. */
static int open_slice(const struct cutting *c, size_t i, struct sl_source **source)
{
    size_t interval = c->clusters.cluster[i].interval;
    int error = sl_source_open(source, c->trace, c->f);
    if (error >= 0)
        sl_source_window(*source, warm_from(c, i), c->vectors.begins[interval + 1] - c->done);
    return error;
}

/* What the slice is about to touch. */
static int look_ahead(const struct cutting *c, size_t i, struct sl_touched *ahead)
{
    struct sl_source *source;
    struct sl_chunk chunk;
    int more = open_slice(c, i, &source);
    if (more < 0)
        return more;
    while ((more = sl_source_next(source, &chunk, c->f)) > 0) {
        bool room = sl_touched_mems(ahead, &chunk, 0, chunk.n_mems);
        for (uint32_t k = 0; k < chunk.n_blocks && room; k++)
            room = sl_touched_block(ahead, chunk.block[k]);
        if (!room) {
            more = no_memory(c->f);
            break;
        }
    }
    sl_source_close(source);
    return more;
}

static int keep_records(void *writer, const uint8_t *data, size_t size, struct sl_failure *f)
{
    return sl_trace_records(writer, data, size, f);
}

static int copy_events(struct cutting *c, size_t i, struct sl_source *source,
                       const struct sl_touched *ahead, struct sl_trace_writer *writer)
{
    struct sl_chunk chunk;
    uint64_t touching = 0;
    bool begun = false, values = sl_source_wants(source) & SL_WANT_VALUES;
    int more;
    while ((more = sl_source_next(source, &chunk, c->f)) > 0) {
        int error = begun ? 0
                          : sl_touched_write(&c->touched, ahead, &lately, &source->statics,
                                             chunk.thread, values, writer, &touching, c->f);
        begun = true;
        if (error >= 0)
            error = sl_trace_chunk(writer, &chunk, c->f);
        if (error < 0)
            return error;
    }
    c->ahead[i] = touching + c->vectors.begins[c->clusters.cluster[i].interval] - c->done;
    return more;
}

static int write_events(struct cutting *c, size_t i, const struct sl_touched *ahead,
                        struct sl_trace_writer *writer)
{
    struct sl_source *source;
    int error = open_slice(c, i, &source);
    if (error < 0)
        return error;
    error = sl_trace_program(writer, &source->statics, c->f);
    source->on_records = keep_records;
    source->on_records_context = writer;
    if (error >= 0)
        error = copy_events(c, i, source, ahead, writer);
    sl_source_close(source);
    return error;
}

static int write_slice(struct cutting *c, size_t i, unsigned wants)
{
    char name[32];
    struct sl_touched ahead = {0};
    struct sl_trace_writer *writer;
    struct sl_failure second;
    slice_name(name, i);
    char *path = path_of(c, name);
    int error = path ? look_ahead(c, i, &ahead) : no_memory(c->f);
    if (error >= 0)
        error = sl_trace_create(&writer, path, wants, NULL, c->f);
    if (error >= 0) {
        error = write_events(c, i, &ahead, writer);
        int end = sl_trace_finish(writer, error < 0 ? &second : c->f);
        error = error < 0 ? error : end;
    }
    sl_touched_free(&ahead);
    free(path);
    return error;
}

/* ---- all of them ----------------------------------------------------------------------- */

static int cut_chunk(struct cutting *c, const struct sl_source *source, const struct sl_chunk *chunk)
{
    const struct sl_statics *statics = &source->statics;
    if (!sl_touched_mems(&c->touched, chunk, 0, chunk->n_blocks ? chunk->block_mem[0] : chunk->n_mems))
        return no_memory(c->f);
    for (uint32_t i = 0; i < chunk->n_blocks && c->next < c->clusters.n; i++) {
        while (c->next < c->clusters.n && c->done >= warm_from(c, c->next)) {
            int error = write_slice(c, c->next, statics->program.wants);
            if (error < 0)
                return error;
            c->next++;
        }
        uint32_t high = i + 1 < chunk->n_blocks ? chunk->block_mem[i + 1] : chunk->n_mems;
        if (!sl_touched_block(&c->touched, chunk->block[i]) ||
            !sl_touched_mems(&c->touched, chunk, chunk->block_mem[i], high))
            return no_memory(c->f);
        c->done += statics->block_size[chunk->block[i]];
    }
    return 0;
}

static int cut_all(struct cutting *c)
{
    struct sl_source *source;
    struct sl_chunk chunk;
    int more = sl_source_open(&source, c->trace, c->f);
    if (more < 0)
        return more;
    while (c->next < c->clusters.n && (more = sl_source_next(source, &chunk, c->f)) > 0) {
        int error = cut_chunk(c, source, &chunk);
        if (error < 0) {
            more = error;
            break;
        }
    }
    sl_source_close(source);
    return more < 0 ? more : 0;
}

/* Slices are written in the order of where they begin, which is that of the clusters. */
static void print_slices(const struct cutting *c, FILE *out)
{
    char name[32];
    fprintf(out, "sluice-slices 1\ninstructions %" PRIu64 "\ninterval %" PRIu64 "\n",
            c->vectors.begins[c->vectors.n], c->vectors.interval);
    for (size_t i = 0; i < c->clusters.n; i++) {
        const struct sl_cluster *cluster = &c->clusters.cluster[i];
        const uint64_t *begins = &c->vectors.begins[cluster->interval];
        slice_name(name, i);
        fprintf(out, "slice %s start %" PRIu64 " ahead %" PRIu64 " length %" PRIu64 " weight %.9f\n",
                name, begins[0], c->ahead[i], begins[1] - begins[0], cluster->weight);
    }
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

/* slices.txt comes last: where it is, all is. */
static int write_lists(const struct cutting *c)
{
    static const struct {
        const char *name;
        void (*print)(const struct cutting *, FILE *);
    } list[] = {{"vectors.bb", print_vectors}, {"simpoints", print_simpoints},
                {"weights", print_weights}, {SL_KEPT_FILE, print_slices}};
    int error = 0;
    for (size_t i = 0; i < sizeof list / sizeof *list && error >= 0; i++) {
        char *path = path_of(c, list[i].name);
        FILE *out = path ? fopen(path, "we") : NULL;
        if (!out)
            error = path ? sl_fail_errno(c->f, SL_EIO, "cannot create %s", path) : no_memory(c->f);
        if (out) {
            list[i].print(c, out);
            error = sl_written(out, path, c->f);
            if (fclose(out) && error >= 0)
                error = sl_fail_errno(c->f, SL_EIO, "cannot write %s", path);
        }
        free(path);
    }
    return error;
}

static int find_clusters(struct cutting *c, const struct sl_simpoint_config *config, uint64_t interval)
{
    struct sl_source *source;
    int error = sl_source_open(&source, c->trace, c->f);
    if (error < 0)
        return error;
    unsigned missing = ~sl_source_wants(source) & (SL_WANT_ADDRESSES | SL_WANT_STORES);
    if (missing)
        error = sl_fail(c->f, SL_EUSAGE, "%s does not carry the addresses of loads and stores, without "
                        "which no machine can run its slices; record it for a machine", c->trace);
    if (error >= 0)
        error = sl_vectors_read(&c->vectors, source, interval, c->f);
    sl_source_close(source);
    if (error >= 0)
        error = sl_clusters_find(&c->clusters, &c->vectors,
                                 config->clusters ? config->clusters : CLUSTERS,
                                 config->slices ? config->slices : SLICES, config->seed, c->f);
    return error;
}

/* The length of intervals that makes about so many of the run. */
static int usual_interval(const char *trace, uint64_t *interval, struct sl_failure *f)
{
    struct sl_trace_summary summary;
    int error = sl_trace_summarize(trace, &summary, f);
    if (error >= 0)
        *interval = summary.instructions / INTERVALS > SL_VECTORS_INTERVAL_MIN ? summary.instructions / INTERVALS
                                                                    : SL_VECTORS_INTERVAL_MIN;
    return error;
}

/* Makes it if there is none. A list of earlier slices goes before they do: it would be taken for theirs. */
static int empty_directory(const struct cutting *c)
{
    if (mkdir(c->directory, 0777) < 0 && errno != EEXIST)
        return sl_fail_errno(c->f, SL_EIO, "cannot make the directory %s", c->directory);
    char *path = path_of(c, SL_KEPT_FILE);
    int error = !path ? no_memory(c->f)
                : unlink(path) < 0 && errno != ENOENT ? sl_fail_errno(c->f, SL_EIO, "cannot replace %s", path)
                                                      : 0;
    free(path);
    return error;
}

int sl_simpoint(const char *trace, const char *directory, const struct sl_simpoint_config *config,
                struct sl_failure *f)
{
    struct cutting c = {.trace = trace, .directory = directory, .f = f};
    uint64_t interval = config->interval;
    if (interval && interval < SL_VECTORS_INTERVAL_MIN)
        return sl_fail_setting(f, "interval", "an interval has at least %u instructions", SL_VECTORS_INTERVAL_MIN);
    int error = interval ? 0 : usual_interval(trace, &interval, f);
    c.warm_up = config->warm_up ? config->warm_up : 3 * interval;
    if (error >= 0)
        error = find_clusters(&c, config, interval);
    if (error >= 0)
        error = empty_directory(&c);
    if (error >= 0 && !(c.ahead = calloc(c.clusters.n, sizeof *c.ahead)))
        error = no_memory(f);
    if (error >= 0)
        error = cut_all(&c);
    if (error >= 0)
        error = write_lists(&c);
    free(c.ahead);
    sl_touched_free(&c.touched);
    sl_clusters_free(&c.clusters);
    sl_vectors_free(&c.vectors);
    return error;
}
