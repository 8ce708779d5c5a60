/* SPDX-License-Identifier: MIT */
/* Whole program path (table `wpp`): stores all events of a run in order, compressed as a grammar
 * (sequitur.c).
 *
 * With a path detector this is the use of Sequitur that Vaswani et al., "A Programmable Hardware
 * Path Profiler", 2005, describe: software compresses the sequence of paths that the hardware
 * emits. Tuples of any detector are accepted.
 *
 *     event -> symbol (dense, in order of appearance) -> Sequitur, one per thread
 *           -> grammar.h: stored and expanded; subpath.h: searched for hot subpaths
 *
 * A symbol denotes a tuple, so equal tuples with several ids are one symbol. Counts are not
 * stored, because they follow from the grammar. With a metric, the grammar is still that of the
 * events; an array by symbol has the weight of its events less 1 for each.
 *
 * Threads. The interleaving of threads varies from run to run, so each thread has its own grammar.
 * At the end they become one: with several threads, rule 0 uses the first rule of each, in the
 * order of their ids, and symbols are renumbered in that order. The result depends on what
 * each thread executes, not on the interleaving.
 *
 * Memory: that of sequitur.c, 256 bytes per tuple (its map and arrays at most, while they grow) and
 * 512 bytes per thread. At the limit the grammar is frozen: it is exactly the sequence so far, and
 * later events are dropped and counted. At the end the finished grammar replaces the data
 * structures of Sequitur; counting, searching and saving fit in the memory that this frees. */
#include "table.h"

#include <string.h>

#include "failure.h"
#include "grow.h"
#include "index_map.h"
#include "subpath.h"
#include "sequitur.h"

#define TUPLE_BYTES UINT64_C(256)
#define TUPLES_FIRST UINT64_C(8)   /* size of empty maps and arrays, in tuples */
#define THREAD_BYTES UINT64_C(512) /* per thread, plus 32 for each thread number up to it */

struct config {
    double hot;
    uint64_t least, most;
    unsigned subpaths; /* enum sl_subpath_choice */
};

struct wpp {
    uint64_t memory_bytes;
    uint64_t events, weight, drops, drops_weight;
    struct sl_subpath_limits hot;
    struct sl_sequitur **thread; /* by thread number; NULL: no events */
    size_t threads_capacity, n_threads;
    struct sl_sequitur *now;   /* of the thread of the current batch */
    uint64_t others_bytes;     /* allocated by the grammars of the other threads */
    bool full;                 /* later events are dropped */
    struct sl_grammar grammar; /* when finished */
    bool finished;
    uint64_t grammar_bits;       /* of storage, when finished */
    struct sl_index_map symbols; /* by tuple */
    struct sl_tuple *tuple;      /* by symbol */
    uint64_t *beyond;            /* by symbol, as far as there are weights */
    size_t tuples_capacity, beyond_capacity;
    size_t names_capacity;
    uint32_t symbol_of[]; /* by number of a static tuple: 1 + its symbol; 0: unknown */
};

/* Allocated bytes without those of the grammars. */
static uint64_t bytes_without_grammars(const struct wpp *w)
{
    return (w->symbols.n_keys + 1 + TUPLES_FIRST) * TUPLE_BYTES + w->n_threads * THREAD_BYTES +
           w->threads_capacity * 32;
}

/* Limits the growing grammar to the memory that tuples, one more tuple and other grammars leave. */
static bool limit_memory(struct wpp *w)
{
    uint64_t taken = bytes_without_grammars(w) + w->others_bytes;
    w->now->memory_bytes = w->memory_bytes > taken ? w->memory_bytes - taken : 0;
    return sl_sequitur_bytes(w->now) <= w->now->memory_bytes;
}

