/* SPDX-License-Identifier: MIT */
/* A bank from its first table to its last: what lies where on the card, and what is run in which
 * order. For both compilers; whoever includes this has in front of it
 *
 *     bank_alloc bank_free bank_zero bank_up bank_down bank_memory     the card's memory
 *     bank_run_identify bank_run_hash bank_run_take                    one step for all events or
 *                                                                      tables
 *     bank_wait                                                        until tables have taken
 *                                                                      theirs
 *
 *     stream ─► number of each event's tuple ─┐ all events
 *            ─► packed indices, by family ────┤ a stretch of events
 *                                             └► tables, as many as there is room for reports of
 *
 * A family is a seed, a width of indices, and four functions: tables that have it in common share
 * its indices. */
#ifndef SL_BANK_HOST_H
#define SL_BANK_HOST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank_step.h"
#include "hash.h"

#define STRETCH_MAX (UINT32_C(1) << 24) /* events whose indices are on the card at a time */

struct bank_family {
    uint64_t seed;
    uint32_t index_bits, word, first, functions;
};

/* All on the card but what says otherwise. */
struct bank {
    const struct sl_bank_stream *stream; /* here */
    struct sl_bank_events events;
    uint32_t *number;
    uint64_t *value, *pc, *second;
    uint32_t *tuple, *first; /* by event; by a tuple's number */
    unsigned first_bits;
    struct bank_family *family; /* here */
    uint32_t n_families, stretch;
    uint64_t *hash, *packed;
    uint64_t *rate; /* here: those that there are gaps of */
    uint32_t n_rates;
    uint64_t *gaps;
    struct sl_bank_table *table, *table_here;
    uint32_t *state;
    struct sl_bank_report *report;
    struct sl_bank_found *found;
    uint64_t *n_found;
    char *why; /* here */
    size_t why_room;
};

static bool bank_complain(struct bank *b, const char *what)
{
    snprintf(b->why, b->why_room, "%s", what);
    return false;
}

/* A copy of it on the card; NULL if there is nothing, or no room. */
static void *bank_copy(const void *from, size_t bytes)
{
    void *to = from && bytes ? bank_alloc(bytes) : NULL;
    return to && bank_up(to, from, bytes) ? to : NULL;
}

static void bank_close(struct bank *b)
{
    bank_free(b->number);
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
    b->number = (uint32_t *)bank_copy(s->number, s->n * sizeof *s->number);
    b->pc = (uint64_t *)bank_copy(s->pc, names);
    b->value = (uint64_t *)bank_copy(s->value, s->n * sizeof *s->value);
    b->second = (uint64_t *)bank_copy(s->value ? NULL : s->second, names);
    b->tuple = (uint32_t *)bank_alloc(s->n * sizeof *b->tuple);
    b->first = (uint32_t *)bank_alloc(sizeof *b->first << b->first_bits);
    if (!b->number || !b->pc || !(s->value ? b->value : b->second) || !b->tuple || !b->first)
        return bank_complain(
            b, "the stream does not fit into the memory of the card; take fewer events "
               "of it");
    b->events.number = b->number;
    b->events.value = b->value;
    b->events.pc = b->pc;
    b->events.second = b->second;
    return (bank_zero(b->first, sizeof *b->first << b->first_bits) &&
            bank_run_identify(&b->events, (uint32_t)s->n, b->first, b->first_bits, b->tuple)) ||
           bank_complain(b, bank_trouble());
}

/* ---- families ---- */

/* Its place among them; there is room. */
static uint32_t bank_family_of(struct bank *b, const struct sl_bank_wanted *t, uint32_t word)
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

/* The gaps of a rate: their place; there is room. */
static uint32_t bank_gaps_of(struct bank *b, uint64_t rate)
{
    uint32_t i = 0;
    while (i < b->n_rates && b->rate[i] != rate)
        i++;
    b->rate[i] = rate;
    b->n_rates += i == b->n_rates;
    return i;
}

#define BANK_GAPS (SL_GAP_LEVELS * SL_GAP_BLOCK) /* words of one rate */

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

/* ---- some of the tables ---- */

