/* SPDX-License-Identifier: MIT */
/* Unit tests of detector sets. A set consists of all detectors whose events go to the same table.
 * Events are emitted in program order, with a mark that identifies the detector, and no detector
 * combines blocks from before and after a gap in the stream. */
#include "detector_set.h"

#include <string.h>

#include "random.h"
#include "tap.h"

/* ---- detectors that say what they are given ---- */

enum { INSNS = 50 };
static uint64_t pc_of[INSNS], target_of[INSNS];
static uint64_t last_joined, last_seen; /* slices that said so, and all */
static int held_back;

struct played {
    int held; /* batches that `finish` still gives */
};

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    (void)config, (void)env, (void)f;
    ((struct played *)state)->held = held_back;
    return 0;
}

static int sync_nothing(void *state, struct sl_failure *f)
{
    (void)state, (void)f;
    return 0;
}

static void add(struct sl_events *out, uint32_t tuple_id, uint64_t value, uint64_t weight,
                uint32_t place)
{
    out->tuple_id[out->n] = tuple_id;
    out->value[out->n] = value;
    out->weight[out->n] = weight;
    if (out->position)
        out->position[out->n] = place;
    out->n++;
}

/* An event for each block. */
static int feed_blocks(void *state, const struct sl_slice *slice, struct sl_events *out,
                       struct sl_failure *f)
{
    (void)state, (void)f;
    last_seen++;
    last_joined += slice->joined;
    for (uint32_t i = slice->block_low; i < slice->block_high; i++)
        add(out, slice->chunk->block[i], 0, slice->block_weight ? slice->block_weight[i] : 1,
            i + 1);
    return 0;
}

/* An event for each load. */
static int feed_loads(void *state, const struct sl_slice *slice, struct sl_events *out,
                      struct sl_failure *f)
{
    (void)state, (void)f;
    const struct sl_chunk *chunk = slice->chunk;
    uint32_t block = slice->block_low;
    for (uint32_t i = slice->mem_low; i < slice->mem_high; i++) {
        while (block < slice->block_high && chunk->block_mem[block] <= i)
            block++;
        add(out, chunk->mem_insn[i], chunk->mem_value[i], 1, block);
    }
    return 0;
}

static void finish(void *state, struct sl_events *out)
{
    struct played *p = state;
    if (p->held > 0)
        add(out, (uint32_t)p->held--, 7, 100, 0);
}

static void static_names(void *state, struct sl_tuple_names *names)
{
    (void)state;
    *names = (struct sl_tuple_names){pc_of, target_of, INSNS};
}

static void value_names(void *state, struct sl_tuple_names *names)
{
    (void)state;
    *names = (struct sl_tuple_names){pc_of, NULL, INSNS};
}

static void close_nothing(void *state)
{
    (void)state;
}

#define PLAYED                                                                                 \
    .state_size = sizeof(struct played), .init = init, .sync = sync_nothing, .finish = finish, \
    .close = close_nothing
static const struct sl_detector_kind blocks = {
    .name = "blocks", .feed = feed_blocks, .names = static_names, PLAYED};
static const struct sl_detector_kind followed = {
    .name = "followed", .feed_inactive = true, .feed = feed_blocks, .names = static_names, PLAYED};
static unsigned a_hundred(const void *config)
{
    (void)config;
    return 100;
}
static const struct sl_detector_kind many = {.name = "many",
                                             .max_events_per_block = a_hundred,
                                             .feed = feed_blocks,
                                             .names = static_names,
                                             PLAYED};
static const struct sl_detector_kind loads = {.name = "loads",
                                              .stream_needs = SL_NEED_VALUES,
                                              .second_in_event = true,
                                              .feed = feed_loads,
                                              .names = value_names,
                                              PLAYED};

/* ---- a table that keeps everything ---- */

static struct sl_event got[100000];
static size_t n_got;

static void give(void *context, const struct sl_batch *batch)
{
    (void)context;
    for (size_t i = 0; i < batch->n; i++)
        got[n_got++] = sl_batch_event(batch, i);
}

struct fed {
    struct sl_detector_set feed;
    struct sl_events buffer;
};

static struct fed *fed(size_t n, const struct sl_detector_kind *const *kinds, const char *metric)
{
    struct fed *s = calloc(1, sizeof *s);
    struct sl_profile_spec spec = {.n_detectors = n, .detecting = "played"};
    for (size_t i = 0; i < n; i++) {
        spec.detector[i].kind = kinds[i];
        spec.detector[i].metric = sl_metric_find(metric, strlen(metric));
    }
    s->buffer.tuple_id = malloc(SL_EVENTS_MAX * sizeof *s->buffer.tuple_id);
    s->buffer.value = malloc(SL_EVENTS_MAX * sizeof *s->buffer.value);
    s->buffer.weight = malloc(SL_EVENTS_MAX * sizeof *s->buffer.weight);
    sl_detector_set_prepare(&s->feed, &spec);
    s->feed.emit = give;
    s->feed.buffer = &s->buffer;
    if (sl_detector_set_open(&s->feed, NULL, NULL) < 0 || sl_detector_set_sync(&s->feed, NULL) < 0)
        abort();
    n_got = 0;
    return s;
}

