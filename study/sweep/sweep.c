/* SPDX-License-Identifier: MIT */
/* Prepares a sweep from its configuration: expands the grids to points, finds the streams, checks
 * the points, stores the list of requested results in the sweep's file, and records programs as
 * traces. */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "branch_queue.h"
#include "failure.h"
#include "grow.h"
#include "machine.h"
#include "spec.h"

/* Default profiles, 112 points: how small can a table be that finds the hot values, or edges? */
#define USUAL(detector)                                                                        \
    {                                                                                          \
        detector                                                                               \
            "@multihash(tables={1,2,4,8},counters={64..8K},interval={10K,100K},threshold=1%)", \
            detector                                                                           \
            "@multihash(tables={2,4,8},counters={64..8K},interval={10K,100K},threshold=1%,"    \
            "conservative=0)"                                                                  \
    }
static const char *const usual_values[] = USUAL("value"), *const usual_edges[] = USUAL("edge");
#define N_USUAL (sizeof usual_values / sizeof *usual_values)
static const char *const usual_modelled[] = {"function:cycles"};

/* For the estimate of a table's memory: the number of static tuples whose hashes it keeps, and the
 * bytes of its interval results. */
#define NAMES_RECKONED (1u << 15)
#define RESULTS_RECKONED (2u << 20)
#define LINE_CAPACITY 65536 /* longest line of a grid file */

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

/* ---- configuration ---- */

struct asked {
    struct sl_grid spec, machine, stream;
    size_t n_given; /* streams that come from the caller; the others are in the grid file */
};

static int expand_all(struct sl_grid *grid, const char *const *text, size_t n, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < n && error >= 0; i++)
        error = sl_grid_expand(grid, text[i], f);
    return error;
}

/* Only synthetic streams are expanded as grids: braces in file names and arguments stay as they
 * are. */
static int add_stream(struct asked *asked, const char *text, struct sl_failure *f)
{
    if (!strncmp(text, "synth:", 6))
        return sl_grid_expand(&asked->stream, text, f);
    return sl_grid_add(&asked->stream, text) ? 0 : no_memory(f);
}

/* Parses a line of the grid file: "profile SPEC", "machine NAME" or "stream TEXT". Lines that
 * begin with # are comments. */
static int read_line(struct asked *asked, char *line, const char *path, unsigned number,
                     struct sl_failure *f)
{
    static const char blanks[] = " \t\r\n";
    char *word = line + strspn(line, blanks), *end = line + strlen(line);
    while (end > word && strchr(blanks, end[-1]))
        *--end = '\0';
    if (!*word || *word == '#')
        return 0;
    char *rest = word + strcspn(word, blanks);
    if (*rest) {
        *rest++ = '\0';
        rest += strspn(rest, blanks);
    }
    if (*rest && !strcmp(word, "profile"))
        return sl_grid_expand(&asked->spec, rest, f);
    if (*rest && !strcmp(word, "machine"))
        return sl_grid_expand(&asked->machine, rest, f);
    if (*rest && !strcmp(word, "stream"))
        return add_stream(asked, rest, f);
    return sl_fail(f, SL_EUSAGE,
                   "%s, line %u: expected \"profile SPEC\", \"machine NAME\" or \"stream TRACE\"",
                   path, number);
}

static int read_file(struct asked *asked, const char *path, struct sl_failure *f)
{
    FILE *file = fopen(path, "re");
    char line[LINE_CAPACITY];
    int error = file ? 0 : sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    for (unsigned number = 1; error >= 0 && fgets(line, sizeof line, file); number++)
        error = strchr(line, '\n') || feof(file)
                    ? read_line(asked, line, path, number, f)
                    : sl_fail(f, SL_EUSAGE, "%s, line %u: line too long, or contains a NUL byte",
                              path, number);
    if (error >= 0 && ferror(file))
        error = sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    if (file)
        fclose(file);
    return error;
}

