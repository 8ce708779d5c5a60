/* SPDX-License-Identifier: MIT */
/* Model of a set-associative cache with true (not approximated) LRU, FIFO or random replacement.
 * This file has the layout of the cache's state and the slow paths; cache.h has the fast paths.
 *
 * A set is an array of lines, one 64-bit word each, in eviction order: the last one is the next
 * victim. The order needs no extra bits, and a line used repeatedly is found by the first
 * comparison:
 *
 *     way[]:  set 0:  | newest | ... | oldest |   set 1:  | newest | ... | oldest | ...
 *
 *     word:   | line number + 1 (63) | dirty (1) |      0: empty
 *
 * In a cache with a prefetcher, the highest bit marks prefetched lines without an access; lines are
 * then at least 8 bytes long, so that no line number needs that bit.
 *
 *              hit at position i           miss
 *     lru      moves to the head           inserted at the head, the last one is evicted
 *     fifo     stays                       inserted at the head, the last one is evicted
 *     random   stays                       inserted at the head, a random one is evicted
 *
 * Sets with many lines and sets of pages, which are used in turns, keep lru lines in place with a
 * time stamp each; the lowest stamp is evicted. There a hint gives the last known position of a
 * line, which is almost always right.
 *
 * Empty positions are always at the end and are used before any line is evicted. The tag is the
 * whole line number. The set is its low bits, so that the number of sets is a power of 2; the
 * number of ways need not be.
 *
 * Assumption: few ways, as in hardware. The search is linear; a fully associative cache of
 * thousands of lines is exact but slow.
 *
 * Not modelled: data, sectors, victim caches, locked ways, hashed sets, pseudo-LRU, several
 * requests in flight, coherence. */
#include "cache.h"

#include <assert.h>

#include "failure.h"
#include "random.h"

#define LINE_MIN 4u            /* line number + 1 and the dirty bit fit in a word */
#define LINE_PREFETCHED_MIN 8u /* the prefetch mark, too */
#define LINE_MAX (UINT64_C(1) << 30)
#define WAYS_MAX (UINT64_C(1) << 16)
#define LINES_MAX (UINT64_C(1) << 28)
#define MARK (UINT64_C(1) << 63)
#define STAMPED_WAYS 8u /* from this number on, stamping is faster than moving words */
#define PAGE 512u       /* lines of at least this size are taken for pages */
#define SIZE_MAX_BYTES (UINT64_C(1) << 40)

const char *const sl_cache_replacements[] = {"lru", "random", "fifo", NULL};
static const char *const prefetches[] = {"none", "next-line", "stride", "best-offset", NULL};
static const char *const writes[] = {"back", "through", NULL};

#define C struct sl_cache_config
const struct sl_option sl_cache_options[] = {
    SL_UNSIGNED_FLAGS(C, size, "0", 0, SIZE_MAX_BYTES, SL_OPTION_BYTES,
                      "size in bytes: ways * line * a power of 2; 0: no cache"),
    SL_UNSIGNED(C, ways, "1", 1, WAYS_MAX, "lines per set; 1: direct-mapped"),
    SL_UNSIGNED_FLAGS(C, line, "64", LINE_MIN, LINE_MAX, SL_OPTION_POWER_OF_2 | SL_OPTION_BYTES,
                      "bytes per line"),
    SL_UNSIGNED(C, latency, "1", 0, 1000000, "cycles of a lookup"),
    SL_CHOICE(C, replacement, "lru", sl_cache_replacements,
              "replacement policy: which line of a full set is evicted"),
    SL_CHOICE(C, write, "back", writes,
              "write policy: when written data are sent to the next cache level"),
    SL_BOOL(C, allocate, "1", "a write miss fetches the line"),
    SL_UNSIGNED(C, seed, "1", 0, UINT64_MAX, "seed of random replacement"),
    SL_CHOICE(C, prefetch, "none", prefetches,
              "prefetcher, which fetches lines before the program accesses them"),
    SL_UNSIGNED(C, prefetch_degree, "1", 1, 16, "lines prefetched at once"),
    SL_OPTIONS_END,
};
#undef C

