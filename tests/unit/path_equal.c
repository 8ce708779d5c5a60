/* SPDX-License-Identifier: MIT */
/* Unit tests of the path detector on random programs, for all kinds of paths, all options and
 * random settings of the control register. Each event is compared with a simple model
 * (naive_path.h). The detector runs block by block and, if a profile needs only paths, also by
 * n-grams of blocks (ngrams.h). */
#include <inttypes.h>

#include "../support/naive_path.h"
#include "../support/random_walk.h"
#include "path.h"
#include "block_pairs.h"
#include "tap.h"

#define THREADS 3
#define MAPPINGS 600
#define CHUNK 600

struct event {
    uint64_t pc, value, weight;
    uint32_t place;
};

struct events {
    struct event *event;
    size_t n, capacity;
};

static void add(struct events *e, struct event event)
{
    if (e->n == e->capacity)
        e->event = realloc(e->event, (e->capacity = 2 * e->capacity + 1024) * sizeof *e->event);
    e->event[e->n++] = event;
}

struct wanted {
    struct events events;
    uint32_t place;
};

static void want(void *context, uint64_t start, uint64_t value, uint64_t events)
{
    struct wanted *w = context;
    add(&w->events, (struct event){start, value, events, w->place});
}

/* How a stream is made. */
struct stream {
    unsigned odd, signals;
    bool gaps, marks, weights;
    bool ngrams; /* gets n-grams for most chunks */
};

struct bench {
    void *state;
    struct sl_selection selection;
    struct sl_detector_env env;
    struct naive naive;
    struct wanted wanted;
    struct events got;
    struct sl_events buffer;
    struct sl_ngrams ngrams;
    struct sl_exits exits;                               /* its ngrams alone */
    uint8_t operations[CHUNK], wanted_operations[CHUNK]; /* of a slice, by block */
    uint64_t done, differing; /* operations in all; slices in which they are others */
};

static void set_naive(struct naive *n, const struct sl_path_config *c)
{
    n->kind = c->kind == SL_PATH_LOOP        ? NAIVE_LOOP
              : c->kind == SL_PATH_PROCEDURE ? NAIVE_PROCEDURE
                                             : NAIVE_PLAIN;
    n->extend = (unsigned)c->extend;
    n->length = (unsigned)c->length;
    n->stack = c->stack;
    n->spill = c->overflow;
    n->repair = c->repair;
    n->events_max = UINT64_MAX >> (64 - c->bits);
    for (int i = 0; i < 5; i++)
        n->operations[i] = c->operations[i];
}

static void open_bench(struct bench *b, const struct walk_program *p, struct sl_path_config *config)
{
    struct sl_failure f;
    *b = (struct bench){.state = calloc(1, sl_detector_path.state_size)};
    sl_selection_init(&b->selection, NULL, NULL, &f);
    b->env = (struct sl_detector_env){
        .statics = &p->tiny->statics, .code = &p->tiny->code, .selection = &b->selection};
    b->buffer = (struct sl_events){.tuple_id = malloc(SL_EVENTS_MAX * sizeof(uint32_t)),
                                   .weight = malloc(SL_EVENTS_MAX * sizeof(uint64_t))};
    b->naive = (struct naive){.code = &p->tiny->code, .emit = want, .context = &b->wanted};
    set_naive(&b->naive, config);
    if (!sl_ngrams_init(&b->ngrams))
        abort();
    if (sl_selection_sync(&b->selection, &p->tiny->code, NULL, &f) < 0 ||
        sl_detector_path.init(b->state, config, &b->env, &f) < 0 ||
        sl_detector_path.sync(b->state, &f) < 0)
        abort();
}

static void close_bench(struct bench *b)
{
    sl_detector_path.close(b->state);
    free(b->state);
    sl_ngrams_free(&b->ngrams);
    sl_selection_free(&b->selection);
    naive_free(&b->naive);
    free(b->wanted.events.event);
    free(b->got.event);
    free(b->buffer.tuple_id);
    free(b->buffer.weight);
    free(b->buffer.position);
}

