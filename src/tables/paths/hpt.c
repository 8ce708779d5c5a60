/* SPDX-License-Identifier: MIT */
/* Hot path table (table `hpt`): a set-associative table of <path, counter> entries.
 *
 * Paper: Vaswani, Thazhuthaveetil, Srikant, "A Programmable Hardware Path Profiler", 2005, section
 * 5 and figure 6; miss latency from section 6.3.
 *
 * Algorithm. A hit adds the event's weight to the entry's counter, which saturates. A miss takes
 * the victim of the set: an empty entry if there is one, else the one chosen by `replacement`, the
 * lowest way on a tie.
 *
 *     lfu   the paper's choice: evicts the smallest count; the new one starts at the event's weight
 *     lru   rejected by the paper: evicts the entry that was unused for longest
 *     age   ours: subtracts the event's weight from the smallest count and drops the event; evicts
 *           only if the count would reach zero
 *
 * Entry layout, 134 bits with the default counter (lru: log2(ways) bits more):
 *
 *     +------------+-----------+--------------+-----------------------+
 *     | start (64) | length(6) | outcomes(32) | counter (1..60, 32)   |
 *     +------------+-----------+--------------+-----------------------+
 *
 * A count of 0 marks an empty entry. 512 entries are 8.4 KB. The paper's "approximately 6 KB" is 96
 * bits per entry, i.e. 32 bits for start and length.
 *
 * Set index, b = log2(entries / ways) bits; fold(x) is the XOR of the b-bit chunks of x:
 *
 *     xor     fold(start) ^ rotate_left(fold(length << 32 | outcomes), r)
 *     start   fold(start)
 *
 * Departures from the paper
 *   1. The rotation. The paper XORs start, length and outcomes without one. Fall-through edges,
 *      whose target is close to their source, then share few sets. Mean overlap of the edges of six
 *      programs, 512x4, lfu: 38 % without, 50 % with rotation, 51 % with a full hash. r is the
 *      largest number <= b/2 that is coprime to b: x ^ rotate(x) takes only 2^(b - gcd(b, r))
 *      values (b = 10, r = 5: 32 of 1,024 sets).
 *   2. `age`. Under lfu, if more paths are hot than a set has ways, the new tuples evict each other
 *      and are hardly ever counted. Mean overlap of the Ball-Larus paths of six programs:
 *      512x4    lfu 67 %   lru 12 %   age 77 %
 *      2048x4   lfu 87 %   lru 68 %   age 90 %
 *   3. Events of weight 0 change nothing. (A path without a cache miss must not evict one with
 *      misses.)
 *   4. Tuples of any detector are accepted; the second field takes the place of length and
 *      outcomes.
 *
 * Timing. A miss takes ceil(log2(ways)) cycles more than a hit, for every replacement (the paper
 * gives it for lfu). Events of weight 0 take no extra cycle.
 *
 * Bounds. A count is never too high. It is too low by at most `account.before + account.since`:
 * weight that the set lost before the entry was made, and weight that the entry lost since. Sum of
 * all counts + lost weight = weight of all events. The model stores both numbers for the bounds
 * only; they are not hardware and not in storage_bits.
 *
 * Phases. With `phase=N`, software reads the table every N events and finds phases (phases.h). This
 * needs no storage in the table. */
#include "hpt.h"

#include <string.h>

#include "failure.h"
#include "path_descriptor.h"
#include "options.h"

#define ENTRIES_MAX (UINT64_C(1) << 20)
#define WAYS_MAX UINT64_C(256)

static const char *const indices[] = {"xor", "start", NULL};
static const char *const replacements[] = {"lfu", "lru", "age", NULL};

static const struct sl_option options[] = {
    SL_TEXT_FLAGS(struct sl_hpt_config, geometry, "512x4", SL_OPTION_POSITIONAL,
                  "number of entries and ways, for example 512x4"),
    SL_CHOICE(struct sl_hpt_config, index, "xor", indices,
              "set index of a path: XOR of its start, length and branch outcomes (xor), or its "
              "start alone (start)"),
    SL_CHOICE(struct sl_hpt_config, replacement, "lfu", replacements,
              "replacement policy: least frequently used (lfu), least recently used (lru), or "
              "aging (age)"),
    SL_UNSIGNED(struct sl_hpt_config, counter, "32", 1, 60, "width of a counter, in bits"),
    SL_UNSIGNED(struct sl_hpt_config, phase, "0", 0, UINT64_C(1) << 40,
                "length of a window of phase detection, in events; 0: no phase detection"),
    SL_PERCENT(struct sl_hpt_config, turnover, "50%", 0, 100,
               "a new phase begins if more than this percentage of a window's weight is on other "
               "paths than in the current phase"),
    SL_OPTIONS_END,
};

/* ---- configuration ---- */

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_hpt_config *c = config;
    const char *x = strchr(c->geometry, 'x');
    if (!x || !sl_number_unsigned(c->geometry, (size_t)(x - c->geometry), 1000, &c->entries) ||
        !sl_number_unsigned(x + 1, strlen(x + 1), 1000, &c->ways))
        return sl_fail(f, SL_EUSAGE, "geometry=%s: expected ENTRIESxWAYS, for example 512x4",
                       c->geometry);
    if (!c->ways || c->ways > WAYS_MAX || c->entries > ENTRIES_MAX)
        return sl_fail(f, SL_EUSAGE,
                       "geometry=%s: use at most %llu entries, in sets of 1 to %llu ways",
                       c->geometry, (unsigned long long)ENTRIES_MAX, (unsigned long long)WAYS_MAX);
    uint64_t sets = c->entries / c->ways;
    if (c->entries % c->ways || !sets || sets & (sets - 1))
        return sl_fail(
            f, SL_EUSAGE,
            "geometry=%s: the number of sets, entries / ways, must be a power of two, for "
            "example %llux%llu",
            c->geometry, (unsigned long long)(c->ways << (sets ? sl_log2_up(sets + 1) - 1 : 0)),
            (unsigned long long)c->ways);
    snprintf(c->geometry, sizeof c->geometry, "%llux%llu", (unsigned long long)c->entries,
             (unsigned long long)c->ways);
    return 0;
}