static int read_config(struct asked *asked, const struct sl_sweep_config *c, struct sl_failure *f)
{
    int error = expand_all(&asked->spec, c->spec, c->n_specs, f);
    if (error >= 0 && c->machine)
        error = sl_grid_expand(&asked->machine, c->machine, f);
    for (size_t i = 0; i < c->n_streams && error >= 0; i++)
        error = add_stream(asked, c->stream[i], f);
    asked->n_given = asked->stream.n;
    if (error >= 0 && c->grid)
        error = read_file(asked, c->grid, f);
    if (error >= 0 && !asked->stream.n)
        error = sl_fail(
            f, SL_EUSAGE,
            "no stream given: add traces, programs or synthetic streams, for example synth:zipf");
    return error;
}

/* ---- streams ---- */

static int find_streams(struct sl_sweep *s, const struct asked *asked, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < asked->stream.n && error >= 0; i++) {
        const char *text = asked->stream.text[i];
        if (i >= asked->n_given && !s->config->allow_run && sl_sweep_stream_is_program(text))
            return sl_fail_setting(
                f, "allow-run",
                "%.300s would run the program '%.300s': set this option if you trust the file",
                s->config->grid, text);
        if (!SL_GROW(s->stream, s->streams_capacity, s->n_streams + 1))
            return no_memory(f);
        error = sl_sweep_stream_find(&s->stream[s->n_streams++], text, s->path, &s->how, f);
        /* The statuses for a missing program are those of commands that run one program. */
        if (error == SL_ENOTFOUND || error == SL_ENOEXEC)
            error = f ? (int)(f->code = SL_EIO) : SL_EIO;
    }
    return error;
}

/* Adds the default profiles: of cycles with a CPU model, otherwise of values if all streams carry
 * load values, otherwise of edges. */
static int choose_usual(struct sl_sweep *s, struct asked *asked, struct sl_failure *f)
{
    unsigned carried = ~0u, needs;
    int error = 0;
    if (asked->machine.n)
        return expand_all(&asked->spec, usual_modelled, 1, f);
    for (size_t i = 0; i < s->n_streams && error >= 0; i++)
        if ((error = sl_sweep_stream_needs(&s->stream[i], &needs, f)) >= 0)
            carried &= needs;
    return error < 0
               ? error
               : expand_all(&asked->spec, carried & SL_NEED_VALUES ? usual_values : usual_edges,
                            N_USUAL, f);
}

static int record_programs(struct sl_sweep *s, unsigned needs, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < s->n_streams && error >= 0; i++)
        error = sl_sweep_stream_record(&s->stream[i], needs, f);
    return error;
}

/* ---- points ---- */

/* Estimated memory of the table and its results. */
static uint64_t bytes_of(const struct sl_profile_spec *spec)
{
    struct sl_table_host host = {.names = NAMES_RECKONED, .distinct_names = true};
    return sl_table_bytes_of(spec->table, spec->table_config, &host) + RESULTS_RECKONED;
}

static int add_point(struct sl_sweep *s, const char *given, const char *machine,
                     const char *described, bool alone, struct sl_failure *f)
{
    struct sl_profile_spec spec;
    struct sl_sweep_point *p;
    if (!SL_GROW(s->point, s->points_capacity, s->n_points + 1))
        return no_memory(f);
    int error = sl_profile_spec_parse(&spec, given, f);
    if (error < 0 && f && !strstr(f->text, given)) {
        struct sl_failure said = *f;
        sl_fail(f, said.code, "%.300s: %.600s", given, said.text);
    }
    if (error >= 0) {
        p = &s->point[s->n_points++];
        *p = (struct sl_sweep_point){.spec = strdup(spec.text),
                                     .given = strdup(given),
                                     .machine = strdup(machine ? machine : ""),
                                     .bytes = bytes_of(&spec),
                                     .alone = alone};
        snprintf(p->described, sizeof p->described, "%s", described);
        if (!p->spec || !p->given || !p->machine)
            error = no_memory(f);
    }
    sl_profile_spec_free(&spec);
    return error;
}

