/* The fast form (look up, hash and raise) with AVX-512 VBMI: the same to the bit as the
 * portable one in interval_observe.c.
 *
 * Hash, 16 values at a time. The random byte table of a function fits four registers, so
 * that two permutes and a blend replace 64 bytes at once. The low and the high halves of
 * the values are kept apart, so that folding is done for 16 of them in 32-bit lanes.
 * With 32 = q * bits + r, the high half begins r bits into a chunk:
 *
 *     low    | chunk 0 | chunk 1 | ... | chunk q: r bits |
 *     high   | the other bits - r of chunk q | chunk q+1 | ...
 *
 *     x  = low ^ high >> (bits - r)               chunk q+1 meets chunk 0, and so on
 *     x ^= x >> s, s = bits * 2^j < 32, falling   all chunks meet in chunk 0
 *     x ^= high << r                              the rest of chunk q
 *
 * of which the lowest `bits` bits are the index. Four functions' indices become the
 * packed hash in 64-bit lanes again, and the name's part (kept by number) is XORed to it.
 *
 * Look up. The accumulator's filter fits registers too: the same kind of permute says of 64
 * events at once which may be in the accumulator. What may be is looked up one by one; it
 * mostly is. Only the others are hashed. */
#include "interval_group.h"

#if defined(__x86_64__)

#include "interval_lanes.h"

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

/* ---- 256-byte tables in registers ---------------------------------------- */

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

/* ---- hash ---------------------------------------------------------------- */

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

/* The packed hashes of a block of misses, by n functions. What is behind the last of them is
 * hashed, too, and nobody wants it. */
INLINE void hash_block(const struct bytes256 *table, unsigned n, unsigned bits,
                       const uint64_t *value, const uint64_t *word,
                       uint16_t (*place)[SL_PACKED_FUNCTIONS])
{
    __m512 first = _mm512_loadu_ps(value), second = _mm512_loadu_ps(value + LANES);
    __m512i low = _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0x88));
    __m512i high = _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0xdd));
    lanes pair = index16(&table[0], low, high, bits), other = {0};
    if (n > 1)
        pair |= index16(&table[1], low, high, bits) << 16;
    if (n > 2)
        other = index16(&table[2], low, high, bits);
    if (n > 3)
        other |= index16(&table[3], low, high, bits) << 16;
    __m512i hash[] = {_mm512_unpacklo_epi32((__m512i)pair, (__m512i)other),
                      _mm512_unpackhi_epi32((__m512i)pair, (__m512i)other)};
    for (unsigned v = 0; v < 2; v++)
        _mm512_storeu_si512(place + LANES * v,
                            _mm512_xor_si512(hash[v], _mm512_loadu_si512(word + LANES * v)));
}

INLINE void load_tables(const struct sl_interval_table *t, unsigned w, unsigned n,
                        struct bytes256 *table)
{
    for (unsigned k = 0; k < n; k++)
        table[k] = load256(t->byte_table[w * SL_PACKED_FUNCTIONS + k]);
}

INLINE void hash_all(const struct sl_interval_table *t, const uint64_t *value,
                     const uint64_t *word, unsigned w, unsigned functions, size_t n,
                     uint16_t (*place)[SL_PACKED_FUNCTIONS])
{
    struct bytes256 table[SL_PACKED_FUNCTIONS];
    load_tables(t, w, functions, table);
    for (size_t j = 0; j < n; j += SL_INTERVAL_BLOCK)
        hash_block(table, functions, t->index_bits, value + j, word + j, place + j);
}

VECTOR void sl_interval_hash_avx512(const struct sl_interval_table *t, const uint64_t *value,
                                    const uint64_t *word, unsigned w, size_t n,
                                    uint16_t (*place)[SL_PACKED_FUNCTIONS])
{
    switch (t->config.tables - w * SL_PACKED_FUNCTIONS) {
    case 1:
        hash_all(t, value, word, w, 1, n, place);
        break;
    case 2:
        hash_all(t, value, word, w, 2, n, place);
        break;
    case 3:
        hash_all(t, value, word, w, 3, n, place);
        break;
    default:
        hash_all(t, value, word, w, 4, n, place);
    }
}

/* ---- count ------------------------------------------------------------------ */

/* Hashing is bound by the vector units and raising by loads and stores. So a block is hashed
 * just before the one in front of it is raised: the processor does both at a time. */
