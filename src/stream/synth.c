/* Made-up streams of tuples <pc, value>, for experiments whose answer is known.
 *
 *     zipf      tuple k (1, 2, ...) is drawn with probability ~ 1/k^s
 *     uniform   every tuple is drawn with the same probability
 *     mixture   a shuffled multiset: `hot` tuples that have exactly `share` of the
 *               events each; the rest all different, or evenly over the others
 *     alias     tuples that all fall on one index of a table of the hardware, by its
 *               hash function 0 (byte_hash.h): an adversary's
 *
 * As events: one block for each pc, of one 4-byte instruction (bytes zero) that
 * loads; each event is that block and one mem event with the value. There is no
 * program behind it: SL_ARCH_NONE. Tuple t has pc number t mod pcs and a value that
 * no other tuple of this stream has.
 *
 * Drawing. zipf: Vose's alias method, one random number and one look-up an event.
 * mixture: the next event is of category c with probability (left of c) / (left in
 * all), which gives every order of the multiset the same probability; a tree of what
 * is left finds the category in log2 n steps, and no order is ever stored.
 *
 * The same spec gives the same stream on every machine, up to how its pow() rounds
 * for zipf. Memory: 16 to 32 bytes for each tuple. */
#include "synth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "byte_hash.h"
#include "failure.h"
#include "grow.h"
#include "hash.h"
#include "random.h"
#include "source.h"

#define TUPLES_MAX (UINT64_C(1) << 24)
#define PCS_MAX (UINT64_C(1) << 20)
#define FIRST_PC UINT64_C(0x400000)
#define INSN_SIZE 4u
#define ALIAS_TRIES (UINT64_C(1) << 28)

enum { REST_UNIQUE, REST_UNIFORM };
static const char *const rests[] = {"unique", "uniform", NULL};

struct config {
    uint64_t events, tuples, pcs, seed;
    double s;
    double share;
    uint64_t hot;
    unsigned rest;
    uint64_t bits, hash_seed;
};

struct alias_slot { /* of the alias method */
    uint64_t threshold; /* below it the slot's own tuple, of 2^64 */
    uint32_t other;
};

struct sl_synth {
    struct sl_source source;
    const struct sl_synth_kind *kind;
    struct config config;
    uint64_t random;
    uint64_t left;      /* events to give out */
    bool begun, ended;  /* records told */
    struct alias_slot *alias;
    uint64_t *tree;     /* of the events left in n_categories, a power of two; below */
    uint64_t n_categories, left_in_all, fresh;
    uint64_t *value;    /* of each tuple, where it is not made by value_of */
    uint64_t tuple[SL_CHUNK_BLOCKS];
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint64_t mem_value[SL_CHUNK_MEMS];
};

/* ---- uniform ---------------------------------------------------------------- */

static void draw_uniform(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tuple[i] = sl_random_below(&y->random, y->config.tuples);
}

/* ---- zipf ------------------------------------------------------------------- */

/* Vose: slots whose share of the probability is too small are filled up from those
 * with too much, until every slot holds 1/n, of at most two tuples. */
static int prepare_zipf(struct sl_synth *y, struct sl_failure *f)
{
    size_t n = (size_t)y->config.tuples, n_small = 0, n_large = 0;
    double *p = malloc(n * sizeof *p), sum = 0;
    uint32_t *small = malloc(n * sizeof *small), *large = malloc(n * sizeof *large);
    y->alias = malloc(n * sizeof *y->alias);
    if (!p || !small || !large || !y->alias) {
        free(p);
        free(small);
        free(large);
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    for (size_t i = n; i-- > 0;) /* small ones first, for the sum's sake */
        sum += p[i] = pow((double)(i + 1), -y->config.s);
    for (size_t i = 0; i < n; i++) {
        p[i] *= (double)n / sum;
        y->alias[i] = (struct alias_slot){UINT64_MAX, (uint32_t)i};
        if (p[i] < 1)
            small[n_small++] = (uint32_t)i;
        else
            large[n_large++] = (uint32_t)i;
    }
    while (n_small && n_large) {
        uint32_t s = small[--n_small], l = large[n_large - 1];
        y->alias[s] = (struct alias_slot){(uint64_t)(p[s] * 0x1p64), l};
        p[l] -= 1 - p[s];
        if (p[l] < 1) {
            n_large--;
            small[n_small++] = l;
        }
    }
    free(p);
    free(small);
    free(large);
    return 0;
}

static void draw_zipf(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        /* The high half picks the slot, the low half is uniform within it. */
        unsigned __int128 r = (unsigned __int128)sl_random_next(&y->random) * y->config.tuples;
        uint64_t slot = (uint64_t)(r >> 64);
        tuple[i] = (uint64_t)r < y->alias[slot].threshold ? slot : y->alias[slot].other;
    }
}

