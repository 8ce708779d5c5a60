/* SPDX-License-Identifier: MIT */
/* The hot path table: a few hundred paths with what is counted along each, in sets of a
 * few ways (the path profiler's document, section 5 and figure 6).
 *
 *     | start (64) | length (6) | outcomes (32) | counter (32), saturating |     an entry
 *
 * The tuple of a path is <start, length << 32 | outcomes>; tuples of any other kind are
 * taken by their two words in the same way. A set is picked by
 *
 *     xor      fold(pc) ^ rotate(fold(value), turn)
 *     start    fold(pc)
 *
 * where fold is the exclusive or of a word's chunks of bits = log2(sets) bits (sl_xorfold)
 * and rotate turns these to the left. The document says no more than that start, length
 * and outcomes go through an exclusive or. They are turned because an edge that falls
 * through goes to an address close behind its own: without it, all of these met in few
 * sets (mean overlap of the edges of six programs, 512 x 4, lfu: 38 %, with it 50 %, by a
 * hash that mixes all bits 51 %; of their paths 66, 68 and 66 %).
 *
 * turn is the largest number up to bits / 2 that has no divisor in common with bits: x ^
 * rotate(x) takes no more than 2^(bits - their common divisor) values, 32 of 1,024 if 10 are
 * turned by 5 (mean overlap of the edges of lua, sqlite and tcc, 4096 x 4, lfu: 89 %, less
 * than with half of the entries; turned by 3, 98 %).
 *
 * One event, whatever the kind: a hit adds its weight, up to what the counter holds. A
 * miss chooses a victim, the lowest way on a tie; an empty entry is always the first
 * choice. What becomes of the victim is the replacement:
 *
 *     lfu      the one that counts least is evicted; the newcomer starts from its weight
 *     lru      the same with the one whose last use is longest ago
 *     age      the one that counts least loses the weight of the newcomer, which is lost
 *              itself; only where that leaves nothing, the newcomer takes the place
 *
 * lfu is the document's, and has a weakness where more is hot than there is room for: the
 * ways of a set that count most are safe, the last one goes to whoever comes, and paths
 * that take turns in it are as good as never counted. Under age a path stays as long as it
 * comes as often as all that want its place. Overlap and coverage (overlap.h), in percent,
 * of the Ball-Larus paths of cc1, bzip2, lua, sqlite, perl and tcc, runs of 1 to 39 M paths:
 *
 *     512 x 4    lfu    20  98 74 71 58 82, mean 67    coverage 66
 *                lru     3   8 35 11  8 10, mean 12    coverage  9
 *                age    26  99 88 81 76 89, mean 77    coverage 75
 *     2048 x 4   lfu    42 100 97 91 90 98, mean 87    coverage 86
 *                lru    11  96 90 47 78 84, mean 68    coverage 65
 *                age    49 100 98 96 97 99, mean 90    coverage 89
 *
 * Tried and left: a victim that loses half, a quarter or an eighth of its count at each
 * miss (means 68, 68 and 70 at 512 x 4: a large count is gone after a few misses); the
 * same as here on a second counter that leaves the first alone (77, for 32 bits more).
 *
 * An event that weighs nothing changes nothing: a path along which no cache missed takes
 * no entry from one where some did. So an entry counts at least 1, and one that counts 0
 * is empty. The document does not speak of this.
 *
 * Storage is of the entries as drawn, with log2(ways) bits more for lru: 134 bits, 8.4 KB
 * for 512. The document's "approximately 6 KB" are 96 bits an entry: behind outcomes and
 * counter 32 remain for start and length, as if code were within 256 MB and aligned to 4
 * bytes. Not counted is what only the model knows, for bounds and accounts: of a set the
 * weight it has lost, of an entry what of it was lost while it was there and the most
 * that can have been lost of it before. An entry's count is never too high; it is too low
 * by no more than these two. Sum of the counts + weight lost = weight of the events.
 *
 * Software may read the table every so many events, and find phases by its turnover (phases.h):
 * no storage of the table's.
 *
 * A miss takes log2(ways) cycles more than a hit, to find the least of a set (section 6.3),
 * if that is not a power of two the next one's. Under lru and age, of which the document
 * does not speak, it is the same; an event that weighs nothing takes nothing more. */
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
    SL_TEXT_FLAGS(struct sl_hpt_config, geometry, "512x4", SL_OPTION_POSITIONAL, "entries x ways"),
    SL_CHOICE(struct sl_hpt_config, index, "xor", indices,
              "of a set: by all of a path, or by its start"),
    SL_CHOICE(struct sl_hpt_config, replacement, "lfu", replacements,
              "who goes: the rarest, the longest unused, the worn-down"),
    SL_UNSIGNED(struct sl_hpt_config, counter, "32", 1, 60, "bits of a counter"),
    SL_UNSIGNED(struct sl_hpt_config, phase, "0", 0, UINT64_C(1) << 40,
                "events of a window, by whose turnover phases are found; 0: none"),
    SL_PERCENT(struct sl_hpt_config, turnover, "50%", 0, 100,
               "of a window, by which another phase begins"),
    SL_OPTIONS_END,
};

/* ---- configuration ---- */

