/* SPDX-License-Identifier: MIT */
/* Event counting of the interval profilers with AVX-512: looks up and hashes 16 to 64 events at
 * once. The results are bit-identical to those of the portable code (interval_observe.c).
 *
 * Hash, 16 values at a time. The random byte table of a hash function fits in four registers, so
 * that two permutes and a blend replace 64 bytes at once. The low and high halves of the values are
 * processed separately, so that 16 of them are folded in 32-bit lanes. With 32 = q * bits + r, the
 * high half begins r bits into a chunk:
 *
 *     low    | chunk 0 | chunk 1 | ... | chunk q: r bits |
 *     high   | the other bits - r of chunk q | chunk q+1 | ...
 *
 *     x  = low ^ high >> (bits - r)                   chunk q+1 is XORed to chunk 0, and so on
 *     x ^= x >> s, s = bits * 2^j < 32, descending    all chunks are XORed to chunk 0
 *     x ^= high << r                                  the rest of chunk q
 *
 * The lowest `bits` bits of x are the index. The indices of four functions form the packed hash in
 * 64-bit lanes again, and the stored hash of the name is XORed to it.
 *
 * Lookup. The accumulator's filter fits in registers, too: the same permutes find for 64 events at
 * once which may be in the accumulator. These are compared one by one (interval_observe.c). All
 * events are hashed, since their names' hashes are loaded already; deferring it costs as much.
 *
 * Raise. The counters of a tuple are far apart, so that each is in a vector register by itself, but
 * minimum and maximum are one instruction there instead of a comparison and a selection. */
#include "interval_group.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt"
#define VECTOR __attribute__((target(TARGET)))
#define INLINE __attribute__((target(TARGET), always_inline)) static inline
#define LANES 8u
#define VECTORS (SL_INTERVAL_MASK / LANES)

bool sl_interval_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

/* ---- 256-byte tables in registers ---- */

struct bytes256 {
    __m512i part[4];
};

INLINE struct bytes256 load256(const uint8_t *table)
{
    struct bytes256 t;
    for (unsigned i = 0; i < 4; i++)
        t.part[i] = _mm512_loadu_si512(table + 64 * i);
    return t;
}

/* `high`: the bytes of x that are 128 or more. (Permutes under a mask would do without the
 * blend, and are no faster.) */
INLINE __m512i look_up(const struct bytes256 *t, __m512i x, __mmask64 high)
{
    return _mm512_mask_blend_epi8(high, _mm512_permutex2var_epi8(t->part[0], x, t->part[1]),
                                  _mm512_permutex2var_epi8(t->part[2], x, t->part[3]));
}

/* ---- hash ---- */

typedef uint32_t lanes __attribute__((vector_size(64)));

/* The index in the low bits of each 32, and anything above it. */
INLINE lanes fold(__m512i low_half, __m512i high_half, unsigned bits)
{
    lanes low = (lanes)low_half, high = (lanes)high_half;
    unsigned r = bits ? 32 % bits : 0, shift = bits;
    lanes x = low ^ (r ? high >> (bits - r) : high);
    while (bits && 2 * shift < 32)
        shift *= 2;
    for (; bits && shift >= bits; shift /= 2)
        x ^= x >> shift;
    return r ? x ^ high << r : x;
}

/* The indices of 16 values by one function, in the low bits of each 32, and nothing above. */
INLINE lanes index16(const struct bytes256 *table, __m512i low, __m512i high, unsigned bits)
{
    __mmask64 low128 = _mm512_movepi8_mask(low), high128 = _mm512_movepi8_mask(high);
    lanes x = fold(look_up(table, low, low128), look_up(table, high, high128), bits);
    return x & ((UINT32_C(1) << bits) - 1);
}

/* The packed hashes of 16 tuples by n functions, from the values and the names' parts of them. */
INLINE void hash16(const struct bytes256 *table, unsigned n, unsigned bits, const __m512i *value,
                   const __m512i *word, uint64_t *hash)
{
    __m512 first = _mm512_castsi512_ps(value[0]), second = _mm512_castsi512_ps(value[1]);
    __m512i low = _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0x88));
    __m512i high = _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0xdd));
    lanes pair = index16(&table[0], low, high, bits), other = {0};
    if (n > 1)
        pair |= index16(&table[1], low, high, bits) << 16;
    if (n > 2)
        other = index16(&table[2], low, high, bits);
    if (n > 3)
        other |= index16(&table[3], low, high, bits) << 16;
    __m512i packed[] = {_mm512_unpacklo_epi32((__m512i)pair, (__m512i)other),
                        _mm512_unpackhi_epi32((__m512i)pair, (__m512i)other)};
    for (unsigned v = 0; v < 2; v++)
        _mm512_storeu_si512(hash + LANES * v, _mm512_xor_si512(packed[v], word[v]));
}

