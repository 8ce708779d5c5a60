/* Start-up code of test programs without a C library, for every guest architecture: the entry
 * point, two system calls and decimal output. The program defines `int bare_main(void)`, whose
 * result is the exit status. */
#ifndef BARE_H
#define BARE_H

int bare_main(void);

#if defined(__x86_64__)
#define BARE_WRITE 1
#define BARE_EXIT 60
__asm__(".globl _start\n.type _start, @function\n_start:\n\txor %ebp, %ebp\n\tcall bare_main\n\t"
        "mov %eax, %edi\n\tmov $60, %eax\n\tsyscall\n\t.size _start, . - _start\n");
static inline long bare_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
#define BARE_WRITE 64
#define BARE_EXIT 93
__asm__(".globl _start\n.type _start, @function\n_start:\n\tbl bare_main\n\tmov x8, #93\n\tsvc #0\n\t"
        ".size _start, . - _start\n");
static inline long bare_call(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                  x2 __asm__("x2") = c;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#elif defined(__riscv)
#define BARE_WRITE 64
#define BARE_EXIT 93
__asm__(".globl _start\n.type _start, @function\n_start:\n\t.option push\n\t.option norelax\n\t"
        "la gp, __global_pointer$\n\t.option pop\n\tjal bare_main\n\tli a7, 93\n\tecall\n\t"
        ".size _start, . - _start\n");
static inline long bare_call(long number, long a, long b, long c)
{
    register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a1 __asm__("a1") = b,
                  a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}
#elif defined(__mips__)
#define BARE_WRITE 4004
#define BARE_EXIT 4001
__asm__(".globl __start\n.type __start, @function\n.ent __start\n__start:\n\t.set noreorder\n\t"
        "jal bare_main\n\tnop\n\tmove $4, $2\n\tli $2, 4001\n\tsyscall\n\t.set reorder\n\t"
        ".end __start\n");
static inline long bare_call(long number, long a, long b, long c)
{
    register long v0 __asm__("$2") = number, a0 __asm__("$4") = a, a1 __asm__("$5") = b,
                  a2 __asm__("$6") = c, a3 __asm__("$7");
    __asm__ volatile("syscall" : "+r"(v0), "=r"(a3) : "r"(a0), "r"(a1), "r"(a2)
                     : "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25",
                       "memory");
    return v0;
}

/* Since version 14, gcc without optimization calls memcpy to copy a struct. */
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n)
{
    for (__SIZE_TYPE__ i = 0; i < n; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
#endif

/* Prints "NAME NUMBER NUMBER ...\n" to standard output. */
static void bare_print_all(const char *name, unsigned n_numbers, const unsigned long *numbers)
{
    char text[200], digits[24];
    unsigned at = 0;
    while (*name && at < 60)
        text[at++] = *name++;
    for (unsigned i = 0; i < n_numbers && i < 5; i++) {
        unsigned long number = numbers[i];
        unsigned n = 0;
        text[at++] = ' ';
        do
            digits[n++] = (char)('0' + number % 10);
        while (number /= 10);
        while (n)
            text[at++] = digits[--n];
    }
    text[at++] = '\n';
    bare_call(BARE_WRITE, 1, (long)text, (long)at);
}

static inline void bare_print(const char *name, unsigned long number)
{
    bare_print_all(name, 1, &number);
}

#endif
/* SPDX-License-Identifier: MIT */
