/* SPDX-License-Identifier: MIT */
/* Host side of a table bank, a set of tables that process the same events in parallel on a GPU:
 * memory layout and order of the kernels. This code is compiled for CUDA and for the CPU. The file
 * that includes this header must first define the functions that are listed below.
 *
 *     bank_alloc bank_free bank_zero bank_up bank_down bank_memory   GPU memory
 *     bank_run_identify bank_run_hash bank_run_process               a kernel for all elements
 *     bank_wait                                                      waits for the tables
 *
 * Data flow:
 *
 *     stream ─► tuple id of each event ────────────┐ all events
 *            ─► packed indices, by hash family ────┤ a chunk of events
 *                                                  └► tables, as many as fit in memory
 *
 * A hash family is a seed, an index width and four functions: tables with the same family share
 * its indices. */
#ifndef SL_BANK_HOST_H
#define SL_BANK_HOST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank_step.h"
#include "hash.h"

#define CHUNK_MAX (UINT32_C(1) << 24) /* events whose indices are in GPU memory at a time */

struct bank_family {
    uint64_t seed;
    uint32_t index_bits, word, first, functions;
};

/* Pointers are to GPU memory unless marked as host. */
struct bank {
    const struct sl_bank_stream *stream; /* host */
    struct sl_bank_events events;
    uint32_t *tuple_id;
    uint64_t *value, *pc, *second;
    uint32_t *tuple, *first; /* by event; by tuple id */
    unsigned first_bits;
    struct bank_family *family; /* host */
    uint32_t n_families, chunk;
    uint64_t *hash, *packed;
    uint64_t *rate; /* host: rates for which there are gaps */
    uint32_t n_rates;
    uint64_t *gaps;
    struct sl_bank_table *table, *host_table;
    uint32_t *state;
    struct sl_bank_report *report;
    struct sl_bank_found *found;
    uint64_t *n_found;
    char *why; /* host */
    size_t why_capacity;
};

static bool bank_fail(struct bank *b, const char *what)
{
    snprintf(b->why, b->why_capacity, "%s", what);
    return false;
}

/* Returns a copy in GPU memory; NULL if there is nothing to copy, or if out of memory. */
static void *bank_copy(const void *from, size_t bytes)
{
    void *to = from && bytes ? bank_alloc(bytes) : NULL;
    return to && bank_up(to, from, bytes) ? to : NULL;
}

static void bank_close(struct bank *b)
{
    bank_free(b->tuple_id);
    bank_free(b->value);
    bank_free(b->pc);
    bank_free(b->second);
    bank_free(b->tuple);
    bank_free(b->first);
    free(b->family);
    free(b->rate);
}

/* ---- the stream ---- */

static bool bank_open(struct bank *b)
{
    const struct sl_bank_stream *s = b->stream;
    size_t names = s->n_names * sizeof *s->pc;
    for (b->first_bits = 10; b->first_bits < 31 && (size_t)1 << b->first_bits < 2 * s->n;)
        b->first_bits++;
    b->tuple_id = (uint32_t *)bank_copy(s->tuple_id, s->n * sizeof *s->tuple_id);
    b->pc = (uint64_t *)bank_copy(s->pc, names);
    b->value = (uint64_t *)bank_copy(s->value, s->n * sizeof *s->value);
    b->second = (uint64_t *)bank_copy(s->value ? NULL : s->second, names);
    b->tuple = (uint32_t *)bank_alloc(s->n * sizeof *b->tuple);
    b->first = (uint32_t *)bank_alloc(sizeof *b->first << b->first_bits);
    if (!b->tuple_id || !b->pc || !(s->value ? b->value : b->second) || !b->tuple || !b->first)
        return bank_fail(b, "the stream does not fit into GPU memory: use --limit");
    b->events.tuple_id = b->tuple_id;
    b->events.value = b->value;
    b->events.pc = b->pc;
    b->events.second = b->second;
    return (bank_zero(b->first, sizeof *b->first << b->first_bits) &&
            bank_run_identify(&b->events, (uint32_t)s->n, b->first, b->first_bits, b->tuple)) ||
           bank_fail(b, bank_error_text());
}