/* ---- mixture ------------------------------------------------------------------ */

/* Category i < hot is tuple i. The rest is one more category, or one for each of
 * the other tuples; if it cannot be divided evenly, the first have one more. */
static int prepare_mixture(struct sl_synth *y, struct sl_failure *f)
{
    const struct config *c = &y->config;
    uint64_t each = (uint64_t)((double)c->events * c->share / 100 + 0.5), rest;
    if (__builtin_mul_overflow(each, c->hot, &rest) || rest > c->events)
        return sl_fail(f, SL_EUSAGE, "mixture: %llu tuples with a share of %.15g%% each are more "
                       "than all", (unsigned long long)c->hot, c->share);
    rest = c->events - rest;
    uint64_t others = c->rest == REST_UNIQUE ? 1 : c->tuples - c->hot;
    if (c->rest == REST_UNIFORM && c->tuples <= c->hot)
        return sl_fail(f, SL_EUSAGE, "mixture: %llu tuples leave none for the rest",
                       (unsigned long long)c->tuples);
    y->n_categories = 1;
    while (y->n_categories < c->hot + others)
        y->n_categories *= 2;
    y->tree = calloc(2 * (size_t)y->n_categories, sizeof *y->tree);
    if (!y->tree)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (uint64_t i = 0; i < c->hot + others; i++)
        y->tree[y->n_categories + i] =
            i < c->hot ? each : rest / others + (i - c->hot < rest % others);
    for (uint64_t i = y->n_categories - 1; i; i--)
        y->tree[i] = y->tree[2 * i] + y->tree[2 * i + 1];
    for (uint64_t i = 1; i < y->n_categories; i++)
        y->tree[i] = y->tree[2 * i];
    y->left_in_all = c->events;
    y->fresh = c->hot;
    return 0;
}

/* Takes one event out: of the category in which event number r of all falls.
 * Node i has the children 2i and 2i + 1 and the number of events left under the
 * first; the categories follow the last node. No branches: each would be a guess. */
static uint64_t take(struct sl_synth *y, uint64_t r)
{
    uint64_t node = 1;
    while (node < y->n_categories) {
        uint64_t first = y->tree[node], second = r >= first;
        y->tree[node] = first - !second;
        r -= first & (0 - second);
        node = 2 * node + second;
    }
    return node - y->n_categories;
}

static void draw_mixture(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    bool unique = y->config.rest == REST_UNIQUE;
    for (size_t i = 0; i < n; i++) {
        uint64_t category = take(y, sl_random_below(&y->random, y->left_in_all--));
        tuple[i] = unique && category == y->config.hot ? y->fresh++ : category;
    }
}

/* ---- alias -------------------------------------------------------------------- */

/* Tries values until they fit: 2^bits tries a tuple. sl_mix maps different numbers to
 * different ones, and to such that vary in all bytes: the hash replaces bytes by others
 * of which some are missing, so that a few of them might never fit. */
static int prepare_alias(struct sl_synth *y, struct sl_failure *f)
{
    const struct config *c = &y->config;
    uint64_t most = ALIAS_TRIES >> c->bits, number = sl_mix(~c->seed);
    uint8_t table[256];
    if (c->tuples > most)
        return sl_fail(f, SL_EUSAGE, "alias: %llu tuples that agree in %llu bits take too long to "
                       "find; at most %llu", (unsigned long long)c->tuples,
                       (unsigned long long)c->bits, (unsigned long long)most);
    y->value = malloc((size_t)c->tuples * sizeof *y->value);
    if (!y->value)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    sl_byte_table(table, c->hash_seed, 0);
    uint64_t index = sl_mix(c->seed) & ((UINT64_C(1) << c->bits) - 1);
    for (uint64_t t = 0; t < c->tuples; t++) {
        uint64_t pc = FIRST_PC + INSN_SIZE * (t % c->pcs);
        do
            y->value[t] = sl_mix(number++);
        while (sl_byte_hash(table, (unsigned)c->bits, pc, y->value[t]) != index);
    }
    return 0;
}