static unsigned log2_up(uint64_t n)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < n)
        bits++;
    return bits;
}

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_hpt_config *c = config;
    const char *x = strchr(c->geometry, 'x');
    if (!x || !sl_number_unsigned(c->geometry, (size_t)(x - c->geometry), 1000, &c->entries) ||
        !sl_number_unsigned(x + 1, strlen(x + 1), 1000, &c->ways))
        return sl_fail(f, SL_EUSAGE, "geometry=%s: a hot path table has ENTRIESxWAYS, as 512x4",
                       c->geometry);
    if (!c->ways || c->ways > WAYS_MAX || c->entries > ENTRIES_MAX)
        return sl_fail(f, SL_EUSAGE,
                       "geometry=%s: a hot path table has up to %llu entries in sets "
                       "of 1 to %llu",
                       c->geometry, (unsigned long long)ENTRIES_MAX, (unsigned long long)WAYS_MAX);
    uint64_t sets = c->entries / c->ways;
    if (c->entries % c->ways || !sets || sets & (sets - 1))
        return sl_fail(f, SL_EUSAGE,
                       "geometry=%s: the number of sets, entries / ways, has to be a "
                       "power of two, as with %llux%llu",
                       c->geometry,
                       (unsigned long long)(c->ways << (sets ? log2_up(sets + 1) - 1 : 0)),
                       (unsigned long long)c->ways);
    snprintf(c->geometry, sizeof c->geometry, "%llux%llu", (unsigned long long)c->entries,
             (unsigned long long)c->ways);
    return 0;
}

static uint64_t storage_bits(const void *config)
{
    const struct sl_hpt_config *c = config;
    unsigned rank = c->replacement == SL_HPT_LRU ? log2_up(c->ways) : 0;
    return c->entries * (SL_PATH_DESCRIPTOR_BITS + c->counter + rank);
}

static size_t lay_out(struct sl_hpt *h, const struct sl_hpt_config *config, size_t names,
                      uintptr_t base)
{
    struct sl_layout l = {base, 0};
    size_t n = (size_t)config->entries;
    sl_layout_take(&l, 1, sizeof *h);
    h->count = sl_layout_take(&l, n, sizeof *h->count);
    h->tuple = sl_layout_take(&l, n, sizeof *h->tuple);
    h->used = sl_layout_take(&l, n, sizeof *h->used);
    h->owner = sl_layout_take(&l, n, sizeof *h->owner);
    h->account = sl_layout_take(&l, n, sizeof *h->account);
    h->lost = sl_layout_take(&l, n / (size_t)config->ways, sizeof *h->lost);
    h->stale = sl_layout_take(&l, n + 1, sizeof *h->stale);
    h->is_stale = sl_layout_take(&l, n, sizeof *h->is_stale);
    h->place = sl_layout_take(&l, names, sizeof *h->place);
    h->phases.tuple = sl_layout_take(&l, config->phase ? n : 0, sizeof *h->phases.tuple);
    h->phases.count = sl_layout_take(&l, config->phase ? n : 0, sizeof *h->phases.count);
    return l.used;
}

static unsigned divisor(unsigned a, unsigned b)
{
    return b ? divisor(b, a % b) : a;
}

unsigned sl_hpt_turn(unsigned bits)
{
    unsigned turn = bits / 2;
    while (turn > 1 && divisor(bits, turn) > 1)
        turn--;
    return turn;
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
    h->set_bits = log2_up(h->config.entries / h->config.ways);
    h->turn = sl_hpt_turn(h->set_bits);
    h->miss_cycles = log2_up(h->config.ways);
    h->most = (UINT64_C(1) << h->config.counter) - 1;
    h->room_places = host->names;
    h->phases.window = h->phases.left = h->config.phase;
    h->phases.most = (uint64_t)(h->config.turnover / 100 * 4294967296.0);
    h->phases.n_entries = (size_t)h->config.entries;
    h->quick = host->distinct_names && h->config.replacement == SL_HPT_LFU;
    return 0;
}

/* ---- results ---- */

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_hpt *h = state;
    (void)names;
    for (size_t i = 0; i < h->config.entries; i++) {
        uint64_t count = h->count[i], missing = h->account[i].before + h->account[i].gone;
        struct sl_entry entry = {
            .tuple = h->tuple[i], .count = count, .low = count, .high = count + missing};
        if (count && !emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_hpt *h = state;
    *out = (struct sl_table_status){
        .events = h->events, .weight = h->weight, .drops = h->drops, .bounds = SL_BOUNDS_CERTAIN};
    for (size_t i = 0; i < h->config.entries; i++)
        out->distinct += h->count[i] != 0;
    for (size_t i = 0; i < h->config.entries / h->config.ways; i++)
        out->drops_weight += h->lost[i];
    if (h->saturated)
        snprintf(out->note, sizeof out->note,
                 "counters of %llu bits were full, and %llu of the weight is not in them",
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
    .summary = "the hot path table: tuples with counters in sets; a miss replaces or ages an entry",
    .storage = "entries x (102 + counter bits), and log2(ways) more each for lru",
    .options = options,
    .config_size = sizeof(struct sl_hpt_config),
    .resolve = resolve,
    .storage_bits = storage_bits,
    .size = size,
    .init = init,
    .step = sl_hpt_step,
    .observe = sl_hpt_observe,
    .finish = finish,
    .drain = drain,
    .status = status,
    .close = close_hpt,
    .timing = &(const struct sl_table_timing){.delay = sl_hpt_delay},
    .order = &(const struct sl_table_order){.phases = phases},
};
