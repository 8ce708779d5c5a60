/* Raising counters (interval_raise.c) as interval_lanes.h does, with AVX2. Hashing gains
 * nothing from it: 256-byte tables do not fit its permutes. */
#include "interval_group.h"

#if defined(__x86_64__)

#include "interval_lanes.h"

#define VECTOR __attribute__((target(SL_AVX2_TARGET)))
#define INLINE __attribute__((target(SL_AVX2_TARGET), always_inline)) static inline

bool sl_interval_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

INLINE size_t raise_all(struct sl_interval_table *t, const struct sl_interval_group *g,
                        const sl_interval_places *place, uint32_t *smallest, unsigned n)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    size_t n_misses = g->n_misses;
    for (size_t j = 0; j < n_misses; j++) {
        uint32_t at[SL_BYTE_HASH_MAX];
        for (unsigned k = 0; k < n; k++)
            at[k] = sl_interval_place(place, j, k);
        uint32_t now = sl_interval_raise_lanes(counters, at, n);
        if (__builtin_expect(now >= threshold, 0)) {
            *smallest = now - 1;
            if (!sl_interval_stays_out(t, 1))
                return j;
        }
    }
    return n_misses;
}

VECTOR size_t sl_interval_raise_avx2(struct sl_interval_table *t,
                                     const struct sl_interval_group *g,
                                     const sl_interval_places *place, uint32_t *smallest)
{
    switch (t->config.tables) {
    case 2:
        return raise_all(t, g, place, smallest, 2);
    case 4:
        return raise_all(t, g, place, smallest, 4);
    case 8:
        return raise_all(t, g, place, smallest, 8);
    case 16:
        return raise_all(t, g, place, smallest, 16);
    default:
        return raise_all(t, g, place, smallest, (unsigned)t->config.tables);
    }
}

VECTOR size_t sl_interval_count_avx2(struct sl_interval_table *t,
                                     const struct sl_interval_group *g, uint32_t *smallest)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    const struct sl_packed_hash *packed = &t->packed[0];
    size_t n_misses = g->n_misses;
    for (size_t j = 0; j < n_misses; j++) {
        uint64_t hash = g->word[j] ^ sl_packed_value(packed, g->value[j]);
        uint32_t at[] = {hash & 0xffff, hash >> 16 & 0xffff, hash >> 32 & 0xffff,
                         (uint32_t)(hash >> 48)};
        uint32_t now = sl_interval_raise_lanes(counters, at, SL_PACKED_FUNCTIONS);
        if (__builtin_expect(now >= threshold, 0)) {
            *smallest = now - 1;
            if (!sl_interval_stays_out(t, 1))
                return j;
        }
    }
    return n_misses;
}

#else

bool sl_interval_has_avx2(void)
{
    return false;
}

size_t sl_interval_raise_avx2(struct sl_interval_table *t, const struct sl_interval_group *g,
                              const sl_interval_places *place, uint32_t *smallest)
{
    (void)t, (void)g, (void)place, (void)smallest;
    return 0;
}

size_t sl_interval_count_avx2(struct sl_interval_table *t, const struct sl_interval_group *g,
                              uint32_t *smallest)
{
    (void)t, (void)g, (void)smallest;
    return 0;
}

#endif
