/* SPDX-License-Identifier: MIT */
/* Configuration of the interval profilers: checks the options, and computes the storage of the
 * modelled hardware and the layout of the state in memory:
 *
 *     | struct | counters | approximate | lost | byte tables | packed hashes | accumulator |
 *     | report | names | */
#include "failure.h"
#include "interval_table.h"

#define WHOLE UINT64_C(100000000000000) /* 100 % in threshold_units */
#define LEAST_BASE 1.0001
#define APPROXIMATE_BITS_MAX 16u
#define MARK_BITS_MAX 16u
#define FRONT_BITS_MAX 12u
#define HEADS_MIN 64u /* of the chains; at least four for each entry */
#define ENTRY_TAG_BITS 56u
#define ENTRY_COUNT_BITS 24u

/* ---- configuration ---- */

uint64_t sl_interval_threshold(const struct sl_interval_config *config, uint64_t length)
{
    unsigned __int128 product = (unsigned __int128)length * config->threshold_units;
    return (uint64_t)((product + WHOLE - 1) / WHOLE);
}

uint64_t sl_interval_length(const void *config)
{
    return ((const struct sl_interval_config *)config)->interval;
}

static unsigned bits_for(uint64_t most)
{
    return most ? 64 - (unsigned)__builtin_clzll(most) : 1;
}

static int check_base(const struct sl_interval_config *c, uint64_t most, struct sl_failure *f)
{
    if (c->base < LEAST_BASE)
        return sl_fail(f, SL_EUSAGE, "base=%g: the base must be 1 (exact counters) or at least %g",
                       c->base, LEAST_BASE);
    if (c->bits > APPROXIMATE_BITS_MAX)
        return sl_fail(
            f, SL_EUSAGE,
            "approximate counters have at most %u bits: use bits=8, or leave out base for "
            "counters of %llu bits",
            APPROXIMATE_BITS_MAX, (unsigned long long)c->bits);
    uint64_t end = sl_interval_estimates(c, NULL);
    if (end < most)
        return sl_fail(f, SL_EUSAGE,
                       "the threshold is %llu events, but a counter of %llu bits with base %g "
                       "counts only to %llu: use more bits or a larger base",
                       (unsigned long long)most, (unsigned long long)c->bits, c->base,
                       (unsigned long long)end);
    return 0;
}

static int check_counters(const struct sl_interval_config *c, struct sl_failure *f)
{
    uint64_t each = c->counters / c->tables;
    if (c->counters % c->tables || !each || each & (each - 1))
        return sl_fail(
            f, SL_EUSAGE,
            "%llu counters in %llu tables: the counters per table must be a power of two, "
            "for example counters=%llu",
            (unsigned long long)c->counters, (unsigned long long)c->tables,
            (unsigned long long)(c->tables << (bits_for(each ? each : 1) - 1)));
    uint64_t most = sl_interval_threshold(c, c->interval);
    if (c->base > 1)
        return check_base(c, most, f);
    if (bits_for(most) > 32)
        return sl_fail(f, SL_EUSAGE,
                       "the threshold is %llu events, but counters have at most 32 bits: use a "
                       "shorter interval or a lower threshold",
                       (unsigned long long)most);
    if (most >> c->bits)
        return sl_fail(
            f, SL_EUSAGE,
            "the threshold is %llu events, which a counter of %llu bits never reaches: use bits=%u",
            (unsigned long long)most, (unsigned long long)c->bits, bits_for(most));
    return 0;
}

int sl_interval_check(void *config, struct sl_failure *f)
{
    struct sl_interval_config *c = config;
    c->threshold_units = (uint64_t)(c->threshold * ((double)WHOLE / 100) + 0.5);
    int error = check_counters(c, f);
    if (error < 0)
        return error;
    if (!c->accumulator)
        c->accumulator = (WHOLE + c->threshold_units - 1) / c->threshold_units;
    if (c->accumulator > SL_INTERVAL_ENTRIES_MAX)
        return sl_fail(
            f, SL_EUSAGE,
            "a threshold of %g%% allows %llu candidates, but an accumulator has at most %u "
            "entries: raise the threshold or set the number of entries (option accumulator)",
            c->threshold, (unsigned long long)c->accumulator, SL_INTERVAL_ENTRIES_MAX);
    return c->ways ? sl_interval_check_sets(c, f) : 0;
}

uint64_t sl_interval_storage_bits(const void *config)
{
    const struct sl_interval_config *c = config;
    unsigned count = bits_for(c->interval);
    if (count < ENTRY_COUNT_BITS)
        count = ENTRY_COUNT_BITS;
    return c->counters * c->bits + c->accumulator * (ENTRY_TAG_BITS + count);
}