/* Where places are requested, so are operations. */
static int feed_detector(struct bench *b, const struct sl_slice *slice, struct sl_failure *f)
{
    uint32_t low = slice->block_low, n = slice->block_high - low;
    if (!b->buffer.position || !slice->active)
        return sl_detector_path.feed(b->state, slice, &b->buffer, f);
    int error = sl_detector_path.feed_timed(b->state, slice, &b->buffer, b->operations, f);
    b->differing += memcmp(b->operations + low, b->wanted_operations + low, n) != 0;
    for (uint32_t i = low; i < low + n; i++)
        b->done += b->operations[i];
    return error;
}

static void feed(struct bench *b, const struct sl_slice *slice)
{
    struct sl_failure f;
    struct sl_tuple_names names;
    uint32_t thread = slice->chunk->thread;
    if (!slice->joined)
        naive_gap(&b->naive, thread);
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint64_t before = b->naive.done;
        b->wanted.place = i + 1;
        naive_step(&b->naive, thread, slice->chunk->block[i],
                   slice->block_weight ? slice->block_weight[i] : 0, slice->active);
        b->wanted_operations[i] = (uint8_t)(b->naive.done - before);
    }
    b->buffer.n = 0;
    if (feed_detector(b, slice, &f) < 0)
        abort();
    sl_detector_path.names(b->state, &names);
    for (size_t i = 0; i < b->buffer.n; i++) {
        uint32_t tuple_id = b->buffer.tuple_id[i];
        add(&b->got, (struct event){names.pc[tuple_id], names.value[tuple_id], b->buffer.weight[i],
                                    b->buffer.position ? b->buffer.position[i] : 0});
    }
}

static uint64_t ngrams_known; /* that came before */

/* Chunks of threads that walk at random, in slices. */
static void run(struct bench *b, const struct walk_program *p, const struct stream *how,
                uint64_t seed, size_t blocks)
{
    struct walker walker[THREADS];
    uint32_t block[CHUNK];
    uint64_t weight[CHUNK], random = seed;
    bool begun[THREADS] = {false};
    for (int i = 0; i < THREADS; i++)
        walker[i] = (struct walker){.program = p,
                                    .random = sl_random_next(&random),
                                    .odd = how->odd,
                                    .signals = how->signals};
    for (size_t done = 0; done < blocks;) {
        struct sl_chunk chunk = {.thread = (uint32_t)sl_random_below(&random, THREADS),
                                 .n_blocks = 1 + (uint32_t)sl_random_below(&random, CHUNK),
                                 .block = block};
        bool gap = how->gaps && !sl_random_below(&random, 8);
        for (uint32_t i = 0; gap && i < 5; i++)
            walk(&walker[chunk.thread]);
        for (uint32_t i = 0; i < chunk.n_blocks; i++) {
            block[i] = walk(&walker[chunk.thread]);
            weight[i] = sl_random_below(&random, sl_random_below(&random, 50) ? 20 : 400);
        }
        struct sl_slice slice = {.chunk = &chunk,
                                 .joined = begun[chunk.thread] && !gap,
                                 .block_weight = how->weights ? weight : NULL};
        if (how->ngrams && sl_random_below(&random, 8)) {
            uint32_t serial = b->ngrams.serial;
            sl_ngrams_find(&b->ngrams, &chunk, p->tiny->statics.block_size, &b->exits.ngrams);
            slice.exits = &b->exits;
            ngrams_known += b->exits.ngrams.n - (b->ngrams.serial - serial);
        }
        begun[chunk.thread] = true;
        while (slice.block_low < chunk.n_blocks) {
            slice.active = !how->marks || sl_random_below(&random, 3);
            slice.block_high = how->marks ? slice.block_low + 1 +
                                                (uint32_t)sl_random_below(
                                                    &random, chunk.n_blocks - slice.block_low)
                                          : chunk.n_blocks;
            feed(b, &slice);
            slice.block_low = slice.block_high;
            slice.joined = true;
        }
        done += chunk.n_blocks;
    }
}