INLINE void load_tables(const struct sl_interval_table *t, unsigned w, unsigned n,
                        struct bytes256 *table)
{
    for (unsigned k = 0; k < n; k++)
        table[k] = load256(t->byte_table[w * SL_PACKED_FUNCTIONS + k]);
}

/* ---- split ---- */

/* Reads 8 words by tuple id. A gather is faster on Intel's processors, single loads on AMD's. */
INLINE __m512i gather8(const uint64_t *word, size_t stride, const uint32_t *tuple_id, bool gather)
{
    if (gather)
        return _mm512_i32gather_epi64(_mm256_loadu_si256((const __m256i *)(const void *)tuple_id),
                                      word, sizeof *word);
    __m128i pair[4];
    for (unsigned i = 0; i < 4; i++)
        pair[i] = _mm_set_epi64x((long long)word[stride * tuple_id[2 * i + 1]],
                                 (long long)word[stride * tuple_id[2 * i]]);
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(pair[0]), pair[1], 1);
    __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(pair[2]), pair[3], 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* How bytes 4 to 7 of 64 keys become four vectors of 64 bytes. */
struct planes {
    __m512i high_halves; /* of two vectors of keys */
    __m512i low_pair;    /* bytes 0 of 32 of those, then bytes 1 */
    __m512i high_pair;   /* bytes 2, then bytes 3 */
    __m512i event;       /* 0 to 63 */
};

INLINE struct planes make_planes(void)
{
    uint8_t low[64], high[64], event[64];
    uint32_t halves[16];
    for (unsigned i = 0; i < 16; i++)
        halves[i] = 2 * i + 1;
    for (unsigned i = 0; i < 64; i++) {
        low[i] = (uint8_t)(4 * (i % 32) + i / 32);
        high[i] = (uint8_t)(low[i] + 2);
        event[i] = (uint8_t)i;
    }
    return (struct planes){_mm512_loadu_si512(halves), _mm512_loadu_si512(low),
                           _mm512_loadu_si512(high), _mm512_loadu_si512(event)};
}

/* Returns a mask of the 64 keys that pass the filter. Bytes 4 and 6 of a key select a byte in the
 * two halves of the filter, bytes 5 and 7 a bit of it. Also computes the cache index of each key
 * from its highest bits. */
INLINE uint64_t filter64(const __m512i *key, const struct bytes256 *filter,
                         const struct planes *planes, unsigned cache_shift, uint32_t *cache_index)
{
    const __m128i shift = _mm_cvtsi32_si128((int)cache_shift - 32);
    const __m512i bit = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    __m512i low[2], high[2];
    for (unsigned v = 0; v < 2; v++) {
        __m512i first = _mm512_permutex2var_epi32(key[4 * v], planes->high_halves, key[4 * v + 1]);
        __m512i second = _mm512_permutex2var_epi32(key[4 * v + 2], planes->high_halves,
                                                   key[4 * v + 3]);
        _mm512_storeu_si512(cache_index + 32 * v, _mm512_srl_epi32(first, shift));
        _mm512_storeu_si512(cache_index + 32 * v + 16, _mm512_srl_epi32(second, shift));
        low[v] = _mm512_permutex2var_epi8(first, planes->low_pair, second);
        high[v] = _mm512_permutex2var_epi8(first, planes->high_pair, second);
    }
    __m512i at[] = {_mm512_shuffle_i64x2(low[0], low[1], 0x44),
                    _mm512_shuffle_i64x2(high[0], high[1], 0x44)};
    __m512i wanted[] = {_mm512_shuffle_i64x2(low[0], low[1], 0xee),
                        _mm512_shuffle_i64x2(high[0], high[1], 0xee)};
    uint64_t maybe = UINT64_MAX;
    for (unsigned half = 0; half < 2; half++)
        maybe &= _mm512_test_epi8_mask(
            look_up(&filter[half], at[half], _mm512_movepi8_mask(at[half])),
            _mm512_permutexvar_epi8(wanted[half], bit));
    return maybe;
}

/* Processes 64 events: their hashes, their cache indices, and a mask of those that may be in the
 * accumulator. */
