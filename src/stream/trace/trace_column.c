/* SPDX-License-Identifier: MIT */
/* Codec for columns of values or addresses of a trace (docs/trace-format.md). Each number is
 * encoded as a code and, unless it follows from the two numbers before it, a literal. With AVX-512,
 * eight numbers are encoded at once.
 *
 * The numbers `last` and `before` of eight numbers are the eight numbers themselves, shifted by one
 * and two lanes. A byte compression by mask (vpcompressb) writes the literals. */
#include "trace_codec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE __attribute__((always_inline)) static inline

struct state {
    uint64_t last, before;
};

static unsigned significant_bytes(uint64_t x)
{
    return x ? (71 - (unsigned)__builtin_clzll(x)) / 8 : 0;
}

/* Written so that compilers make no branches of the comparisons. */
static uint8_t *put_some(const uint64_t *number, size_t n, bool zigzag, struct state s,
                         uint8_t *code, uint8_t *bytes)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v = number[i], d = v - s.last;
        uint64_t literal = zigzag ? d << 1 ^ (0 - (d >> 63)) : v;
        unsigned size = significant_bytes(literal);
        bool is_last = v == s.last, is_stride = v == 2 * s.last - s.before;
        unsigned c = is_stride ? 1 : SL_TRACE_LITERAL_CODE + size;
        c = is_last ? 0 : c;
        size = (is_last | is_stride) ? 0 : size;
        code[i] = (uint8_t)c;
        sl_put64(bytes, literal);
        bytes += size;
        s = (struct state){v, s.last};
    }
    return bytes;
}

#if defined(__x86_64__)
#define TARGET "avx512f,avx512bw,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,popcnt"
#define WIDE                                                                        \
    (__builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw") && \
     __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
enum { LANES = 8 };

__attribute__((target(TARGET))) static uint8_t *put_wide(const uint64_t *number, size_t n,
                                                         bool zigzag, uint8_t *code, uint8_t *bytes)
{
    /* The index of each byte in its lane, and a shuffle that repeats a lane's lowest byte. */
    const __m512i byte_of_lane = _mm512_set1_epi64(0x0706050403020100);
    const __m512i lowest = _mm512_set4_epi64(0x0808080808080808, 0, 0x0808080808080808, 0);
    __m512i eight_before = _mm512_setzero_si512();
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m512i v = _mm512_loadu_si512(number + i);
        __m512i last = _mm512_alignr_epi64(v, eight_before, 7);
        __m512i before = _mm512_alignr_epi64(v, eight_before, 6);
        __m512i literal = v;
        if (zigzag) {
            __m512i d = _mm512_sub_epi64(v, last);
            literal = _mm512_xor_si512(_mm512_slli_epi64(d, 1), _mm512_srai_epi64(d, 63));
        }
        __mmask8 is_last = _mm512_cmpeq_epi64_mask(v, last);
        __mmask8 is_stride = _mm512_cmpeq_epi64_mask(_mm512_sub_epi64(v, last),
                                                     _mm512_sub_epi64(last, before));
        __m512i size = _mm512_srli_epi64(
            _mm512_sub_epi64(_mm512_set1_epi64(71), _mm512_lzcnt_epi64(literal)), 3);
        __m512i c = _mm512_add_epi64(size, _mm512_set1_epi64(SL_TRACE_LITERAL_CODE));
        c = _mm512_mask_mov_epi64(c, is_stride, _mm512_set1_epi64(1));
        c = _mm512_maskz_mov_epi64((__mmask8)~is_last, c);
        size = _mm512_maskz_mov_epi64((__mmask8) ~(is_last | is_stride), size);
        _mm_storel_epi64((__m128i *)(code + i), _mm512_cvtepi64_epi8(c));
        __mmask64 literal_bytes = _mm512_cmplt_epu8_mask(byte_of_lane,
                                                         _mm512_shuffle_epi8(size, lowest));
        _mm512_storeu_si512(bytes, _mm512_maskz_compress_epi8(literal_bytes, literal));
        bytes += _mm_popcnt_u64(literal_bytes);
        eight_before = v;
    }
    struct state s = {i ? number[i - 1] : 0, i ? number[i - 2] : 0};
    return put_some(number + i, n - i, zigzag, s, code + i, bytes);
}
#else
#define WIDE false
#define LANES 1
#define put_wide(number, n, zigzag, code, bytes) NULL
#endif

uint8_t *sl_trace_put_column(const uint64_t *number, size_t n, bool zigzag, bool plain,
                             uint8_t *code, uint8_t *bytes)
{
    if (n >= LANES && !plain && WIDE)
        return put_wide(number, n, zigzag, code, bytes);
    return put_some(number, n, zigzag, (struct state){0}, code, bytes);
}

/* ---- sizes of literals ---- */

#define NO_CODE (UINT64_C(1) << 40)

static uint64_t size_of(unsigned code)
{
    if (code > SL_TRACE_LITERAL_CODE + 8)
        return NO_CODE;
    return code > SL_TRACE_LITERAL_CODE ? code - SL_TRACE_LITERAL_CODE : 0;
}