/* Selects the thread of the next events. Returns false if out of memory. */
static bool select_thread(struct wpp *w, uint32_t number)
{
    if (number < w->threads_capacity && w->thread[number] && w->thread[number] == w->now)
        return true;
    if (bytes_without_grammars(w) + THREAD_BYTES + 32 * ((uint64_t)number + 1) > w->memory_bytes ||
        !SL_GROW(w->thread, w->threads_capacity, (size_t)number + 1))
        return false;
    struct sl_sequitur **thread = &w->thread[number];
    bool fresh = !*thread;
    if (fresh && !(*thread = calloc(1, sizeof **thread)))
        return false;
    w->n_threads += fresh;
    w->now = *thread;
    w->others_bytes = 0;
    for (size_t i = 0; i < w->threads_capacity; i++)
        if (w->thread[i] && w->thread[i] != w->now)
            w->others_bytes += sl_sequitur_bytes(w->thread[i]);
    if (fresh) {
        limit_memory(w);
        sl_sequitur_init(w->now, w->now->memory_bytes);
    }
    return limit_memory(w);
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    (void)config;
    return sizeof(struct wpp) + host->names * sizeof(uint32_t);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct wpp *w = state;
    const struct config *c = config;
    (void)f;
    *w = (struct wpp){.memory_bytes = host->memory_bytes,
                      .hot = {c->hot, c->least, c->most, (enum sl_subpath_choice)c->subpaths},
                      .names_capacity = host->names};
    return 0;
}

/* ---- events ---- */

/* The symbol of a tuple. SL_NO_INDEX: the tuple is new and does not fit. */
static uint32_t symbol_of(struct wpp *w, struct sl_tuple tuple)
{
    uint32_t symbol = sl_index_find(&w->symbols, tuple.pc, tuple.value);
    if (symbol != SL_NO_INDEX || w->full)
        return symbol;
    if (!limit_memory(w) || w->symbols.n_keys > SL_SEQUITUR_SYMBOL_MAX ||
        !SL_GROW(w->tuple, w->tuples_capacity, w->symbols.n_keys + 1))
        return SL_NO_INDEX;
    symbol = sl_index_add(&w->symbols, tuple.pc, tuple.value);
    if (symbol != SL_NO_INDEX)
        w->tuple[symbol] = tuple;
    return symbol;
}

static void append(struct wpp *w, uint32_t symbol, uint64_t weight)
{
    w->events++;
    w->weight += weight;
    /* All sequences end with the first event that does not fit. */
    w->full = w->full || symbol == SL_NO_INDEX ||
              (weight != 1 && !SL_GROW(w->beyond, w->beyond_capacity, (size_t)symbol + 1)) ||
              !sl_sequitur_append(w->now, symbol);
    if (w->full) {
        w->drops++;
        w->drops_weight += weight;
    } else if (weight != 1) {
        w->beyond[symbol] += weight - 1;
    }
}

static void step(void *state, const struct sl_event *event)
{
    struct wpp *w = state;
    w->full = w->full || !select_thread(w, event->thread);
    append(w, symbol_of(w, event->tuple), event->weight);
}

static uint32_t symbol_of_id(struct wpp *w, const struct sl_tuple_names *names, uint32_t tuple_id)
{
    if (tuple_id < w->names_capacity && w->symbol_of[tuple_id])
        return w->symbol_of[tuple_id] - 1;
    uint32_t symbol = symbol_of(w, sl_tuple_named(names, tuple_id));
    if (tuple_id < w->names_capacity)
        w->symbol_of[tuple_id] = symbol + 1; /* 0 again for SL_NO_INDEX */
    return symbol;
}

static void observe(void *state, const struct sl_batch *batch)
{
    struct wpp *w = state;
    w->full = w->full || (batch->n && !select_thread(w, batch->thread));
    for (size_t i = 0; i < batch->n; i++) {
        uint32_t symbol = batch->value ? symbol_of(w, sl_batch_event(batch, i).tuple)
                                       : symbol_of_id(w, batch->names, batch->tuple_id[i]);
        append(w, symbol, batch->weight ? batch->weight[i] : 1);
    }
}

/* ---- results ---- */

/* Storage of the grammars of all threads. */
static uint64_t grammar_bits(const struct wpp *w)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < w->threads_capacity; i++) {
        const struct sl_sequitur *s = w->thread[i];
        if (s)
            bytes += (s->n_symbols + s->n_rules) * sizeof *s->node + s->n_rules * sizeof *s->rule +
                     sl_digram_slots(&s->index) * sizeof *s->index.slot;
    }
    return 8 * bytes;
}

