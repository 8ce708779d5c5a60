/* SPDX-License-Identifier: MIT */
/* Unit tests of the interval profilers. With every option and any number of tables, the portable
 * and the vectorized implementation give the same results on adversarial streams as a simple model
 * (support/interval_oracle.h), for single events and for batches. */
#include "interval_table.h"
#include "random.h"
#include "support/interval_oracle.h"
#include "tap.h"

#define N_EVENTS 2500u
#define N_NAMES 200u
#define ROUNDS 18u
#define SHAPES 6u /* of streams */

static uint64_t seed = 1;
static uint64_t pc[N_NAMES], second[N_NAMES];
static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS];
static size_t end_after[N_EVENTS]; /* the place after the event that ends this one's interval */

static uint64_t below(uint64_t n)
{
    return sl_random_below(&seed, n);
}

/* ---- configurations and streams ---- */

struct trial {
    struct oracle oracle;
    char spec[400];
    const struct sl_table_kind *kind;
    bool values, weights;
    size_t names_kept;
};

/* Mostly few, so that they are shared; or as usual, for which there is code of its own; or as
 * many as there are below 2^17 in all, where the packed hash ends somewhere before. */
static unsigned choose_bits(unsigned tables)
{
    unsigned bits = 16;
    if ((tables == 1 || tables == 2 || tables == 4) && below(4) == 0)
        return tables == 4 ? 9 : 12 - tables; /* 2,048 counters */
    if (below(4))
        return (unsigned)below(12);
    while (tables << bits >= 1u << 17)
        bits--;
    return bits;
}

/* Intervals, thresholds, counters and accumulators small enough that everything fills
 * up, saturates, is replaced and dropped. */
static void choose(struct trial *t, unsigned tables, unsigned switches)
{
    static const uint64_t lengths[] = {1, 2, 7, 64, 65, 100, 256, 311, 1000, 5000};
    static const uint64_t milli[] = {100000, 50000, 33000, 10000, 3000, 1000, 70}; /* 0.001 % */
    struct oracle *o = &t->oracle;
    uint64_t share = milli[below(7)], most;
    unsigned index_bits = choose_bits(tables);
    *t = (struct trial){.values = below(4) != 0, .weights = below(3) == 0};
    *o = (struct oracle){.tables = tables,
                         .index_bits = index_bits,
                         .seed = below(3),
                         .conservative = switches & 1,
                         .reset = switches & 2,
                         .retain = switches & 4,
                         .length = lengths[index_bits > 6 ? 6 + below(4) : below(10)],
                         .counter_bits = below(2) ? 24 : 4 + (unsigned)below(5),
                         .capacity = below(2) ? 1 + below(12) : (100000 + share - 1) / share};
    o->threshold = (o->length * share + 99999) / 100000;
    for (most = (1u << o->counter_bits) - 1; o->threshold > most; most = 2 * most + 1)
        o->counter_bits++;
    size_t asked = o->capacity, sets = 1;
    o->ways = below(3) ? 0 : 1 + below(4);
    while (sets * o->ways < asked && o->ways)
        sets *= 2;
    if (sets > (size_t)1 << o->index_bits)
        o->ways = 0;
    if (o->ways)
        o->capacity = sets * o->ways;
    t->kind = tables == 1 && !o->conservative ? &sl_table_singlehash : &sl_table_multihash;
    t->names_kept = below(3) ? 2 * N_NAMES : below(N_NAMES);
    o->word = below(3) ? 64 : 32;
    char *at = t->spec + sprintf(t->spec,
                                 "%s(word=%u,counters=%u,bits=%u,interval=%llu,"
                                 "threshold=%llu.%03llu%%,reset=%d,retain=%d,accumulator=%zu,"
                                 "ways=%zu,seed=%llu",
                                 t->kind->name, o->word, tables << o->index_bits, o->counter_bits,
                                 (unsigned long long)o->length, (unsigned long long)share / 1000,
                                 (unsigned long long)share % 1000, o->reset, o->retain, asked,
                                 o->ways, (unsigned long long)o->seed);
    sprintf(at, t->kind == &sl_table_singlehash ? ")" : ",tables=%u,conservative=%d)", tables,
            o->conservative);
}