static bool is_equal(const struct bench *b, bool weights)
{
    const struct events *got = &b->got, *wanted = &b->wanted.events;
    for (size_t i = 0; i < got->n && i < wanted->n; i++) {
        const struct event *g = &got->event[i], *w = &wanted->event[i];
        if (g->pc != w->pc || g->value != w->value || (weights && g->weight != w->weight) ||
            (b->buffer.position && g->place != w->place)) {
            printf("# event %zu: got %" PRIx64 " %" PRIx64 " %" PRIu64 " at %u, wanted %" PRIx64
                   " %" PRIx64 " %" PRIu64 " at %u\n",
                   i, g->pc, g->value, g->weight, g->place, w->pc, w->value, w->weight, w->place);
            return false;
        }
    }
    if (got->n != wanted->n)
        printf("# got %zu events, wanted %zu\n", got->n, wanted->n);
    return got->n == wanted->n;
}

/* All that happened to stacks, so that we know it did. */
static struct sl_path_counts total;

/* The stacks went through the same as well. */
static bool is_counted(const struct bench *b)
{
    struct sl_path_counts counts;
    uint64_t branches;
    sl_path_count(b->state, &counts);
    total.lost += counts.lost;
    total.spilled += counts.spilled;
    total.unwound += counts.unwound;
    total.purged += counts.purged;
    total.dropped += counts.dropped;
    return counts.lost == b->naive.lost && counts.spilled == b->naive.spilled &&
           counts.unfinished == naive_unfinished(&b->naive, &branches);
}

static bool is_conserved(const struct bench *b, uint64_t *sum)
{
    uint64_t unfinished;
    *sum = 0;
    for (size_t i = 0; i < b->got.n; i++)
        *sum += sl_path_length(b->got.event[i].value);
    naive_unfinished(&b->naive, &unfinished);
    return *sum == b->naive.finished && b->naive.recorded == *sum + b->naive.dropped + unfinished;
}