INLINE uint64_t sort64(const struct sl_interval_table *t, const struct bytes256 *table, unsigned n,
                       unsigned bits, const struct bytes256 *filter, const struct planes *planes,
                       const uint32_t *tuple_id, const uint64_t *value, uint32_t *cache_index,
                       uint64_t *hash, bool gather)
{
    const __m512i factor = _mm512_set1_epi64((long long)SL_KEY_FACTOR);
    __m512i key[VECTORS];
#pragma GCC unroll 4
    for (unsigned v = 0; v < VECTORS; v += 2) {
        __m512i word[2], values[2];
        for (unsigned u = 0; u < 2; u++) {
            size_t i = LANES * (v + u);
            __builtin_prefetch(value + i + SL_INTERVAL_GROUP);
            values[u] = _mm512_loadu_si512(value + i);
            word[u] = gather8(t->name_hash, t->words, tuple_id + i, gather);
            key[v + u] = _mm512_mullo_epi64(_mm512_xor_si512(values[u], word[u]), factor);
        }
        __builtin_prefetch(tuple_id + LANES * v + SL_INTERVAL_GROUP);
        hash16(table, n, bits, values, word, hash + LANES * v);
    }
    return filter64(key, filter, planes, t->accumulator.cache_shift, cache_index);
}

INLINE void list(uint8_t *to, uint64_t which, size_t at, const struct planes *planes)
{
    __m512i event = _mm512_add_epi8(planes->event, _mm512_set1_epi8((char)at));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(which, event));
}

/* Splits a group whose arrays are padded to a multiple of 64 events. */
INLINE void sort_all(const struct sl_interval_table *t, const uint32_t *tuple_id,
                     const uint64_t *value, struct sl_interval_group *g, uint64_t *hash, unsigned n,
                     unsigned bits)
{
    const struct bytes256 filter[] = {load256(t->accumulator.filter[0]),
                                      load256(t->accumulator.filter[1])};
    const struct planes planes = make_planes();
    struct bytes256 table[SL_PACKED_FUNCTIONS];
    bool gather = t->words == 1 && __builtin_cpu_is("intel");
    load_tables(t, 0, n, table);
    g->n_found = g->n_misses = 0;
    for (size_t at = 0; at < g->n; at += SL_INTERVAL_MASK) {
        size_t left = g->n - at;
        uint64_t all = left < SL_INTERVAL_MASK ? UINT64_MAX >> (SL_INTERVAL_MASK - left)
                                               : UINT64_MAX;
        uint64_t maybe = all & sort64(t, table, n, bits, filter, &planes, tuple_id + at, value + at,
                                      g->cache_index + at, hash + at, gather);
        list(g->found + g->n_found, maybe, at, &planes);
        list(g->miss + g->n_misses, ~maybe & all, at, &planes);
        g->n_found += (size_t)__builtin_popcountll(maybe);
        g->n_misses += (size_t)__builtin_popcountll(~maybe & all);
    }
}

/* The hashes by the functions of the other words. */
INLINE void hash_more(const struct sl_interval_table *t, const uint32_t *tuple_id,
                      const uint64_t *value, size_t n_events, unsigned w, unsigned n,
                      uint64_t *hash)
{
    struct bytes256 table[SL_PACKED_FUNCTIONS];
    load_tables(t, w, n, table);
    for (size_t i = 0; i < n_events; i += 2 * LANES) {
        __m512i values[] = {_mm512_loadu_si512(value + i), _mm512_loadu_si512(value + i + LANES)};
        __m512i word[] = {gather8(t->name_hash + w, t->words, tuple_id + i, false),
                          gather8(t->name_hash + w, t->words, tuple_id + i + LANES, false)};
        hash16(table, n, t->index_bits, values, word, hash + i);
    }
}

/* The usual 2,048 counters have shifts that are known when this is compiled. */
INLINE void sort_by_tables(const struct sl_interval_table *t, const uint32_t *tuple_id,
                           const uint64_t *value, struct sl_interval_group *g, uint64_t *hash)
{
    unsigned bits = t->index_bits;
    if (t->config.tables == 1 && bits == 11)
        sort_all(t, tuple_id, value, g, hash, 1, 11);
    else if (t->config.tables == 2 && bits == 10)
        sort_all(t, tuple_id, value, g, hash, 2, 10);
    else if (t->config.tables <= 2)
        sort_all(t, tuple_id, value, g, hash, (unsigned)t->config.tables, bits);
    else if (t->config.tables == 3)
        sort_all(t, tuple_id, value, g, hash, 3, bits);
    else if (bits == 9)
        sort_all(t, tuple_id, value, g, hash, 4, 9);
    else
        sort_all(t, tuple_id, value, g, hash, 4, bits);
}