/* Tuples that share all their indices with the first: the worst aliasing there is. */
static size_t aliases(const struct oracle *o, struct sl_tuple *out, size_t capacity)
{
    size_t n = 0;
    for (uint64_t v = 0; v < 3000 && n < capacity; v++) {
        bool all = true;
        for (unsigned k = 0; k < o->tables && all; k++)
            all = sl_byte_hash_words(o->byte_table[k], o->index_bits, o->word, pc[0], v) ==
                  sl_byte_hash_words(o->byte_table[k], o->index_bits, o->word, pc[0], 0);
        if (all)
            out[n++] = (struct sl_tuple){0, v};
    }
    return n;
}

/* Values of which every second has in the first table the index that the one before has
 * in the last: should two tables lie over each other, they meet. */
static size_t crossings(const struct oracle *o, uint64_t *out, size_t capacity)
{
    const uint8_t *first = o->byte_table[0], *last = o->byte_table[o->tables - 1];
    size_t n = 0;
    for (uint64_t v = 0; v < 500 && n < capacity; v++) {
        uint32_t index = sl_byte_hash_words(last, o->index_bits, o->word, pc[0], v);
        for (uint64_t other = 0; other < 3000; other++)
            if (sl_byte_hash_words(first, o->index_bits, o->word, pc[0], other) == index) {
                out[n++] = v;
                out[n++] = other;
                break;
            }
    }
    return n;
}

static void make_stream(const struct oracle *o, unsigned kind)
{
    struct sl_tuple alias[40];
    uint64_t crossing[40];
    size_t n_aliases = aliases(o, alias, 40), n_crossings = crossings(o, crossing, 40);
    size_t many = o->capacity + 1 + below(20);
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint64_t draw = below(1000), phase = i / 400;
        switch (kind) {
        case 0: /* anything */
            tuple_id[i] = (uint32_t)below(N_NAMES);
            value[i] = draw < 700 ? below(4) : sl_random_next(&seed);
            break;
        case 1: /* few often, many rarely */
            tuple_id[i] = (uint32_t)(N_NAMES * draw * draw * draw / 1000000000);
            value[i] = draw & 1 ? 0 : below(3) << 60;
            break;
        case 2: /* aliases and a little else */
            tuple_id[i] = draw < 800 ? 0 : (uint32_t)below(N_NAMES);
            value[i] = alias[below(n_aliases)].value;
            break;
        case 3: /* more candidates than entries, in turn */
            tuple_id[i] = (uint32_t)(i % many % N_NAMES);
            value[i] = i % many / N_NAMES;
            break;
        case 4: /* nothing but crossings, or their replacement */
            tuple_id[i] = 0;
            value[i] = n_crossings ? crossing[below(n_crossings)] : below(20);
            break;
        default: /* others in every phase, some of which come back */
            tuple_id[i] = (uint32_t)((phase % 3 * 17 + below(10)) % N_NAMES);
            value[i] = draw < 100 ? sl_random_next(&seed) : phase % 2;
        }
        weight[i] = draw < 10 ? below(3) * 1000 : below(6);
    }
}

/* ---- running ---- */

static struct sl_tuple tuple_at(const struct trial *t, size_t i)
{
    return (struct sl_tuple){pc[tuple_id[i]], t->values ? value[i] : second[tuple_id[i]]};
}

static uint64_t weight_at(const struct trial *t, size_t i)
{
    return t->weights ? weight[i] : 1;
}

static void run_oracle(struct trial *t)
{
    size_t begin = 0;
    for (size_t i = 0; i < N_EVENTS; i++) {
        bool ends = oracle_event(&t->oracle, tuple_at(t, i), weight_at(t, i));
        for (; (ends || i + 1 == N_EVENTS) && begin <= i; begin++)
            end_after[begin] = i + 1;
    }
    if (t->oracle.events)
        oracle_report(&t->oracle, true);
}

