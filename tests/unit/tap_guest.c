/* SPDX-License-Identifier: MIT */
/* Unit tests of the tap (sluice's code inside QEMU): the loads and region markers that it
 * recognizes in instructions of each guest architecture (tap/guest.c). tests/oracle/tap_guest.t
 * compares its results for many more instructions with those of objdump. */
#include <string.h>

#include "../../tap/guest.c"
#include "../../tap/loads_risc.c"
#include "../../tap/loads_x86.c"
#include "tap.h"

#define NOT LOADS_UNKNOWN
#define RMW LOADS_THEN_STORES

struct sample {
    const char *target, *text;
    uint8_t bytes[16];
    size_t size;
    int loads;
};

#define BYTES(...) {__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})

/* What objdump's test has too few of, or none. */
static const struct sample samples[] = {
    {"x86_64", "mov %rax,(%rdi)", BYTES(0x48, 0x89, 0x07), 0},
    {"x86_64", "movl $1,%fs:8", BYTES(0x64, 0xc7, 0x04, 0x25, 8, 0, 0, 0, 1, 0, 0, 0), 0},
    {"x86_64", "mov 0x1122334455667788,%al", BYTES(0xa0, 8, 7, 6, 5, 4, 3, 2, 1), 1},
    {"x86_64", "mov 0x1122334455667788,%rax", BYTES(0x48, 0xa1, 8, 7, 6, 5, 4, 3, 2, 1), 8},
    {"x86_64", "mov (%eax),%eax", BYTES(0x67, 0x8b, 0x00), NOT},
    {"x86_64", "rep stos", BYTES(0xf3, 0x48, 0xab), 0},
    {"x86_64", "rep movsb", BYTES(0xf3, 0xa4), NOT},
    {"x86_64", "push %r12", BYTES(0x41, 0x54), 0},
    {"x86_64", "push (%rax)", BYTES(0xff, 0x30), 8 | RMW},
    {"x86_64", "pushw (%rax)", BYTES(0x66, 0xff, 0x30), 2 | RMW},
    {"x86_64", "pop %rax", BYTES(0x58), 8},
    {"x86_64", "pop %ax", BYTES(0x66, 0x58), 2},
    {"x86_64", "data16 rex.W pop %rax", BYTES(0x66, 0x48, 0x58), 8},
    {"x86_64", "pop %rax, the long way", BYTES(0x8f, 0xc0), NOT},
    {"x86_64", "pop (%rax)", BYTES(0x8f, 0x00), NOT},
    {"x86_64", "ret", BYTES(0xc3), 8},
    {"x86_64", "data16 ret", BYTES(0x66, 0xc3), 2},
    {"x86_64", "leavew", BYTES(0x66, 0xc9), 2},
    {"x86_64", "call", BYTES(0xe8, 0, 0, 0, 0), 0},
    {"x86_64", "call *(%rax)", BYTES(0xff, 0x10), 8 | RMW},
    {"x86_64", "data16 jmp *(%rax)", BYTES(0x66, 0xff, 0x20), 8},
    {"x86_64", "lcall *(%rax)", BYTES(0xff, 0x18), NOT},
    {"x86_64", "add %eax,(%rdi)", BYTES(0x01, 0x07), 4 | RMW},
    {"x86_64", "add (%rdi),%ax", BYTES(0x66, 0x03, 0x07), 2},
    {"x86_64", "cmp %al,(%rdi)", BYTES(0x38, 0x07), 1},
    {"x86_64", "lock add %eax,(%rdi)", BYTES(0xf0, 0x01, 0x07), NOT},
    {"x86_64", "xchg %eax,(%rdi)", BYTES(0x87, 0x07), NOT},
    {"x86_64", "mov %eax,%ds", BYTES(0x8e, 0xd8), NOT},
    {"x86_64", "xbegin", BYTES(0xc7, 0xf8, 0, 0, 0, 0), NOT},
    {"x86_64", "bt $3,(%rax)", BYTES(0x0f, 0xba, 0x20, 3), 4},
    {"x86_64", "bts $3,(%rax)", BYTES(0x0f, 0xba, 0x28, 3), 4 | RMW},
    {"x86_64", "bt %ecx,(%rax)", BYTES(0x0f, 0xa3, 0x08), NOT},
    {"x86_64", "bndmov (%rax),%bnd0", BYTES(0x66, 0x0f, 0x1a, 0x00), NOT},
    {"x86_64", "lar %ax,%eax", BYTES(0x0f, 0x02, 0xc0), NOT},
    {"x86_64", "movq %xmm0,(%rax)", BYTES(0x66, 0x0f, 0xd6, 0x00), 0},
    {"x86_64", "vmovdqu %ymm0,(%rdi)", BYTES(0xc5, 0xfe, 0x7f, 0x07), 0},
    {"x86_64", "addsd %xmm1,%xmm0", BYTES(0xf2, 0x0f, 0x58, 0xc1), 0},
    {"x86_64", "addsd (%rax),%xmm0", BYTES(0xf2, 0x0f, 0x58, 0x00), 8},
    {"x86_64", "addps (%rax),%xmm0", BYTES(0x0f, 0x58, 0x00), NOT},
    {"x86_64", "movq (%rax),%xmm0", BYTES(0xf3, 0x0f, 0x7e, 0x00), 8},
    {"x86_64", "vmovq (%rax),%xmm0", BYTES(0xc5, 0xfa, 0x7e, 0x00), 8},
    {"x86_64", "vcvtsi2sd (%rax),%xmm1,%xmm0", BYTES(0xc5, 0xf3, 0x2a, 0x00), 4},
    {"x86_64", "vcvtsi2sdq (%rax),%xmm1,%xmm0", BYTES(0xc4, 0xe1, 0xf3, 0x2a, 0x00), 8},
    {"x86_64", "sarx %eax,(%rdi),%eax", BYTES(0xc4, 0xe2, 0x7a, 0xf7, 0x07), 4},
    {"x86_64", "rorx $3,(%rdi),%rax", BYTES(0xc4, 0xe3, 0xfb, 0xf0, 0x07, 3), 8},
    {"x86_64", "movddup (%rax),%xmm0", BYTES(0xf2, 0x0f, 0x12, 0x00), NOT},
    {"x86_64", "maskmovdqu %xmm1,%xmm0", BYTES(0x66, 0x0f, 0xf7, 0xc1), NOT},
    {"x86_64", "vzeroupper", BYTES(0xc5, 0xf8, 0x77), 0},
    {"x86_64", "fldl (%rax)", BYTES(0xdd, 0x00), NOT},
    {"x86_64", "a cut mov %rax,8(%rdi)", BYTES(0x48, 0x89, 0x47), NOT},
    {"aarch64", "str x0,[x1,#8]", BYTES(0x20, 0x04, 0x00, 0xf9), 0},
    {"aarch64", "stp x29,x30,[sp,#-16]!", BYTES(0xfd, 0x7b, 0xbf, 0xa9), 0},
    {"aarch64", "str q0,[x0]", BYTES(0x00, 0x00, 0x80, 0x3d), 0},
    {"aarch64", "str x0,[x1,x2]", BYTES(0x20, 0x68, 0x22, 0xf8), 0},
    {"aarch64", "prfm pldl1keep,[x0]", BYTES(0x00, 0x00, 0x80, 0xf9), 0},
    {"aarch64", "ldr q0,[x0]", BYTES(0x00, 0x00, 0xc0, 0x3d), NOT},
    {"aarch64", "ldr q0,literal", BYTES(0x00, 0x00, 0x00, 0x9c), NOT},
    {"aarch64", "ldr s0,literal", BYTES(0x00, 0x00, 0x00, 0x1c), 4},
    {"aarch64", "ldrsw x0,literal", BYTES(0x00, 0x00, 0x00, 0x98), 4},
    {"aarch64", "ldrsw x0,[x0]", BYTES(0x00, 0x00, 0x80, 0xb9), 4},
    {"aarch64", "ldar w0,[x1]", BYTES(0x20, 0xfc, 0xdf, 0x88), 4},
    {"aarch64", "ldxr w0,[x1]", BYTES(0x20, 0x7c, 0x5f, 0x88), NOT},
    {"aarch64", "ldadd x0,x0,[x1]", BYTES(0x20, 0x00, 0x20, 0xf8), NOT},
    {"aarch64", "ldraa x0,[x1]", BYTES(0x20, 0x04, 0x20, 0xf8), NOT},
    {"aarch64", "ldp x29,x30,[sp],#16", BYTES(0xfd, 0x7b, 0xc1, 0xa8), NOT},
    {"aarch64", "an SVE instruction", BYTES(0x00, 0x40, 0x00, 0xa5), NOT},
    {"riscv64", "sd ra,8(sp)", BYTES(0x23, 0x34, 0x11, 0x00), 0},
    {"riscv64", "c.sdsp ra,8(sp)", BYTES(0x06, 0xe4), 0},
    {"riscv64", "c.fsdsp, or a pop of Zcmp", BYTES(0x22, 0xa0), NOT},
    {"riscv64", "c.lbu of Zcb", BYTES(0x88, 0x81), NOT},
    {"riscv64", "fadd.d fa0,fa0,fa1", BYTES(0x53, 0x75, 0xb5, 0x02), 0},
    {"riscv64", "c.ldsp ra,8(sp)", BYTES(0xa2, 0x60), 8},
    {"riscv64", "vle8.v v0,(a0)", BYTES(0x07, 0x00, 0x05, 0x02), NOT},
    {"riscv64", "amoadd.w a0,a0,(a1)", BYTES(0x2f, 0xa5, 0xa5, 0x00), NOT},
    {"riscv32", "c.flwsp fa0,0(sp)", BYTES(0x02, 0x65), 4},
    {"riscv32", "c.sw a0,0(a1)", BYTES(0x88, 0xc1), 0},
    {"riscv32", "c.lw a0,0(a1)", BYTES(0x88, 0x41), 4},
    {"mipsel", "sw ra,28(sp)", BYTES(0x1c, 0x00, 0xbf, 0xaf), 0},
    {"mipsel", "lw ra,28(sp)", BYTES(0x1c, 0x00, 0xbf, 0x8f), 4},
    {"mips", "sw ra,28(sp)", BYTES(0xaf, 0xbf, 0x00, 0x1c), 0},
    {"mips", "lw ra,28(sp)", BYTES(0x8f, 0xbf, 0x00, 0x1c), 4},
    {"mips", "lw zero,0(a0)", BYTES(0x8c, 0x80, 0x00, 0x00), NOT},
    {"mips", "lwl v0,0(a0)", BYTES(0x88, 0x82, 0x00, 0x00), NOT},
    {"mips", "swl v0,0(a0)", BYTES(0xa8, 0x82, 0x00, 0x00), NOT},
    {"mips", "sc v0,0(a0)", BYTES(0xe0, 0x82, 0x00, 0x00), NOT},
    {"mips", "rdhwr v1,$29", BYTES(0x7c, 0x03, 0xe8, 0x3b), 0},
    {"mips", "lwx v0,a0(a1)", BYTES(0x7c, 0xa4, 0x10, 0x0a), NOT},
    {"mips", "lwxc1 $f0,a0(a1)", BYTES(0x4c, 0xa4, 0x00, 0x00), NOT},
    {"mips", "beq v0,v1,.", BYTES(0x10, 0x43, 0xff, 0xff), 0},
    {"mips", "beql v0,v1,.", BYTES(0x50, 0x43, 0xff, 0xff), NOT},
    {"mips", "bltz v0,.", BYTES(0x04, 0x40, 0xff, 0xff), 0},
    {"mips", "bgezl v0,.", BYTES(0x04, 0x43, 0xff, 0xff), NOT},
    {"mips", "bltzall v0,.", BYTES(0x04, 0x52, 0xff, 0xff), NOT},
    {"mips", "bal .", BYTES(0x04, 0x11, 0xff, 0xff), 0},
    {"mips", "bc1t .", BYTES(0x45, 0x01, 0xff, 0xff), 0},
    {"mips", "bc1fl .", BYTES(0x45, 0x02, 0xff, 0xff), NOT},
};

