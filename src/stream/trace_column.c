/* Numbers to codes and literals. By long vectors, eight at a time: what is last and what is before that
 * are the eight themselves, moved on by one and two; and an instruction that packs the bytes of a
 * register which a mask chooses writes their literals. */
#include "trace_column.h"

#include "trace_codec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

struct state {
    uint64_t last, before;
};

static unsigned significant_bytes(uint64_t x)
{
    return x ? (71 - (unsigned)__builtin_clzll(x)) / 8 : 0;
}

/* The order of comparisons is such that compilers need no branch. */
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
#define WIDE (__builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw") && \
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
enum { LANES = 8 };

__attribute__((target(TARGET))) static uint8_t *put_wide(const uint64_t *number, size_t n,
                                                         bool zigzag, uint8_t *code, uint8_t *bytes)
{
    /* Within lanes, the number of each byte; and where a lane's lowest byte is. */
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
        size = _mm512_maskz_mov_epi64((__mmask8)~(is_last | is_stride), size);
        _mm_storel_epi64((__m128i *)(code + i), _mm512_cvtepi64_epi8(c));
        __mmask64 keep = _mm512_cmplt_epu8_mask(byte_of_lane, _mm512_shuffle_epi8(size, lowest));
        _mm512_storeu_si512(bytes, _mm512_maskz_compress_epi8(keep, literal));
        bytes += _mm_popcnt_u64(keep);
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