static void *open_table(const struct trial *t, struct interval_log *log)
{
    const struct sl_table_kind *kind;
    struct sl_table_host host = {.names = t->names_kept, .interval = log_interval, .context = log};
    struct sl_failure f;
    void *config;
    size_t end;
    if (sl_table_parse(&kind, &config, t->spec, 0, &end, &f) < 0) {
        printf("# %s\n", f.text);
        abort();
    }
    size_t size = (kind->size(config, &host) + 63) & ~(size_t)63;
    void *state = aligned_alloc(64, size);
    memset(state, 0, size);
    kind->init(state, config, &host, &f);
    free(config);
    return state;
}

/* Steps, or a form of observe in uneven batches; FORMS: all of these in turn. False if
 * the form cannot be, or a cut is not where the oracle's interval ended. */
static bool run(const struct trial *t, void *state, unsigned how, bool *cuts)
{
    struct sl_tuple_names names = {pc, t->values ? NULL : second, N_NAMES};
    for (size_t at = 0, n; at < N_EVENTS; at += n) {
        unsigned form = how <= SL_INTERVAL_FORMS ? how : (unsigned)below(SL_INTERVAL_FORMS + 1);
        n = 1 + below(below(4) ? 20 : below(4) ? 400 : 1500); /* a group has 256 */
        n = n < N_EVENTS - at ? n : N_EVENTS - at;
        /* Static tuples may also come as tuples with values. */
        bool with_value = t->values || (how > SL_INTERVAL_FORMS && below(4) == 0);
        for (size_t i = at; i < at + n && !t->values; i++)
            value[i] = second[tuple_id[i]];
        struct sl_batch batch = {n,
                                 tuple_id + at,
                                 with_value ? value + at : NULL,
                                 t->weights ? weight + at : NULL,
                                 &names,
                                 NULL,
                                 0,
                                 NULL};
        size_t left = end_after[at] - at;
        *cuts &= t->kind->intervals->cut(state, &batch) == (left < n ? left : n);
        if (form == SL_INTERVAL_FORMS) {
            for (size_t i = at; i < at + n; i++) {
                struct sl_event event = {tuple_id[i], tuple_at(t, i), weight_at(t, i), NULL, 0, 0};
                t->kind->step(state, &event);
            }
        } else if (sl_interval_force_form(state, (enum sl_interval_form)form)) {
            t->kind->observe(state, &batch);
        } else if (how < SL_INTERVAL_FORMS) {
            return false;
        } else {
            n = 0;
        }
    }
    t->kind->finish(state);
    return true;
}

/* As the oracle has it: all but the bounds, which it does not know. */
static bool as_oracle(const struct interval_log *wanted, const struct interval_log *got)
{
    if (wanted->n != got->n || wanted->n_entries != got->n_entries)
        return false;
    for (size_t i = 0; i < got->n; i++)
        if (!same_interval(&wanted->interval[i], &got->interval[i]))
            return false;
    for (size_t i = 0; i < got->n_entries; i++)
        if (memcmp(&wanted->entry[i].tuple, &got->entry[i].tuple, sizeof(struct sl_tuple)) ||
            wanted->entry[i].count != got->entry[i].count)
            return false;
    return true;
}

static uint64_t exactly(const struct trial *t, size_t from, size_t n, struct sl_tuple tuple)
{
    uint64_t sum = 0;
    for (size_t i = from; i < from + n; i++) {
        struct sl_tuple other = tuple_at(t, i);
        if (other.pc == tuple.pc && other.value == tuple.value)
            sum += weight_at(t, i);
    }
    return sum;
}

static bool bounds_hold(const struct trial *t, const struct interval_log *log)
{
    for (size_t i = 0; i < log->n; i++)
        for (size_t j = log->first[i]; j < log->first[i] + log->interval[i].n_entries; j++) {
            const struct sl_entry *e = &log->entry[j];
            uint64_t exact = exactly(t, (size_t)log->interval[i].first_event,
                                     (size_t)log->interval[i].events, e->tuple);
            if (e->low > exact || exact > e->high || e->low > e->count || e->count > e->high) {
                printf("# %s, interval %zu: count %llu, exact %llu, bounds %llu to %llu\n", t->spec,
                       i, (unsigned long long)e->count, (unsigned long long)exact,
                       (unsigned long long)e->low, (unsigned long long)e->high);
                return false;
            }
        }
    return true;
}