static void ended(struct fed *s)
{
    sl_detector_set_close(&s->feed);
    free(s->buffer.tuple_id);
    free(s->buffer.value);
    free(s->buffer.weight);
    free(s);
}

/* ---- a stream ---- */

enum { BLOCKS = 3000 };
static uint32_t block[BLOCKS], block_mem[BLOCKS], mem_insn[3 * BLOCKS];
static uint64_t mem_value[3 * BLOCKS], weight[BLOCKS], *const weights[] = {weight};
static struct sl_chunk chunk = {.n_blocks = BLOCKS,
                                .block = block,
                                .block_mem = block_mem,
                                .mem_insn = mem_insn,
                                .mem_value = mem_value};

static void make_stream(void)
{
    uint64_t random = 9;
    for (uint32_t i = 0; i < INSNS; i++) {
        pc_of[i] = 0x1000 + 4 * i;
        target_of[i] = 0x9000 + 4 * i;
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        block[i] = (uint32_t)sl_random_below(&random, INSNS);
        weight[i] = sl_random_below(&random, 10);
        block_mem[i] = chunk.n_mems;
        for (uint64_t n = sl_random_below(&random, 4); n > 0; n--) {
            mem_insn[chunk.n_mems] = (uint32_t)sl_random_below(&random, INSNS);
            mem_value[chunk.n_mems++] = sl_random_next(&random);
        }
    }
}

static struct sl_slice slice_of(uint32_t low, uint32_t high)
{
    return (struct sl_slice){.chunk = &chunk,
                             .block_low = low,
                             .block_high = high,
                             .mem_low = low < BLOCKS ? block_mem[low] : chunk.n_mems,
                             .mem_high = high < BLOCKS ? block_mem[high] : chunk.n_mems,
                             .active = true,
                             .joined = true};
}

static bool is(const struct sl_event *e, uint64_t tag, uint64_t pc, uint64_t value, uint64_t w)
{
    return e->tuple.pc == (pc | tag << SL_TAG_SHIFT) && e->tuple.value == value && e->weight == w;
}

/* ---- what must hold ---- */

static void one_detector(void)
{
    struct fed *s = fed(1, (const struct sl_detector_kind *[]){&loads}, "count");
    struct sl_slice slice = slice_of(0, BLOCKS);
    sl_detector_set_slice(&s->feed, &slice, NULL);
    bool right = n_got == chunk.n_mems;
    for (size_t i = 0; i < n_got && right; i++)
        right = is(&got[i], 0, pc_of[mem_insn[i]], mem_value[i], 1) &&
                got[i].tuple_id == mem_insn[i];
    ok(right && s->feed.member[0].events == n_got && s->feed.member[0].weight == n_got,
       "one detector: its events as they are, with its own tuple ids, counted");
    ended(s);
}

/* Of one block: the events of the first detector, then what it loads. */
static void several_detectors(const char *metric)
{
    struct fed *s = fed(2, (const struct sl_detector_kind *[]){&loads, &blocks}, metric);
    bool weighs = s->feed.member[0].metric->weigh, right = true;
    uint64_t sum = 0;
    s->feed.weight = weights;
    s->feed.member[0].weights = s->feed.member[1].weights = weighs;
    for (uint32_t low = 0, high; low < BLOCKS; low = high) {
        high = low + 700 < BLOCKS ? low + 700 : BLOCKS;
        struct sl_slice slice = slice_of(low, high);
        sl_detector_set_slice(&s->feed, &slice, NULL);
    }
    size_t at = 0;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t high = i + 1 < BLOCKS ? block_mem[i + 1] : chunk.n_mems;
        uint64_t w = weighs ? weight[i] : 1;
        right &= is(&got[at++], 1, pc_of[block[i]], target_of[block[i]], w);
        sum += w;
        for (uint32_t m = block_mem[i]; m < high; m++)
            right &= is(&got[at++], 0, pc_of[mem_insn[m]], mem_value[m], 1);
    }
    ok(right && at == n_got, "two detectors by %s: in the program's order, each with its tag",
       metric);
    ok(s->feed.member[0].events == chunk.n_mems && s->feed.member[1].events == BLOCKS &&
           s->feed.member[1].weight == sum,
       "two detectors by %s: what each gave is counted", metric);
    struct sl_tuple_names names;
    sl_detector_set_names(&s->feed, &names);
    ok(names.n == 2 * INSNS && !names.value, "and there is a name for each of their tuple ids");
    ended(s);
}

