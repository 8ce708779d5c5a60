/* SPDX-License-Identifier: MIT */
/* Benchmark of the profiling tables: measures how many events per second each kind of table counts,
 * for load values and for control-flow edges.
 *
 *     build/bench/tables [-r ROUNDS] [-t EXPRESSION] [STREAM ...]
 *
 * A stream (a trace, or a synthetic one: synth:zipf) is read into memory once: the load values as
 * <instruction, value>, and pairs of consecutive blocks as edges, tuples with static fields.
 * Without a stream, two real programs are run. Every table then counts all of it in batches, as in
 * a session, once per round, so that a slow moment of the computer affects all of them; the fastest
 * round counts. "reading" is a loop that only adds up the same words: a lower bound for a table
 * that reads all of them. A compressor adds up its messages, as in a session. A ratio compares
 * speeds: 4.8x exact counts 4.8 times as many events in the same time.
 *
 * Times are CPU time of this thread: the fastest round, the extra time of the slowest, and the
 * wall-clock time of the fastest. Tables that do not exist are left out; with -t also those whose
 * names do not match the expression (of grep -E), except exact. */
#include <regex.h>
#include <signal.h>
#include <unistd.h>

#include "grow.h"
#include "index_map.h"
#include "interval_table.h"
#include "programs.h"
#include "source.h"
#include "table.h"
#include "timing.h"

#define TUPLES_MAX ((size_t)32 << 20)
#define BATCH 8192u
#define MEMORY_BYTES (UINT64_C(4) << 30)

/* Interval tables also run without vector instructions (SL_INTERVAL_PORTABLE). */
#define BEST SL_INTERVAL_FORMS
static const struct spec {
    const char *spec;
    unsigned form;
    const char *with;
} specs[] = {
    {"exact", BEST, ""},
    {"P256", BEST, ""},
    {"R256", BEST, ""},
    {"CR256", BEST, ""},
    {"A16", BEST, ""},
    {"H[P256]2048", BEST, ""},
    {"H[P256]2048+A16", BEST, ""},
    {"T2/256x2048w2", BEST, ""},
    {"T2/256x2048w2+A16", BEST, ""},
    {"singlehash", BEST, ""},
    {"multihash", BEST, ""},
    {"multihash", SL_INTERVAL_PORTABLE, ", portable"},
    {"multihash(tables=4,reset=0)", BEST, ""},
    {"multihash(tables=4,reset=0)", SL_INTERVAL_PORTABLE, ", portable"},
    {"spacesaving", BEST, ""},
    {"misragries", BEST, ""},
    {"countmin", BEST, ""},
    {"countsketch", BEST, ""},
    {"heavykeeper", BEST, ""},
    {"elastic", BEST, ""},
    {"cocosketch", BEST, ""},
};
#define N_SPECS (sizeof specs / sizeof *specs)
#define EXACT 0

/* Tuples in memory. `value` is NULL for edges, whose second words are names. */
struct tuples {
    uint32_t *tuple_id;
    uint64_t *value;
    size_t n, tuple_ids_capacity, value_capacity;
    uint64_t *pc, *second;
    size_t n_names, pc_capacity, second_capacity;
};

struct stream {
    struct tuples values, edges;
    struct sl_index_map edge_map;
};

/* ---- a stream into memory ---- */

static bool reserve(struct tuples *t, size_t events, size_t names)
{
    return SL_GROW(t->tuple_id, t->tuple_ids_capacity, t->n + events) &&
           SL_GROW(t->value, t->value_capacity, t->n + events) &&
           SL_GROW(t->pc, t->pc_capacity, names) && SL_GROW(t->second, t->second_capacity, names);
}

static bool add_values(struct tuples *t, const struct sl_chunk *c, const struct sl_statics *s)
{
    if (!reserve(t, c->n_mems, s->n_insns))
        return false;
    for (; t->n_names < s->n_insns; t->n_names++)
        t->pc[t->n_names] = s->insn[t->n_names].pc;
    for (uint32_t i = 0; i < c->n_mems && c->mem_value; i++) {
        uint32_t word = c->mem_insn[i];
        if (c->mem_addr && word & (SL_MEM_STORE | SL_MEM_MORE))
            continue;
        t->tuple_id[t->n] = c->mem_addr ? word & SL_MEM_INSN_MASK : word;
        t->value[t->n++] = c->mem_value[i];
    }
    return true;
}