/* ---- hash families ---- */

/* Returns the index of the table's hash family, which is added if it is new; the array is large
 * enough. */
static uint32_t bank_family_of(struct bank *b, const struct sl_bank_config *t, uint32_t word)
{
    struct bank_family wanted = {t->seed, t->index_bits, t->word, 4 * word, t->tables - 4 * word};
    uint32_t i = 0;
    if (wanted.functions > 4)
        wanted.functions = 4;
    for (; i < b->n_families; i++) {
        struct bank_family *f = &b->family[i];
        if (f->seed != wanted.seed || f->index_bits != wanted.index_bits ||
            f->word != wanted.word || f->first != wanted.first)
            continue;
        f->functions = f->functions > wanted.functions ? f->functions : wanted.functions;
        return i;
    }
    b->family[b->n_families++] = wanted;
    return i;
}

static bool bank_make_hashes(struct bank *b)
{
    struct sl_packed_hash *hash = (struct sl_packed_hash *)malloc((b->n_families + 1) *
                                                                  sizeof *hash);
    if (!b->n_families) {
        free(hash);
        return hash;
    }
    for (uint32_t i = 0; hash && i < b->n_families; i++) {
        const struct bank_family *f = &b->family[i];
        sl_packed_init_words(&hash[i], f->seed, f->first, f->functions, f->index_bits, f->word);
    }
    b->hash = (uint64_t *)bank_copy(hash, b->n_families * sizeof *hash);
    free(hash);
    return b->hash;
}

/* Returns the index of the rate's gaps, which is added if it is new; the array is large enough. */
static uint32_t bank_gaps_of(struct bank *b, uint64_t rate)
{
    uint32_t i = 0;
    while (i < b->n_rates && b->rate[i] != rate)
        i++;
    b->rate[i] = rate;
    b->n_rates += i == b->n_rates;
    return i;
}

#define BANK_GAPS (SL_GAP_LEVELS * SL_GAP_BLOCK) /* words per rate */

static bool bank_make_gaps(struct bank *b)
{
    struct sl_gaps *one = (struct sl_gaps *)malloc(sizeof *one);
    b->gaps = (uint64_t *)bank_alloc((b->n_rates + 1) * BANK_GAPS * sizeof *b->gaps);
    bool done = one && b->gaps;
    for (uint32_t i = 0; done && i < b->n_rates; i++) {
        sl_gaps_init(one, b->rate[i], 0);
        done = bank_up(b->gaps + i * BANK_GAPS, one->longer, sizeof one->longer);
    }
    free(one);
    return done;
}

/* ---- tables of one round ---- */

static uint64_t bank_reports_of(const struct bank *b, const struct sl_bank_config *t)
{
    return t->kind == SL_BANK_INTERVAL ? (b->stream->n + t->length - 1) / t->length : 1;
}

/* Memory of the tables so far. */
struct bank_sizes {
    uint64_t words, reports;
    uint64_t own, shared; /* entries of `found`: in tables' own parts, and shared */
};

static void bank_lay_out_interval(struct sl_bank_table *t)
{
    t->cells = 64;
    t->cell_shift = 26;
    for (; t->cells < 2 * t->capacity; t->cells *= 2)
        t->cell_shift--;
    t->words = SL_BANK_HEAD + (t->tables << t->index_bits) + 2 * t->capacity +
               (t->capacity + 31) / 32 + t->cells / 2;
}

/* Random samplers send about n / rate messages; twice that plus 1000 is never reached. A message
 * of T has a count of at least rate / 4. */
