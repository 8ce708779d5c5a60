/* Test program that loads from a table with known contents, with loads of every width. Each kind of
 * load is in a loop in its own function. For each value, the program prints "FUNCTION value count",
 * with the value in hexadecimal, zero-extended. It uses no C library. Compile with -O1 or more,
 * because -O0 also loads local variables. */
#include <stdint.h>

#include "bare.h"
#define FUNCTION __attribute__((noinline, noclone))
#define ROUNDS 3000u
#define SLOTS 64u
/* Squares, so that some slots are loaded much more often than others. */
#define SLOT(i) ((i) * (i) % SLOTS)

#if defined(__x86_64__)
#define USE_FLOAT(x) __asm__ volatile("" ::"x"(x))
#elif defined(__aarch64__)
#define USE_FLOAT(x) __asm__ volatile("" ::"w"(x))
#else
#define USE_FLOAT(x) __asm__ volatile("" ::"f"(x))
#endif
#define USE(x) __asm__ volatile("" ::"r"(x))

#define LOADER(name, type, use)                                                                    \
    FUNCTION void name(const volatile type *table)                                                 \
    {                                                                                              \
        for (unsigned i = 0; i < ROUNDS; i++) {                                                    \
            type x = table[SLOT(i)];                                                               \
            use(x);                                                                                \
        }                                                                                          \
    }

LOADER(load_u8, uint8_t, USE)
LOADER(load_s8, int8_t, USE)
LOADER(load_u16, uint16_t, USE)
LOADER(load_s16, int16_t, USE)
LOADER(load_u32, uint32_t, USE)
LOADER(load_s32, int32_t, USE)
#if __SIZEOF_LONG__ == 8
LOADER(load_u64, uint64_t, USE)
#endif
LOADER(load_float, float, USE_FLOAT)
LOADER(load_double, double, USE_FLOAT)
#if defined(__x86_64__) || defined(__aarch64__)
typedef uint64_t wide __attribute__((vector_size(16)));
LOADER(load_wide, wide, USE_FLOAT)
#endif

/* One instruction that loads and stores: the loaded value is the old one. */
FUNCTION void add_in_memory(volatile uint32_t *x)
{
    for (unsigned i = 0; i < 100; i++)
        *x += 3;
}
FUNCTION void add_atomically(uint32_t *x)
{
    for (unsigned i = 0; i < 100; i++)
        __atomic_fetch_add(x, 3, __ATOMIC_RELAXED);
}

static uint8_t bytes[SLOTS];
static uint16_t halves[SLOTS];
static uint32_t words[SLOTS];
static uint64_t longs[SLOTS];
static float floats[SLOTS];
static double doubles[SLOTS];
#if defined(__x86_64__) || defined(__aarch64__)
static wide wides[SLOTS];
#endif
static uint32_t counter, atomic_counter;

static void print(const char *name, uint64_t value, unsigned count)
{
    char text[100], *at = text;
    while (*name)
        *at++ = *name++;
    *at++ = ' ';
    for (int shift = 60; shift >= 0; shift -= 4)
        if (value >> shift || !shift)
            *at++ = "0123456789abcdef"[value >> shift & 15];
    *at = 0;
    bare_print(text, count);
}

/* The distinct values of a table and how often their slots are loaded. */
#define HISTOGRAM(name, table, type, bits)                                                         \
    do {                                                                                           \
        for (unsigned i = 0; i < SLOTS; i++) {                                                     \
            union { type t; bits b; } here = {table[i]}, there;                                    \
            unsigned count = 0, first = 1;                                                         \
            for (unsigned j = 0; j < SLOTS; j++) {                                                 \
                there.t = table[j];                                                                \
                if (there.b == here.b && j < i)                                                    \
                    first = 0;                                                                     \
                if (there.b == here.b)                                                             \
                    count += loaded[j];                                                            \
            }                                                                                      \
            if (first && count)                                                                    \
                print(name, here.b, count);                                                        \
        }                                                                                          \
    } while (0)

static unsigned loaded[SLOTS];

int bare_main(void)
{
    uint64_t x = UINT64_C(0x123456789abcdef1);
    for (unsigned i = 0; i < ROUNDS; i++)
        loaded[SLOT(i)]++;
    for (unsigned i = 0; i < SLOTS; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        bytes[i] = (uint8_t)(i & 1 ? x : 0xff);
        halves[i] = (uint16_t)(i & 1 ? x : 0x8001);
        words[i] = (uint32_t)(i & 1 ? x : 0xfffffffe);
        longs[i] = i & 1 ? x : 0x8000000000000003;
        floats[i] = (float)(int)i / 3 - 5;
        doubles[i] = (double)(int)i / 7 - 3;
    }
    load_u8(bytes);
    HISTOGRAM("load_u8", bytes, uint8_t, uint8_t);
    load_s8((const int8_t *)bytes);
    HISTOGRAM("load_s8", bytes, uint8_t, uint8_t);
    load_u16(halves);
    HISTOGRAM("load_u16", halves, uint16_t, uint16_t);
    load_s16((const int16_t *)halves);
    HISTOGRAM("load_s16", halves, uint16_t, uint16_t);
    load_u32(words);
    HISTOGRAM("load_u32", words, uint32_t, uint32_t);
    load_s32((const int32_t *)words);
    HISTOGRAM("load_s32", words, uint32_t, uint32_t);
#if __SIZEOF_LONG__ == 8
    load_u64(longs);
    HISTOGRAM("load_u64", longs, uint64_t, uint64_t);
#endif
    load_float(floats);
    HISTOGRAM("load_float", floats, float, uint32_t);
    load_double(doubles);
    HISTOGRAM("load_double", doubles, double, uint64_t);
#if defined(__x86_64__) || defined(__aarch64__)
    for (unsigned i = 0; i < SLOTS; i++)
        wides[i] = (wide){longs[i], i};
    load_wide(wides);
    HISTOGRAM("load_wide", longs, uint64_t, uint64_t);
#endif
    add_in_memory(&counter);
    add_atomically(&atomic_counter);
    for (unsigned i = 0; i < 100; i++) {
        print("add_in_memory", 3 * i, 1);
        print("add_atomically", 3 * i, 1);
    }
    return counter == atomic_counter ? 0 : 1;
}
/* SPDX-License-Identifier: MIT */