static bool add_edges(struct stream *stream, const struct sl_chunk *c, const struct sl_statics *s)
{
    struct tuples *t = &stream->edges;
    if (!reserve(t, c->n_blocks, t->n_names + c->n_blocks))
        return false;
    for (uint32_t i = 1; i < c->n_blocks; i++) {
        uint64_t from = s->block[c->block[i - 1]].pc, to = s->block[c->block[i]].pc;
        uint32_t edge = sl_index_add(&stream->edge_map, from, to);
        if (edge == SL_NO_INDEX)
            return false;
        t->pc[edge] = from;
        t->second[edge] = to;
        t->tuple_id[t->n++] = edge;
    }
    t->n_names = stream->edge_map.n_keys;
    return true;
}

/* Reads the stream up to TUPLES_MAX tuples; then a running guest is killed. */
static int read_stream(struct stream *stream, struct sl_source *source, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int more;
    while ((more = sl_source_next(source, &chunk, f)) > 0) {
        if (!add_values(&stream->values, &chunk, &source->statics) ||
            !add_edges(stream, &chunk, &source->statics)) {
            snprintf(f->text, sizeof f->text, "out of memory");
            more = SL_ENOMEM;
            break;
        }
        if (stream->values.n >= TUPLES_MAX || stream->edges.n >= TUPLES_MAX)
            break;
    }
    if (more)
        sl_source_signal(source, SIGKILL);
    sl_source_close(source);
    free(stream->edges.value);
    stream->edges.value = NULL;
    return more < 0 ? more : 0;
}

static void free_tuples(struct tuples *t)
{
    free(t->tuple_id);
    free(t->value);
    free(t->pc);
    free(t->second);
}

/* ---- measuring ---- */

struct row {
    double seconds, slowest; /* of the fastest and the slowest round; 0: table does not exist */
    double wall;             /* wall-clock time of the fastest round */
    struct sl_table_status status;
};

struct options {
    unsigned rounds;
    const regex_t *only; /* names of tables to measure; NULL: all */
};

struct clocks {
    double cpu, wall;
};

static struct clocks now(void)
{
    return (struct clocks){cpu_seconds(), wall_seconds()};
}

static void end_round(struct row *row, struct clocks start)
{
    struct clocks end = now();
    double cpu = end.cpu - start.cpu, wall = end.wall - start.wall;
    row->seconds = !row->seconds || cpu < row->seconds ? cpu : row->seconds;
    row->slowest = cpu > row->slowest ? cpu : row->slowest;
    row->wall = !row->wall || wall < row->wall ? wall : row->wall;
}

static void sum_words(const struct tuples *t, struct row *row)
{
    struct clocks start = now();
    uint64_t sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum ^= t->tuple_id[i] ^ (t->value ? t->value[i] : 0);
    __asm__ volatile("" : : "r"(sum)); /* so that the loop is not optimized away */
    end_round(row, start);
}

static void run_batches(const struct sl_table_kind *kind, void *state, const struct tuples *t,
                        struct row *row)
{
    struct sl_tuple_names names = {t->pc, t->value ? NULL : t->second, t->n_names};
    struct clocks start = now();
    for (size_t at = 0; at < t->n; at += BATCH) {
        struct sl_batch batch = {.n = t->n - at < BATCH ? t->n - at : BATCH,
                                 .tuple_id = t->tuple_id + at,
                                 .value = t->value ? t->value + at : NULL,
                                 .names = &names};
        kind->observe(state, &batch);
    }
    if (kind->finish)
        kind->finish(state);
    end_round(row, start);
    kind->status(state, &row->status);
    if (kind->close)
        kind->close(state);
}

static void run_table(const struct spec *spec, const struct tuples *t, struct row *row)
{
    struct sl_table_host host = {.memory_bytes = MEMORY_BYTES, .names = t->n_names};
    const struct sl_table_kind *kind;
    void *config;
    size_t end;
    if (sl_table_parse(&kind, &config, spec->spec, 0, &end, NULL) < 0)
        return;
    size_t bytes = (kind->size(config, &host) + 63) / 64 * 64;
    void *state = aligned_alloc(64, bytes);
    if (state) {
        memset(state, 0, bytes);
        if (kind->init(state, config, &host, NULL) >= 0 &&
            (spec->form == BEST ||
             sl_interval_force_form(state, (enum sl_interval_form)spec->form)))
            run_batches(kind, state, t, row);
    }
    free(state);
    free(config);
}