/* Joins the grammars of all threads, in the order of their ids. */
static bool join_grammars(struct wpp *w)
{
    size_t n = 0;
    if (!w->n_threads)
        return true;
    struct sl_grammar *of = calloc(w->n_threads, sizeof *of);
    bool done = of;
    for (size_t i = 0; i < w->threads_capacity && done; i++)
        if (w->thread[i] && w->thread[i]->length)
            done = sl_sequitur_finish(w->thread[i], &of[n++]);
    if (done && n == 1)
        w->grammar = of[0];
    else if (done && n)
        done = sl_grammar_join(&w->grammar, of, n);
    for (size_t i = 0; i < n && (n > 1 || !done); i++)
        sl_grammar_free(&of[i]);
    free(of);
    return done;
}

/* Renumbers the symbols in the order of their first appearance in the sequence. */
static bool renumber(struct wpp *w)
{
    size_t n = w->symbols.n_keys;
    uint32_t *number = malloc((n + 1) * sizeof *number);
    struct sl_tuple *tuple = malloc((n + 1) * sizeof *tuple);
    uint64_t *beyond = calloc(n + 1, sizeof *beyond);
    bool done = number && tuple && beyond && sl_grammar_renumber(&w->grammar, number, n);
    for (size_t i = 0; i < n && done; i++) {
        tuple[number[i]] = w->tuple[i];
        beyond[number[i]] = i < w->beyond_capacity ? w->beyond[i] : 0;
    }
    if (done && n) {
        memcpy(w->tuple, tuple, n * sizeof *tuple);
        if (w->beyond_capacity)
            memcpy(w->beyond, beyond,
                   (n < w->beyond_capacity ? n : w->beyond_capacity) * sizeof *beyond);
    }
    free(number);
    free(tuple);
    free(beyond);
    return done;
}

static void finish(void *state)
{
    struct wpp *w = state;
    w->full = true;
    w->grammar_bits = grammar_bits(w);
    w->finished = join_grammars(w) && (w->n_threads < 2 || renumber(w));
}

static bool sequence(const void *state, struct sl_sequence *out)
{
    const struct wpp *w = state;
    *out = (struct sl_sequence){.grammar = &w->grammar,
                                .tuple = w->tuple,
                                .n_tuples = w->symbols.n_keys,
                                .beyond = w->beyond,
                                .n_beyond = w->beyond_capacity,
                                .hot = w->hot};
    return w->finished;
}

static bool add_counts(const struct sl_grammar *grammar, uint64_t *sum, uint64_t *count, size_t n)
{
    bool done = sl_grammar_counts(grammar, count, n);
    for (size_t i = 0; i < n && done; i++)
        sum[i] += count[i];
    return done;
}

/* Counts each symbol. Before finish(), temporary grammars of the events so far are made. */
static bool count_symbols(const struct wpp *w, uint64_t *sum, uint64_t *count, size_t n)
{
    bool done = true;
    if (w->finished)
        return add_counts(&w->grammar, sum, count, n);
    for (size_t i = 0; i < w->threads_capacity && done; i++) {
        struct sl_grammar so_far = {0};
        if (w->thread[i]) {
            done = sl_sequitur_grammar(w->thread[i], &so_far) && add_counts(&so_far, sum, count, n);
            sl_grammar_free(&so_far);
        }
    }
    return done;
}

static void drain(const void *state, const struct sl_tuple_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct wpp *w = state;
    size_t n = w->symbols.n_keys;
    uint64_t *sum = calloc(n + 1, sizeof *sum), *count = calloc(n + 1, sizeof *count);
    bool more = sum && count && count_symbols(w, sum, count, n);
    (void)names;
    for (size_t i = 0; i < n && more; i++) {
        uint64_t weight = sum[i] + (i < w->beyond_capacity ? w->beyond[i] : 0);
        struct sl_entry entry = {
            .tuple = w->tuple[i], .count = weight, .low = weight, .high = weight};
        more = emit(context, &entry);
    }
    free(sum);
    free(count);
}

