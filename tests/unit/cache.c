/* SPDX-License-Identifier: MIT */
/* Unit tests of the cache model. With LRU and FIFO replacement, every access has the same result as
 * in a plain model (naive_cache.h), and random replacement evicts the lines of a set equally often.
 * Impossible sizes are refused with a clear message. */
#include <string.h>

#include "../support/naive_cache.h"
#include "random.h"
#include "tap.h"

#define TOUCHES 60000u

static struct sl_cache *open_cache(const struct sl_cache_config *config)
{
    size_t bytes = sl_cache_bytes(config);
    struct sl_cache *c = aligned_alloc(64, bytes);
    if (!c)
        abort();
    memset(c, 0, bytes);
    sl_cache_init(c, config);
    return c;
}

static struct sl_cache_config geometry(uint64_t sets, uint64_t ways, uint64_t line)
{
    return (struct sl_cache_config){
        .size = sets * ways * line, .ways = ways, .line = line, .seed = 1, .allocate = true};
}

/* Addresses as programs have them: mostly near the last one, sometimes anywhere in
 * twice the cache, rarely at the ends of the address space. */
static uint64_t next_address(uint64_t *seed, uint64_t last, uint64_t size)
{
    uint64_t draw = sl_random_below(seed, 100);
    if (draw < 50)
        return last + sl_random_below(seed, 64) - 32;
    if (draw < 99)
        return 0x400000 + sl_random_below(seed, 2 * size);
    return UINT64_MAX - sl_random_below(seed, 2 * size);
}

static bool same(struct sl_cache_result a, struct sl_cache_result b)
{
    return a.miss == b.miss && a.writeback == b.writeback && (!a.writeback || a.victim == b.victim);
}

/* How many touches differ from the plain definition's. */
static size_t differences(const struct sl_cache_config *config, bool *counters_agree)
{
    struct sl_cache *c = open_cache(config);
    struct naive_cache naive;
    uint64_t seed = 7, address = 0;
    size_t differing = 0, hits = 0, misses = 0;
    naive_open(&naive, config);
    for (size_t i = 0; i < TOUCHES; i++) {
        bool write = sl_random_below(&seed, 3) == 0;
        address = next_address(&seed, address, config->size);
        struct sl_cache_result got = sl_cache_touch(c, address, write);
        differing += !same(got, naive_touch(&naive, address, write));
        *(got.miss ? &misses : &hits) += 1;
    }
    *counters_agree &= !memcmp(&c->counters, &naive.counters, sizeof c->counters) &&
                       hits + misses == c->counters.reads + c->counters.writes &&
                       misses == c->counters.read_misses + c->counters.write_misses;
    naive_close(&naive);
    free(c);
    return differing;
}

static void plain_definition(void)
{
    static const struct {
        uint64_t sets, ways, line;
    } g[] = {{1, 1, 4},   {1, 1, 64}, {64, 1, 16}, {16, 2, 32}, {8, 3, 64},
             {4, 4, 128}, {1, 8, 64}, {2, 16, 8},  {1, 64, 64}, {1, 5, 4096}};
    for (unsigned policy = 0; policy < 8; policy++) {
        size_t differing = 0;
        bool counters_agree = true;
        for (size_t i = 0; i < sizeof g / sizeof *g; i++) {
            struct sl_cache_config config = geometry(g[i].sets, g[i].ways, g[i].line);
            config.replacement = policy & 1 ? SL_CACHE_FIFO : SL_CACHE_LRU;
            config.write = policy & 2 ? SL_CACHE_THROUGH : SL_CACHE_BACK;
            config.allocate = !(policy & 4);
            differing += differences(&config, &counters_agree);
        }
        const char *name[] = {policy & 1 ? "fifo" : "lru", policy & 2 ? "through" : "back",
                              policy & 4 ? "no allocation" : "allocation"};
        ok(!differing, "%s, write %s, %s: every touch is as the plain definition has it", name[0],
           name[1], name[2]);
        ok(counters_agree, "%s, write %s, %s: hits and misses are all touches, all counted",
           name[0], name[1], name[2]);
    }
}

/* ---- random replacement ---- */

/* All touches are writes, so every line that leaves is reported and what is there is
 * known. `rank` counts how old victims were: the place of the line in order of coming. */