int sl_cache_check(const struct sl_cache_config *config, const char *name, struct sl_failure *f)
{
    const unsigned long long size = config->size, ways = config->ways, line = config->line;
    if (config->prefetch && line < LINE_PREFETCHED_MIN)
        return sl_fail(
            f, SL_EUSAGE,
            "%s.line=%llu is too short for prefetching: use at least 8, or %s.prefetch=none", name,
            line, name);
    if (config->prefetch == SL_CACHE_BEST_OFFSET && config->prefetch_degree > 1)
        return sl_fail(f, SL_EUSAGE,
                       "%s.prefetch_degree=%llu is not possible: best-offset prefetches one line "
                       "at a time; use 1, or another prefetcher",
                       name, (unsigned long long)config->prefetch_degree);
    if (size > LINES_MAX * line)
        return sl_fail(f, SL_EUSAGE,
                       "%s.size=%llu is more than 268435456 lines of %llu bytes: reduce the size "
                       "or use longer lines",
                       name, size, line);
    unsigned long long set = ways * line, low = set;
    if (size % set == 0 && __builtin_popcountll(size / set) == 1)
        return 0;
    while (2 * low <= size)
        low *= 2;
    if (size < set)
        return sl_fail(f, SL_EUSAGE,
                       "%s.size=%llu is less than one set, which has %llu bytes (%llu lines of "
                       "%llu bytes): increase the size, or use fewer ways",
                       name, size, set, ways, line);
    return sl_fail(f, SL_EUSAGE,
                   "%s.size=%llu is not ways * line * a power of 2: with %llu ways and lines of "
                   "%llu bytes, use for example %llu or %llu",
                   name, size, ways, line, low, 2 * low);
}

static bool is_stamped(const struct sl_cache_config *config)
{
    return config->replacement == SL_CACHE_LRU &&
           config->ways >= (config->line >= PAGE ? 2 : STAMPED_WAYS);
}

size_t sl_cache_bytes(const struct sl_cache_config *config)
{
    size_t words = (size_t)(config->size / config->line) * sizeof(uint64_t);
    return (sizeof(struct sl_cache) + words * (is_stamped(config) ? 2 : 1) + 63) / 64 * 64;
}

void sl_cache_init(struct sl_cache *c, const struct sl_cache_config *config)
{
    assert(sl_cache_check(config, "cache", NULL) == 0);
    assert(config->replacement <= SL_CACHE_FIFO && config->write <= SL_CACHE_THROUGH);
    c->ways = (uint32_t)config->ways;
    c->line_log2 = (uint8_t)__builtin_ctzll(config->line);
    c->set_mask = (config->size >> c->line_log2) / config->ways - 1;
    c->replacement = (uint8_t)config->replacement;
    c->back = config->write == SL_CACHE_BACK;
    c->allocate = config->allocate;
    c->random = config->seed;
    c->mark = config->prefetch ? MARK : 0;
    c->stamp = is_stamped(config) ? c->way + (config->size >> c->line_log2) : NULL;
    c->hinted = c->stamp || (config->replacement != SL_CACHE_LRU && config->ways > 1);
}

/* Moves `word` to the head of the set; the word at `from` is overwritten. */
static void move_to_head(uint64_t *set, uint32_t from, uint64_t word)
{
    for (uint32_t i = from; i; i--)
        set[i] = set[i - 1];
    set[0] = word;
}

/* Returns the position of a line in its set, or the number of ways if it is absent. */
static uint32_t find(const struct sl_cache *c, const uint64_t *set, uint64_t key)
{
    uint32_t i = 0;
    while (i < c->ways && ((set[i] ^ key) & ~c->mark) > 1)
        i++;
    return i;
}

/* Records that the line was used or inserted: its hint and its time stamp. */
static void record_use(struct sl_cache *c, const uint64_t *word)
{
    c->hint[((*word & ~c->mark) / 2 - 1) % SL_CACHE_HINTS] = (uint32_t)(word - c->way);
    sl_cache_mark_used(c, word);
}