INLINE size_t count_all(struct sl_interval_table *t, const struct sl_interval_group *g,
                        uint32_t *smallest, unsigned bits)
{
    struct bytes256 table[SL_PACKED_FUNCTIONS];
    load_tables(t, 0, SL_PACKED_FUNCTIONS, table);
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    _Alignas(64) uint16_t place[2][SL_INTERVAL_BLOCK][SL_PACKED_FUNCTIONS];
    size_t n = g->n_misses;
    hash_block(table, SL_PACKED_FUNCTIONS, bits, g->value, g->word, place[0]);
    for (size_t block = 0; block * SL_INTERVAL_BLOCK < n; block++) {
        size_t from = block * SL_INTERVAL_BLOCK, next = from + SL_INTERVAL_BLOCK;
        size_t end = n - from < SL_INTERVAL_BLOCK ? n - from : SL_INTERVAL_BLOCK;
        if (next < n)
            hash_block(table, SL_PACKED_FUNCTIONS, bits, g->value + next, g->word + next,
                       place[(block + 1) % 2]);
        for (size_t j = 0; j < end; j++) {
            const uint16_t *of = place[block % 2][j];
            uint32_t at[] = {of[0], of[1], of[2], of[3]};
            uint32_t now = sl_interval_raise_lanes(counters, at, SL_PACKED_FUNCTIONS);
            if (__builtin_expect(now >= threshold, 0)) {
                *smallest = now - 1;
                if (!sl_interval_stays_out(t, 1))
                    return from + j;
            }
        }
    }
    return n;
}

/* The usual 2,048 counters have shifts that are known when this is compiled. */
VECTOR size_t sl_interval_count_avx512(struct sl_interval_table *t,
                                       const struct sl_interval_group *g, uint32_t *smallest)
{
    return t->index_bits == 9 ? count_all(t, g, smallest, 9)
                              : count_all(t, g, smallest, t->index_bits);
}

/* ---- split ---------------------------------------------------------------- */

