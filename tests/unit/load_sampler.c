/* SPDX-License-Identifier: MIT */
/* Unit tests of load sampling, which traces load values in only one window of each group of
 * windows. For chunks of any size, with threads in random order, the retained loads equal those of
 * a plain implementation, which finds the window of a load by counting the blocks of its thread. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "load_sampling.h"
#include "tap.h"

enum { THREADS = 3, EVENTS = 3000 };

/* By thread and block: how many loads it makes. */
static uint32_t loads[THREADS][EVENTS];

/* A load's value says whose it is. */
static uint64_t value_of(uint32_t thread, uint32_t block, uint32_t load)
{
    return (uint64_t)thread << 48 | (uint64_t)block << 8 | load;
}

/* A thread's stream, from which chunks are taken. */
struct position {
    uint32_t block, load; /* the next block, the next load of the one before */
};

static struct sl_chunk_arrays arrays;

static bool next_chunk(uint32_t thread, struct position *p, uint32_t most, struct sl_chunk *chunk)
{
    *chunk = (struct sl_chunk){.thread = 1000 * thread,
                               .flags = p->block ? 0 : SL_CHUNK_START,
                               .block = arrays.block,
                               .block_mem = arrays.block_mem,
                               .mem_insn = arrays.mem_insn,
                               .mem_value = arrays.mem_value,
                               .mem_addr = thread ? arrays.mem_addr : NULL};
    while (chunk->n_blocks + chunk->n_mems < most) {
        if (p->block && p->load < loads[thread][p->block - 1]) {
            uint64_t value = value_of(thread, p->block - 1, p->load++);
            arrays.mem_insn[chunk->n_mems] = (uint32_t)value;
            arrays.mem_addr[chunk->n_mems] = ~value;
            arrays.mem_value[chunk->n_mems++] = value;
        } else if (p->block < EVENTS) {
            arrays.block_mem[chunk->n_blocks] = chunk->n_mems;
            arrays.block[chunk->n_blocks++] = p->block++;
            p->load = 0;
        } else {
            break;
        }
    }
    return chunk->n_blocks || chunk->n_mems;
}

/* Whether the loads of the block are sampled, by the definition: one window of each group is. */
static bool is_sampled(const struct sl_load_sampling *s, uint64_t block)
{
    uint64_t window = block / s->blocks, group = window / s->of, index = window % s->of;
    return index == (group ? sl_mix(group) % s->of : 0);
}

/* Where a thread should be: its next sampled load. */
static void go_on(const struct sl_load_sampling *s, uint32_t thread, struct position *p)
{
    while (p->block < EVENTS && (p->load == loads[thread][p->block] || !is_sampled(s, p->block))) {
        p->block++;
        p->load = 0;
    }
}

/* The loads of a chunk, which has been cut: each is the thread's next, and in its own block. */
static bool is_right(const struct sl_load_sampling *s, const struct sl_chunk *chunk,
                     uint32_t thread, struct position *wanted)
{
    uint32_t first = chunk->n_blocks ? chunk->block[0] : EVENTS;
    bool right = true;
    for (uint32_t i = 0, block = 0; i < chunk->n_mems && right; i++) {
        go_on(s, thread, wanted);
        while (block < chunk->n_blocks && chunk->block_mem[block] <= i)
            block++;
        uint64_t value = value_of(thread, wanted->block, wanted->load++);
        right = chunk->mem_value[i] == value && chunk->mem_insn[i] == (uint32_t)value &&
                (!chunk->mem_addr || chunk->mem_addr[i] == ~value) &&
                (block ? chunk->block[block - 1] == wanted->block : wanted->block < first);
    }
    return right;
}

/* All threads, in turns by chance. */
static bool run(const struct sl_load_sampling *s, uint32_t most, uint64_t *seed)
{
    struct sl_load_sampler w = {.sampling = *s};
    struct position at[THREADS] = {{0}}, wanted[THREADS] = {{0}};
    uint64_t n_blocks = 0, left = (1u << THREADS) - 1;
    bool right = true;
    while (left && right) {
        uint32_t thread = (uint32_t)sl_random_below(seed, THREADS);
        struct sl_chunk chunk;
        if (!next_chunk(thread, &at[thread], 1 + (uint32_t)sl_random_below(seed, most), &chunk)) {
            left &= ~(UINT64_C(1) << thread);
            continue;
        }
        right = sl_load_sampler_cut(&w, &chunk) && chunk.thread == 1000 * thread &&
                is_right(s, &chunk, thread, &wanted[thread]);
        n_blocks += chunk.n_blocks;
    }
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        go_on(s, thread, &wanted[thread]);
        right &= wanted[thread].block == EVENTS;
    }
    sl_load_sampler_free(&w);
    return right && n_blocks == THREADS * EVENTS;
}

static void once_a_group(const struct sl_load_sampling *s)
{
    uint64_t n = 0, wrong = 0, next = 0, group = (uint64_t)s->of * s->blocks;
    for (uint64_t block = 0; block < 40 * group; block++) {
        next = block > next ? block : next;
        while (!is_sampled(s, next))
            next++;
        n += next == block;
        wrong += sl_load_sampling_next(s, block) != next ||
                 sl_load_sampling_end(s, block) != (block / s->blocks + 1) * s->blocks;
    }
    ok(n == UINT64_C(40) * s->blocks && !wrong, "1 of %u windows of %u blocks, one in each group",
       s->of, s->blocks);
}

int main(void)
{
    static const struct sl_load_sampling kinds[] = {{2, 1}, {3, 7}, {16, 10}, {5, 100}, {16, 5000}};
    uint64_t seed = 11;
    for (uint32_t thread = 0; thread < THREADS; thread++)
        for (uint32_t i = 0; i < EVENTS; i++)
            loads[thread][i] = (uint32_t)sl_random_below(&seed, 4);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        once_a_group(&kinds[k]);
        for (uint32_t most = 1; most <= SL_CHUNK_BLOCKS; most = 6 * most + 1)
            ok(run(&kinds[k], most, &seed),
               "1 of %u windows of %u blocks, chunks of up to %u events", kinds[k].of,
               kinds[k].blocks, most);
    }

    /* After a thread has ended, the next thread with its number starts with block 0. */
    struct sl_load_sampler w = {.sampling = {2, 10}};
    struct position at = {0};
    struct sl_chunk chunk;
    next_chunk(0, &at, 15, &chunk);
    chunk.flags |= SL_CHUNK_END;
    sl_load_sampler_cut(&w, &chunk);
    at = (struct position){0};
    next_chunk(0, &at, 5, &chunk);
    uint32_t n = chunk.n_mems;
    ok(sl_load_sampler_cut(&w, &chunk) && n && chunk.n_mems == n &&
           chunk.mem_value == arrays.mem_value,
       "a thread's first window is sampled, even if an ended thread had its number");
    sl_load_sampler_free(&w);

    w = (struct sl_load_sampler){.sampling = {1, 10}};
    chunk = (struct sl_chunk){.n_blocks = 8, .block = arrays.block};
    ok(sl_load_sampler_cut(&w, &chunk) && !w.state && chunk.n_blocks == 8, "1 of 1 is everywhere");
    return done_testing();
}
