/* The first half of the fast form (look up and hash) with AVX-512 VBMI: the same to the
 * bit as the portable one in interval_observe.c.
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
 * Look up. The accumulator's filter fits registers too: the same kind of permute says of
 * each event whether it may be in the accumulator. What may be is looked up one by one;
 * it mostly is. */
#include "interval_group.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt"
#define VECTOR __attribute__((target(TARGET)))
#define INLINE __attribute__((target(TARGET), always_inline)) static inline
#define LANES 8u
#define VECTORS (SL_INTERVAL_GROUP / LANES)

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

/* `high`: the bytes of x that are 128 or more. */
INLINE __m512i look_up(struct bytes256 t, __m512i x, __mmask64 high)
{
    return _mm512_mask_blend_epi8(high, _mm512_permutex2var_epi8(t.part[0], x, t.part[1]),
                                  _mm512_permutex2var_epi8(t.part[2], x, t.part[3]));
}

/* ---- hash ---------------------------------------------------------------- */

struct folds {
    __m128i right, left; /* the high half's shifts: bits - r, r */
    __m128i step[5];     /* an unused one of 32 does nothing */
    unsigned n_steps;
    __m512i mask;        /* an index in each 16 bits */
};

INLINE struct folds make_folds(unsigned bits)
{
    struct folds f = {.step = {_mm_cvtsi32_si128(32), _mm_cvtsi32_si128(32)}};
    unsigned r = bits ? 32 % bits : 0, shift = bits;
    f.right = _mm_cvtsi32_si128(r ? (int)(bits - r) : 0);
    f.left = _mm_cvtsi32_si128(r ? (int)r : 32);
    f.mask = _mm512_set1_epi16((short)((1u << bits) - 1));
    while (bits && 2 * shift < 32)
        shift *= 2;
    for (; bits && shift >= bits; shift /= 2)
        f.step[f.n_steps++] = _mm_cvtsi32_si128((int)shift);
    return f;
}

/* The index in the low bits of each 32, and anything above it. */
INLINE __m512i fold(__m512i low, __m512i high, const struct folds *f)
{
    __m512i x = _mm512_xor_si512(low, _mm512_srl_epi32(high, f->right));
    for (unsigned i = 2; i < f->n_steps; i++)
        x = _mm512_xor_si512(x, _mm512_srl_epi32(x, f->step[i - 2]));
    unsigned last = f->n_steps > 2 ? f->n_steps - 2 : 0;
    x = _mm512_xor_si512(x, _mm512_srl_epi32(x, f->step[last]));
    return _mm512_ternarylogic_epi32(x, _mm512_srl_epi32(x, f->step[last + 1]),
                                     _mm512_sll_epi32(high, f->left), 0x96);
}

/* Tuples, and from where on their hashes go. */
struct part {
    size_t n;
    const uint32_t *number;
    const uint64_t *value;
    struct sl_interval_hashes *hashes;
    size_t from;
};

/* The values' part of the packed hash of 16 values, in place, for n functions. */
INLINE void hash16(__m512i value[2], const struct bytes256 *table, unsigned n,
                   const struct folds *folds)
{
    __m512 first = _mm512_castsi512_ps(value[0]), second = _mm512_castsi512_ps(value[1]);
    __m512i low = _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0x88));
    __m512i high = _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0xdd));
    __mmask64 low128 = _mm512_movepi8_mask(low), high128 = _mm512_movepi8_mask(high);
    __m512i pair[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    __m512i below = _mm512_and_si512(folds->mask, _mm512_set1_epi32(0xffff));
    for (unsigned k = 0; k < n; k++) {
        __m512i index = fold(look_up(table[k], low, low128), look_up(table[k], high, high128),
                             folds);
        if (k % 2 == 0)
            pair[k / 2] = _mm512_and_si512(index, below);
        else /* (index << 16 & mask) | pair */
            pair[k / 2] = _mm512_ternarylogic_epi32(_mm512_slli_epi32(index, 16), folds->mask,
                                                    pair[k / 2], 0xea);
    }
    value[0] = _mm512_unpacklo_epi32(pair[0], pair[1]);
    value[1] = _mm512_unpackhi_epi32(pair[0], pair[1]);
}

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

