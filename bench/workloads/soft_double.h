/* IEEE 754 double-precision arithmetic with integer instructions, for the workloads dfadd, dfdiv,
 * dfmul and dfsin. The operations are add, subtract, multiply and divide. They round to nearest,
 * ties to even, and support subnormal numbers, infinities and NaN. All NaN results are the same
 * NaN, and exception flags are not supported.
 *
 * Between unpacking and packing a number is
 *
 *     63 62                    10 9        0
 *      0 1.fraction, 52 bits      rounding        times 2 to the (exponent - 1023)
 *
 * where the lowest bit is also set if any bit that was shifted out on the right was set.
 * Subnormal numbers are normalized, with exponents of 0 and less. */
#ifndef SOFT_DOUBLE_H
#define SOFT_DOUBLE_H

#include "workload.h"

#define DF_NAN UINT64_C(0x7ff8000000000000)
#define DF_INFINITY UINT64_C(0x7ff0000000000000)
#define DF_SIGN UINT64_C(0x8000000000000000)
#define DF_ONE UINT64_C(0x3ff0000000000000)
#define DF_TOP (UINT64_C(1) << 62)

enum df_kind { DF_ZERO, DF_FINITE, DF_INFINITE, DF_NOT_A_NUMBER };

struct df {
    enum df_kind kind;
    int32_t exponent;
    uint64_t significand;
    uint64_t sign; /* DF_SIGN or 0 */
};

/* Left shifts until bit 62 is the highest set bit; `x` is not 0 and bit 63 is clear. */
PART int32_t df_normalizing(uint64_t x)
{
    int32_t n = 0;
    for (int32_t step = 32; step; step /= 2)
        if (!(x >> (63 - step))) {
            x <<= step;
            n += step;
        }
    return n;
}

/* Shifts right by n and sets the lowest bit if bits were lost. */
static inline uint64_t df_shift_right(uint64_t x, int32_t n)
{
    if (n >= 63)
        return x != 0;
    return x >> n | ((x & ((UINT64_C(1) << n) - 1)) != 0);
}

PART struct df df_unpack(uint64_t bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int32_t exponent = (int32_t)(bits >> 52 & 0x7ff);
    struct df x = {DF_FINITE, exponent, fraction << 10 | DF_TOP, bits & DF_SIGN};
    if (exponent == 0x7ff) {
        x.kind = fraction ? DF_NOT_A_NUMBER : DF_INFINITE;
    } else if (!exponent && !fraction) {
        x.kind = DF_ZERO;
    } else if (!exponent) {
        int32_t n = df_normalizing(fraction << 10);
        x.exponent = 1 - n;
        x.significand = fraction << (10 + n);
    }
    return x;
}

PART uint64_t df_pack(uint64_t sign, int32_t exponent, uint64_t significand)
{
    if (exponent >= 0x7ff)
        return sign | DF_INFINITY;
    if (exponent < 1) {
        significand = df_shift_right(significand, 1 - exponent);
        exponent = 1;
    }
    uint64_t rounding = significand & 0x3ff;
    significand = (significand + 0x200) >> 10;
    if (rounding == 0x200)
        significand &= ~UINT64_C(1);
    /* The bit before the point adds 1 to the exponent, if it is set,
     * also by rounding; the greatest number plus 1 is infinity. */
    return sign | (((uint64_t)(exponent - 1) << 52) + significand);
}

PART uint64_t df_add(uint64_t left, uint64_t right)
{
    struct df a = df_unpack(left), b = df_unpack(right);
    if (a.kind == DF_NOT_A_NUMBER || b.kind == DF_NOT_A_NUMBER)
        return DF_NAN;
    if (a.kind == DF_INFINITE || b.kind == DF_INFINITE)
        return a.kind == b.kind && a.sign != b.sign ? DF_NAN : a.kind == DF_INFINITE ? left : right;
    if (a.kind == DF_ZERO || b.kind == DF_ZERO)
        return a.kind != DF_ZERO ? left : b.kind != DF_ZERO ? right : left & right;
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        struct df greater = b;
        b = a;
        a = greater;
    }
    uint64_t lesser = df_shift_right(b.significand, a.exponent - b.exponent);
    if (a.sign == b.sign) {
        uint64_t sum = a.significand + lesser;
        return sum >> 63 ? df_pack(a.sign, a.exponent + 1, df_shift_right(sum, 1))
                         : df_pack(a.sign, a.exponent, sum);
    }
    uint64_t difference = a.significand - lesser;
    if (!difference)
        return 0;
    int32_t n = df_normalizing(difference);
    return df_pack(a.sign, a.exponent - n, difference << n);
}

PART uint64_t df_subtract(uint64_t left, uint64_t right)
{
    return df_add(left, right ^ DF_SIGN);
}

/* The high half of a product of 128 bits; its lowest bit is set if the low half is not 0. */
PART uint64_t df_product(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, cross = a_high * b_low, other = a_low * b_high;
    uint64_t middle = (low >> 32) + (uint32_t)cross + (uint32_t)other;
    uint64_t high = a_high * b_high + (cross >> 32) + (other >> 32) + (middle >> 32);
    return high | ((uint32_t)low || (uint32_t)middle);
}

PART uint64_t df_multiply(uint64_t left, uint64_t right)
{
    struct df a = df_unpack(left), b = df_unpack(right);
    uint64_t sign = a.sign ^ b.sign;
    if (a.kind == DF_NOT_A_NUMBER || b.kind == DF_NOT_A_NUMBER)
        return DF_NAN;
    if (a.kind == DF_INFINITE || b.kind == DF_INFINITE)
        return a.kind == DF_ZERO || b.kind == DF_ZERO ? DF_NAN : sign | DF_INFINITY;
    if (a.kind == DF_ZERO || b.kind == DF_ZERO)
        return sign;
    uint64_t product = df_product(a.significand, b.significand << 1);
    int32_t exponent = a.exponent + b.exponent - 1023;
    return product & DF_TOP ? df_pack(sign, exponent + 1, product)
                            : df_pack(sign, exponent, product << 1);
}

/* The quotient, bit by bit, of two numbers whose highest set bit is 62; a >= b. */
PART uint64_t df_quotient(uint64_t a, uint64_t b)
{
    uint64_t quotient = 0;
    for (uint32_t i = 0; i < 63; i++) {
        quotient <<= 1;
        if (a >= b) {
            a -= b;
            quotient |= 1;
        }
        a <<= 1;
    }
    return quotient | (a != 0);
}

PART uint64_t df_divide(uint64_t left, uint64_t right)
{
    struct df a = df_unpack(left), b = df_unpack(right);
    uint64_t sign = a.sign ^ b.sign;
    if (a.kind == DF_NOT_A_NUMBER || b.kind == DF_NOT_A_NUMBER)
        return DF_NAN;
    if (a.kind == b.kind && a.kind != DF_FINITE)
        return DF_NAN;
    if (a.kind == DF_INFINITE || b.kind == DF_ZERO)
        return sign | DF_INFINITY;
    if (a.kind == DF_ZERO || b.kind == DF_INFINITE)
        return sign;
    int32_t exponent = a.exponent - b.exponent + 1023;
    bool less = a.significand < b.significand;
    return df_pack(sign, exponent - less, df_quotient(a.significand << less, b.significand));
}

#endif
/* SPDX-License-Identifier: MIT */