static uint64_t bank_reports_of(const struct bank *b, const struct sl_bank_wanted *t)
{
    return t->kind == SL_BANK_INTERVAL ? (b->stream->n + t->length - 1) / t->length : 1;
}

/* What they take, those before included. */
struct bank_sizes {
    uint64_t words, reports;
    uint64_t own, shared; /* of what is found: in places of tables' own, and in common */
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

/* Samples at random are about one in `rate`: twice as many and a thousand never are. A message of T
 * stands for a quarter of that at least. */
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

static void bank_copy_wanted(struct sl_bank_table *t, const struct sl_bank_wanted *from)
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

/* Where its state, reports and families are, behind those of the tables before. */
static void bank_lay_out(struct bank *b, const struct sl_bank_wanted *from, struct sl_bank_table *t,
                         struct bank_sizes *sizes)
{
    bank_copy_wanted(t, from);
    if (t->kind == SL_BANK_INTERVAL) {
        bank_lay_out_interval(t);
        sizes->shared += bank_reports_of(b, from) * t->capacity;
    } else if (t->kind == SL_BANK_COMPRESSOR) {
        bank_lay_out_compressor(b, t);
    } else {
        t->found_capacity = t->capacity;
        t->words = SL_SERIAL_HEAD + (t->replacement == SL_SERIAL_LRU ? 3 : 2) * t->capacity;
    }
    t->words += t->words % 2; /* some have words of 64 bits in them */
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

/* Tables of about one size together, so that small ones do not take the room of large ones; the
 * largest first, as they take longest. All of them at once: those of one size alone would leave
 * most of a card idle. */
static bool bank_take_stretch(struct bank *b, uint32_t n, uint32_t from, uint32_t events)
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
                           b->packed + (uint64_t)i * b->stretch))
            return false;
    for (uint32_t high = n, low; high > 0; high = low) {
        const struct sl_bank_table *largest = &b->table_here[high - 1];
        for (low = high; low > 0 && bank_goes_with(&b->table_here[low - 1], largest);)
            low--;
        if (!bank_run_take(b->table + low, high - low, largest, b->state, &in, &out))
            return false;
    }
    return bank_wait();
}

static bool bank_take_all(struct bank *b, uint32_t n)
{
    uint32_t all = (uint32_t)b->stream->n;
    for (uint32_t from = 0; from < all;) {
        uint32_t events = all - from < b->stretch ? all - from : b->stretch;
        if (!bank_take_stretch(b, n, from, events))
            return bank_complain(b, bank_trouble());
        from += events;
    }
    return true;
}

/* Room on the card for tables that have so much; as many events at a time as the rest is enough
 * for. */
static bool bank_make_room(struct bank *b, uint32_t n, const struct bank_sizes *sizes)
{
    uint64_t families = b->n_families ? b->n_families : 1;
    b->table = (struct sl_bank_table *)bank_alloc(n * sizeof *b->table);
    b->state = (uint32_t *)bank_alloc(sizes->words * sizeof *b->state);
    b->report = (struct sl_bank_report *)bank_alloc(sizes->reports * sizeof *b->report);
    b->found = (struct sl_bank_found *)bank_alloc((sizes->own + sizes->shared) * sizeof *b->found);
    b->n_found = (uint64_t *)bank_alloc(sizeof *b->n_found);
    if (!b->table || !b->state || !b->report || !b->found || !b->n_found || !bank_make_hashes(b) ||
        !bank_make_gaps(b))
        return bank_complain(b, "the tables do not fit into the memory of the card");
    uint64_t most = bank_memory() / 2 / (families * sizeof *b->packed);
    b->stretch = most < STRETCH_MAX ? (uint32_t)most : STRETCH_MAX;
    b->stretch = b->stretch < b->stream->n ? b->stretch : (uint32_t)b->stream->n;
    b->packed = (uint64_t *)bank_alloc(b->stretch * families * sizeof *b->packed);
    if (!b->stretch || !b->packed)
        return bank_complain(b, "the tables do not fit into the memory of the card");
    return (bank_zero(b->state, sizes->words * sizeof *b->state) &&
            bank_zero(b->report, sizes->reports * sizeof *b->report) &&
            bank_up(b->n_found, &sizes->own, sizeof *b->n_found)) ||
           bank_complain(b, bank_trouble());
}

