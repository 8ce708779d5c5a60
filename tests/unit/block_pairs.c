/* SPDX-License-Identifier: MIT */
/* Unit tests of block pairs, which count how often one block follows another. Processing several
 * blocks at a time, by n-grams, must give the same pairs, counts and function exits as processing
 * the sequence block by block. The tests use random walks with signals, jumps out of procedures
 * and gaps. In some walks, delay slots are separate blocks. */
#include "block_pairs.h"

#include "../support/random_walk.h"
#include "path.h"
#include "tap.h"

#define THREADS 3
#define CHUNK 900

struct bench {
    struct sl_detector_env env;
    struct sl_selection selection;
    struct sl_block_pairs ngrams, single;
    struct sl_exits exits, one;
    uint64_t n_exits, known, unequal;
};

static struct bench bench;
static struct sl_failure f;

static void open_bench(const struct tiny *t, bool loops, bool need_counts, bool need_exits)
{
    struct sl_symbols *symbols = sl_symbols_open(&t->statics);
    bench = (struct bench){.env = {.statics = &t->statics,
                                   .code = &t->code,
                                   .symbols = symbols,
                                   .selection = &bench.selection}};
    sl_selection_init(&bench.selection, NULL, NULL, &f);
    if (!symbols || sl_selection_sync(&bench.selection, &t->code, NULL, &f) < 0 ||
        !sl_block_pairs_init(&bench.ngrams, &bench.env) ||
        !sl_block_pairs_init(&bench.single, &bench.env))
        abort();
    bench.ngrams.need_loop_exits = bench.single.need_loop_exits = loops;
    bench.single.need_counts = bench.single.need_exits = true;
    bench.ngrams.need_counts = need_counts;
    bench.ngrams.need_exits = need_exits;
    if (sl_block_pairs_sync(&bench.ngrams, &f) < 0 || sl_block_pairs_sync(&bench.single, &f) < 0)
        abort();
}

static void close_bench(void)
{
    sl_block_pairs_free(&bench.ngrams);
    sl_block_pairs_free(&bench.single);
    sl_selection_free(&bench.selection);
    sl_symbols_close(bench.env.symbols);
}

static void feed(const struct sl_chunk *chunk)
{
    const struct sl_exits *exits = &bench.exits, *one = &bench.one;
    uint32_t n = 0, instructions = 0, serial = bench.ngrams.ngrams.serial;
    if (sl_block_pairs_run(&bench.ngrams, chunk, &bench.exits, &f) < 0)
        abort();
    bench.known += exits->ngrams.n - (bench.ngrams.ngrams.serial - serial);
    for (uint32_t i = 0; i < chunk->n_blocks; i++) {
        struct sl_chunk part = {.thread = chunk->thread,
                                .flags = i ? 0 : chunk->flags,
                                .n_blocks = 1,
                                .block = chunk->block + i};
        if (sl_block_pairs_run(&bench.single, &part, &bench.one, &f) < 0)
            abort();
        if (one->n && bench.ngrams.need_exits) {
            bench.unequal += n >= exits->n || exits->block_index[n] != i ||
                             exits->pair[n] != one->pair[0] ||
                             exits->instructions_before[n] != instructions;
            n++;
        }
        instructions += one->instructions;
    }
    bench.unequal += n != exits->n || instructions != exits->instructions;
    bench.n_exits += n;
}

static bool is_counted(void)
{
    const struct sl_block_pairs *a = &bench.ngrams, *b = &bench.single;
    bool equal = a->n_pairs == b->n_pairs && a->n_blocks == b->n_blocks;
    sl_block_pairs_flush(&bench.ngrams);
    for (size_t i = 0; i < b->n_pairs && equal; i++)
        equal = a->pair[i].from == b->pair[i].from && a->pair[i].next == b->pair[i].next &&
                a->count[i] == b->count[i];
    return equal && !memcmp(a->entries_without_pair, b->entries_without_pair,
                            a->n_blocks * sizeof *a->entries_without_pair);
}