/* ---- layout ---- */

static void lay_out(struct sl_interval_table *t, uintptr_t base)
{
    const struct sl_interval_config *c = &t->config;
    struct sl_accumulator *a = &t->accumulator;
    struct sl_layout l = {base, 0};
    size_t entries = a->capacity + 1, packed = c->counters > 1u << SL_PACKED_BITS ? 0 : t->words;
    t->names_stored = packed ? t->host.names : 0;
    sl_layout_array(&l, 1, sizeof *t);
    t->counter = sl_layout_array(&l, c->counters, sizeof *t->counter);
    t->approximate.estimates = sl_layout_array(
        &l, c->base > 1 ? sl_interval_approximate_bytes(c) : 0, 1);
    t->lost = sl_layout_array(&l, c->reset && c->base <= 1 ? c->counters : 0, sizeof *t->lost);
    t->byte_table = sl_layout_array(&l, c->tables, sizeof *t->byte_table);
    t->packed = sl_layout_array(&l, packed, sizeof *t->packed);
    a->tuple = sl_layout_array(&l, entries, sizeof *a->tuple);
    a->count = sl_layout_array(&l, entries, sizeof *a->count);
    a->note = sl_layout_array(&l, entries, sizeof *a->note);
    a->next = sl_layout_array(&l, entries, sizeof *a->next);
    a->head = sl_layout_array(&l, (size_t)1 << (64 - a->head_shift), sizeof *a->head);
    a->mark = sl_layout_array(&l, (size_t)1 << (64 - a->mark_shift), 1);
    a->cache = sl_layout_array(&l, (size_t)1 << (64 - a->cache_shift), sizeof *a->cache);
    t->report = sl_layout_array(&l, a->capacity, sizeof *t->report);
    t->name_slot = sl_layout_array(&l, t->names_stored, sizeof *t->name_slot);
    t->name_hash = sl_layout_array(&l, t->names_stored * t->words, sizeof *t->name_hash);
    t->bytes = l.used;
}

/* Sets all members that follow from the configuration. */
static void set_up(struct sl_interval_table *t, const struct sl_interval_config *config,
                   const struct sl_table_host *host, uintptr_t base)
{
    *t = (struct sl_interval_table){.config = *config};
    if (host)
        t->host = *host;
    t->index_bits = sl_log2_up(config->counters / config->tables);
    t->words = (unsigned)(config->tables + SL_PACKED_FUNCTIONS - 1) / SL_PACKED_FUNCTIONS;
    t->counter_max = (uint32_t)((UINT64_C(1) << config->bits) - 1);
    t->accumulator.capacity = (size_t)config->accumulator;
    unsigned heads = sl_log2_up(config->accumulator > 16 ? 4 * config->accumulator : HEADS_MIN);
    t->accumulator.head_shift = 64 - heads;
    t->accumulator.mark_shift = 64 - (heads + 2 < MARK_BITS_MAX ? heads + 2 : MARK_BITS_MAX);
    t->accumulator.cache_shift = 64 - (heads < FRONT_BITS_MAX ? heads : FRONT_BITS_MAX);
    t->accumulator.empty = 1;
    t->length = config->interval;
    t->threshold = sl_interval_threshold(config, t->length);
    lay_out(t, base);
}

size_t sl_interval_size(const void *config, const struct sl_table_host *host)
{
    struct sl_interval_table t;
    set_up(&t, config, host, 0);
    return t.bytes;
}

int sl_interval_init(void *state, const void *config, const struct sl_table_host *host,
                     struct sl_failure *f)
{
    struct sl_interval_table *t = state;
    (void)f;
    set_up(t, config, host, (uintptr_t)state);
    unsigned n = (unsigned)t->config.tables;
    for (unsigned k = 0; k < n; k++)
        sl_byte_table(t->byte_table[k], t->config.seed, k);
    for (unsigned w = 0; t->packed && w < t->words; w++) {
        unsigned first = w * SL_PACKED_FUNCTIONS;
        unsigned many = n - first < SL_PACKED_FUNCTIONS ? n - first : SL_PACKED_FUNCTIONS;
        sl_packed_init_words(&t->packed[w], t->config.seed, first, many, t->index_bits,
                             (unsigned)t->config.word);
        for (unsigned k = 0; k < many; k++)
            t->packed_base[w] |= (uint64_t)(first + k) << t->index_bits << 16 * k;
    }
    if (t->approximate.estimates)
        sl_interval_approximate_init(t);
    for (size_t i = 0; i < (size_t)1 << (64 - t->accumulator.cache_shift); i++)
        t->accumulator.cache[i].tuple_id = SL_NO_INDEX;
    sl_interval_choose_form(t);
    return 0;
}
