/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faster floating-point helper functions for QEMU, with bit-identical results.
 *
 * QEMU computes floating-point operations with integers (softfloat.c). It uses the host's FPU if
 * the only exception flag that the operation could raise is "inexact", and that flag is set
 * already. But its classification of operands and results takes longer than the rest of the
 * instruction. This header makes the same tests on bit patterns, inline:
 *
 *     values by their bits, without the sign:
 *     0 | subnormal | smallest normal ........ normal ......... | infinity, NaN
 *         ^ no operand here                ^ the result must be here
 *
 * A result in that range had no infinite or NaN operand, has neither overflowed nor come near to
 * underflowing, and is rounded as the guest requests. All other cases call QEMU's functions.
 *
 * Include it after softfloat.h, in the files whose helper functions should be faster. */
#ifndef SLUICE_QUICK_FLOAT_H
#define SLUICE_QUICK_FLOAT_H

static inline bool quick_float_rounds(const float_status *s)
{
    return (s->float_exception_flags & float_flag_inexact) &&
           s->float_rounding_mode == float_round_nearest_even;
}

/* `size`: bits of the format; `type`: the C type that the host computes with. */
#define QUICK_FLOAT(size, type, word, fraction_bits, exponent_bits)                            \
    static inline word quick_float##size##_bits(type x)                                        \
    {                                                                                          \
        word bits;                                                                             \
        memcpy(&bits, &x, sizeof bits);                                                        \
        return bits;                                                                           \
    }                                                                                          \
    static inline type quick_float##size##_number(float##size x)                               \
    {                                                                                          \
        word bits = float##size##_val(x);                                                      \
        type number;                                                                           \
        memcpy(&number, &bits, sizeof number);                                                 \
        return number;                                                                         \
    }                                                                                          \
    static inline bool quick_float##size##_is_operand(float##size x)                           \
    {                                                                                          \
        const word smallest = (word)2 << fraction_bits; /* normal; the shift drops the sign */ \
        return (word)((word)(float##size##_val(x) << 1) - 1) >= smallest - 1;                  \
    }                                                                                          \
    static inline bool quick_float##size##_is_result(type x)                                   \
    {                                                                                          \
        const word smallest = (word)2 << fraction_bits;                                        \
        const word infinite = (((word)1 << exponent_bits) - 1) << (fraction_bits + 1);         \
        return (word)((word)(quick_float##size##_bits(x) << 1) - smallest - 1) <               \
               infinite - smallest - 1;                                                        \
    }

QUICK_FLOAT(32, float, uint32_t, 23, 8)
QUICK_FLOAT(64, double, uint64_t, 52, 11)

#define QUICK_FLOAT_OPERATION(size, type, name, operator)                                       \
    static inline float##size quick_float##size##_##name(float##size a, float##size b,          \
                                                         float_status *s)                       \
    {                                                                                           \
        type result = quick_float##size##_number(a) operator quick_float##size##_number(b);     \
        if (likely(quick_float_rounds(s) && quick_float##size##_is_operand(a) &&                \
                   quick_float##size##_is_operand(b) && quick_float##size##_is_result(result))) \
            return make_float##size(quick_float##size##_bits(result));                          \
        return float##size##_##name(a, b, s);                                                   \
    }

QUICK_FLOAT_OPERATION(32, float, add, +)
QUICK_FLOAT_OPERATION(32, float, sub, -)
QUICK_FLOAT_OPERATION(32, float, mul, *)
QUICK_FLOAT_OPERATION(32, float, div, /)
QUICK_FLOAT_OPERATION(64, double, add, +)
QUICK_FLOAT_OPERATION(64, double, sub, -)
QUICK_FLOAT_OPERATION(64, double, mul, *)
QUICK_FLOAT_OPERATION(64, double, div, /)

/* A comparison of two numbers, neither of them NaN, raises no exception flags. */
#define QUICK_FLOAT_COMPARISON(size, type, name)                                         \
    static inline FloatRelation quick_float##size##_##name(float##size a, float##size b, \
                                                           float_status *s)              \
    {                                                                                    \
        type x = quick_float##size##_number(a), y = quick_float##size##_number(b);       \
        if (likely(!__builtin_isunordered(x, y) && quick_float##size##_is_operand(a) &&  \
                   quick_float##size##_is_operand(b)))                                   \
            return (FloatRelation)((x > y) - (x < y));                                   \
        return float##size##_##name(a, b, s);                                            \
    }

QUICK_FLOAT_COMPARISON(32, float, compare)
QUICK_FLOAT_COMPARISON(32, float, compare_quiet)
QUICK_FLOAT_COMPARISON(64, double, compare)
QUICK_FLOAT_COMPARISON(64, double, compare_quiet)

#define float32_add quick_float32_add
#define float32_sub quick_float32_sub
#define float32_mul quick_float32_mul
#define float32_div quick_float32_div
#define float64_add quick_float64_add
#define float64_sub quick_float64_sub
#define float64_mul quick_float64_mul
#define float64_div quick_float64_div
#define float32_compare quick_float32_compare
#define float32_compare_quiet quick_float32_compare_quiet
#define float64_compare quick_float64_compare
#define float64_compare_quiet quick_float64_compare_quiet

#endif