/* Word w of the packed hashes of n values (a multiple of 16), by n_functions; with w = 0
 * the keys too. */
INLINE void hash_word(const struct sl_interval_table *t, const struct part *part, unsigned w,
                      unsigned n_functions, size_t words)
{
    struct bytes256 table[SL_PACKED_FUNCTIONS];
    struct folds folds = make_folds(t->index_bits);
    const __m512i factor = _mm512_set1_epi64((long long)SL_KEY_FACTOR);
    for (unsigned k = 0; k < n_functions; k++)
        table[k] = load256(t->byte_table[w * SL_PACKED_FUNCTIONS + k]);
    for (size_t i = 0; i < part->n; i += 2 * LANES) {
        const uint64_t *value = part->value + i;
        __builtin_prefetch(value + SL_INTERVAL_CHUNK);
        __builtin_prefetch(value + SL_INTERVAL_CHUNK + LANES);
        __builtin_prefetch(part->number + i + SL_INTERVAL_CHUNK);
        __m512i hash[2] = {_mm512_loadu_si512(value), _mm512_loadu_si512(value + LANES)};
        hash16(hash, table, n_functions, &folds);
        for (unsigned v = 0; v < 2; v++) {
            size_t at = i + LANES * v;
            __m512i name = take8(t->name_hash + w, words, part->number + at);
            _mm512_storeu_si512(part->hashes->packed[w] + part->from + at,
                                _mm512_xor_si512(hash[v], name));
            if (w == 0) {
                __m512i mixed = _mm512_xor_si512(_mm512_loadu_si512(part->value + at), name);
                _mm512_storeu_si512(part->hashes->key + part->from + at,
                                    _mm512_mullo_epi64(mixed, factor));
            }
        }
    }
}

VECTOR static void hash_part(const struct sl_interval_table *t, const struct part *part)
{
    for (unsigned w = 0; w < t->words; w++)
        switch (t->config.tables - w * SL_PACKED_FUNCTIONS) {
        case 1:
            hash_word(t, part, w, 1, t->words);
            break;
        case 2:
            hash_word(t, part, w, 2, t->words);
            break;
        case 3:
            hash_word(t, part, w, 3, t->words);
            break;
        default:
            if (t->words == 1)
                hash_word(t, part, w, 4, 1);
            else
                hash_word(t, part, w, 4, t->words);
        }
}

/* What is left after the last 16 is padded with its own first one. */
void sl_interval_hash_avx512(const struct sl_interval_table *t, const struct sl_batch *chunk,
                             struct sl_interval_hashes *hashes)
{
    size_t left = chunk->n % (2 * LANES), whole = chunk->n - left;
    uint32_t number[2 * LANES];
    uint64_t value[2 * LANES];
    hash_part(t, &(struct part){whole, chunk->number, chunk->value, hashes, 0});
    for (size_t i = 0; left && i < 2 * LANES; i++) {
        number[i] = chunk->number[whole + (i < left ? i : 0)];
        value[i] = chunk->value[whole + (i < left ? i : 0)];
    }
    if (left)
        hash_part(t, &(struct part){2 * LANES, number, value, hashes, whole});
}

/* ---- split ---------------------------------------------------------------- */

/* Which of 8 keys the filter lets through: bytes 4 and 6 of a key say where in its two
 * halves, bytes 5 and 7 which bit there. */
