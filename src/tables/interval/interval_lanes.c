/* SPDX-License-Identifier: MIT */
/* Raising counters (interval_raise.c) with the vector units' minimum and maximum: AVX2 and NEON.
 *
 * The counters of a tuple are far apart, so each is in a register by itself; but a minimum and a
 * maximum are one instruction there instead of a comparison and a choice: 5 cycles a tuple with
 * four tables (Zen 4), where the general registers take 8. Hashing gains nothing from these units:
 * tables of 256 bytes do not fit their permutes. */
#include "interval_group.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define INLINE __attribute__((target("avx2,bmi,bmi2,popcnt"), always_inline)) static inline

typedef __m128i lane;

bool sl_interval_has_lanes(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

INLINE lane load(const uint32_t *counter)
{
    return _mm_loadu_si32(counter);
}

INLINE void store(uint32_t *counter, lane x)
{
    _mm_storeu_si32(counter, x);
}

INLINE lane smaller(lane x, lane y)
{
    return _mm_min_epu32(x, y);
}

INLINE lane larger(lane x, lane y)
{
    return _mm_max_epu32(x, y);
}

INLINE lane plus_one(lane x)
{
    return _mm_add_epi32(x, _mm_cvtsi32_si128(1));
}

INLINE uint32_t number_in(lane x)
{
    return (uint32_t)_mm_cvtsi128_si32(x);
}

#elif defined(__aarch64__)

#include <arm_neon.h>

#define TARGET
#define INLINE __attribute__((always_inline)) static inline

typedef uint32x2_t lane;

bool sl_interval_has_lanes(void)
{
    return true;
}

INLINE lane load(const uint32_t *counter)
{
    return vld1_dup_u32(counter);
}

INLINE void store(uint32_t *counter, lane x)
{
    vst1_lane_u32(counter, x, 0);
}

INLINE lane smaller(lane x, lane y)
{
    return vmin_u32(x, y);
}

INLINE lane larger(lane x, lane y)
{
    return vmax_u32(x, y);
}

INLINE lane plus_one(lane x)
{
    return vadd_u32(x, vdup_n_u32(1));
}

INLINE uint32_t number_in(lane x)
{
    return vget_lane_u32(x, 0);
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

/* Raises n counters, in different tables, to their smallest plus one at least; that. Where they are
 * is worked out before one is written, which for all the compiler knows could change it. */
INLINE uint32_t raise_lanes(uint32_t *counters, const uint64_t *hash, unsigned n)
{
    uint32_t *at[SL_BYTE_HASH_MAX] = {&counters[sl_interval_place(hash, 0)]};
    lane counter[SL_BYTE_HASH_MAX] = {load(at[0])}, least = counter[0];
    for (unsigned k = 1; k < n; k++) {
        at[k] = &counters[sl_interval_place(hash, k)];
        counter[k] = load(at[k]);
        least = smaller(least, counter[k]);
    }
    least = plus_one(least);
    for (unsigned k = 0; k < n; k++)
        store(at[k], larger(counter[k], least));
    return number_in(least);
}

/* With the hashes, or with the names' parts of them and the values: up to four tables. */
INLINE size_t raise_all(struct sl_interval_table *t, const struct sl_interval_group *g,
                        const uint64_t *hash, const uint64_t *value, uint32_t *smallest, unsigned n,
                        bool values)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    const struct sl_packed_hash *packed = &t->packed[0];
    size_t n_misses = g->n_misses;
    for (size_t j = 0; j < n_misses; j++) {
        size_t i = g->miss[j];
        uint64_t whole = values ? hash[i] ^ sl_packed_value(packed, value[i]) : 0;
        uint32_t now = raise_lanes(counters, values ? &whole : hash + i, n);
        if (__builtin_expect(now >= threshold, 0)) {
            *smallest = now - 1;
            if (!sl_interval_stays_out(t, 1))
                return j;
        }
    }
    return n_misses;
}

TARGET size_t sl_interval_raise_lanes(struct sl_interval_table *t,
                                      const struct sl_interval_group *g,
                                      const sl_interval_hashes hash, uint32_t *smallest)
{
    switch (t->config.tables) {
    case 1:
        return raise_all(t, g, hash[0], NULL, smallest, 1, false);
    case 2:
        return raise_all(t, g, hash[0], NULL, smallest, 2, false);
    case 4:
        return raise_all(t, g, hash[0], NULL, smallest, 4, false);
    case 8:
        return raise_all(t, g, hash[0], NULL, smallest, 8, false);
    case 16:
        return raise_all(t, g, hash[0], NULL, smallest, 16, false);
    default:
        return raise_all(t, g, hash[0], NULL, smallest, (unsigned)t->config.tables, false);
    }
}

TARGET size_t sl_interval_count_lanes(struct sl_interval_table *t, const uint64_t *value,
                                      const struct sl_interval_group *g, const uint64_t *word,
                                      uint32_t *smallest)
{
    switch (t->config.tables) {
    case 1:
        return raise_all(t, g, word, value, smallest, 1, true);
    case 2:
        return raise_all(t, g, word, value, smallest, 2, true);
    case 3:
        return raise_all(t, g, word, value, smallest, 3, true);
    default:
        return raise_all(t, g, word, value, smallest, 4, true);
    }
}

#else

bool sl_interval_has_lanes(void)
{
    return false;
}

size_t sl_interval_raise_lanes(struct sl_interval_table *t, const struct sl_interval_group *g,
                               const sl_interval_hashes hash, uint32_t *smallest)
{
    return sl_interval_raise(t, NULL, g, hash, smallest);
}

size_t sl_interval_count_lanes(struct sl_interval_table *t, const uint64_t *value,
                               const struct sl_interval_group *g, const uint64_t *word,
                               uint32_t *smallest)
{
    return sl_interval_count(t, value, g, word, smallest);
}

#endif