static void bank_lay_out_compressor(struct bank *b, struct sl_bank_table *t)
{
    uint64_t n = b->stream->n, streams = UINT64_C(1) << t->index_bits;
    bool tagged = t->component == SL_COMPONENT_T, periodic = t->component == SL_COMPONENT_P;
    uint64_t least = tagged ? (t->rate + 3) / 4 : t->rate;
    if (tagged && t->integer)
        least = t->rate / 4 ? t->rate / 4 : 1;
    t->found_capacity = n / least + 1;
    if (!tagged && !periodic) {
        t->found_capacity = 2 * t->found_capacity + 1000 < n ? 2 * t->found_capacity + 1000 : n;
        t->gaps = (uint64_t)bank_gaps_of(b, t->rate) * BANK_GAPS;
    }
    t->words = SL_SERIAL_HEAD + (uint32_t)(tagged ? t->capacity * sizeof(struct sl_tagged_entry) / 4
                                           : periodic ? streams
                                                      : streams * sizeof(struct sl_countdown) / 4);
}

static void bank_copy_config(struct sl_bank_table *t, const struct sl_bank_config *from)
{
    memset(t, 0, sizeof *t);
    t->kind = from->kind;
    t->tables = from->tables;
    t->index_bits = from->index_bits;
    t->counter_max = from->counter_max;
    t->capacity = from->capacity;
    t->length = (uint32_t)from->length;
    t->threshold = (uint32_t)from->threshold;
    t->conservative = from->conservative;
    t->reset = from->reset;
    t->retain = from->retain;
    t->component = from->component;
    t->ways = from->ways;
    t->tag_bits = from->tag_bits;
    t->tag_mask_bits = 64 - from->word;
    t->integer = from->integer;
    t->first_counts = from->first_counts;
    t->most = from->most;
    t->turn = from->turn;
    t->by_start = from->by_start;
    t->replacement = from->replacement;
    t->rate = from->rate;
    t->seed = sl_mix(from->seed + 1);
}

/* Sets the offsets of a table's state, reports and hash families, after those of the tables before
 * it. */
static void bank_layout_table(struct bank *b, const struct sl_bank_config *from,
                              struct sl_bank_table *t, struct bank_sizes *sizes)
{
    bank_copy_config(t, from);
    if (t->kind == SL_BANK_INTERVAL) {
        bank_lay_out_interval(t);
        sizes->shared += bank_reports_of(b, from) * t->capacity;
    } else if (t->kind == SL_BANK_COMPRESSOR) {
        bank_lay_out_compressor(b, t);
    } else {
        t->found_capacity = t->capacity;
        t->words = SL_SERIAL_HEAD + (t->replacement == SL_SERIAL_LRU ? 3 : 2) * t->capacity;
    }
    t->words += t->words % 2; /* some states contain 64-bit words */
    bool hashed = t->kind == SL_BANK_INTERVAL || (t->kind == SL_BANK_COMPRESSOR && t->index_bits);
    for (uint32_t w = 0; hashed && 4 * w < t->tables; w++)
        t->family[w] = bank_family_of(b, from, w);
    t->found = sizes->own;
    t->state = sizes->words;
    t->report = sizes->reports;
    sizes->own += t->found_capacity;
    sizes->words += t->words;
    sizes->reports += bank_reports_of(b, from);
}

static int bank_by_words(const void *left, const void *right)
{
    const struct sl_bank_table *a = (const struct sl_bank_table *)left;
    const struct sl_bank_table *b = (const struct sl_bank_table *)right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->words < b->words ? -1 : a->words > b->words;
}

static bool bank_goes_with(const struct sl_bank_table *t, const struct sl_bank_table *largest)
{
    return t->kind == largest->kind && t->words + t->words / 4 >= largest->words;
}

/* Runs tables of similar size in one kernel, so that small tables do not reserve the shared memory
 * of large ones. The largest come first, since they take longest. All kernels run concurrently:
 * tables of one size alone would leave most of the GPU idle. */
