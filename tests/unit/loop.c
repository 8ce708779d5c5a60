/* SPDX-License-Identifier: MIT */
/* Unit tests of the loop detector. On random programs, it is compared with a plain implementation,
 * which keeps a list of loops for each function activation and uses only the sequence of blocks. It
 * is tested with both execution plans: block by block, and from one function exit to the next
 * (block_pairs.h). In some programs, code changes, so that new blocks contain the branches of older
 * blocks. */
#include "detector.h"

#include <stdlib.h>
#include <string.h>

#include "../support/tiny_program.h"
#include "block_pairs.h"
#include "symbol.h"
#include "tap.h"

extern const struct sl_detector_kind sl_detector_loop;

/* ---- a random program ---- */

#define FUNCTIONS 4u
#define BLOCKS 24u /* of a function, an instruction each */
#define N_BLOCKS (FUNCTIONS * BLOCKS)
#define START UINT64_C(0x10000)
#define DEPTH 40u
#define PROGRAMS 150u

enum kind { BRANCH, JUMP, CALL, RETURN };

static struct tiny *t;
static struct sl_selection selection;
static struct sl_detector_env env;
static uint64_t seed;
static enum kind kind[N_BLOCKS];
static uint32_t target[N_BLOCKS], number_of[N_BLOCKS];
#define REACH 2u /* blocks that a longer one goes on over, to the branch after them */
static uint32_t longer[N_BLOCKS];

static uint64_t pc_of(uint32_t block)
{
    return START + 4 * (uint64_t)block;
}

static uint32_t word_of(uint32_t block)
{
    uint32_t d = (uint32_t)(pc_of(target[block]) - pc_of(block));
    switch (kind[block]) {
    case BRANCH: /* bne t0, t1 */
        return 0x00629063 | (d >> 12 & 1) << 31 | (d >> 5 & 0x3f) << 25 | (d >> 1 & 0xf) << 8 |
               (d >> 11 & 1) << 7;
    case JUMP:
        return 0x0000006f | (d >> 20 & 1) << 31 | (d >> 1 & 0x3ff) << 21 | (d >> 11 & 1) << 20 |
               (d >> 12 & 0xff) << 12;
    case CALL: /* jalr a0 */
        return 0x000500e7;
    default:
        return 0x00008067;
    }
}

static void open_program(void)
{
    struct sl_failure f;
    t = tiny_new(SL_ARCH_RISCV64);
    for (uint32_t i = 0; i < N_BLOCKS; i++) {
        uint64_t r = sl_random_below(&seed, 100);
        uint32_t first = i / BLOCKS * BLOCKS;
        bool last = i % BLOCKS == BLOCKS - 1;
        kind[i] = last || r < 3 ? RETURN : r < 6 ? CALL : r < 14 ? JUMP : BRANCH;
        target[i] = first + (uint32_t)sl_random_below(&seed, BLOCKS);
        uint32_t word = word_of(i);
        number_of[i] = tiny_words(t, pc_of(i), 1, &word);
    }
    for (uint32_t i = 0; i + REACH < N_BLOCKS; i++) {
        uint32_t nop = 0x00000013, word[] = {nop, nop, word_of(i + REACH)};
        longer[i] = tiny_words(t, pc_of(i), REACH + 1, word);
    }
    tiny_sync(t);
    if (sl_selection_init(&selection, NULL, NULL, &f) < 0 ||
        sl_selection_sync(&selection, &t->code, NULL, &f) < 0)
        abort();
    env = (struct sl_detector_env){.statics = &t->statics,
                                   .code = &t->code,
                                   .symbols = sl_symbols_open(&t->statics),
                                   .selection = &selection};
}

static void close_program(void)
{
    sl_symbols_close(env.symbols);
    sl_selection_free(&selection);
    tiny_free(t);
}

/* ---- the plain definition ---- */

struct naive_loop {
    uint64_t head, tail;
};

static struct activation {
    uint32_t function, returns_to; /* a block */
    struct naive_loop loop[BLOCKS * BLOCKS];
    size_t n_loops;
} stack[DEPTH];
static size_t depth;
static uint64_t span;

/* By head and tail as blocks; tail N_BLOCKS: in no loop. */
static uint64_t flat[N_BLOCKS][N_BLOCKS + 1], inclusive[N_BLOCKS][N_BLOCKS + 1],
    iterations[N_BLOCKS][N_BLOCKS + 1], entries[N_BLOCKS][N_BLOCKS + 1], all,
    instructions[N_BLOCKS][N_BLOCKS + 1];

static uint64_t *at(uint64_t (*sum)[N_BLOCKS + 1], struct naive_loop l)
{
    return &sum[(l.head - START) / 4][l.tail ? (l.tail - START) / 4 : N_BLOCKS];
}

static struct naive_loop whole_of(const struct activation *a)
{
    return (struct naive_loop){pc_of(a->function * BLOCKS), 0};
}

