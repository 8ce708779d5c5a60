/* Test program with calls through tables of function pointers, which C programs use like the method
 * tables of classes. It is for every guest architecture and uses no C library. For each call site
 * it prints "site slot callee count", like the C++ test program classes.cc. */
#include "bare.h"
#define FUNCTION __attribute__((noinline, noclone))

struct thing;
struct methods {
    int (*open)(struct thing *, int);
    int (*close)(struct thing *, int);
};
struct thing {
    const struct methods *methods;
    int data[400];
};

FUNCTION int open_file(struct thing *t, int x) { return x + t->data[0]; }
FUNCTION int open_pipe(struct thing *t, int x) { return x ^ t->data[1]; }
FUNCTION __attribute__((used)) int close_any(struct thing *t, int x) { return x - t->data[2]; }
static const struct methods files = {open_file, close_any}, pipes = {open_pipe, close_any};
static struct thing file = {.methods = &files}, pipe = {.methods = &pipes};

FUNCTION int call_open(struct thing *t, int x) { return t->methods->open(t, x) + 1; }
FUNCTION int call_close(struct thing *t, int x) { return t->methods->close(t, x) + 1; }
/* Long blocks: the slot is loaded first or last, next to
 * 180 other loads, more than the tap buffers at a time. */
#define ADD1(i) sum += *(volatile int *)&t->data[i];
#define ADD10(i) ADD1(i) ADD1(i + 1) ADD1(i + 2) ADD1(i + 3) ADD1(i + 4) ADD1(i + 5) ADD1(i + 6) \
    ADD1(i + 7) ADD1(i + 8) ADD1(i + 9)
#define ADD60(i) ADD10(i) ADD10(i + 10) ADD10(i + 20) ADD10(i + 30) ADD10(i + 40) ADD10(i + 50)
FUNCTION int call_from_start(struct thing *t, int x)
{
    int sum = x;
    int (*open)(struct thing *, int) = *(int (*const volatile *)(struct thing *, int))&t->methods->open;
    ADD60(0) ADD60(60) ADD60(120)
    return open(t, sum) + 1;
}
FUNCTION int call_at_end(struct thing *t, int x)
{
    int sum = x;
    ADD60(0) ADD60(60) ADD60(120)
    return t->methods->open(t, sum) + 1;
}

#if defined(__x86_64__)
/* The register was loaded from a slot, but then computed again, in
 * another block than the call: the call's target comes from no slot. */
int call_computed(struct thing *t, int x);
__asm__(".text\n.type call_computed, @function\ncall_computed:\n\t"
        "push %rbx\n\tmov (%rdi), %rax\n\tmov (%rax), %rbx\n\tjmp 1f\n"
        "1:\tlea close_any(%rip), %rbx\n\txor %eax, %eax\n\tjmp 2f\n"
        "2:\tcall *%rbx\n\tpop %rbx\n\tret\n\t.size call_computed, . - call_computed\n");
#endif

static void say(const char *site, const void *slot, const char *callee, unsigned long count)
{
    char text[60], *at = text;
    unsigned long value = (unsigned long)slot;
    while (*site)
        *at++ = *site++;
    *at++ = ' ';
    for (int shift = 8 * (int)sizeof value - 4; shift >= 0; shift -= 4)
        if (value >> shift || !shift)
            *at++ = "0123456789abcdef"[value >> shift & 15];
    *at++ = ' ';
    while (*callee)
        *at++ = *callee++;
    *at = 0;
    bare_print(text, count);
}

int bare_main(void)
{
    int sum = 0;
    for (int i = 0; i < 300; i++) {
        sum += call_open(i % 3 ? &file : &pipe, i);
        sum += call_close(i % 5 ? &file : &pipe, i);
    }
    for (int i = 0; i < 2000; i++) {
        sum += call_from_start(i % 4 ? &file : &pipe, i);
        sum += call_at_end(i % 2 ? &file : &pipe, i);
    }
#if defined(__x86_64__)
    for (int i = 0; i < 100; i++)
        sum += call_computed(&file, i);
    say("call_computed", 0, "close_any", 100);
#endif
    say("call_open", &files.open, "open_file", 200);
    say("call_open", &pipes.open, "open_pipe", 100);
    say("call_close", &files.close, "close_any", 240);
    say("call_close", &pipes.close, "close_any", 60);
    say("call_from_start", &files.open, "open_file", 1500);
    say("call_from_start", &pipes.open, "open_pipe", 500);
    say("call_at_end", &files.open, "open_file", 1000);
    say("call_at_end", &pipes.open, "open_pipe", 1000);
    return sum & 63;
}
/* SPDX-License-Identifier: MIT */