static bool bank_process_chunk(struct bank *b, uint32_t n, uint32_t from, uint32_t events)
{
    struct sl_bank_out out = {b->report, b->found, b->n_found, b->first};
    struct sl_bank_in in = {b->events,
                            b->tuple + from,
                            b->packed,
                            b->gaps,
                            from,
                            events,
                            from + events == b->stream->n};
    for (uint32_t i = 0; i < b->n_families; i++)
        if (!bank_run_hash(&b->events, from, events,
                           b->hash + i * (sizeof(struct sl_packed_hash) / 8),
                           b->packed + (uint64_t)i * b->chunk))
            return false;
    for (uint32_t high = n, low; high > 0; high = low) {
        const struct sl_bank_table *largest = &b->host_table[high - 1];
        for (low = high; low > 0 && bank_goes_with(&b->host_table[low - 1], largest);)
            low--;
        if (!bank_run_process(b->table + low, high - low, largest, b->state, &in, &out))
            return false;
    }
    return bank_wait();
}

static bool bank_process_all(struct bank *b, uint32_t n)
{
    uint32_t all = (uint32_t)b->stream->n;
    for (uint32_t from = 0; from < all;) {
        uint32_t events = all - from < b->chunk ? all - from : b->chunk;
        if (!bank_process_chunk(b, n, from, events))
            return bank_fail(b, bank_error_text());
        from += events;
    }
    return true;
}

/* Allocates GPU memory for the tables, and uses the rest for the indices of as many events as
 * possible. */
static bool bank_allocate(struct bank *b, uint32_t n, const struct bank_sizes *sizes)
{
    uint64_t families = b->n_families ? b->n_families : 1;
    b->table = (struct sl_bank_table *)bank_alloc(n * sizeof *b->table);
    b->state = (uint32_t *)bank_alloc(sizes->words * sizeof *b->state);
    b->report = (struct sl_bank_report *)bank_alloc(sizes->reports * sizeof *b->report);
    b->found = (struct sl_bank_found *)bank_alloc((sizes->own + sizes->shared) * sizeof *b->found);
    b->n_found = (uint64_t *)bank_alloc(sizeof *b->n_found);
    if (!b->table || !b->state || !b->report || !b->found || !b->n_found || !bank_make_hashes(b) ||
        !bank_make_gaps(b))
        return bank_fail(b, "the tables do not fit into GPU memory");
    uint64_t most = bank_memory() / 2 / (families * sizeof *b->packed);
    b->chunk = most < CHUNK_MAX ? (uint32_t)most : CHUNK_MAX;
    b->chunk = b->chunk < b->stream->n ? b->chunk : (uint32_t)b->stream->n;
    b->packed = (uint64_t *)bank_alloc(b->chunk * families * sizeof *b->packed);
    if (!b->chunk || !b->packed)
        return bank_fail(b, "the tables do not fit into GPU memory");
    return (bank_zero(b->state, sizes->words * sizeof *b->state) &&
            bank_zero(b->report, sizes->reports * sizeof *b->report) &&
            bank_up(b->n_found, &sizes->own, sizeof *b->n_found)) ||
           bank_fail(b, bank_error_text());
}

static void bank_release(struct bank *b)
{
    bank_free(b->table);
    bank_free(b->state);
    bank_free(b->report);
    bank_free(b->found);
    bank_free(b->n_found);
    bank_free(b->hash);
    bank_free(b->packed);
    bank_free(b->gaps);
    b->table = NULL;
    b->state = NULL;
    b->report = NULL;
    b->found = NULL;
    b->n_found = NULL;
    b->hash = b->packed = b->gaps = NULL;
    b->n_families = b->n_rates = 0;
}

/* ---- reports ---- */

/* Extracts the reports of one table. */
static bool bank_extract(struct sl_bank_reports *out, const struct sl_bank_report *report, size_t n,
                         const struct sl_bank_found *found)
{
    size_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += report[i].n;
    out->report = (struct sl_bank_report *)malloc((n + 1) * sizeof *report);
    out->found = (struct sl_bank_found *)malloc((all + 1) * sizeof *found);
    if (!out->report || !out->found)
        return false;
    for (size_t i = 0; i < n; i++) {
        memcpy(out->found + out->n_found, found + report[i].first, report[i].n * sizeof *found);
        out->report[i] = report[i];
        out->report[i].first = out->n_found;
        out->n_found += report[i].n;
    }
    out->n = n;
    return true;
}

