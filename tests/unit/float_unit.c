/* SPDX-License-Identifier: MIT */
/* Unit tests of sl_float_unit(), which finds the execution unit of a floating-point instruction.
 * The encodings of the tested instructions come from the assemblers of all architectures. */
#include "op.h"

#include "tap.h"

struct sample {
    enum sl_arch arch;
    const char *text;
    uint8_t size, bytes[8];
    enum sl_unit unit;
};

#define ADD SL_UNIT_FLOAT
#define MUL SL_UNIT_FLOAT_MULTIPLY
#define DIV SL_UNIT_FLOAT_DIVIDE

static const struct sample samples[] = {
    {SL_ARCH_X86_64, "addsd %xmm1,%xmm0", 4, {0xf2, 0x0f, 0x58, 0xc1}, ADD},
    {SL_ARCH_X86_64, "mulsd %xmm1,%xmm0", 4, {0xf2, 0x0f, 0x59, 0xc1}, MUL},
    {SL_ARCH_X86_64, "mulps %xmm9,%xmm8", 4, {0x45, 0x0f, 0x59, 0xc1}, MUL},
    {SL_ARCH_X86_64, "divss %xmm1,%xmm0", 4, {0xf3, 0x0f, 0x5e, 0xc1}, DIV},
    {SL_ARCH_X86_64, "sqrtpd %xmm1,%xmm0", 4, {0x66, 0x0f, 0x51, 0xc1}, DIV},
    {SL_ARCH_X86_64, "vmulpd %ymm2,%ymm1,%ymm0", 4, {0xc5, 0xf5, 0x59, 0xc2}, MUL},
    {SL_ARCH_X86_64, "vfmadd231sd %xmm2,%xmm1,%xmm0", 5, {0xc4, 0xe2, 0xf1, 0xb9, 0xc2}, MUL},
    {SL_ARCH_X86_64, "vpermps %ymm2,%ymm1,%ymm0", 5, {0xc4, 0xe2, 0x75, 0x16, 0xc2}, ADD},
    {SL_ARCH_X86_64, "vmulpd %zmm2,%zmm1,%zmm0", 6, {0x62, 0xf1, 0xf5, 0x48, 0x59, 0xc2}, MUL},
    {SL_ARCH_X86_64, "fadd %st(1),%st", 2, {0xd8, 0xc1}, ADD},
    {SL_ARCH_X86_64, "fmul %st(1),%st", 2, {0xd8, 0xc9}, MUL},
    {SL_ARCH_X86_64, "fdivl (%rax)", 2, {0xdc, 0x30}, DIV},
    {SL_ARCH_X86_64, "fsqrt", 2, {0xd9, 0xfa}, DIV},
    {SL_ARCH_X86_64, "fcmove %st(1),%st", 2, {0xda, 0xc9}, ADD},
    {SL_ARCH_AARCH64, "fadd d0,d1,d2", 4, {0x20, 0x28, 0x62, 0x1e}, ADD},
    {SL_ARCH_AARCH64, "fmul d0,d1,d2", 4, {0x20, 0x08, 0x62, 0x1e}, MUL},
    {SL_ARCH_AARCH64, "fmadd d0,d1,d2,d3", 4, {0x20, 0x0c, 0x42, 0x1f}, MUL},
    {SL_ARCH_AARCH64, "fdiv d0,d1,d2", 4, {0x20, 0x18, 0x62, 0x1e}, DIV},
    {SL_ARCH_AARCH64, "fsqrt d0,d1", 4, {0x20, 0xc0, 0x61, 0x1e}, DIV},
    {SL_ARCH_AARCH64, "fmul v0.2d,v1.2d,v2.2d", 4, {0x20, 0xdc, 0x62, 0x6e}, MUL},
    {SL_ARCH_RISCV64, "fadd.d fa0,fa1,fa2", 4, {0x53, 0xf5, 0xc5, 0x02}, ADD},
    {SL_ARCH_RISCV64, "fmul.d fa0,fa1,fa2", 4, {0x53, 0xf5, 0xc5, 0x12}, MUL},
    {SL_ARCH_RISCV32, "fdiv.d fa0,fa1,fa2", 4, {0x53, 0xf5, 0xc5, 0x1a}, DIV},
    {SL_ARCH_RISCV64, "fmadd.d fa0,fa1,fa2,fa3", 4, {0x43, 0xf5, 0xc5, 0x6a}, MUL},
    {SL_ARCH_RISCV64, "fsqrt.d fa0,fa1", 4, {0x53, 0xf5, 0x05, 0x5a}, DIV},
    {SL_ARCH_MIPSEL, "add.d $f0,$f2,$f4", 4, {0x00, 0x10, 0x24, 0x46}, ADD},
    {SL_ARCH_MIPSEL, "mul.d $f0,$f2,$f4", 4, {0x02, 0x10, 0x24, 0x46}, MUL},
    {SL_ARCH_MIPS, "div.d $f0,$f2,$f4", 4, {0x46, 0x24, 0x10, 0x03}, DIV},
    {SL_ARCH_DESCRIBED, "a description", 4, {0xf2, 0x0f, 0x59, 0xc1}, ADD},
};

int main(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *s = &samples[i];
        uint8_t bytes[SL_DESCRIPTION_SIZE] = {0};
        struct sl_insn insn = {.size = s->size};
        struct sl_statics statics = {.bytes = bytes, .insn = &insn, .program = {.arch = s->arch}};
        for (size_t k = 0; k < s->size; k++)
            bytes[k] = s->bytes[k];
        ok(sl_float_unit(&statics, 0) == s->unit, "%s: %s", sl_arch_name(s->arch), s->text);
    }
    return done_testing();
}
