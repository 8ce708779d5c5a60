/* Raising counters (interval_raise.c) with the vector units' minimum and maximum. The
 * counters of a tuple are far apart, so each is in a register by itself; but a minimum and
 * a maximum are one instruction there instead of a comparison and a choice: 5 cycles a
 * tuple with four tables (Zen 4), where the general registers take 8. Hashing gains
 * nothing from AVX2: 256-byte tables do not fit its permutes. */
#include "interval_group.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET "avx2,bmi,bmi2,popcnt"

bool sl_interval_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

__attribute__((target(TARGET), always_inline)) static inline size_t
raise_lanes(struct sl_interval_table *t, const struct sl_interval_group *g,
            const sl_interval_places *place, uint32_t *smallest_out, unsigned n)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    size_t n_misses = g->n_misses;
    const __m128i one = _mm_cvtsi32_si128(1);
    for (size_t j = 0; j < n_misses; j++) {
        __m128i counter[SL_BYTE_HASH_MAX], least = _mm_set1_epi32(-1);
        for (unsigned k = 0; k < n; k++) {
            counter[k] = _mm_loadu_si32(&counters[sl_interval_place(place, j, k)]);
            least = _mm_min_epu32(least, counter[k]);
        }
        least = _mm_add_epi32(least, one);
        for (unsigned k = 0; k < n; k++)
            _mm_storeu_si32(&counters[sl_interval_place(place, j, k)],
                            _mm_max_epu32(counter[k], least));
        uint32_t now = (uint32_t)_mm_cvtsi128_si32(least);
        if (__builtin_expect(now >= threshold, 0)) {
            *smallest_out = now - 1;
            if (!sl_interval_stays_out(t, 1))
                return j;
        }
    }
    return n_misses;
}

__attribute__((target(TARGET))) size_t
sl_interval_raise_avx2(struct sl_interval_table *t, const struct sl_interval_group *g,
                       const sl_interval_places *place, uint32_t *smallest)
{
    switch (t->config.tables) {
    case 2:
        return raise_lanes(t, g, place, smallest, 2);
    case 4:
        return raise_lanes(t, g, place, smallest, 4);
    case 8:
        return raise_lanes(t, g, place, smallest, 8);
    case 16:
        return raise_lanes(t, g, place, smallest, 16);
    default:
        return raise_lanes(t, g, place, smallest, (unsigned)t->config.tables);
    }
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

#endif