static bool bank_collect(struct bank *b, const struct sl_bank_config *table, uint32_t n,
                         uint64_t reports, struct sl_bank_reports *out)
{
    uint64_t n_found = 0, first = 0;
    if (!bank_down(&n_found, b->n_found, sizeof n_found))
        return bank_fail(b, bank_error_text());
    struct sl_bank_report *report = (struct sl_bank_report *)malloc((reports + 1) * sizeof *report);
    struct sl_bank_found *found = (struct sl_bank_found *)malloc((n_found + 1) * sizeof *found);
    bool done = report && found;
    if (!done)
        bank_fail(b, "out of memory");
    else if (!bank_down(report, b->report, reports * sizeof *report) ||
             !bank_down(found, b->found, n_found * sizeof *found))
        done = bank_fail(b, bank_error_text());
    for (uint32_t i = 0; done && i < n; i++) {
        size_t many = (size_t)bank_reports_of(b, &table[i]);
        if (!bank_extract(&out[i], report + first, many, found))
            done = bank_fail(b, "out of memory");
        else if (report[first].full)
            done = bank_fail(b, "a compressor has sent more messages than its list can hold");
        first += many;
    }
    free(report);
    free(found);
    return done;
}

/* Runs as many tables as fit, from the first on. Returns their number, or 0 after an error. */
static uint32_t bank_run_batch(struct bank *b, const struct sl_bank_config *table, size_t n,
                               struct sl_bank_reports *out)
{
    struct bank_sizes sizes = {0, 0, 0, 0};
    uint64_t capacity = bank_memory() / 2;
    uint32_t many = 0;
    while (many < n && many < UINT32_C(1) << 20 &&
           (!many || sizes.words * 4 + sizes.reports * sizeof *b->report +
                             (sizes.own + sizes.shared) * sizeof *b->found <
                         capacity)) {
        bank_layout_table(b, &table[many], &b->host_table[many], &sizes);
        many++;
    }
    bool done = bank_allocate(b, many, &sizes);
    for (uint32_t i = 0; done && i < many; i++)
        for (uint32_t w = 0; 4 * w < b->host_table[i].tables; w++)
            b->host_table[i].family[w] *= b->chunk;
    qsort(b->host_table, many, sizeof *b->host_table, bank_by_words);
    if (done && !bank_up(b->table, b->host_table, many * sizeof *b->table))
        done = bank_fail(b, bank_error_text());
    done = done && bank_process_all(b, many) && bank_collect(b, table, many, sizes.reports, out);
    bank_release(b);
    return done ? many : 0;
}

static int bank_run(const struct sl_bank_stream *stream, const struct sl_bank_config *table,
                    size_t n, struct sl_bank_reports *out, char *why, size_t capacity)
{
    struct bank b;
    memset(&b, 0, sizeof b);
    memset(out, 0, n * sizeof *out);
    b.stream = stream;
    b.why = why;
    b.why_capacity = capacity;
    b.family = (struct bank_family *)malloc((n + 1) * SL_BANK_WORDS * sizeof *b.family);
    b.rate = (uint64_t *)malloc((n + 1) * sizeof *b.rate);
    b.host_table = (struct sl_bank_table *)malloc((n + 1) * sizeof *b.host_table);
    bool done = b.family && b.rate && b.host_table ? !stream->n || bank_open(&b)
                                                   : bank_fail(&b, "out of memory");
    for (size_t i = 0, many; done && stream->n && i < n; i += many) {
        many = bank_run_batch(&b, table + i, n - i, out + i);
        done = many > 0;
    }
    free(b.host_table);
    bank_close(&b);
    return done ? 0 : -1;
}

#endif