static bool follow_random(uint64_t seed_of_cache, uint64_t *trail, uint64_t *rank)
{
    enum { WAYS = 8 };
    struct sl_cache_config config = geometry(1, WAYS, 64);
    config.replacement = SL_CACHE_RANDOM;
    config.seed = seed_of_cache;
    struct sl_cache *c = open_cache(&config);
    uint64_t there[WAYS], n = 0, seed = 5;
    bool right = true;
    for (size_t i = 0; i < TOUCHES; i++) {
        uint64_t line = sl_random_below(&seed, 3 * WAYS) * 64, place = 0;
        struct sl_cache_result t = sl_cache_touch(c, line, true);
        while (place < n && there[place] != line)
            place++;
        right &= t.miss == (place == n) && t.writeback == (t.miss && n == WAYS);
        if (t.writeback) {
            for (place = 0; place < n && there[place] != t.victim; place++)
                ;
            right &= place < n;
            rank[place % WAYS]++;
            memmove(there + place, there + place + 1, (--n - place) * sizeof *there);
            *trail = *trail * 31 + t.victim;
        }
        if (t.miss)
            there[n++] = line;
    }
    free(c);
    return right;
}

static void random_replacement(void)
{
    uint64_t trail[3] = {0}, rank[3][8] = {{0}}, most = 0, all = 0;
    bool right = true;
    for (int i = 0; i < 3; i++)
        right = follow_random(i == 2 ? 2 : 1, &trail[i], rank[i]) && right;
    ok(right, "random: a line is there until it is drawn, and only a full set draws");
    ok(trail[0] == trail[1], "random: the same seed draws the same victims");
    ok(trail[0] != trail[2], "random: another seed draws others");
    for (int i = 0; i < 8; i++) {
        all += rank[0][i];
        most = rank[0][i] > most ? rank[0][i] : most;
    }
    ok(most * 8 * 100 < all * 105, "random: no age is drawn 5 %% more often than its share");
}

/* ---- by hand ---- */

static bool is(struct sl_cache_result t, bool miss, bool writeback, uint64_t victim)
{
    return same(t, (struct sl_cache_result){victim, miss, writeback, false});
}

static void write_policies(void)
{
    struct sl_cache_config config = geometry(2, 1, 64); /* lines 0, 2, 4 are in one set */
    struct sl_cache *c = open_cache(&config);
    bool right = is(sl_cache_touch(c, 0, false), true, false, 0);
    right &= is(sl_cache_touch(c, 128, true), true, false, 0); /* line 0 was clean */
    right &= is(sl_cache_touch(c, 130, false), false, false, 0);
    right &= is(sl_cache_touch(c, 256, false), true, true, 128);
    right &= is(sl_cache_touch(c, 300, true), false, false, 0); /* dirty by a hit */
    right &= is(sl_cache_touch(c, 0, true), true, true, 256);
    right &= is(sl_cache_touch(c, 64, false), true, false, 0); /* the other set */
    ok(right && c->counters.writebacks == 2,
       "write-back: a line written to is written back when it leaves, no other is");
    free(c);

    config.write = SL_CACHE_THROUGH;
    c = open_cache(&config);
    right = is(sl_cache_touch(c, 0, true), true, false, 0);
    right &= is(sl_cache_touch(c, 0, true), false, false, 0);
    right &= is(sl_cache_touch(c, 128, true), true, false, 0);
    ok(right && !c->counters.writebacks, "write-through: nothing is ever written back");
    free(c);

    config = geometry(2, 1, 64);
    config.allocate = false;
    c = open_cache(&config);
    right = is(sl_cache_touch(c, 0, false), true, false, 0);
    right &= is(sl_cache_touch(c, 128, true), true, false, 0);
    right &= is(sl_cache_touch(c, 0, false), false, false, 0);  /* it was not replaced */
    right &= is(sl_cache_touch(c, 128, false), true, false, 0); /* nor did the write stay */
    ok(right && c->counters.write_misses == 1 && c->counters.read_misses == 2,
       "no allocation: a write that misses changes nothing");
    free(c);
}