static const struct {
    const char *target;
    uint8_t begin[8];
    size_t size;
    size_t code_at; /* the byte in which an end mark differs */
    unsigned code_shift;
} marks[] = {
    {"x86_64", BYTES(0x0f, 0x1f, 0x80, 0xcb, 0x05, 0, 0), 3, 0},
    {"aarch64", BYTES(0x7f, 0xb9, 0x80, 0xd2), 0, 5},
    {"riscv64", BYTES(0x13, 0x20, 0xb0, 0x5c), 2, 4},
    {"riscv32", BYTES(0x13, 0x20, 0xb0, 0x5c), 2, 4},
    {"mipsel", BYTES(0xcb, 0x05, 0x00, 0x34), 0, 0},
    {"mips", BYTES(0x34, 0x00, 0x05, 0xcb), 3, 0},
};

/* b and e differ in bits 0 and 2; the shifted one may leave the byte. */
static void make_end(uint8_t *bytes, size_t at, unsigned shift)
{
    unsigned difference = (unsigned)(SLUICE_MARK_BEGIN ^ SLUICE_MARK_END) << shift;
    bytes[at] = (uint8_t)(bytes[at] ^ (difference & 0xff));
    if (difference > 0xff)
        bytes[at + 1] = (uint8_t)(bytes[at + 1] ^ difference >> 8);
}