static uint64_t storage_bits(const void *config)
{
    const struct sl_hpt_config *c = config;
    unsigned rank = c->replacement == SL_HPT_LRU ? sl_log2_up(c->ways) : 0;
    return c->entries * (SL_PATH_DESCRIPTOR_BITS + c->counter + rank);
}

static size_t lay_out(struct sl_hpt *h, const struct sl_hpt_config *config, size_t names,
                      uintptr_t base)
{
    struct sl_layout l = {base, 0};
    size_t n = (size_t)config->entries;
    sl_layout_array(&l, 1, sizeof *h);
    h->count = sl_layout_array(&l, n, sizeof *h->count);
    h->tuple = sl_layout_array(&l, n, sizeof *h->tuple);
    h->used = sl_layout_array(&l, n, sizeof *h->used);
    h->owner = sl_layout_array(&l, n, sizeof *h->owner);
    h->account = sl_layout_array(&l, n, sizeof *h->account);
    h->lost = sl_layout_array(&l, n / (size_t)config->ways, sizeof *h->lost);
    h->entry_of = sl_layout_array(&l, names, sizeof *h->entry_of);
    h->phases.tuple = sl_layout_array(&l, config->phase ? n : 0, sizeof *h->phases.tuple);
    h->phases.count = sl_layout_array(&l, config->phase ? n : 0, sizeof *h->phases.count);
    return l.used;
}

static unsigned divisor(unsigned a, unsigned b)
{
    return b ? divisor(b, a % b) : a;
}

unsigned sl_hpt_rotation(unsigned bits)
{
    unsigned rotation = bits / 2;
    while (rotation > 1 && divisor(bits, rotation) > 1)
        rotation--;
    return rotation;
}

static size_t size(const void *config, const struct sl_table_host *host)
{
    struct sl_hpt h;
    return lay_out(&h, config, host->names, 0);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct sl_hpt *h = state;
    (void)f;
    h->config = *(const struct sl_hpt_config *)config;
    lay_out(h, config, host->names, (uintptr_t)state);
    h->set_bits = sl_log2_up(h->config.entries / h->config.ways);
    h->rotation = sl_hpt_rotation(h->set_bits);
    h->miss_cycles = sl_log2_up(h->config.ways);
    h->most = (UINT64_C(1) << h->config.counter) - 1;
    h->entries_of_capacity = host->names;
    h->phases.window = h->phases.left = h->config.phase;
    h->phases.most = (uint64_t)(h->config.turnover / 100 * 4294967296.0);
    h->phases.n_entries = (size_t)h->config.entries;
    h->fast_miss = host->distinct_names && h->config.replacement == SL_HPT_LFU;
    return 0;
}

/* ---- results ---- */

static bool entry(const void *state, size_t i, struct sl_entry *out)
{
    const struct sl_hpt *h = state;
    if (i == h->config.entries)
        return false;
    uint64_t count = h->count[i], missing = h->account[i].before + h->account[i].since;
    *out = (struct sl_entry){
        .tuple = h->tuple[i], .count = count, .low = count, .high = count + missing};
    return true;
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_hpt *h = state;
    *out = (struct sl_table_status){
        .events = h->events, .weight = h->weight, .drops = h->drops, .bounds = SL_BOUNDS_CERTAIN};
    for (size_t i = 0; i < h->config.entries / h->config.ways; i++)
        out->drops_weight += h->lost[i];
    if (h->saturated)
        snprintf(
            out->note, sizeof out->note,
            "counters of %llu bits saturated: a weight of %llu is not counted; use wider counters",
            (unsigned long long)h->config.counter, (unsigned long long)h->saturated);
}

static void finish(void *state)
{
    struct sl_hpt *h = state;
    if (h->config.phase)
        sl_phases_read(&h->phases, h->tuple, h->count, h->events, h->weight, true);
}

static const struct sl_phase *phases(const void *state, size_t *n)
{
    const struct sl_hpt *h = state;
    *n = h->phases.n;
    return h->phases.phase;
}

static void close_hpt(void *state)
{
    struct sl_hpt *h = state;
    sl_phases_free(&h->phases);
}

const struct sl_table_kind sl_table_hpt = {
    .name = "hpt",
    .summary = "hot path table: a set-associative table of tuples with counters",
    .storage = "entries x (102 + counter) bits; replacement=lru: log2(ways) bits more per entry",
    .options = options,
    .config_size = sizeof(struct sl_hpt_config),
    .resolve = resolve,
    .storage_bits = storage_bits,
    .size = size,
    .init = init,
    .step = sl_hpt_step,
    .observe = sl_hpt_observe,
    .finish = finish,
    .entry = entry,
    .status = status,
    .close = close_hpt,
    .timing = &(const struct sl_table_timing){.delay = sl_hpt_delay},
    .order = &(const struct sl_table_order){.phases = phases},
};
