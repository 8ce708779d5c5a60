/* SPDX-License-Identifier: MIT */
/* Unit tests of warming caches with only the last access to each cache line: afterwards the caches
 * have the same contents as after all accesses. */
#include "last_accesses.h"

#include <string.h>

#include "cache.h"
#include "random.h"
#include "tap.h"

#define N SL_CHUNK_MEMS

static struct sl_cache *open_cache(uint64_t sets, uint64_t ways, uint64_t line)
{
    struct sl_cache_config config = {
        .size = sets * ways * line, .ways = ways, .line = line, .allocate = true};
    struct sl_cache *c = aligned_alloc(64, sl_cache_bytes(&config));
    if (!c)
        abort();
    memset(c, 0, sl_cache_bytes(&config));
    sl_cache_init(c, &config);
    return c;
}

static void touch(struct sl_cache *c, uint64_t address, uint32_t word)
{
    sl_cache_access(c, address, 1u << (word >> SL_MEM_SIZE_SHIFT & 7), word & SL_MEM_STORE);
}

/* How many lines of its set leave behind the one at `i`: by order, or by stamps (cache.c). */
static size_t rank(const struct sl_cache *c, size_t i)
{
    size_t set = i / c->ways * c->ways, n = 0;
    for (size_t k = set; k < set + c->ways; k++)
        n += c->stamp ? c->stamp[k] > c->stamp[i] || (c->stamp[k] == c->stamp[i] && k < i) : k < i;
    return n;
}

/* The same lines, which will leave in the same order; that some are dirty is left out. */
static bool same_lines(const struct sl_cache *a, const struct sl_cache *b)
{
    size_t n = (a->set_mask + 1) * a->ways;
    uint64_t *in_order[2] = {calloc(n, sizeof **in_order), calloc(n, sizeof **in_order)};
    for (size_t i = 0; i < n; i++) {
        in_order[0][i / a->ways * a->ways + rank(a, i)] = a->way[i] >> 1;
        in_order[1][i / b->ways * b->ways + rank(b, i)] = b->way[i] >> 1;
    }
    bool same = !memcmp(in_order[0], in_order[1], n * sizeof **in_order);
    free(in_order[0]);
    free(in_order[1]);
    return same;
}

int main(void)
{
    static const struct {
        uint64_t sets, ways, line;
    } shape[] = {{1, 32, 4096}, {64, 4, 64}, {64, 8, 64}, {1024, 1, 32}, {256, 4, 128}};
    static uint32_t insn[N];
    static uint64_t address[N];
    struct sl_chunk chunk = {.n_mems = N, .mem_insn = insn, .mem_addr = address};
    struct sl_last_accesses touched = {0};
    enum { SHAPES = sizeof shape / sizeof *shape };
    struct sl_cache *all[SHAPES], *last[SHAPES];
    uint64_t seed = 3, at = 0, kept = 0;
    bool capacity = true;
    for (size_t s = 0; s < SHAPES; s++) {
        all[s] = open_cache(shape[s].sets, shape[s].ways, shape[s].line);
        last[s] = open_cache(shape[s].sets, shape[s].ways, shape[s].line);
    }
    for (unsigned part = 0; part < 10; part++) {
        sl_last_accesses_clear(&touched);
        for (size_t i = 0; i < N; i++) {
            at = sl_random_below(&seed, 4) ? at + sl_random_below(&seed, 16)
                                           : 0x10000 + sl_random_below(&seed, 1 << 15);
            address[i] = at;
            insn[i] = (uint32_t)sl_random_below(&seed, 4) << SL_MEM_SIZE_SHIFT |
                      (sl_random_below(&seed, 3) ? 0 : SL_MEM_STORE);
        }
        capacity &= sl_last_accesses_add(&touched, &chunk);
        for (size_t i = 0; i < N; i++) {
            uint32_t word = insn[i];
            bool keep = sl_last_accesses_is_last(&touched, address[i], &word);
            kept += keep;
            for (size_t s = 0; s < SHAPES; s++) {
                touch(all[s], address[i], insn[i]);
                if (keep)
                    touch(last[s], address[i], word);
            }
        }
        for (size_t s = 0; s < SHAPES; s++)
            ok(same_lines(all[s], last[s]), "part %u: %d sets, %d ways, lines of %d bytes", part,
               (int)shape[s].sets, (int)shape[s].ways, (int)shape[s].line);
    }
    ok(capacity && kept && kept < 10 * N / 2, "less than half of the accesses are kept: %d",
       (int)kept);
    sl_last_accesses_free(&touched);
    for (size_t s = 0; s < SHAPES; s++) {
        free(all[s]);
        free(last[s]);
    }
    return done_testing();
}