/* Opens a session without running it, so that it rejects invalid points. Adds the data that the
 * points need to *needs. */
static int check(const struct sl_sweep *s, const struct asked *asked, const char *machine,
                 unsigned *needs, struct sl_failure *f)
{
    struct sl_session *session;
    struct sl_session_config config = {.size = sizeof config,
                                       .spec = (const char *const *)asked->spec.text,
                                       .n_specs = asked->spec.n,
                                       .machine = machine,
                                       .range = s->how.range,
                                       .only = s->how.only,
                                       .memory_bytes = 1};
    int error = sl_session_open(&session, &config, f);
    if (error >= 0) {
        *needs |= sl_session_needs(session);
        sl_session_close(session);
    }
    return error;
}

/* A CPU model can stall for one profiler only, so these points are checked one by one. */
static int check_alone(const struct sl_sweep *s, const struct asked *asked, const char *machine,
                       unsigned *needs, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < asked->spec.n && error >= 0; i++) {
        struct asked one = {.spec = {.text = &asked->spec.text[i], .n = 1}};
        error = check(s, &one, machine, needs, f);
    }
    return error;
}

/* Sets *alone if the CPU model stalls for a profiler, and `described` to a hash of all its keys: a
 * file that describes a model may change. */
static int resolve_machine(const char *text, bool *alone, char described[17], struct sl_failure *f)
{
    struct sl_machine *machine;
    int error = sl_machine_open(&machine, text, f);
    if (error < 0)
        return error;
    char *all = sl_machine_describe(machine);
    if (all)
        snprintf(described, 17, "%016llx", (unsigned long long)XXH3_64bits(all, strlen(all)));
    *alone = sl_machine_profiler(machine)->queue != SL_BRANCH_QUEUE_NONE;
    sl_machine_close(machine);
    free(all);
    return all ? 0 : no_memory(f);
}

static int add_points(struct sl_sweep *s, const struct asked *asked, unsigned *needs,
                      struct sl_failure *f)
{
    size_t n_machines = asked->machine.n ? asked->machine.n : 1;
    int error =
        asked->spec.n <= SL_GRID_MAX / n_machines
            ? 0
            : sl_fail(
                  f, SL_EUSAGE,
                  "%zu profiles with %zu CPU models give more than %u points: use fewer of them",
                  asked->spec.n, n_machines, SL_GRID_MAX);
    for (size_t m = 0; m < n_machines && error >= 0; m++) {
        const char *machine = asked->machine.n ? asked->machine.text[m] : NULL;
        bool alone = false;
        char described[17] = "";
        if (machine)
            error = resolve_machine(machine, &alone, described, f);
        for (size_t i = 0; i < asked->spec.n && error >= 0; i++)
            error = add_point(s, asked->spec.text[i], machine, described, alone, f);
        if (error >= 0)
            error = (alone ? check_alone : check)(s, asked, machine, needs, f);
    }
    return error;
}

/* ---- the file ---- */

static int by_id(const void *a, const void *b)
{
    const struct sl_sweep_point *x = *(struct sl_sweep_point *const *)a,
                                *y = *(struct sl_sweep_point *const *)b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x > y) - (x < y);
}

/* Merges points with the same id (the same point written in two ways) into the first one. The ids
 * come from the file and may have any value. Returns false if out of memory. */