static uint64_t sizes_plain(const uint8_t *codes, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += size_of(codes[i] & 15) + size_of(codes[i] >> 4);
    return sum;
}

#if defined(__x86_64__)
#define HAS_AVX2 __builtin_cpu_supports("avx2")
__attribute__((target("avx2"))) static uint64_t sizes_wide(const uint8_t *codes, size_t n)
{
    const __m256i size = _mm256_setr_epi8(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0,
                                          0, /* twice */
                                          0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0);
    const __m256i low = _mm256_set1_epi8(15), last = _mm256_set1_epi8(SL_TRACE_LITERAL_CODE + 8);
    __m256i sum = _mm256_setzero_si256(), highest = sum;
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i two = _mm256_loadu_si256((const __m256i *)(codes + i));
        __m256i first = _mm256_and_si256(two, low),
                second = _mm256_and_si256(_mm256_srli_epi16(two, 4), low);
        __m256i sizes = _mm256_add_epi8(_mm256_shuffle_epi8(size, first),
                                        _mm256_shuffle_epi8(size, second));
        highest = _mm256_max_epu8(highest, _mm256_max_epu8(first, second));
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(sizes, _mm256_setzero_si256()));
    }
    uint64_t lane[4],
        unknown = _mm256_movemask_epi8(_mm256_cmpgt_epi8(highest, last)) ? NO_CODE : 0;
    _mm256_storeu_si256((__m256i *)lane, sum);
    return lane[0] + lane[1] + lane[2] + lane[3] + unknown + sizes_plain(codes + i, n - i);
}
#else
#define HAS_AVX2 false
#define sizes_wide sizes_plain
#endif

uint64_t sl_trace_literals_size(const uint8_t *codes, size_t at, size_t n, bool plain)
{
    uint64_t sum = 0;
    size_t end = at + n;
    if (n && at % 2)
        sum += size_of(codes[at++ / 2] >> 4);
    size_t whole = (end - at) / 2;
    if (end > at && (end - at) % 2)
        sum += size_of(codes[end / 2] & 15);
    return sum + (!plain && HAS_AVX2 ? sizes_wide : sizes_plain)(codes + at / 2, whole);
}

/* ---- codes and literals to numbers ---- */

/* By code: mask of the literal in the next eight bytes. */
static const uint64_t mask_of_code[] = {
    0,
    0,
    0,
    UINT64_C(0xff),
    UINT64_C(0xffff),
    UINT64_C(0xffffff),
    UINT64_C(0xffffffff),
    UINT64_C(0xffffffffff),
    UINT64_C(0xffffffffffff),
    UINT64_C(0xffffffffffffff),
    UINT64_MAX,
};
static const uint8_t size_of_code[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

/* Decodes any codes. */
INLINE void get_some(uint64_t *number, size_t row, size_t n, bool zigzag, const uint8_t *code,
                     struct sl_column_position *at)
{
    uint64_t last = at->last, before = at->before;
    const uint8_t *bytes = at->bytes;
    for (size_t i = 0; i < n; i++, number += row) {
        unsigned c = code[i];
        uint64_t literal = sl_get64(bytes) & mask_of_code[c];
        bytes += size_of_code[c];
        if (zigzag)
            literal = last + (literal >> 1 ^ (0 - (literal & 1)));
        uint64_t v = c == 1 ? 2 * last - before : literal;
        v = c == 0 ? last : v;
        *number = v;
        before = last;
        last = v;
    }
    *at = (struct sl_column_position){last, before, bytes};
}

/* Consecutive codes are often alike: eight repetitions or eight literals have no dependency between
 * numbers. */
INLINE void get_column(uint64_t *number, size_t row, size_t n, bool zigzag, const uint8_t *code,
                       struct sl_column_position *at)
{
    enum { EIGHT = 8 };
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t i = 0;
    for (; i + EIGHT <= n; i += EIGHT, number += EIGHT * row) {
        uint64_t eight = sl_get64(code + i);
        if (!eight) {
            for (size_t k = 0; k < EIGHT; k++)
                number[k * row] = at->last;
            at->before = at->last;
        } else if (!zigzag && !((eight - SL_TRACE_LITERAL_CODE * ones) & ~eight & ones << 7)) {
            for (size_t k = 0; k < EIGHT; k++) {
                number[k * row] = sl_get64(at->bytes) & mask_of_code[code[i + k]];
                at->bytes += size_of_code[code[i + k]];
            }
            at->last = number[7 * row];
            at->before = number[6 * row];
        } else {
            get_some(number, row, EIGHT, zigzag, code + i, at);
        }
    }
    get_some(number, row, n - i, zigzag, code + i, at);
}

void sl_trace_get_column(uint64_t *number, size_t row, size_t n, bool zigzag, const uint8_t *code,
                         struct sl_column_position *at)
{
    if (zigzag)
        get_column(number, row, n, true, code, at);
    else
        get_column(number, row, n, false, code, at);
}