static void arrive(uint64_t pc, bool backward, uint64_t from)
{
    struct activation *a = &stack[depth - 1];
    while (a->n_loops) {
        struct naive_loop top = a->loop[a->n_loops - 1];
        bool inside = pc >= top.head && pc <= top.tail;
        if (backward)
            inside = inside && from >= top.head && from <= top.tail;
        if (inside)
            break;
        a->n_loops--;
    }
    if (!backward)
        return;
    struct naive_loop made = {pc, from};
    struct naive_loop top = a->n_loops ? a->loop[a->n_loops - 1] : (struct naive_loop){0, 0};
    if (top.head != pc || top.tail != from) {
        a->loop[a->n_loops++] = made;
        ++*at(entries, made);
    }
    ++*at(iterations, made);
}

static void execute(uint64_t weight, uint64_t size)
{
    static bool paid[N_BLOCKS][N_BLOCKS + 1];
    memset(paid, 0, sizeof paid);
    struct activation *now = &stack[depth - 1];
    all += weight;
    *at(flat, now->n_loops ? now->loop[now->n_loops - 1] : whole_of(now)) += weight;
    *at(instructions, now->n_loops ? now->loop[now->n_loops - 1] : whole_of(now)) += size;
    for (size_t d = 0; d < depth; d++)
        for (size_t i = 0; i <= stack[d].n_loops; i++) {
            struct naive_loop l = i ? stack[d].loop[i - 1] : whole_of(&stack[d]);
            bool *is_paid = &paid[(l.head - START) / 4][l.tail ? (l.tail - START) / 4 : N_BLOCKS];
            *at(inclusive, l) += *is_paid ? 0 : weight;
            *is_paid = true;
        }
}

/* ---- detectors ---- */

enum {
    FLAT,
    INCLUSIVE,
    FLAT_EXITS,
    ITERATIONS,
    ENTRIES,
    ITERATIONS_EXITS,
    ENTRIES_EXITS,
    N_DETECTORS
};
static const bool reads_exits[N_DETECTORS] = {
    [FLAT_EXITS] = true, [ITERATIONS_EXITS] = true, [ENTRIES_EXITS] = true};
static void *state[N_DETECTORS];
static struct sl_block_pairs pairs;
static uint64_t (*const wanted[])[N_BLOCKS + 1] = {flat,    inclusive,  instructions, iterations,
                                                   entries, iterations, entries};
static uint64_t got[N_DETECTORS][N_BLOCKS * N_BLOCKS * 2], block_weight[SL_CHUNK_BLOCKS];
static uint32_t tuple_id[SL_EVENTS_MAX];
static uint64_t weight[SL_EVENTS_MAX];

static void open_detectors(void)
{
    struct {
        bool tail, inclusive, entries;
        uint64_t span, depth;
    } config = {false, false, false, span, 0};
    struct sl_failure f;
    if (sizeof config != sl_detector_loop.config_size)
        abort();
    for (int i = 0; i < N_DETECTORS; i++) {
        config.inclusive = i == INCLUSIVE;
        config.entries = i == ENTRIES || i == ENTRIES_EXITS;
        config.tail = reads_exits[i];
        state[i] = calloc(1, sl_detector_loop.state_size);
        if (sl_detector_loop.init(state[i], &config, &env, &f) < 0 ||
            sl_detector_loop.sync(state[i], &f) < 0)
            abort();
    }
    memset(got, 0, sizeof got);
    sl_block_pairs_init(&pairs, &env);
    pairs.need_counts = pairs.need_exits = pairs.need_loop_exits = true;
    if (sl_block_pairs_sync(&pairs, &f) < 0)
        abort();
}

static void take(int i, const struct sl_events *out)
{
    for (size_t e = 0; e < out->n; e++)
        got[i][tuple_id[e]] += i >= ITERATIONS ? 1 : weight[e];
}

static void feed(bool first)
{
    struct sl_chunk chunk;
    struct sl_failure f;
    static struct sl_exits exits;
    tiny_cut(t, &chunk);
    if (sl_block_pairs_run(&pairs, &chunk, &exits, &f) < 0)
        abort();
    for (int i = 0; i < N_DETECTORS; i++) {
        struct sl_events out = {.tuple_id = tuple_id, .weight = weight};
        struct sl_slice slice = {.chunk = &chunk,
                                 .block_high = chunk.n_blocks,
                                 .joined = !first,
                                 .active = true,
                                 .exits = reads_exits[i] ? &exits : NULL,
                                 .block_weight = i >= ITERATIONS ? NULL : block_weight};
        if (sl_detector_loop.feed(state[i], &slice, &out, &f) < 0)
            abort();
        take(i, &out);
    }
}