static bool drop_repeated(struct sl_sweep *s)
{
    struct sl_sweep_point **sorted = malloc((s->n_points + 1) * sizeof *sorted);
    size_t n = 0;
    if (!sorted)
        return false;
    for (size_t i = 0; i < s->n_points; i++)
        sorted[i] = &s->point[i];
    qsort(sorted, s->n_points, sizeof *sorted, by_id);
    for (size_t i = s->n_points; i-- > 1;)
        if (sorted[i]->id == sorted[i - 1]->id) {
            free(sorted[i]->spec);
            free(sorted[i]->given);
            free(sorted[i]->machine);
            sorted[i]->spec = NULL;
        }
    free(sorted);
    for (size_t i = 0; i < s->n_points; i++)
        if (s->point[i].spec)
            s->point[n++] = s->point[i];
    s->n_points = n;
    return true;
}

static int enter(struct sl_sweep *s, struct sl_failure *f)
{
    int error = 0;
    for (size_t i = 0; i < s->n_streams && error >= 0; i++)
        error = sl_sweep_store_stream(s->store, s->stream[i].name, s->stream[i].what,
                                      &s->stream[i].id, f);
    for (size_t i = 0; i < s->n_points && error >= 0; i++) {
        struct sl_sweep_point *p = &s->point[i];
        error = sl_sweep_store_point(s->store, p->spec, p->machine, p->described, p->given, &p->id,
                                     f);
    }
    if (error >= 0 && !drop_repeated(s))
        error = no_memory(f);
    for (size_t i = 0; i < s->n_streams; i++)
        for (size_t k = 0; k < s->n_points && error >= 0; k++)
            error = sl_sweep_store_request(s->store, s->stream[i].id, s->point[k].id, f);
    return error;
}

static int enter_all(struct sl_sweep *s, struct sl_failure *f)
{
    int error = sl_sweep_store_open(&s->store, s->path, f);
    if (error >= 0)
        error = sl_sweep_store_begin(s->store, f);
    if (error >= 0 && (error = enter(s, f)) < 0)
        sl_sweep_store_abandon(s->store);
    return error < 0 ? error : sl_sweep_store_commit(s->store, f);
}

/* ---- open and close ---- */

static int build(struct sl_sweep *s, struct asked *asked,
                 int (*objects)(const struct sl_sweep *sweep, struct sl_failure *f),
                 struct sl_failure *f)
{
    unsigned needs = 0;
    int error = read_config(asked, s->config, f);
    if (error >= 0)
        error = find_streams(s, asked, f);
    if (error >= 0 && !asked->spec.n)
        error = choose_usual(s, asked, f);
    if (error >= 0)
        error = add_points(s, asked, &needs, f);
    if (error >= 0 && objects)
        error = objects(s, f);
    if (error >= 0)
        error = enter_all(s, f);
    return error < 0 ? error : record_programs(s, needs, f);
}

int sl_sweep_open(struct sl_sweep *s, const char *path, const struct sl_sweep_config *c,
                  int (*objects)(const struct sl_sweep *sweep, struct sl_failure *f),
                  struct sl_failure *f)
{
    struct asked asked = {.spec = {0}};
    *s = (struct sl_sweep){.config = c,
                           .path = strdup(path),
                           .how = {.range = c->range,
                                   .only = c->only,
                                   .marked = c->marked,
                                   .skip = c->skip,
                                   .limit = c->limit,
                                   .error_executions = c->error_executions,
                                   .error_share = c->error_share,
                                   .error_covered = c->error_covered}};
    int error = s->path ? build(s, &asked, objects, f) : no_memory(f);
    sl_grid_free(&asked.spec);
    sl_grid_free(&asked.machine);
    sl_grid_free(&asked.stream);
    return error;
}

void sl_sweep_close(struct sl_sweep *s)
{
    for (size_t i = 0; i < s->n_batches; i++)
        free(s->batch[i].point);
    for (size_t i = 0; i < s->n_points; i++) {
        free(s->point[i].spec);
        free(s->point[i].given);
        free(s->point[i].machine);
    }
    for (size_t i = 0; i < s->n_streams; i++)
        sl_sweep_stream_free(&s->stream[i]);
    free(s->batch);
    free(s->point);
    free(s->stream);
    free(s->path);
    sl_sweep_store_close(s->store);
}
