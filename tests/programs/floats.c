/* Test program with floating-point arithmetic on numbers of all kinds, including the limits of each
 * kind. For each operation, size and rounding mode, with and without an earlier inexact flag, it
 * prints three hashes: a hash of all results, a hash of all results that are not NaN, and a hash of
 * the exceptions that the operations raised. */
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define PAIRS 10000

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Exponents at both ends, in the middle, and where products and quotients come near the ends;
 * fractions with few bits set, so that sums are exact or cancel, and random fractions. */
static uint64_t number(unsigned fraction_bits, unsigned exponent_bits)
{
    uint64_t top = (UINT64_C(1) << exponent_bits) - 1, r = next(), exponent, fraction = next();
    uint64_t ends[] = {0, 0, 1, 2, top, top - 1, top - 2, top / 2, top / 2 + 1, fraction_bits, top / 4, top / 4 * 3};
    exponent = r & 1 ? ends[r / 2 % (sizeof ends / sizeof *ends)] + (r >> 20 & 1) : r / 2 & top;
    exponent = exponent > top ? top : exponent;
    if (r >> 32 & 1)
        fraction = (r >> 33 & 3) << (fraction_bits - 2);
    if (r >> 36 & 1)
        fraction = (r >> 37 & 1) - (r >> 38 & 1);
    return (r >> 40 & 1) << (fraction_bits + exponent_bits) | exponent << fraction_bits |
           (fraction & ((UINT64_C(1) << fraction_bits) - 1));
}

struct sum {
    uint64_t results, numbers, exceptions;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Processors and QEMU return different NaNs; the `numbers` hash counts all of them as 1. */
static void note(struct sum *sum, const void *result, size_t size, int is_number)
{
    uint64_t bits = 0;
    memcpy(&bits, result, size);
    sum->results = mix(sum->results, bits);
    sum->numbers = mix(sum->numbers, is_number ? bits : 1);
    sum->exceptions = mix(sum->exceptions, (uint64_t)fetestexcept(FE_ALL_EXCEPT));
}

/* For an inexact operation that the compiler cannot compute. */
static volatile double three = 3, third;

static void begin(int warm)
{
    feclearexcept(FE_ALL_EXCEPT);
    if (warm)
        third = 1 / three;
}

#define TYPES(type, fraction, exponent)                                                                     \
    typedef type type##_vector __attribute__((vector_size(16)));                                            \
    static type type##_number(void)                                                                         \
    {                                                                                                       \
        uint64_t bits = number(fraction, exponent);                                                         \
        type x;                                                                                             \
        memcpy(&x, &bits, sizeof x);                                                                        \
        return x;                                                                                           \
    }                                                                                                       \
    __attribute__((noinline)) static type type##_op(int op, type a, type b)                                 \
    {                                                                                                       \
        switch (op) {                                                                                       \
        case 0: return a + b;                                                                               \
        case 1: return a - b;                                                                               \
        case 2: return a * b;                                                                               \
        case 3: return a / b;                                                                               \
        case 4: return (type)(4 * (a < b) + 2 * (a == b) + (a >= b));                                       \
        case 5: return (type)(4 * __builtin_isless(a, b) + 2 * __builtin_isunordered(a, b) + (a != b));     \
        default: return a < b ? a : b;                                                                      \
        }                                                                                                   \
    }                                                                                                       \
    __attribute__((noinline)) static type##_vector type##_several(int op, type##_vector a, type##_vector b) \
    {                                                                                                       \
        return op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : a / b;                                 \
    }                                                                                                       \
    static void type##_line(int op, int warm, const char *mode)                                             \
    {                                                                                                       \
        struct sum sum = {1, 1, 1};                                                                         \
        for (int i = 0; i < PAIRS; i++) {                                                                   \
            type a = type##_number(), b = i % 8 ? type##_number() : a;                                      \
            begin(warm);                                                                                    \
            type result = type##_op(op, a, b);                                                              \
            note(&sum, &result, sizeof result, !__builtin_isnan(result));                                   \
        }                                                                                                   \
        printf("%s %d %s %s: %016llx %016llx %016llx\n", #type, op, warm ? "warm" : "cold", mode,           \
               (unsigned long long)sum.results, (unsigned long long)sum.numbers,                            \
               (unsigned long long)sum.exceptions);                                                         \
    }                                                                                                       \
    static void type##_vector_line(int op, int warm, const char *mode)                                      \
    {                                                                                                       \
        enum { N = 16 / sizeof(type) };                                                                     \
        struct sum sum = {1, 1, 1};                                                                         \
        for (int i = 0; i < PAIRS / N; i++) {                                                               \
            type##_vector a, b, result;                                                                     \
            for (int k = 0; k < N; k++) {                                                                   \
                a[k] = type##_number();                                                                     \
                b[k] = type##_number();                                                                     \
            }                                                                                               \
            begin(warm);                                                                                    \
            result = type##_several(op, a, b);                                                              \
            for (int k = 0; k < N; k++) {                                                                   \
                type one = result[k];                                                                       \
                note(&sum, &one, sizeof one, !__builtin_isnan(one));                                        \
            }                                                                                               \
        }                                                                                                   \
        printf("%s vector %d %s %s: %016llx %016llx %016llx\n", #type, op, warm ? "warm" : "cold", mode,    \
               (unsigned long long)sum.results, (unsigned long long)sum.numbers,                            \
               (unsigned long long)sum.exceptions);                                                         \
    }

TYPES(float, 23, 8)
TYPES(double, 52, 11)

static void lines(const char *mode)
{
    for (int warm = 0; warm < 2; warm++) {
        for (int op = 0; op < 7; op++) {
            float_line(op, warm, mode);
            double_line(op, warm, mode);
        }
        for (int op = 0; op < 4; op++) {
            float_vector_line(op, warm, mode);
            double_vector_line(op, warm, mode);
        }
    }
}

int main(void)
{
    const struct {
        int mode;
        const char *name;
    } modes[] = {{FE_TONEAREST, "nearest"}, {FE_UPWARD, "up"}, {FE_DOWNWARD, "down"}, {FE_TOWARDZERO, "zero"}};
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        fesetround(modes[i].mode);
        lines(modes[i].name);
    }
    fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* subnormal results and operands become zero */
    lines("nearest, none subnormal");
#endif
    return 0;
}
/* SPDX-License-Identifier: MIT */