static void lines(void)
{
    struct sl_cache_config config = geometry(4, 2, 64);
    struct sl_cache *c = open_cache(&config);
    ok(sl_cache_access(c, 60, 4, false) == 1 && c->counters.reads == 1,
       "an access up to the last byte of a line touches one line");
    ok(sl_cache_access(c, 60, 5, false) == 1 && c->counters.reads == 3 &&
           c->counters.read_misses == 2,
       "one byte more touches two; the first was there");
    ok(sl_cache_access(c, 1000, 200, true) == 4 && c->counters.writes == 4,
       "an access may span many lines");
    ok(sl_cache_access(c, UINT64_MAX - 2, 8, false) == 1 && c->counters.reads == 4 &&
           sl_cache_access(c, UINT64_MAX, 1, false) == 0,
       "an access across the end of the address space ends there");
    free(c);

    config = geometry(1, 1, 64);
    c = open_cache(&config);
    ok(sl_cache_access(c, 62, 4, false) == 2 && sl_cache_access(c, 62, 4, false) == 2,
       "two lines of one access push each other out of a cache of one line");
    free(c);

    config = geometry(1, 1024, 64);
    c = open_cache(&config);
    unsigned misses = 0;
    for (int round = 0; round < 3; round++)
        for (uint64_t i = 0; i < 1024 - (uint64_t)round; i++)
            misses += sl_cache_access(c, 64 * 4096 * i, 8, false);
    ok(misses == 1024, "fully associative: as many lines as there is space for stay, wherever");
    for (uint64_t i = 0; i < 2 * 1025; i++)
        misses += sl_cache_access(c, 64 * 4096 * (i % 1025 + 5000), 8, false);
    ok(misses == 1024 + 2 * 1025, "fully associative, lru: one line too many in a circle, none");
    free(c);
}

/* ---- what cannot be ---- */

static void refusals(void)
{
    static const struct {
        uint64_t size, ways, line;
        const char *says;
    } bad[] = {
        {1000, 2, 64, "l1d.size=1000 is not ways"},
        {1000, 2, 64, "512 or 1024"},
        {3 * 4096, 1, 64, "8192 or 16384"},
        {0, 1, 64, "has 64"},
        {64, 2, 64, "has 128"},
        {UINT64_C(1) << 40, 1, 64, "is more than 268435456 lines"},
        {UINT64_MAX, 1, 64, "is more than 268435456 lines"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sl_cache_config config = {
            .size = bad[i].size, .ways = bad[i].ways, .line = bad[i].line};
        struct sl_failure f = {0};
        ok(sl_cache_check(&config, "l1d", &f) == SL_EUSAGE && strstr(f.text, bad[i].says),
           "size %llu, ways %llu, line %llu is refused: \"%s\"", (unsigned long long)bad[i].size,
           (unsigned long long)bad[i].ways, (unsigned long long)bad[i].line, bad[i].says);
    }
    struct sl_cache_config config = geometry(128, 12, 64);
    ok(sl_cache_check(&config, "l2", NULL) == 0, "ways need not be a power of 2");
}

static void options(void)
{
    struct sl_cache_config config;
    struct sl_spec spec;
    const char *text = "l2(size=512Ki,ways=4,line=32,latency=10,replacement=fifo,write=through,"
                       "allocate=0,seed=9)";
    char printed[300];
    sl_options_defaults(sl_cache_options, &config);
    ok(config.size == 0 && config.ways == 1 && config.line == 64 && config.allocate &&
           config.replacement == SL_CACHE_LRU && config.write == SL_CACHE_BACK,
       "by default there is none; else it is direct-mapped, lru, write-back, allocating");
    ok(sl_spec_split(&spec, text, 0, NULL) == 0 &&
           sl_options_parse(sl_cache_options, &spec, &config, NULL) == 0 &&
           sl_cache_check(&config, "l2", NULL) == 0 && config.size == 512 << 10 &&
           config.replacement == SL_CACHE_FIFO && config.write == SL_CACHE_THROUGH &&
           !config.allocate && config.latency == 10,
       "a configuration can be written as options");
    sl_options_print(sl_cache_options, "l2", &config, printed, sizeof printed);
    struct sl_cache_config again;
    ok(sl_spec_split(&spec, printed, 0, NULL) == 0 &&
           sl_options_parse(sl_cache_options, &spec, &again, NULL) == 0 &&
           again.size == config.size && again.seed == 9 && again.write == config.write,
       "and what is printed of it is read again");
}

int main(void)
{
    plain_definition();
    random_replacement();
    write_policies();
    lines();
    refusals();
    options();
    return done_testing();
}