static void finish(int i)
{
    struct sl_events out = {.tuple_id = tuple_id, .weight = weight};
    do {
        out.n = 0;
        sl_detector_loop.finish(state[i], &out);
        if (i < ITERATIONS)
            take(i, &out);
    } while (out.n);
}

/* ---- runs ---- */

/* The next block, and what the definition makes of the way to it. */
static uint32_t step(uint32_t block)
{
    struct activation *a = &stack[depth - 1];
    uint32_t next = target[block];
    switch (kind[block]) {
    case CALL:
        if (depth == DEPTH)
            abort();
        a->returns_to = block + 1;
        next = (uint32_t)sl_random_below(&seed, FUNCTIONS);
        stack[depth++] = (struct activation){.function = next};
        return next * BLOCKS;
    case RETURN:
        next = stack[--depth - 1].returns_to;
        arrive(pc_of(next), false, 0);
        return next;
    case BRANCH:
        if (sl_random_below(&seed, 3) == 0)
            next = block + 1;
        break;
    default:
        break;
    }
    bool backward = next <= block && pc_of(block) - pc_of(next) <= span;
    arrive(pc_of(next), backward, pc_of(block));
    return next;
}

static void run(unsigned steps)
{
    memset(flat, 0, sizeof flat);
    memset(inclusive, 0, sizeof inclusive);
    memset(iterations, 0, sizeof iterations);
    memset(entries, 0, sizeof entries);
    memset(instructions, 0, sizeof instructions);
    all = 0;
    depth = 1;
    stack[0] = (struct activation){.function = 0};
    bool first = true;
    uint32_t block = 0;
    for (unsigned i = 0; i < steps; i++) {
        block_weight[t->n_blocks] = 1 + sl_random_below(&seed, 9);
        bool is_longer = block % BLOCKS + REACH < BLOCKS && sl_random_below(&seed, 8) == 0;
        execute(block_weight[t->n_blocks], is_longer ? REACH + 1 : 1);
        tiny_enter(t, is_longer ? longer[block] : number_of[block]);
        block += is_longer ? REACH : 0;
        if (i + 1 == steps || (kind[block] == RETURN && depth == 1) ||
            (kind[block] == CALL && depth == DEPTH))
            break;
        block = step(block);
        if (t->n_blocks > 900) {
            feed(first);
            first = false;
        }
    }
    feed(first);
}

static bool same(int i, uint64_t *n_loops)
{
    struct sl_tuple_names names;
    uint64_t sum = 0, wanted_sum = 0, wrong = 0;
    finish(i);
    sl_detector_loop.names(state[i], &names);
    for (size_t n = 0; n < names.n; n++) {
        uint64_t is = *at(wanted[i], (struct naive_loop){names.pc[n], names.value[n]});
        wrong += is != got[i][n];
        sum += got[i][n];
        *n_loops += names.value[n] && is;
    }
    for (uint32_t h = 0; h < N_BLOCKS; h++)
        for (uint32_t e = 0; e <= N_BLOCKS; e++)
            wanted_sum += wanted[i][h][e];
    return !wrong && sum == wanted_sum && (i != FLAT || sum == all);
}

/* Programs end soon or go on for long, as it comes: many of them. */
static void programs(uint64_t bytes)
{
    static const char *const name[] = {
        [FLAT] = "the innermost loop, or the function, is charged, and all adds up",
        [INCLUSIVE] = "inclusive: so are loops around it and those of callers, once",
        [ITERATIONS] = "count: iterations",
        [ENTRIES] = "count: how often loops were entered",
        [FLAT_EXITS] = "from one exit to the next, instructions are charged to the same",
        [ITERATIONS_EXITS] = "and iterations are the same",
        [ENTRIES_EXITS] = "and entries"};
    uint64_t right[N_DETECTORS] = {0}, n_loops = 0;
    span = bytes;
    for (unsigned n = 0; n < PROGRAMS; n++) {
        seed = 1000 + n;
        open_program();
        open_detectors();
        run(3000);
        for (int i = 0; i < N_DETECTORS; i++) {
            right[i] += same(i, &n_loops);
            sl_detector_loop.close(state[i]);
            free(state[i]);
        }
        sl_block_pairs_free(&pairs);
        close_program();
    }
    for (int i = 0; i < N_DETECTORS; i++)
        if (!ok(right[i] == PROGRAMS && n_loops > 1000, "%s (span=%llu)", name[i],
                (unsigned long long)bytes))
            printf("# %llu are right, with %llu loops\n", (unsigned long long)right[i],
                   (unsigned long long)n_loops);
}

int main(void)
{
    programs(65536);
    programs(24);
    struct {
        bool tail, inclusive, entries;
        uint64_t span, depth;
    } both = {true, true, true, 1, 0};
    struct sl_failure f;
    ok(sl_detector_loop.resolve(&both, &f) == SL_EUSAGE, "refused: %s", f.text);
    return done_testing();
}
