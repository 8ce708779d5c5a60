/* Test program with memory accesses of every kind, to more memory than a small cache has. The
 * program executes tens of kilobytes of code, reads arrays forwards, backwards, with strides and at
 * random addresses, follows a linked list, reads a matrix by rows and by columns, and recurses
 * deeply. Accesses are from one byte to a whole vector wide, and either aligned or across cache
 * lines. Some instructions both load and store, at the same address or at two addresses; others are
 * repeated string instructions or atomic instructions. For x86-64, without a C library. */
#include <emmintrin.h>
#include <stdint.h>

#include "bare.h"
#define FUNCTION __attribute__((noinline, noclone))
#define BYTES (1u << 17)

static union {
    uint8_t u8[BYTES];
    uint16_t u16[BYTES / 2];
    uint32_t u32[BYTES / 4];
    uint64_t u64[BYTES / 8];
} data __attribute__((aligned(4096)));

static struct link {
    struct link *next;
    uint64_t value, unused[4];
} links[1000];

/* ---- much code -------------------------------------------------------------- */

/* 200 functions of about 200 bytes; each reads and writes addresses of its own. */
#define MIX(n, x) x = (x ^ x >> 7) * (2654435761u + 2 * n) + data.u32[97 * n % 4096]; \
    data.u32[31 * n % 4096] ^= x;
#define PIECE(n) FUNCTION uint32_t piece_##n(uint32_t x) { MIX(n, x) MIX(n + 1, x) MIX(n + 2, x) \
    MIX(n + 3, x) return x; }
#define TEN(do, n) do(n##0) do(n##1) do(n##2) do(n##3) do(n##4) do(n##5) do(n##6) do(n##7) \
    do(n##8) do(n##9)
#define ALL(do) TEN(do, 1) TEN(do, 2) TEN(do, 3) TEN(do, 4) TEN(do, 5) TEN(do, 6) TEN(do, 7) \
    TEN(do, 8) TEN(do, 9) TEN(do, 10) TEN(do, 11) TEN(do, 12) TEN(do, 13) TEN(do, 14) \
    TEN(do, 15) TEN(do, 16) TEN(do, 17) TEN(do, 18) TEN(do, 19) TEN(do, 20)
ALL(PIECE)
#define NAME(n) piece_##n,
static uint32_t (*const pieces[])(uint32_t) = {ALL(NAME)};

FUNCTION uint32_t much_code(uint32_t x)
{
    for (unsigned i = 0; i < 3000; i++)
        x = pieces[(i % 3 ? x >> 8 : i) % (sizeof pieces / sizeof *pieces)](x);
    return x;
}

/* ---- much data --------------------------------------------------------------- */

FUNCTION uint64_t strides(void)
{
    uint64_t sum = 0;
    for (unsigned stride = 1; stride < 5000; stride = stride * 3 + 1)
        for (unsigned i = 0; i < 2000; i++)
            sum += data.u8[i * stride % BYTES];
    for (unsigned i = BYTES / 8; i-- > 0;)
        data.u64[i] += sum + i;
    return sum;
}

FUNCTION uint32_t anywhere(uint32_t x)
{
    for (unsigned i = 0; i < 5000; i++) {
        x = x * 1664525 + 1013904223;
        if (x & 64)
            data.u16[x >> 16] = (uint16_t)i;
        else
            x ^= data.u16[x >> 16];
    }
    return x;
}

FUNCTION uint64_t list(uint32_t x)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 1000; i++) {
        links[i * 7 % 1000].next = &links[(i + 1) * 7 % 1000];
        links[i].value = x + i;
    }
    struct link *l = links;
    for (unsigned i = 0; i < 2500; i++, l = l->next)
        sum += l->value;
    return sum;
}

FUNCTION void transpose(uint32_t *to, const uint32_t *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            to[j * n + i] = from[i * n + j];
}

FUNCTION uint64_t deep(unsigned depth, uint64_t x)
{
    volatile uint64_t local[5] = {x, depth};
    uint64_t below = depth ? deep(depth - 1, x * 3 + local[1]) : 0;
    return below + local[0];
}

/* ---- odd accesses -------------------------------------------------------------- */

/* Accesses of every size, at every offset in a cache line and across its end. */
FUNCTION uint64_t unaligned(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4000; i++) {
        uint8_t *at = data.u8 + i * 61 % (BYTES - 64);
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        __builtin_memcpy(&u16, at + 1, sizeof u16);
        __builtin_memcpy(&u32, at + 9, sizeof u32);
        __builtin_memcpy(&u64, at + 21, sizeof u64);
        sum += u16 + u32 + u64;
        __builtin_memcpy(at + 30, &sum, sizeof sum);
        _mm_storeu_si128((void *)(at + 7), _mm_loadu_si128((const void *)(at + 40)));
    }
    return sum;
}

FUNCTION void load_and_store(void)
{
    for (unsigned i = 0; i < 3000; i++) {
        uint8_t *at = data.u8 + i * 83 % (BYTES - 64);
        __asm__ volatile("addq $3, (%0)\n\tincb 9(%0)\n\tnotl 30(%0)\n\tshlw $1, 61(%0)\n\t"
                         "lock addl $5, 16(%0)\n\tlock xaddq %%rax, 24(%0)\n\t"
                         "xchg %%eax, 40(%0)\n\t"
                         "lea -128(%%rsp), %%rsp\n\tpushq 50(%0)\n\tpopq 8(%0)\n\t"
                         "push %%rax\n\tpop %%rdx\n\tlea 128(%%rsp), %%rsp"
                         : : "r"(at) : "rax", "rdx", "cc", "memory");
    }
}

FUNCTION void repeated(void)
{
    for (unsigned i = 0; i < 60; i++) {
        void *to = data.u8 + i * 997, *from = data.u8 + BYTES / 2 + i * 331;
        unsigned long n = i * 5;
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
        n = i % 7;
        __asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(n) : "memory");
        n = i;
        __asm__ volatile("rep movsl" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    }
}

int bare_main(void)
{
    uint64_t x = much_code(1);
    bare_print("code", x);
    bare_print("strides", strides());
    bare_print("anywhere", anywhere((uint32_t)x));
    bare_print("list", list((uint32_t)x));
    transpose(data.u32, data.u32 + BYTES / 8, 100);
    bare_print("deep", deep(300, x));
    bare_print("unaligned", unaligned());
    load_and_store();
    repeated();
    for (unsigned i = 0; i < BYTES; i += 8)
        x = x * 5 + data.u64[i / 8];
    bare_print("data", x);
    return 0;
}
/* SPDX-License-Identifier: MIT */