static void parse(struct sl_path_config *config, const char *text)
{
    struct sl_spec spec;
    struct sl_failure f;
    if (sl_spec_split(&spec, text, 0, &f) < 0 ||
        sl_options_parse(sl_path_options, &spec, config, &f) < 0 || sl_path_check(config, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
}

static void test(const char *text, const struct stream *how, bool places)
{
    struct sl_path_config config;
    bool equal = true, counted = true, conserved = true, worked = true;
    uint64_t events = 0, branches = 0, done = 0, sum;
    parse(&config, text);
    for (uint64_t seed = 1; seed <= 12 && equal; seed++) {
        struct walk_program *p = walk_program_new(seed, 3 + (uint32_t)seed % 9);
        struct bench b;
        open_bench(&b, p, &config);
        if (places)
            b.buffer.position = malloc(SL_EVENTS_MAX * sizeof(uint32_t));
        run(&b, p, how, seed, 12000);
        equal = is_equal(&b, how->weights);
        counted = counted && is_counted(&b);
        conserved = conserved && (how->marks || is_conserved(&b, &sum));
        worked = worked && !b.differing;
        done += b.done;
        events += b.got.n;
        branches += b.naive.recorded;
        close_bench(&b);
        walk_program_free(p);
    }
    ok(equal && events > 10000, "%s: the same paths, in the same order (%" PRIu64 " of them)", text,
       events);
    if (places)
        ok(worked && done > 10000, "%s: each branch does as many operations (%" PRIu64 " in all)",
           text, done);
    ok(counted, "%s: as many entries are lost, spilled, unfinished", text);
    if (!how->marks)
        ok(conserved && branches > 10000,
           "%s: lengths add up to the branches recorded (%" PRIu64 ")", text, branches);
}

/* Any operations for any class, by the number of the mapping: how many events are the
 * same; SIZE_MAX if one is not. */
static size_t test_mapping(uint64_t seed)
{
    static const char *const operations[] = {"none",
                                             "pop",
                                             "push",
                                             "pop+push",
                                             "update",
                                             "update+pop",
                                             "update+push",
                                             "update+pop+push",
                                             "update_count",
                                             "update_count+pop",
                                             "update_count+push",
                                             "update_count+pop+push"};
    static const char *const kinds[] = {"bl", "loop", "procedure"};
    static const char *const classes[] = {"call", "return", "forward", "backward", "indirect"};
    char text[400];
    uint64_t random = seed;
    size_t used = (size_t)snprintf(
        text, sizeof text, "path(%s,stack=%d,overflow=%s,length=%d",
        kinds[sl_random_below(&random, 3)], 1 + (int)sl_random_below(&random, 9),
        sl_random_below(&random, 2) ? "ring" : "spill", 1 + (int)sl_random_below(&random, 9));
    for (size_t i = 0; i < 5; i++) {
        const char *any = operations[sl_random_below(&random, 12)];
        /* So that there are paths at all: */
        used += (size_t)snprintf(text + used, sizeof text - used, ",%s=%s", classes[i],
                                 i == 2 + seed % 3 ? "update+pop+push" : any);
    }
    snprintf(text + used, sizeof text - used, ")");
    struct sl_path_config config;
    struct stream how = {
        .odd = 20, .signals = 5, .gaps = true, .weights = seed % 4 != 2, .ngrams = seed % 4 == 2};
    struct walk_program *p = walk_program_new(seed, 4 + (uint32_t)seed % 6);
    struct bench b;
    parse(&config, text);
    open_bench(&b, p, &config);
    if (seed % 2)
        b.buffer.position = malloc(SL_EVENTS_MAX * sizeof(uint32_t));
    run(&b, p, &how, seed, 5000);
    bool equal = is_equal(&b, how.weights) && is_counted(&b) && !b.differing;
    size_t events = b.got.n;
    if (!equal)
        printf("# %s\n", text);
    close_bench(&b);
    walk_program_free(p);
    return equal ? events : SIZE_MAX;
}

int main(void)
{
    static const char *const specs[] = {"path",
                                        "path(wpp)",
                                        "path(loop)",
                                        "path(procedure)",
                                        "path(loop,extend=3)",
                                        "path(procedure,extend=3)",
                                        "path(procedure,extend=32,length=7)",
                                        "path(length=1)",
                                        "path(loop,length=2,extend=2)",
                                        "path(stack=1)",
                                        "path(stack=3)",
                                        "path(procedure,stack=2,extend=2)",
                                        "path(stack=3,overflow=spill)",
                                        "path(procedure,stack=1,overflow=spill)",
                                        "path(repair=0)",
                                        "path(wpp,repair=0)",
                                        "path(procedure,repair=0)",
                                        "path(bits=8)",
                                        "path(call=update,return=update)",
                                        "path(call=update+pop+push,return=update+pop)",
                                        "path(return=update_count)"};
    const struct stream fair = {.weights = true}, plain = {0},
                        odd = {.odd = 50, .signals = 4, .gaps = true, .weights = true},
                        ngrams = {.ngrams = true},
                        odd_ngrams = {.odd = 50, .signals = 4, .gaps = true, .ngrams = true},
                        marked = {.odd = 10, .signals = 4, .marks = true, .weights = true};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        printf("# calls and returns that fit\n");
        test(specs[i], i % 2 ? &fair : &plain, false);
        printf("# longjmp, switches of stacks, signals, gaps\n");
        test(specs[i], &odd, i % 3 == 0);
        printf("# by n-grams\n");
        test(specs[i], i % 2 ? &odd_ngrams : &ngrams, false);
    }
    printf("# marks\n");
    test("path", &marked, true);
    test("path(procedure)", &marked, false);
    size_t events = 0, mappings = tap_rounds(MAPPINGS, MAPPINGS / 4);
    bool equal = true;
    for (uint64_t seed = 1; seed <= mappings && equal; seed++) {
        size_t same = test_mapping(seed);
        equal = same != SIZE_MAX;
        events += same;
    }
    ok(equal && events > 1000 * mappings,
       "%zu mappings at random: the same paths in the same order, by the same operations",
       mappings);
    ok(total.lost > 1000 && total.spilled > 1000 && total.unwound > 1000 && total.purged > 1000 &&
           total.dropped > 1000,
       "entries were lost, spilled, unwound, purged and dropped");
    ok(ngrams_known > 100000, "%" PRIu64 " n-grams were hits", ngrams_known);
    return done_testing();
}