/* Prints the number of events of each thread, as far as `out` has capacity. */
static void write_threads(const struct wpp *w, char *out, size_t capacity)
{
    size_t used = (size_t)snprintf(out, capacity,
                                   "concatenated grammars of %zu threads:", w->n_threads);
    size_t listed = 0;
    for (size_t i = 0; i < w->threads_capacity && used + 80 < capacity; i++)
        if (w->thread[i]) {
            used += (size_t)snprintf(out + used, capacity - used, "%s thread %zu %llu events",
                                     listed ? "," : "", i,
                                     (unsigned long long)w->thread[i]->length);
            listed++;
        }
    if (listed < w->n_threads)
        snprintf(out + used, capacity - used, " and %zu more", w->n_threads - listed);
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct wpp *w = state;
    *out = (struct sl_table_status){.events = w->events,
                                    .weight = w->weight,
                                    .drops = w->drops,
                                    .drops_weight = w->drops_weight,
                                    .bounds = w->drops ? SL_BOUNDS_NONE : SL_BOUNDS_CERTAIN,
                                    .distinct = w->symbols.n_keys};
    out->storage_bits = (w->finished ? w->grammar_bits : grammar_bits(w)) +
                        8 * w->symbols.n_keys * sizeof *w->tuple;
    size_t used = 0;
    if (w->drops)
        used = (size_t)snprintf(
            out->note, sizeof out->note,
            "the stored sequence used up its memory (%.1f MB) after %llu "
            "events, and %llu later events are not stored: raise the memory limit%s",
            (double)w->memory_bytes / 1e6, (unsigned long long)(w->events - w->drops),
            (unsigned long long)w->drops, w->n_threads > 1 ? "; " : "");
    if (w->n_threads > 1)
        write_threads(w, out->note + used, sizeof out->note - used);
}

static void close_wpp(void *state)
{
    struct wpp *w = state;
    for (size_t i = 0; i < w->threads_capacity; i++) {
        if (w->thread[i])
            sl_sequitur_free(w->thread[i]);
        free(w->thread[i]);
    }
    free(w->thread);
    sl_grammar_free(&w->grammar);
    sl_index_free(&w->symbols);
    free(w->tuple);
    free(w->beyond);
}

static int resolve(void *config, struct sl_failure *f)
{
    const struct config *c = config;
    if (c->least <= c->most)
        return 0;
    return sl_fail(f, SL_EUSAGE, "wpp: least=%llu exceeds most=%llu: swap them",
                   (unsigned long long)c->least, (unsigned long long)c->most);
}

static const char *const choices[] = {
    [SL_SUBPATH_LONGEST] = "longest", [SL_SUBPATH_SHORTEST] = "shortest", NULL};

static const struct sl_option options[] = {
    SL_PERCENT(struct config, hot, "0.1%", 0, 100,
               "minimum percentage of the sequence's weight that a hot subpath makes up"),
    SL_UNSIGNED(struct config, least, "2", 2, 10000, "minimum length of a hot subpath, in events"),
    SL_UNSIGNED(struct config, most, "16", 2, 10000, "maximum length of a hot subpath, in events"),
    SL_CHOICE(struct config, subpaths, "longest", choices,
              "which hot subpath is reported if one contains another: the longest or the shortest"),
    SL_OPTIONS_END,
};

const struct sl_table_kind sl_table_wpp = {
    .name = "wpp",
    .summary =
        "whole program path: all events in order, as a grammar; grows up to the memory limit",
    .storage = "96 bits per symbol, 160 bits per rule, 96 bits per slot of the digram index, 128 "
               "bits per tuple",
    .options = options,
    .config_size = sizeof(struct config),
    .resolve = resolve,
    SL_TABLE_FUNCTIONS,
    .finish = finish,
    .drain = drain,
    .close = close_wpp,
    .order = &(const struct sl_table_order){.sequence = sequence},
};