static void bank_leave_room(struct bank *b)
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

/* ---- what they say ---- */

/* The reports of one table out of those of all. */
static bool bank_tell(struct sl_bank_reports *out, const struct sl_bank_report *report, size_t n,
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

static bool bank_collect(struct bank *b, const struct sl_bank_wanted *table, uint32_t n,
                         uint64_t reports, struct sl_bank_reports *out)
{
    uint64_t n_found = 0, first = 0;
    if (!bank_down(&n_found, b->n_found, sizeof n_found))
        return bank_complain(b, bank_trouble());
    struct sl_bank_report *report = (struct sl_bank_report *)malloc((reports + 1) * sizeof *report);
    struct sl_bank_found *found = (struct sl_bank_found *)malloc((n_found + 1) * sizeof *found);
    bool done = report && found;
    if (!done)
        bank_complain(b, "out of memory");
    else if (!bank_down(report, b->report, reports * sizeof *report) ||
             !bank_down(found, b->found, n_found * sizeof *found))
        done = bank_complain(b, bank_trouble());
    for (uint32_t i = 0; done && i < n; i++) {
        size_t many = (size_t)bank_reports_of(b, &table[i]);
        if (!bank_tell(&out[i], report + first, many, found))
            done = bank_complain(b, "out of memory");
        else if (report[first].full)
            done = bank_complain(b, "a compressor has sent more messages than there was room for");
        first += many;
    }
    free(report);
    free(found);
    return done;
}

/* As many of the tables as fit, from the first on; how many, or 0. */
static uint32_t bank_some(struct bank *b, const struct sl_bank_wanted *table, size_t n,
                          struct sl_bank_reports *out)
{
    struct bank_sizes sizes = {0, 0, 0, 0};
    uint64_t capacity = bank_memory() / 2;
    uint32_t many = 0;
    while (many < n && many < UINT32_C(1) << 20 &&
           (!many || sizes.words * 4 + sizes.reports * sizeof *b->report +
                             (sizes.own + sizes.shared) * sizeof *b->found <
                         capacity)) {
        bank_lay_out(b, &table[many], &b->table_here[many], &sizes);
        many++;
    }
    bool done = bank_make_room(b, many, &sizes);
    for (uint32_t i = 0; done && i < many; i++)
        for (uint32_t w = 0; 4 * w < b->table_here[i].tables; w++)
            b->table_here[i].family[w] *= b->stretch;
    qsort(b->table_here, many, sizeof *b->table_here, bank_by_words);
    if (done && !bank_up(b->table, b->table_here, many * sizeof *b->table))
        done = bank_complain(b, bank_trouble());
    done = done && bank_take_all(b, many) && bank_collect(b, table, many, sizes.reports, out);
    bank_leave_room(b);
    return done ? many : 0;
}

static int bank_run(const struct sl_bank_stream *stream, const struct sl_bank_wanted *table,
                    size_t n, struct sl_bank_reports *out, char *why, size_t capacity)
{
    struct bank b;
    memset(&b, 0, sizeof b);
    memset(out, 0, n * sizeof *out);
    b.stream = stream;
    b.why = why;
    b.why_room = capacity;
    b.family = (struct bank_family *)malloc((n + 1) * SL_BANK_WORDS * sizeof *b.family);
    b.rate = (uint64_t *)malloc((n + 1) * sizeof *b.rate);
    b.table_here = (struct sl_bank_table *)malloc((n + 1) * sizeof *b.table_here);
    bool done = b.family && b.rate && b.table_here ? !stream->n || bank_open(&b)
                                                   : bank_complain(&b, "out of memory");
    for (size_t i = 0, many; done && stream->n && i < n; i += many) {
        many = bank_some(&b, table + i, n - i, out + i);
        done = many > 0;
    }
    free(b.table_here);
    bank_close(&b);
    return done ? 0 : -1;
}

#endif