/* ---- kinds -------------------------------------------------------------------- */

#define COMMON(tuples_)                                                                        \
    SL_UNSIGNED(struct config, events, "1M", 0, UINT64_C(1000000000000), "events in all"),     \
    SL_UNSIGNED(struct config, tuples, tuples_, 1, TUPLES_MAX, "different tuples"),            \
    SL_UNSIGNED(struct config, pcs, "100", 1, PCS_MAX, "different instructions"),              \
    SL_UNSIGNED(struct config, seed, "1", 0, UINT64_MAX, "of the random numbers")

static const struct sl_option zipf_options[] = {
    COMMON("10K"),
    SL_REAL(struct config, s, "1.1", 0, 8, "exponent: 0 is uniform, 1 is Zipf's own"),
    SL_OPTIONS_END,
};

static const struct sl_option uniform_options[] = {COMMON("10K"), SL_OPTIONS_END};

static const struct sl_option mixture_options[] = {
    COMMON("10K"),
    SL_UNSIGNED(struct config, hot, "1", 0, 1000, "tuples with a share of their own"),
    SL_PERCENT(struct config, share, "30%", 0, 100, "of the events, for each hot tuple, exactly"),
    SL_CHOICE(struct config, rest, "unique", rests,
              "the rest: each a new tuple, or over the others"),
    SL_OPTIONS_END,
};

static const struct sl_option alias_options[] = {
    COMMON("100"),
    SL_UNSIGNED(struct config, bits, "9", 0, 24, "of the table's index, in which all agree"),
    SL_UNSIGNED(struct config, hash_seed, "1", 0, UINT64_MAX, "of the hash function's table"),
    SL_OPTIONS_END,
};

const struct sl_synth_kind sl_synth_kinds[] = {
    {"zipf", "tuple k is drawn with probability ~ 1/k^s", zipf_options, prepare_zipf, draw_zipf},
    {"uniform", "every tuple is drawn with the same probability", uniform_options, NULL,
     draw_uniform},
    {"mixture", "a shuffled multiset with exact shares", mixture_options, prepare_mixture,
     draw_mixture},
    {"alias", "tuples that all fall on one index of a hash table", alias_options, prepare_alias,
     draw_uniform},
    {.name = NULL},
};

/* ---- the source --------------------------------------------------------------- */

struct record_buffer {
    uint8_t *data;
    size_t size, room;
    bool failed;
};

static void put(struct record_buffer *b, uint64_t value, unsigned n_bytes)
{
    if (!SL_GROW(b->data, b->room, b->size + n_bytes)) {
        b->failed = true;
        return;
    }
    for (unsigned i = 0; i < n_bytes; i++)
        b->data[b->size++] = (uint8_t)(value >> 8 * i);
}

static void put_string(struct record_buffer *b, const char *s)
{
    put(b, strlen(s), 4);
    for (; *s; s++)
        put(b, (uint8_t)*s, 1);
}

/* Applies the records and frees the buffer. */
static int tell(struct sl_synth *y, struct record_buffer *b, struct sl_failure *f)
{
    int64_t used = b->failed ? sl_fail(f, SL_ENOMEM, "out of memory")
                             : sl_source_records(&y->source, b->data, b->size, f);
    free(b->data);
    return used < 0 ? (int)used : 0;
}

/* The resolved spec is the program's path: it says all that there is to say. */
static int tell_program(struct sl_synth *y, struct sl_failure *f)
{
    struct record_buffer b = {0};
    char spec[512] = "synth:";
    sl_options_print(y->kind->options, y->kind->name, &y->config, spec + 6, sizeof spec - 6);
    put(&b, 12 + 2 * (4 + strlen(spec)), 4);
    put(&b, SL_RECORD_PROGRAM, 4);
    put(&b, SL_ARCH_NONE, 4);
    put(&b, SL_WANT_VALUES, 4);
    put(&b, 2, 4);
    put_string(&b, spec);
    put_string(&b, spec);
    return tell(y, &b, f);
}

