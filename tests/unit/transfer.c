/* SPDX-License-Identifier: MIT */
/* Unit tests of the detectors of branches (edge, call). On random programs, they are compared with
 * their definition: an event is a pair of consecutive blocks of one thread, where the first block
 * ends in a branch of the counted kind. */
#include "detector.h"
#include "flow.h"

#include <string.h>

#include "../support/tiny_program.h"
#include "tap.h"

enum { BLOCKS = 60, THREADS = 3, SLICES = 400 };

static const uint32_t words[] = {
    0x00000013, /* nop: falls through */
    0x00628463, /* beq t0, t1, .+8 */
    0x00050067, /* jr a0 */
    0x000500e7, /* jalr a0 */
    0x00008067, /* ret */
};

struct event {
    struct sl_tuple tuple;
    uint64_t weight;
    uint32_t place;
};

static struct tiny *t;
static struct sl_selection selection;
static struct sl_detector_env env;
static uint64_t seed;

static void open_program(void)
{
    t = tiny_new(SL_ARCH_RISCV64);
    for (uint32_t i = 0; i < BLOCKS; i++)
        tiny_words(t, 0x1000 + 4 * i, 1, &words[sl_random_below(&seed, 5)]);
    tiny_sync(t);
    if (sl_selection_init(&selection, NULL, NULL, NULL) < 0 ||
        sl_selection_sync(&selection, &t->code, NULL, NULL) < 0)
        abort();
    env = (struct sl_detector_env){
        .statics = &t->statics, .code = &t->code, .selection = &selection};
}

static void close_program(void)
{
    sl_selection_free(&selection);
    tiny_free(t);
}

/* Where control can go from a block, so that no step looks like a signal. */
static uint32_t follow(uint32_t block)
{
    const struct sl_block_end *end = &t->code.end[block];
    bool ahead = end->branch == SL_BRANCH_CONDITIONAL && sl_random_below(&seed, 2);
    uint32_t next = end->branch == SL_BRANCH_NONE || end->branch == SL_BRANCH_CONDITIONAL
                        ? block + 1 + ahead
                        : (uint32_t)sl_random_below(&seed, BLOCKS - 3);
    return next < BLOCKS ? next : 0;
}

struct plain {
    uint32_t at;
    uint64_t since, here;
};

static size_t plainly(struct plain *p, const struct sl_slice *slice, uint32_t branches,
                      struct event *out)
{
    size_t n = 0;
    if (!slice->joined)
        *p = (struct plain){.at = SL_FLOW_NONE};
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t next = slice->chunk->block[i];
        p->since += p->here;
        p->here = slice->block_weight ? slice->block_weight[i] : 1;
        if (p->at != SL_FLOW_NONE && branches >> t->code.end[p->at].branch & 1) {
            out[n++] = (struct event){
                {t->statics.block[p->at].pc, t->statics.block[next].pc}, p->since, i + 1};
            p->since = 0;
        }
        p->at = next;
    }
    return n;
}

static bool same(const struct sl_events *got, const struct sl_tuple_names *names,
                 const struct event *wanted, size_t n)
{
    if (got->n != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t tuple_id = got->tuple_id[i];
        if (tuple_id >= names->n || names->pc[tuple_id] != wanted[i].tuple.pc ||
            names->value[tuple_id] != wanted[i].tuple.value || got->weight[i] != wanted[i].weight ||
            got->position[i] != wanted[i].place)
            return false;
    }
    return true;
}

static void random_program(const struct sl_detector_kind *kind, uint32_t branches)
{
    static uint32_t tuple_id[SL_EVENTS_MAX], place[SL_EVENTS_MAX], block[SL_CHUNK_BLOCKS];
    static uint64_t weight[SL_EVENTS_MAX], block_weight[SL_CHUNK_BLOCKS];
    static struct event wanted[SL_CHUNK_BLOCKS];
    void *transfer = calloc(1, kind->state_size);
    struct plain plain[THREADS] = {{0}};
    uint32_t at[THREADS] = {0};
    bool known[THREADS] = {false}, right = true;
    size_t events = 0, distinct = 0;
    struct sl_tuple_names names;
    open_program();
    right &= kind->init(transfer, NULL, &env, NULL) >= 0 && kind->sync(transfer, NULL) >= 0;
    for (int i = 0; i < SLICES; i++) {
        uint32_t thread = (uint32_t)sl_random_below(&seed, THREADS);
        uint32_t n = (uint32_t)sl_random_below(&seed, 300);
        struct sl_chunk chunk = {.thread = thread, .n_blocks = n, .block = block};
        for (uint32_t k = 0; k < n; k++) {
            block[k] = at[thread] = follow(at[thread]);
            block_weight[k] = sl_random_below(&seed, 9);
        }
        struct sl_slice slice = {.chunk = &chunk,
                                 .block_high = n,
                                 .active = true,
                                 .joined = known[thread] && sl_random_below(&seed, 10),
                                 .block_weight = i % 2 ? block_weight : NULL};
        struct sl_events out = {.tuple_id = tuple_id, .weight = weight, .position = place};
        known[thread] = true;
        right &= kind->feed(transfer, &slice, &out, NULL) >= 0;
        size_t n_wanted = plainly(&plain[thread], &slice, branches, wanted);
        kind->names(transfer, &names);
        right &= same(&out, &names, wanted, n_wanted);
        events += n_wanted;
    }
    for (size_t i = 0; i < names.n; i++)
        for (size_t k = 0; k < i; k++)
            distinct += names.pc[i] == names.pc[k] && names.value[i] == names.value[k];
    ok(right && events > 1000, "%s: %zu events of %d threads, their weights and places", kind->name,
       events, THREADS);
    ok(!distinct, "%s: no tuple has two ids", kind->name);
    kind->close(transfer);
    free(transfer);
    close_program();
}

/* Without weights and places there is a loop of its own. */
static void plain_loop(void)
{
    enum { N = 5000 };
    static uint32_t tuple_id[2][SL_EVENTS_MAX], place[SL_EVENTS_MAX], block[N];
    static uint64_t weight[SL_EVENTS_MAX];
    const struct sl_detector_kind *kind = &sl_detector_edge;
    void *transfer[2];
    struct sl_events out[2] = {{.tuple_id = tuple_id[0]},
                               {.tuple_id = tuple_id[1], .position = place, .weight = weight}};
    open_program();
    for (uint32_t i = 0, at = 0; i < N; i++)
        block[i] = at = follow(at);
    struct sl_chunk chunk = {.n_blocks = N, .block = block};
    struct sl_slice slice = {.chunk = &chunk, .block_high = N, .active = true};
    for (int i = 0; i < 2; i++) {
        transfer[i] = calloc(1, kind->state_size);
        if (kind->init(transfer[i], NULL, &env, NULL) < 0 || kind->sync(transfer[i], NULL) < 0 ||
            kind->feed(transfer[i], &slice, &out[i], NULL) < 0)
            abort();
        kind->close(transfer[i]);
        free(transfer[i]);
    }
    ok(out[0].n > 100 && out[0].n == out[1].n && !memcmp(tuple_id[0], tuple_id[1], 4 * out[0].n),
       "the same events with weights and places, and without");
    close_program();
}

int main(void)
{
    for (seed = 1; seed < 4;) {
        uint64_t now = seed;
        random_program(&sl_detector_edge, 1u << SL_BRANCH_CONDITIONAL | 1u << SL_BRANCH_INDIRECT);
        random_program(&sl_detector_call, 1u << SL_BRANCH_CALL | 1u << SL_BRANCH_INDIRECT_CALL);
        seed = now + 1;
    }
    plain_loop();
    return done_testing();
}
