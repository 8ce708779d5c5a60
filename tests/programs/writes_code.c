/* Test program that writes functions into memory and calls them, like a just-in-time compiler: each
 * function overwrites the previous one and loads a word at another offset. With the argument "self"
 * (x86-64 only), the program instead runs code that overwrites a later instruction on its own page.
 * The program prints a sum. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static uint32_t words[64];

static size_t emit(unsigned char *code, unsigned offset)
{
#if defined(__x86_64__)
    const unsigned char text[] = {0x8b, 0x47, (unsigned char)offset, 0xc3}; /* mov n(%rdi), %eax; ret */
#elif defined(__aarch64__)
    const uint32_t text[] = {0xb9400000 | offset / 4 << 10, 0xd65f03c0}; /* ldr w0, [x0, n]; ret */
#elif defined(__riscv)
    const uint32_t text[] = {0x00052503 | offset << 20, 0x00008067}; /* lw a0, n(a0); ret */
#elif defined(__mips__)
    const uint32_t text[] = {0x03e00008, 0x8c820000 | offset}; /* jr $ra; lw $v0, n($a0) */
#endif
    memcpy(code, text, sizeof text);
    return sizeof text;
}

#if defined(__x86_64__)
/* movb %sil, 5(%rip); mov (%rdi), %eax; add $0, %al (to be overwritten); ret */
static const unsigned char own_page[] = {0x40, 0x88, 0x35, 3, 0, 0, 0, 0x8b, 0x07, 0x04, 0, 0xc3};
#else
static const unsigned char own_page[1];
#endif

int main(int argc, char **argv)
{
    unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    uint32_t sum = 0;
    for (unsigned i = 0; i < 64; i++)
        words[i] = i * i * 2654435761u;
    if (argc > 1 && !strcmp(argv[1], "self")) {
        memcpy(code, own_page, sizeof own_page);
        for (unsigned i = 0; i < 50; i++)
            sum += ((uint32_t(*)(const uint32_t *, unsigned))(uintptr_t)code)(words, i);
    } else {
        for (unsigned i = 0; i < 300; i++) {
            size_t size = emit(code, i * 4 % 128);
            __builtin___clear_cache((char *)code, (char *)code + size);
            for (unsigned k = 0; k < 3; k++)
                sum += ((uint32_t(*)(const uint32_t *))(uintptr_t)code)(words + k);
        }
    }
    printf("%u\n", sum);
    return 0;
}
/* SPDX-License-Identifier: MIT */