/* Edges and mispredicted branches, the paper says: one detector, by two metrics. */
static void a_metric_each(void)
{
    struct fed *s = fed(2, (const struct sl_detector_kind *[]){&blocks, &blocks}, "count");
    struct sl_slice slice = slice_of(0, BLOCKS);
    uint64_t sum = 0;
    bool right = true;
    s->feed.member[1].metric = sl_metric_find("instructions", strlen("instructions"));
    s->feed.member[1].weights = 1;
    s->feed.weight = weights;
    s->feed.weights = true;
    sl_detector_set_slice(&s->feed, &slice, NULL);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        right &= is(&got[2 * i], 0, pc_of[block[i]], target_of[block[i]], 1) &&
                 is(&got[2 * i + 1], 1, pc_of[block[i]], target_of[block[i]], weight[i]);
        sum += weight[i];
    }
    ok(right && n_got == 2 * BLOCKS, "one detector twice, by two metrics: each event under both");
    ok(s->feed.member[0].weight == BLOCKS && s->feed.member[1].weight == sum,
       "and what each gave is counted by its own");
    ended(s);
}

static void static_words(void)
{
    struct fed *s = fed(2, (const struct sl_detector_kind *[]){&blocks, &followed}, "count");
    struct sl_slice slice = slice_of(0, 10);
    struct sl_tuple_names names;
    sl_detector_set_slice(&s->feed, &slice, NULL);
    sl_detector_set_names(&s->feed, &names);
    bool right = names.value && n_got == 20;
    for (size_t i = 0; i < n_got && right; i++)
        right = is(&got[i], i % 2, pc_of[block[i / 2]], target_of[block[i / 2]], 1) &&
                names.pc[got[i].tuple_id] == got[i].tuple.pc &&
                names.value[got[i].tuple_id] == got[i].tuple.value;
    ok(right, "detectors with static words: so are those of the feed");
    ended(s);
}

/* Slices that count, and one between them that does not. */
static void left_out(void)
{
    const struct sl_detector_kind *const kinds[] = {&blocks, &followed};
    for (int i = 0; i < 2; i++) {
        struct fed *s = fed(1, &kinds[i], "count");
        uint64_t joined[4];
        for (uint32_t k = 0; k < 4; k++) {
            struct sl_slice slice = slice_of(10 * k, 10 * k + 10);
            slice.active = k != 1;
            last_joined = last_seen = 0;
            sl_detector_set_slice(&s->feed, &slice, NULL);
            joined[k] = last_seen ? last_joined : 2;
        }
        if (kinds[i]->feed_inactive)
            ok(joined[0] == 0 && joined[1] == 1 && joined[2] == 1 && joined[3] == 1,
               "a detector that follows sees all slices, joined from the second on");
        else
            ok(joined[0] == 0 && joined[1] == 2 && joined[2] == 0 && joined[3] == 1,
               "another does not see what does not count, and is not joined after it");
        ended(s);
    }
}

static void threads(void)
{
    struct fed *s = fed(1, (const struct sl_detector_kind *[]){&blocks}, "count");
    uint64_t joined = 0;
    for (uint32_t k = 0; k < 6; k++) {
        struct sl_slice slice = slice_of(10 * k, 10 * k + 10);
        chunk.thread = k % 3;
        last_joined = 0;
        sl_detector_set_slice(&s->feed, &slice, NULL);
        joined = joined << 1 | last_joined;
    }
    chunk.thread = 0;
    ok(joined == 7, "each thread is joined to its own slices alone");
    ended(s);
}

static void at_the_end(void)
{
    const struct sl_detector_kind *const kinds[] = {&blocks, &loads};
    for (size_t n = 1; n <= 2; n++) {
        held_back = 5;
        struct fed *s = fed(n, kinds, "count");
        sl_detector_set_flush(&s->feed, NULL, NULL);
        ok(n_got == 5 * n, "what %zu detector%s held back is given, to the last of it", n,
           n > 1 ? "s" : "");
        held_back = 0;
        ended(s);
    }
}

static void capacity(void)
{
    struct fed *few = fed(1, (const struct sl_detector_kind *[]){&blocks}, "count");
    struct fed *lots = fed(2, (const struct sl_detector_kind *[]){&blocks, &many}, "count");
    ok(sl_detector_set_blocks_max(&few->feed) >= SL_CHUNK_BLOCKS, "a chunk fits in one slice");
    ok(sl_detector_set_blocks_max(&lots->feed) * 100 < SL_EVENTS_MAX &&
           (sl_detector_set_blocks_max(&lots->feed) + 2) * 100 > SL_EVENTS_MAX,
       "but not where a block has many events: too many for theirs to fit");
    ended(few);
    ended(lots);
}

int main(void)
{
    make_stream();
    one_detector();
    several_detectors("count");
    several_detectors("instructions");
    a_metric_each();
    static_words();
    left_out();
    threads();
    at_the_end();
    capacity();
    return done_testing();
}
