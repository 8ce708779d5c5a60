/* Raising the counters of one tuple with the vector units' minimum and maximum, for the
 * forms that have them (interval_avx2.c, interval_avx512.c). The counters of a tuple are
 * far apart, so each is in a register by itself; but a minimum and a maximum are one
 * instruction there instead of a comparison and a choice: 5 cycles a tuple with four tables
 * (Zen 4), where the general registers take 8. */
#ifndef SL_INTERVAL_LANES_H
#define SL_INTERVAL_LANES_H

#include <immintrin.h>

#include "interval_group.h"

#define SL_AVX2_TARGET "avx2,bmi,bmi2,popcnt"

/* Raises the n counters at place[k], in different tables, to their smallest plus one at
 * least; that. */
__attribute__((target(SL_AVX2_TARGET), always_inline)) static inline uint32_t
sl_interval_raise_lanes(uint32_t *counters, const uint32_t *place, unsigned n)
{
    __m128i counter[SL_BYTE_HASH_MAX], least = _mm_set1_epi32(-1);
    for (unsigned k = 0; k < n; k++) {
        counter[k] = _mm_loadu_si32(&counters[place[k]]);
        least = _mm_min_epu32(least, counter[k]);
    }
    least = _mm_add_epi32(least, _mm_cvtsi32_si128(1));
    for (unsigned k = 0; k < n; k++)
        _mm_storeu_si32(&counters[place[k]], _mm_max_epu32(counter[k], least));
    return (uint32_t)_mm_cvtsi128_si32(least);
}

#endif