static void print_row(const struct spec *spec, const struct row *row, size_t n, double exact,
                      double reading)
{
    char name[100];
    if (!row->seconds)
        return;
    snprintf(name, sizeof name, "%s%s", spec->spec, spec->with);
    printf("| %-42s | %10.0f | +%5.0f%% | %8.0f | %6.3gx | %8.3gx |", name,
           (double)n / row->seconds / 1e6, 100 * (row->slowest / row->seconds - 1),
           (double)n / row->wall / 1e6, exact / row->seconds, reading / row->seconds);
    if (row->status.messages)
        printf(" 1 message per %.1f events", (double)n / (double)row->status.messages);
    else if (row->status.sends)
        printf(" no messages");
    printf("\n");
}

static void measure(const char *title, const char *what, const struct tuples *t,
                    const struct options *options)
{
    struct row row[N_SPECS] = {0}, reading = {0};
    if (!t->n) {
        printf("\n%s: no %s: nothing to measure\n", title, what);
        return;
    }
    for (unsigned round = 0; round < options->rounds; round++) {
        sum_words(t, &reading);
        for (size_t i = 0; i < N_SPECS; i++)
            if (i == EXACT || !options->only || !regexec(options->only, specs[i].spec, 0, NULL, 0))
                run_table(&specs[i], t, &row[i]);
    }
    printf("\n%s: %.1f M %s, %llu distinct, fastest of %u rounds\n\n", title, (double)t->n / 1e6,
           what, (unsigned long long)row[EXACT].status.distinct, options->rounds);
    printf("| table                                      | M events/s | slowest |     wall |   "
           "exact |   reading |\n"
           "| ------------------------------------------ | ---------: | ------: | -------: | "
           "------: | --------: |\n");
    print_row(&(struct spec){"reading", BEST, ""}, &reading, t->n, row[EXACT].seconds,
              reading.seconds);
    for (size_t i = 0; i < N_SPECS; i++)
        print_row(&specs[i], &row[i], t->n, row[EXACT].seconds, reading.seconds);
    fflush(stdout);
}

static int measure_source(const char *title, struct sl_source *source,
                          const struct options *options, struct sl_failure *f)
{
    struct stream stream = {0};
    int error = read_stream(&stream, source, f);
    if (!error) {
        measure(title, "load values", &stream.values, options);
        measure(title, "edges", &stream.edges, options);
    }
    free_tuples(&stream.values);
    free_tuples(&stream.edges);
    sl_index_free(&stream.edge_map);
    return error;
}

static int measure_named(const char *name, const struct options *options, struct sl_failure *f)
{
    struct sl_source *source;
    int error = sl_source_open(&source, name, f);
    return error < 0 ? error : measure_source(name, source, options, f);
}

static int measure_programs(const struct options *options, struct sl_failure *f)
{
    struct program program[2];
    int error = 0;
    if (!programs_create(program))
        return measure_named("synth:zipf(events=32M,tuples=1M)", options, f);
    for (int i = 0; i < 2 && !error; i++) {
        struct sl_guest guest = {.size = sizeof guest,
                                 .argv = program[i].argv,
                                 .needs = SL_NEED_VALUES,
                                 .tap_dir = "build"};
        struct sl_source *source;
        error = sl_source_run(&source, &guest, f);
        if (!error)
            error = measure_source(program[i].title, source, options, f);
    }
    return error;
}

int main(int argc, char **argv)
{
    struct sl_failure f = {0};
    struct options options = {.rounds = 3};
    regex_t only;
    int option, error = 0;
    bool bad = false;
    while ((option = getopt(argc, argv, "r:t:")) != -1) {
        if (option == 'r')
            options.rounds = (unsigned)atoi(optarg);
        else if (option == 't' && !options.only &&
                 !regcomp(&only, optarg, REG_EXTENDED | REG_NOSUB))
            options.only = &only;
        else
            bad = true;
    }
    if (bad || options.rounds < 1) {
        fprintf(stderr, "usage: tables [-r ROUNDS] [-t EXPRESSION] [STREAM ...]\n");
        return 2;
    }
    if (optind == argc)
        error = measure_programs(&options, &f);
    for (int i = optind; i < argc && !error; i++)
        error = measure_named(argv[i], &options, &f);
    if (error < 0)
        fprintf(stderr, "tables: %s\n", f.text);
    if (options.only)
        regfree(&only);
    return error < 0;
}