static size_t length_of(const int64_t *numbers, size_t capacity)
{
    size_t n = 0;
    while (n < capacity && numbers[n] >= 0)
        n++;
    return n;
}

int main(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *s = &samples[i];
        const struct guest *guest = guest_find(s->target);
        ok(guest->loads(s->bytes, s->size) == s->loads, "%s: %s: %d", s->target, s->text, s->loads);
        ok(guest->mark(s->bytes, s->size) == SL_MARK_NONE, "%s: %s is no mark", s->target, s->text);
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const struct guest *guest = guest_find(marks[i].target);
        uint8_t bytes[8];
        memcpy(bytes, marks[i].begin, sizeof bytes);
        ok(guest->mark(bytes, marks[i].size) == SL_MARK_BEGIN, "%s: begin mark",
           guest->target_name);
        make_end(bytes, marks[i].code_at, marks[i].code_shift);
        ok(guest->mark(bytes, marks[i].size) == SL_MARK_END, "%s: end mark", guest->target_name);
        ok(guest->mark(bytes, marks[i].size - 1) == SL_MARK_NONE, "%s: a cut mark is none",
           guest->target_name);
    }

    static const uint8_t movabs[10] = {0x48, 0xb8};
    const struct guest *x86 = guest_find("x86_64");
    size_t cut = 1;
    while (cut < sizeof movabs && !x86->whole(movabs, cut))
        cut++;
    ok(cut == sizeof movabs && x86->whole(movabs, cut),
       "x86_64: an instruction is whole at its end only");

    bool ends = true;
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        ends &= guests[i].map_anonymous && length_of(guests[i].exec_calls, 3) == 2;
    ok(ends, "mappings and programs are known by their calls");
    ok(!guest_find("mips64") && !guest_find(""), "an unknown guest is not found");
    return done_testing();
}