/* Returns the position of the victim. */
static uint32_t find_victim(struct sl_cache *c, const uint64_t *set)
{
    uint32_t last = c->ways - 1, oldest = 0;
    if (c->replacement == SL_CACHE_RANDOM && set[last])
        return (uint32_t)sl_random_below(&c->random, c->ways);
    for (uint32_t i = 1; c->stamp && i < c->ways; i++)
        if (c->stamp[set + i - c->way] < c->stamp[set + oldest - c->way])
            oldest = i;
    return c->stamp ? oldest : last;
}

/* Inserts `word` and evicts a line. */
static struct sl_cache_result replace(struct sl_cache *c, uint64_t *set, uint64_t word)
{
    uint32_t way = find_victim(c, set);
    uint64_t victim = set[way];
    if (c->stamp) {
        set[way] = word;
        record_use(c, set + way);
    } else {
        move_to_head(set, way, word);
        record_use(c, set);
    }
    c->counters.writebacks += victim & 1;
    return (struct sl_cache_result){.victim = (((victim & ~c->mark) >> 1) - 1) << c->line_log2,
                                    .miss = true,
                                    .writeback = victim & 1};
}

/* Marks the word at `i` as used and replaces it by `word`. Returns its new position. */
static uint64_t *use(struct sl_cache *c, uint64_t *set, uint32_t i, uint64_t word)
{
    if (c->replacement == SL_CACHE_LRU && !c->stamp) {
        move_to_head(set, i, word);
        return set;
    }
    set[i] = word;
    record_use(c, set + i);
    return set + i;
}

static uint64_t *set_of(struct sl_cache *c, uint64_t address)
{
    return c->way + (address >> c->line_log2 & c->set_mask) * c->ways;
}

uint64_t *sl_cache_find(struct sl_cache *c, uint64_t address)
{
    uint64_t *set = set_of(c, address);
    uint32_t i = find(c, set, ((address >> c->line_log2) + 1) << 1);
    return i < c->ways && !(set[i] & c->mark) ? set + i : NULL;
}

uint64_t *sl_cache_use(struct sl_cache *c, uint64_t address, uint64_t *word)
{
    uint64_t *set = set_of(c, address);
    return use(c, set, (uint32_t)(word - set), *word);
}

struct sl_cache_result sl_cache_search(struct sl_cache *c, uint64_t address, bool write)
{
    uint64_t key = ((address >> c->line_log2) + 1) << 1, *set = set_of(c, address);
    uint64_t dirty = write & c->back;
    uint32_t i = find(c, set, key);
    if (i < c->ways) {
        bool first_use = set[i] & c->mark;
        uint64_t word = (set[i] & ~c->mark) | dirty;
        c->counters.prefetch_hits += first_use;
        use(c, set, i, word);
        return (struct sl_cache_result){.first_use = first_use};
    }
    if (write)
        c->counters.write_misses++;
    else
        c->counters.read_misses++;
    if (write && !c->allocate)
        return (struct sl_cache_result){.miss = true};
    return replace(c, set, key | dirty);
}

struct sl_cache_result sl_cache_prefetch_line(struct sl_cache *c, uint64_t address)
{
    uint64_t key = ((address >> c->line_log2) + 1) << 1, *set = set_of(c, address);
    assert(c->mark);
    if (find(c, set, key) < c->ways)
        return (struct sl_cache_result){.miss = false};
    c->counters.prefetches++;
    return replace(c, set, key | c->mark);
}

unsigned sl_cache_access(struct sl_cache *c, uint64_t address, uint32_t size, bool write)
{
    uint64_t last = sl_cache_last_line(address, size, c->line_log2);
    unsigned misses = 0;
    for (uint64_t line = address >> c->line_log2; line <= last; line++)
        misses += sl_cache_touch(c, line << c->line_log2, write).miss;
    return misses;
}
