/* Test program that runs code written at run time, for every guest architecture. The program copies
 * two functions alternately to the same page and runs them there. On x86-64 it also overwrites an
 * instruction before every use. The program prints "entries n" (jumps into the page), "branches n"
 * (executed conditional branches in the page) and "page ADDRESS". */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#define FUNCTION __attribute__((noinline, noclone, aligned(64)))
#define SIZE 96

/* One conditional branch per round. The functions use only registers. */
FUNCTION unsigned once_a_round(unsigned n)
{
    unsigned x = 1;
    do {
        x = x * 3 + n;
        __asm__ volatile("" : "+r"(x));
    } while (--n);
    return x;
}
FUNCTION unsigned other_way(unsigned n)
{
    unsigned x = 7;
    n *= 2;
    do {
        x = (x ^ n) + (x << 2);
        x ^= 5;
        __asm__ volatile("" : "+r"(x));
    } while (--n);
    return x;
}

static unsigned (*put(void *page, unsigned (*code)(unsigned)))(unsigned)
{
    memcpy(page, (const void *)(uintptr_t)code, SIZE);
    __builtin___clear_cache(page, (char *)page + SIZE);
    return (unsigned (*)(unsigned))(uintptr_t)page;
}

int main(void)
{
    unsigned sum = 0, entries = 0, branches = 0;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    for (unsigned k = 0; k < 3; k++) {
        unsigned (*f)(unsigned) = put(page, once_a_round);
        for (unsigned i = 1; i <= 20; i++, entries++, branches += i - 1)
            sum += f(i);
        f = put(page, other_way);
        for (unsigned i = 1; i <= 30; i++, entries++, branches += 2 * (i - 1))
            sum += f(i);
    }
#if defined(__x86_64__)
    uint8_t *code = page;
    memcpy(code, "\xb8\0\0\0\0\xc3", 6); /* mov $n, %eax; ret */
    for (unsigned i = 0; i < 200; i++, entries++) {
        memcpy(code + 1, &i, 4);
        sum += ((unsigned (*)(unsigned))(uintptr_t)page)(0) == i;
    }
#endif
    printf("entries %u\nbranches %u\npage %lx\nsum %u\n", entries, branches, (unsigned long)page, sum);
    return 0;
}
/* SPDX-License-Identifier: MIT */