static void walks(unsigned odd, bool gaps)
{
    uint64_t known = 0, exits = 0, unequal = 0;
    bool counted = true;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct walk_program *p = walk_program_new(seed, 3 + (uint32_t)seed % 9);
        struct walker walker[THREADS];
        uint64_t random = seed;
        uint32_t block[CHUNK];
        bool need_counts = seed % 3 != 0;
        open_bench(p->tiny, seed % 2, need_counts, seed % 3 != 1);
        for (int i = 0; i < THREADS; i++)
            walker[i] = (struct walker){
                .program = p, .random = sl_random_next(&random), .odd = odd, .signals = odd / 10};
        for (unsigned k = 0; k < 60; k++) {
            uint32_t thread = (uint32_t)sl_random_below(&random, THREADS);
            struct sl_chunk chunk = {.thread = thread,
                                     .block = block,
                                     .n_blocks = (uint32_t)sl_random_below(&random, CHUNK + 1)};
            chunk.flags = gaps && !sl_random_below(&random, 8) ? SL_CHUNK_GAP : 0;
            for (uint32_t i = 0; i < chunk.n_blocks; i++)
                block[i] = walk(&walker[thread]);
            if (chunk.n_blocks)
                feed(&chunk);
        }
        counted = counted && (!need_counts || is_counted());
        known += bench.known;
        exits += bench.n_exits;
        unequal += bench.unequal;
        close_bench();
        walk_program_free(p);
    }
    ok(counted, "the same counts of pairs, %u of 1000 transfers odd", odd);
    ok(!unequal && exits > 10000 && known > 10000, "the same %llu exits; %llu n-grams were hits",
       (unsigned long long)exits, (unsigned long long)known);
}

/* ---- delay slots ---- */

struct paths {
    void *state;
    uint32_t tuple_id[SL_EVENTS_MAX];
    struct sl_events out;
};

static void open_paths(struct paths *p, struct sl_path_config *config)
{
    struct sl_spec spec;
    p->state = calloc(1, sl_detector_path.state_size);
    if (sl_spec_split(&spec, "path", 0, &f) < 0 ||
        sl_options_parse(sl_path_options, &spec, config, &f) < 0 || sl_path_check(config, &f) < 0 ||
        sl_detector_path.init(p->state, config, &bench.env, &f) < 0 ||
        sl_detector_path.sync(p->state, &f) < 0)
        abort();
}

static void feed_paths(struct paths *p, const struct sl_chunk *chunk, bool first, bool by_ngrams)
{
    struct sl_slice slice = {.chunk = chunk,
                             .block_high = chunk->n_blocks,
                             .joined = !first,
                             .active = true,
                             .exits = by_ngrams ? &bench.exits : NULL};
    p->out = (struct sl_events){.tuple_id = p->tuple_id};
    if (sl_detector_path.feed(p->state, &slice, &p->out, &f) < 0)
        abort();
}

static void delay_slots(void)
{
    static struct paths by_ngrams, by_blocks;
    struct sl_path_config config[2];
    struct tiny *t = tiny_new(SL_ARCH_MIPSEL);
    const uint32_t branch_word = 0x15090003,
                   back[] = {0x03200008, 0}; /* bne t0, t1, 0x200c; jr t9, nop */
    uint32_t branch = tiny_words(t, 0x1ffc, 1, &branch_word),
             slot = tiny_words(t, 0x2000, 1, back + 1);
    uint32_t next = tiny_words(t, 0x2004, 2, back), taken = tiny_words(t, 0x200c, 2, back);
    uint32_t block[CHUNK], at = branch;
    uint64_t random = 1, events = 0;
    bool equal = true;
    tiny_sync(t);
    open_bench(t, false, true, true);
    open_paths(&by_ngrams, &config[0]);
    open_paths(&by_blocks, &config[1]);
    for (unsigned k = 0; k < 200; k++) {
        struct sl_chunk chunk = {.block = block,
                                 .n_blocks = 1 + (uint32_t)sl_random_below(&random, CHUNK)};
        for (uint32_t i = 0; i < chunk.n_blocks; i++) {
            block[i] = at;
            uint64_t draw = sl_random_below(&random, 16);
            at = at == branch              ? slot
                 : at != slot && draw < 2  ? branch
                 : at != slot && draw == 2 ? slot
                 : draw % 2                ? next
                                           : taken;
        }
        feed(&chunk);
        feed_paths(&by_ngrams, &chunk, !k, true);
        feed_paths(&by_blocks, &chunk, !k, false);
        equal = equal && by_ngrams.out.n == by_blocks.out.n &&
                !memcmp(by_ngrams.tuple_id, by_blocks.tuple_id,
                        by_blocks.out.n * sizeof *by_blocks.tuple_id);
        events += by_blocks.out.n;
    }
    ok(is_counted() && !bench.unequal && bench.known > 1000, "the same after delay slots");
    ok(equal && events > 1000, "and the same %llu paths", (unsigned long long)events);
    sl_detector_path.close(by_ngrams.state);
    sl_detector_path.close(by_blocks.state);
    free(by_ngrams.state);
    free(by_blocks.state);
    close_bench();
    tiny_free(t);
}

int main(void)
{
    walks(0, false);
    walks(50, true);
    delay_slots();
    return done_testing();
}