/* Eight words by number; one by one, which is faster than a gather. */
INLINE __m512i take8(const uint64_t *word, size_t stride, const uint32_t *number)
{
    __m128i pair[4];
    for (unsigned i = 0; i < 4; i++)
        pair[i] = _mm_set_epi64x((long long)word[stride * number[2 * i + 1]],
                                 (long long)word[stride * number[2 * i]]);
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

/* Which of 64 keys the filter lets through: bytes 4 and 6 of a key say where in its two
 * halves, bytes 5 and 7 which bit there. */
INLINE uint64_t filter64(const __m512i *key, const struct bytes256 *filter,
                         const struct planes *planes)
{
    const __m512i bit = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    __m512i low[2], high[2];
    for (unsigned v = 0; v < 2; v++) {
        __m512i first = _mm512_permutex2var_epi32(key[4 * v], planes->high_halves, key[4 * v + 1]);
        __m512i second = _mm512_permutex2var_epi32(key[4 * v + 2], planes->high_halves,
                                                   key[4 * v + 3]);
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

/* Looks up those that the filter let through; a bit for each that is not there. */
INLINE uint64_t find_hits(const struct sl_accumulator *a, const uint64_t *pc,
                          const uint32_t *number, const uint64_t *value, const uint64_t *key,
                          uint64_t maybe, uint16_t *slot_out)
{
    const struct sl_tuple *tuple = a->tuple;
    const uint16_t *heads = a->head;
    unsigned shift = a->head_shift;
    uint64_t not_there = 0;
    for (uint64_t left = maybe; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        size_t slot = sl_interval_look_up(a, tuple, heads[key[i] >> shift], pc[number[i]], value[i]);
        not_there |= (uint64_t)!slot << i;
        *slot_out++ = (uint16_t)slot;
    }
    return not_there;
}

/* Those of eight words that the mask has. */
INLINE void keep8(uint64_t *to, __mmask8 some, __m512i word)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(some, word));
}

/* The names' parts of the hashes, and the keys. */
struct keys {
    _Alignas(64) uint64_t word[SL_INTERVAL_GROUP], key[SL_INTERVAL_GROUP];
};

INLINE void make_keys(const struct sl_interval_table *t, const uint32_t *number,
                      const uint64_t *value, size_t from, size_t n, size_t words, struct keys *keys)
{
    const __m512i factor = _mm512_set1_epi64((long long)SL_KEY_FACTOR);
    for (size_t i = 0; i < n; i += LANES) {
        __builtin_prefetch(value + SL_INTERVAL_GROUP + i);
        __builtin_prefetch(number + SL_INTERVAL_GROUP + i);
        __m512i word = take8(t->name_hash, words, number + i);
        __m512i mixed = _mm512_xor_si512(_mm512_loadu_si512(value + i), word);
        _mm512_store_si512(keys->word + from + i, word);
        _mm512_store_si512(keys->key + from + i, _mm512_mullo_epi64(mixed, factor));
    }
}

/* Splits 64 events from event `from` on, of which the first n count. */
INLINE void split64(const struct sl_interval_table *t, const struct sl_names *names,
                    const uint32_t *number, const uint64_t *value, size_t from, size_t n,
                    struct sl_interval_group *g, const struct bytes256 *filter,
                    const struct planes *planes, const struct keys *keys)
{
    __m512i key[VECTORS];
    for (unsigned v = 0; v < VECTORS; v++)
        key[v] = _mm512_load_si512(keys->key + from + LANES * v);
    uint64_t all = UINT64_MAX >> (SL_INTERVAL_MASK - n);
    uint64_t maybe = filter64(key, filter, planes) & all;
    uint64_t misses = (~maybe & all) | find_hits(&t->accumulator, names->pc, number, value,
                                                 keys->key + from, maybe, g->slot + g->n_found);
    __m512i event = _mm512_add_epi8(planes->event, _mm512_set1_epi8((char)from));
    _mm512_storeu_si512(g->found + g->n_found, _mm512_maskz_compress_epi8(maybe, event));
    _mm512_storeu_si512(g->miss + g->n_misses, _mm512_maskz_compress_epi8(misses, event));
    g->n_found += (size_t)__builtin_popcountll(maybe);
    for (unsigned v = 0; v < VECTORS; v++) {
        __mmask8 some = (__mmask8)(misses >> LANES * v);
        keep8(g->word + g->n_misses, some, _mm512_load_si512(keys->word + from + LANES * v));
        keep8(g->value + g->n_misses, some, _mm512_loadu_si512(value + LANES * v));
        g->n_misses += (size_t)__builtin_popcount(some);
    }
}

/* What is left after the last 64 is padded with its own first one. */
VECTOR void sl_interval_split_avx512(const struct sl_interval_table *t,
                                     const struct sl_batch *batch, struct sl_interval_group *g)
{
    size_t left = g->n % SL_INTERVAL_MASK, whole = g->n - left;
    struct keys keys;
    uint32_t number[SL_INTERVAL_MASK];
    uint64_t value[SL_INTERVAL_MASK];
    for (size_t i = 0; left && i < SL_INTERVAL_MASK; i++) {
        number[i] = batch->number[whole + (i < left ? i : 0)];
        value[i] = batch->value[whole + (i < left ? i : 0)];
    }
    if (t->words == 1)
        make_keys(t, batch->number, batch->value, 0, whole, 1, &keys);
    else
        make_keys(t, batch->number, batch->value, 0, whole, t->words, &keys);
    if (left)
        make_keys(t, number, value, whole, SL_INTERVAL_MASK, t->words, &keys);
    const struct bytes256 filter[] = {load256(t->accumulator.filter[0]),
                                      load256(t->accumulator.filter[1])};
    const struct planes planes = make_planes();
    for (size_t at = 0; at < whole; at += SL_INTERVAL_MASK)
        split64(t, batch->names, batch->number + at, batch->value + at, at, SL_INTERVAL_MASK, g,
                filter, &planes, &keys);
    if (left)
        split64(t, batch->names, number, value, whole, left, g, filter, &planes, &keys);
}

#else

bool sl_interval_has_avx512(void)
{
    return false;
}

void sl_interval_split_avx512(const struct sl_interval_table *t, const struct sl_batch *batch,
                              struct sl_interval_group *g)
{
    (void)t, (void)batch, (void)g;
}

void sl_interval_hash_avx512(const struct sl_interval_table *t, const uint64_t *value,
                             const uint64_t *word, unsigned w, size_t n,
                             uint16_t (*place)[SL_PACKED_FUNCTIONS])
{
    (void)t, (void)value, (void)word, (void)w, (void)n, (void)place;
}

size_t sl_interval_count_avx512(struct sl_interval_table *t, const struct sl_interval_group *g,
                                uint32_t *smallest)
{
    (void)t, (void)g, (void)smallest;
    return 0;
}

#endif