INLINE __mmask8 filter8(__m512i key, const struct bytes256 *filter)
{
    const __mmask64 byte4 = UINT64_C(0x1010101010101010), byte6 = UINT64_C(0x4040404040404040);
    const __m512i bit = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    __mmask64 high = _mm512_movepi8_mask(key);
    __m512i bits = _mm512_mask_blend_epi8(byte6, look_up(filter[0], key, high),
                                          look_up(filter[1], key, high));
    __m512i wanted = _mm512_permutexvar_epi8(_mm512_srli_epi64(key, 8), bit);
    __m512i missing = _mm512_movm_epi8(_mm512_mask_testn_epi8_mask(byte4 | byte6, bits, wanted));
    return _mm512_testn_epi64_mask(missing, missing);
}

/* Looks up those that the filter let through; a bit for each that is not there. */
INLINE uint64_t find_hits(const struct sl_accumulator *a, const struct sl_batch *batch,
                          const uint64_t *key, uint64_t maybe, uint16_t *slot_out)
{
    const uint64_t *pc = batch->names->pc, *value = batch->value;
    const uint32_t *number = batch->number;
    const struct sl_tuple *tuple = a->tuple;
    const uint16_t *heads = a->head;
    uint64_t left = maybe, not_there = 0;
    unsigned shift = a->head_shift;
    for (; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left), head = heads[key[i] >> shift];
        size_t slot = head & SL_HEAD_SLOT;
        uint64_t this_pc = pc[number[i]];
        bool same = ((tuple[slot].pc ^ this_pc) | (tuple[slot].value ^ value[i])) == 0;
        /* The filter is mostly right, so this is foreseen. */
        if (__builtin_expect(!same || !slot, 0)) {
            slot = head & SL_HEAD_MORE ? sl_accumulator_follow(a, slot, this_pc, value[i]) : 0;
            not_there |= (uint64_t)!slot << i;
        }
        *slot_out++ = (uint16_t)slot;
    }
    return not_there;
}

INLINE void keep_misses(uint64_t misses, const uint64_t *packed, sl_interval_places *place)
{
    uint16_t(*out)[SL_PACKED_FUNCTIONS] = *place;
    for (unsigned i = 0; i < VECTORS; i++) {
        __mmask8 some = (__mmask8)(misses >> LANES * i);
        __m512i hash = _mm512_loadu_si512(packed + LANES * i);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(some, hash));
        out += __builtin_popcount(some);
    }
}

VECTOR void sl_interval_split_avx512(const struct sl_interval_table *t,
                                     const struct sl_batch *group,
                                     const struct sl_interval_hashes *hashes, size_t from,
                                     struct sl_interval_group *g, sl_interval_places *place)
{
    const struct bytes256 filter[] = {load256(t->accumulator.filter[0]),
                                      load256(t->accumulator.filter[1])};
    uint64_t all = UINT64_MAX >> (64 - g->n), maybe = 0;
    const uint64_t *key = hashes->key + from;
    for (unsigned i = 0; i < VECTORS; i++)
        maybe |= (uint64_t)filter8(_mm512_loadu_si512(key + LANES * i), filter) << LANES * i;
    g->found = maybe & all;
    g->n_found = (size_t)__builtin_popcountll(g->found);
    g->misses = (~maybe & all) | find_hits(&t->accumulator, group, key, g->found, g->slot);
    g->n_misses = (size_t)__builtin_popcountll(g->misses);
    for (unsigned w = 0; w < t->words; w++)
        keep_misses(g->misses, hashes->packed[w] + from, place + w);
}

#else

bool sl_interval_has_avx512(void)
{
    return false;
}

void sl_interval_hash_avx512(const struct sl_interval_table *t, const struct sl_batch *chunk,
                             struct sl_interval_hashes *hashes)
{
    (void)t, (void)chunk, (void)hashes;
}

void sl_interval_split_avx512(const struct sl_interval_table *t, const struct sl_batch *group,
                              const struct sl_interval_hashes *hashes, size_t from,
                              struct sl_interval_group *g, sl_interval_places *place)
{
    (void)t, (void)group, (void)hashes, (void)from, (void)g, (void)place;
}

#endif