static int tell_blocks(struct sl_synth *y, struct sl_failure *f)
{
    struct record_buffer b = {0};
    for (uint32_t i = 0; i < y->config.pcs; i++) {
        put(&b, 15 + 5 + INSN_SIZE, 4);
        put(&b, SL_RECORD_BLOCK, 4);
        put(&b, FIRST_PC + INSN_SIZE * i, 8);
        put(&b, i, 4);
        put(&b, SL_MARK_NONE, 1);
        put(&b, 1, 2);
        put(&b, i, 4);
        put(&b, INSN_SIZE, 1);
        put(&b, 0, INSN_SIZE);
    }
    return tell(y, &b, f);
}

static int tell_end(struct sl_synth *y, struct sl_failure *f)
{
    struct record_buffer b = {0};
    put(&b, 32, 4);
    put(&b, SL_RECORD_END, 4);
    put(&b, 0, 8);
    put(&b, 0, 4);
    put(&b, 1, 4); /* threads */
    put(&b, 0, 8);
    put(&b, 0, 8);
    return tell(y, &b, f);
}

static int synth_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_synth *y = (struct sl_synth *)source;
    bool first = !y->begun;
    if (first) {
        int error = tell_blocks(y, f);
        if (error < 0)
            return error;
        y->begun = true;
    }
    if (!y->left) {
        int error = y->ended ? 0 : tell_end(y, f);
        y->ended = true;
        return error;
    }
    uint32_t n = y->left < SL_CHUNK_BLOCKS ? (uint32_t)y->left : SL_CHUNK_BLOCKS;
    y->left -= n;
    y->kind->draw(y, y->tuple, n);
    const uint64_t pcs = y->config.pcs, salt = sl_mix(y->config.seed);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t t = y->tuple[i];
        y->block[i] = (uint32_t)(t % pcs);
        /* sl_mix maps different numbers to different ones. */
        y->mem_value[i] = y->value ? y->value[t] : sl_mix(t + salt);
    }
    *chunk = (struct sl_chunk){
        .flags = first ? SL_CHUNK_START : 0,
        .n_blocks = n,
        .n_mems = n,
        .block = y->block,
        .block_mem = y->block_mem,
        .mem_insn = y->block, /* block and instruction have the same number */
        .mem_value = y->mem_value,
    };
    return 1;
}

static void synth_close(struct sl_source *source)
{
    struct sl_synth *y = (struct sl_synth *)source;
    sl_statics_free(&source->statics);
    free(y->alias);
    free(y->tree);
    free(y->value);
    free(y);
}

static const struct sl_source_ops synth_ops = {.next = synth_next, .close = synth_close};

void sl_synth_list(FILE *out)
{
    for (const struct sl_synth_kind *k = sl_synth_kinds; k->name; k++) {
        fprintf(out, "synth:%-8s %s\n", k->name, k->summary);
        sl_options_list(k->options, out);
    }
}

static const struct sl_synth_kind *find_kind(const struct sl_spec *spec, struct sl_failure *f)
{
    char known[128] = "";
    for (const struct sl_synth_kind *k = sl_synth_kinds; k->name; k++) {
        if (sl_spec_is(spec, k->name))
            return k;
        strcat(strcat(known, k == sl_synth_kinds ? "" : ", "), k->name);
    }
    sl_fail(f, SL_EUSAGE, "there is no made-up stream \"%.*s\"; there are %s",
            (int)(spec->name_end - spec->name), spec->text + spec->name, known);
    return NULL;
}

int sl_synth_source(struct sl_source **source, const char *text, struct sl_failure *f)
{
    struct sl_spec spec;
    *source = NULL;
    int error = sl_spec_split(&spec, text, 0, f);
    if (error < 0)
        return error;
    const struct sl_synth_kind *kind = find_kind(&spec, f);
    if (!kind)
        return SL_EUSAGE;
    if (text[spec.end])
        return sl_fail(f, SL_EUSAGE, "nothing can follow \"%.*s\"", (int)spec.end, text);
    struct sl_synth *y = calloc(1, sizeof *y);
    if (!y)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    y->source.ops = &synth_ops;
    y->kind = kind;
    for (uint32_t i = 0; i < SL_CHUNK_BLOCKS; i++)
        y->block_mem[i] = i;
    error = sl_options_parse(kind->options, &spec, &y->config, f);
    y->random = sl_mix(y->config.seed);
    y->left = y->config.events;
    if (!error && kind->prepare)
        error = kind->prepare(y, f);
    if (!error)
        error = tell_program(y, f);
    if (error < 0) {
        synth_close(&y->source);
        return error;
    }
    *source = &y->source;
    return 0;
}