/* Some of the tuples that an interval does not list: no more than it says. */
static bool unlisted_hold(const struct trial *t, const struct interval_log *log)
{
    for (unsigned n = 0; n < 40 && log->n; n++) {
        size_t i = below(log->n);
        const struct sl_interval *interval = &log->interval[i];
        size_t from = (size_t)interval->first_event, many = (size_t)interval->events;
        struct sl_tuple tuple = tuple_at(t, from + below(many));
        bool listed = false;
        for (size_t j = log->first[i]; j < log->first[i] + interval->n_entries; j++)
            listed |= !memcmp(&log->entry[j].tuple, &tuple, sizeof tuple);
        uint64_t exact = listed ? 0 : exactly(t, from, many, tuple);
        if (exact > interval->unlisted_high) {
            printf("# %s, interval %zu: %llu unlisted, at most %llu\n", t->spec, i,
                   (unsigned long long)exact, (unsigned long long)interval->unlisted_high);
            return false;
        }
    }
    return true;
}

static bool same_unlisted(const struct interval_log *a, const struct interval_log *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (a->interval[i].unlisted_high != b->interval[i].unlisted_high)
            return false;
    return true;
}

struct verdict {
    bool equal, alike, bounds, unlisted, cuts;
};

/* How: a form of observe; FORMS: step; FORMS + 1: mixed. */
static void one_trial(struct trial *t, struct verdict *v)
{
    struct interval_log log[SL_INTERVAL_FORMS + 2] = {0}, *stepped = &log[SL_INTERVAL_FORMS];
    bool ran[SL_INTERVAL_FORMS + 2];
    run_oracle(t);
    for (unsigned how = 0; how < SL_INTERVAL_FORMS + 2; how++) {
        void *state = open_table(t, &log[how]);
        ran[how] = run(t, state, how, &v->cuts);
        bool equal = !ran[how] || as_oracle(&t->oracle.log, &log[how]);
        if (!equal)
            printf("# %s, %s, %s, space for %zu names: way %u differs\n", t->spec,
                   t->values ? "values" : "static", t->weights ? "weights" : "units", t->names_kept,
                   how);
        v->equal &= equal;
        free(state);
    }
    v->bounds &= bounds_hold(t, stepped);
    v->unlisted &= unlisted_hold(t, stepped);
    for (unsigned how = 0; how < SL_INTERVAL_FORMS + 2; how++)
        v->alike &= !ran[how] ||
                    (log[how].n_entries == stepped->n_entries &&
                     same_unlisted(&log[how], stepped) &&
                     (!stepped->n_entries || !memcmp(log[how].entry, stepped->entry,
                                                     stepped->n_entries * sizeof *stepped->entry)));
    for (unsigned how = 0; how < SL_INTERVAL_FORMS + 2; how++)
        log_free(&log[how]);
}

static void trials(unsigned tables, unsigned switches)
{
    struct verdict v = {true, true, true, true, true};
    char name[64];
    for (unsigned i = 0; i < tap_rounds(ROUNDS, SHAPES); i++) {
        struct trial t;
        choose(&t, tables, switches);
        oracle_open(&t.oracle);
        make_stream(&t.oracle, i % SHAPES);
        one_trial(&t, &v);
        oracle_close(&t.oracle);
    }
    sprintf(name, "%u tables C%u R%u P%u", tables, switches & 1, switches >> 1 & 1, switches >> 2);
    ok(v.equal, "%s: step and every form of observe report what the oracle does", name);
    ok(v.alike, "%s: with the same bounds", name);
    ok(v.bounds, "%s: low <= exact count <= high for every entry", name);
    ok(v.unlisted, "%s: what is not listed has no more than the interval says", name);
    ok(v.cuts, "%s: a cut is where the interval ends", name);
}

int main(void)
{
    static const unsigned tables[] = {1, 2, 3, 4, 6, 8, 16};
    for (size_t i = 0; i < N_NAMES; i++) {
        /* Two instructions may have one address, static tuples differ. */
        pc[i] = 0x400000 + 4 * (i % 150);
        second[i] = i < 150 ? i % 3 : sl_random_next(&seed);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (unsigned switches = 0; switches < 8; switches++)
            trials(tables[i], switches);
    return done_testing();
}