VECTOR void sl_interval_sort_avx512(const struct sl_interval_table *t, const struct sl_batch *batch,
                                    struct sl_interval_group *g, sl_interval_hashes hash)
{
    uint32_t padded_id[SL_INTERVAL_GROUP];
    uint64_t padded_value[SL_INTERVAL_GROUP];
    const uint32_t *tuple_id = batch->tuple_id;
    const uint64_t *value = batch->value;
    size_t whole = (g->n + SL_INTERVAL_MASK - 1) / SL_INTERVAL_MASK * SL_INTERVAL_MASK;
    if (g->n < whole) { /* padded with copies of the first event */
        for (size_t i = 0; i < whole; i++) {
            padded_id[i] = tuple_id[i < g->n ? i : 0];
            padded_value[i] = value[i < g->n ? i : 0];
        }
        tuple_id = padded_id;
        value = padded_value;
    }
    sort_by_tables(t, tuple_id, value, g, hash[0]);
    for (unsigned w = 1; w < t->words; w++) {
        unsigned n = (unsigned)t->config.tables - w * SL_PACKED_FUNCTIONS;
        hash_more(t, tuple_id, value, whole, w, n < SL_PACKED_FUNCTIONS ? n : SL_PACKED_FUNCTIONS,
                  hash[w]);
    }
}

/* ---- raising counters ---- */

/* Raises n counters, in different tables, to at least their smallest plus one, and returns that.
 * All addresses are computed before the first store, which the compiler would assume to change
 * them. */
INLINE uint32_t raise_counters(uint32_t *counters, const uint64_t *hash, unsigned n)
{
    uint32_t *at[SL_BYTE_HASH_MAX];
    __m128i counter[SL_BYTE_HASH_MAX], least = _mm_set1_epi32(-1);
    for (unsigned k = 0; k < n; k++) {
        at[k] = &counters[sl_interval_counter_index(hash, k)];
        counter[k] = _mm_loadu_si32(at[k]);
        least = _mm_min_epu32(least, counter[k]);
    }
    least = _mm_add_epi32(least, _mm_cvtsi32_si128(1));
    for (unsigned k = 0; k < n; k++)
        _mm_storeu_si32(at[k], _mm_max_epu32(counter[k], least));
    return (uint32_t)_mm_cvtsi128_si32(least);
}

/* As raise_units() of interval_raise.c, conservative. */
INLINE size_t raise_misses(struct sl_interval_table *t, const struct sl_interval_group *g,
                           const uint64_t *hash, const uint64_t *value, uint32_t *smallest,
                           unsigned n)
{
    uint32_t threshold = (uint32_t)t->threshold;
    for (size_t j = 0; j < g->n_misses; j++) {
        size_t i = g->miss[j];
        uint64_t whole = value ? hash[i] ^ sl_packed_value(&t->packed[0], value[i]) : 0;
        uint32_t now = raise_counters(t->counter, value ? &whole : hash + i, n);
        if (__builtin_expect(now >= threshold, 0)) {
            *smallest = now - 1;
            if (!sl_interval_drop_promotion(t, 1))
                return j;
        }
    }
    return g->n_misses;
}

VECTOR size_t sl_interval_raise_avx512(struct sl_interval_table *t,
                                       const struct sl_interval_group *g, const uint64_t *hash,
                                       const uint64_t *value, uint32_t *smallest)
{
    unsigned n = (unsigned)t->config.tables;
    if (value)
        return n == 1   ? raise_misses(t, g, hash, value, smallest, 1)
               : n == 2 ? raise_misses(t, g, hash, value, smallest, 2)
               : n == 3 ? raise_misses(t, g, hash, value, smallest, 3)
                        : raise_misses(t, g, hash, value, smallest, 4);
    return n == 1   ? raise_misses(t, g, hash, NULL, smallest, 1)
           : n == 2 ? raise_misses(t, g, hash, NULL, smallest, 2)
           : n == 4 ? raise_misses(t, g, hash, NULL, smallest, 4)
                    : raise_misses(t, g, hash, NULL, smallest, n);
}

#else

size_t sl_interval_raise_avx512(struct sl_interval_table *t, const struct sl_interval_group *g,
                                const uint64_t *hash, const uint64_t *value, uint32_t *smallest)
{
    (void)t, (void)g, (void)hash, (void)value, (void)smallest;
    return 0;
}

bool sl_interval_has_avx512(void)
{
    return false;
}

void sl_interval_sort_avx512(const struct sl_interval_table *t, const struct sl_batch *batch,
                             struct sl_interval_group *g, sl_interval_hashes hash)
{
    (void)t, (void)batch, (void)g, (void)hash;
}

#endif
