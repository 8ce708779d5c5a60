/* Test program with loops whose cycle counts can be computed by hand for a simple CPU model. It is
 * for x86-64, without a C library. Each loop begins at its own label, loop_NAME. */
#include "bare.h"

#define LOOP(name, n, body)                                                                    \
    "mov $" #n ", %%ecx\n.globl loop_" #name "\n.p2align 6\nloop_" #name ":\n" body            \
    "dec %%ecx\njnz loop_" #name "\n"
#define FOUR(insn) insn insn insn insn

/* Rings of 4 KB, 128 KB and 4 MB of pointers, each to the pointer 64 bytes after it. */
#define NODE 64
static char *ring[4 << 20 >> 3];

static void link_ring(unsigned long bytes)
{
    char *base = (char *)ring;
    for (unsigned long at = 0; at < bytes; at += NODE)
        *(char **)(base + at) = base + (at + NODE) % bytes;
}

static void sums(void)
{
    __asm__ volatile(LOOP(dependent, 20000, FOUR("add %%rax, %%rax\n") FOUR("add %%rax, %%rax\n"))
                     LOOP(independent, 20000, FOUR("add $1, %%rax\nadd $1, %%rdx\n"))
                     LOOP(multiply, 20000, FOUR("imul %%rax, %%rax\n"))
                     LOOP(divide, 20000, "mov $9, %%eax\nmov $0, %%edx\ndiv %%rsi\n")
                     : : "S"(3l) : "rax", "rcx", "rdx", "cc");
}

static void loads(void)
{
    char *self = (char *)&self;
    __asm__ volatile(LOOP(load_use, 20000, FOUR("mov (%%rax), %%rax\n"))
                     LOOP(load_later, 20000,
                          "mov (%%rax), %%rdx\nadd $1, %%rsi\nadd %%rdx, %%rsi\n")
                     : "+a"(self) : : "rcx", "rdx", "rsi", "memory", "cc");
}

int bare_main(void)
{
    char *at = (char *)ring;
    sums();
    loads();
    link_ring(4096);
    __asm__ volatile(LOOP(chase_l1, 20000, "mov (%%rax), %%rax\n") : "+a"(at) : : "rcx", "memory");
    link_ring(128 << 10);
    at = (char *)ring;
    __asm__ volatile(LOOP(chase_l2, 200000, "mov (%%rax), %%rax\n") : "+a"(at) : : "rcx", "memory");
    link_ring(sizeof ring);
    at = (char *)ring;
    __asm__ volatile(LOOP(chase_memory, 100000, "mov (%%rax), %%rax\n") : "+a"(at)
                     : : "rcx", "memory");
    return 0;
}
/* SPDX-License-Identifier: MIT */
