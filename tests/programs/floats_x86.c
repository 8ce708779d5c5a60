/* Test program that executes each arithmetic instruction of SSE and AVX on numbers of all kinds,
 * with all rounding modes, with and without treating subnormal numbers as zero, and with no flag,
 * the inexact flag or all flags set before. For each instruction, the program prints a line with
 * two hashes: a hash of all results, and a hash of the register MXCSR after each execution. With an
 * argument, the program instead tests the instructions that QEMU emulates by calls of its own C
 * functions. Their hash of MXCSR omits the denormal-operand flag, which these functions never set.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct state {
    _Alignas(32) uint8_t a[32], b[32], result[32];
    uint64_t integer;
    uint32_t before, after; /* MXCSR */
};

struct instruction {
    const char *name;
    void (*run)(struct state *);
    int size; /* bytes of a number: 4, 8 */
    int is_avx;
};

/* a is in register 0, b in register 1, the result in register 2. */
#define INSTRUCTION(name, load, text, store)                                                              \
    static void name(struct state *s)                                                                     \
    {                                                                                                     \
        __asm__ volatile("ldmxcsr %[before]\n" load text store "stmxcsr %[after]"                         \
                         : [result] "=m"(s->result), [after] "=m"(s->after), [integer] "+m"(s->integer)   \
                         : [before] "m"(s->before), [a] "m"(s->a), [b] "m"(s->b)                          \
                         : "xmm0", "xmm1", "xmm2", "rax", "cc");                                          \
    }
#define SSE(name, text) \
    INSTRUCTION(name, "movaps %[a], %%xmm0\nmovaps %[b], %%xmm1\n", text "\n", "movaps %%xmm0, %[result]\n")
#define AVX(name, text)                                                                              \
    INSTRUCTION(name, "vmovaps %[a], %%ymm0\nvmovaps %[b], %%ymm1\nvmovaps %[b], %%ymm2\n", text "\n", \
                "vmovaps %%ymm2, %[result]\nvzeroupper\n")

#define ARITHMETIC(op)                                       \
    SSE(op##_register, #op " %%xmm1, %%xmm0")                \
    SSE(op##_memory, #op " %[b], %%xmm0")                    \
    AVX(v##op##_register, "v" #op " %%xmm1, %%xmm0, %%xmm2") \
    AVX(v##op##_same, "v" #op " %%xmm2, %%xmm0, %%xmm2")     \
    AVX(v##op##_memory, "v" #op " %[b], %%xmm0, %%xmm2")
#define WIDE(op) ARITHMETIC(op) AVX(v##op##_wide, "v" #op " %%ymm1, %%ymm0, %%ymm2")
#define FOUR(op) ARITHMETIC(op##ss) ARITHMETIC(op##sd) WIDE(op##ps) WIDE(op##pd)

FOUR(add)
FOUR(mul)
FOUR(sub)
FOUR(min)
FOUR(div)
FOUR(max)
SSE(sqrtss_register, "sqrtss %%xmm1, %%xmm0")
SSE(sqrtsd_register, "sqrtsd %%xmm1, %%xmm0")
SSE(sqrtps_register, "sqrtps %%xmm1, %%xmm0")
SSE(sqrtpd_memory, "sqrtpd %[b], %%xmm0")
AVX(vsqrtsd_register, "vsqrtsd %%xmm1, %%xmm0, %%xmm2")
AVX(vsqrtps_wide, "vsqrtps %%ymm1, %%ymm2")
AVX(vsqrtpd_wide, "vsqrtpd %%ymm1, %%ymm2")
SSE(cvtss2sd_register, "cvtss2sd %%xmm1, %%xmm0")
SSE(cvtsd2ss_memory, "cvtsd2ss %[b], %%xmm0")
AVX(vcvtss2sd_register, "vcvtss2sd %%xmm1, %%xmm0, %%xmm2")
AVX(vcvtsd2ss_register, "vcvtsd2ss %%xmm1, %%xmm0, %%xmm2")

#define COMPARES(op)                                                                                        \
    SSE(op##_register, "movaps %%xmm1, %%xmm2\n" #op " %%xmm2, %%xmm0\npushfq\npopq %[integer]")                \
    SSE(op##_unread, #op " %[b], %%xmm0\ncmp %%eax, %%eax\n")                                                  \
    SSE(op##_jump, "xorl %%eax, %%eax\n" #op " %%xmm1, %%xmm0\nja 1f\nincl %%eax\n1: jp 2f\nincl %%eax\n2: movq %%rax, %[integer]")
COMPARES(comiss)
COMPARES(comisd)
COMPARES(ucomiss)
COMPARES(ucomisd)

#define TO_INTEGER(op)                                                         \
    SSE(op##_narrow, #op " %%xmm1, %%eax\nmovq %%rax, %[integer]")              \
    SSE(op##_wide, #op " %[b], %%rax\nmovq %%rax, %[integer]")
TO_INTEGER(cvtss2si)
TO_INTEGER(cvttss2si)
TO_INTEGER(cvtsd2si)
TO_INTEGER(cvttsd2si)
SSE(cvtsi2ss_narrow, "movq %[b], %%rax\ncvtsi2ssl %%eax, %%xmm0")
SSE(cvtsi2ss_wide, "cvtsi2ssq %[b], %%xmm0")
SSE(cvtsi2sd_narrow, "cvtsi2sdl %[b], %%xmm0")
SSE(cvtsi2sd_wide, "movq %[b], %%rax\ncvtsi2sdq %%rax, %%xmm0")
AVX(vcvtsi2sd_wide, "vcvtsi2sdq %[b], %%xmm0, %%xmm2")

#define QUESTION(n)                                                \
    SSE(cmpss_##n, "cmpss $" #n ", %%xmm1, %%xmm0")                \
    SSE(cmpsd_##n, "cmpsd $" #n ", %[b], %%xmm0")                  \
    SSE(cmpps_##n, "cmpps $" #n ", %%xmm1, %%xmm0")                \
    SSE(cmppd_##n, "cmppd $" #n ", %%xmm1, %%xmm0")                \
    AVX(vcmpsd_##n, "vcmpsd $" #n ", %%xmm1, %%xmm0, %%xmm2")      \
    AVX(vcmpps_##n, "vcmpps $" #n "+8, %%ymm1, %%ymm0, %%ymm2")    \
    AVX(vcmppd_##n, "vcmppd $" #n "+16, %%xmm1, %%xmm0, %%xmm2")   \
    AVX(vcmpss_##n, "vcmpss $" #n "+24, %%xmm1, %%xmm0, %%xmm2")
#define EIGHT(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)
EIGHT(QUESTION)

#define TWO(op) SSE(op, #op " %%xmm1, %%xmm0")
#define ROUND(op, how) SSE(op##_##how, #op " $" #how ", %%xmm1, %%xmm0")
TWO(haddps)
TWO(haddpd)
TWO(hsubps)
TWO(hsubpd)
TWO(addsubps)
TWO(addsubpd)
TWO(cvtps2pd)
TWO(cvtpd2ps)
TWO(cvtdq2ps)
TWO(cvtdq2pd)
TWO(cvtps2dq)
TWO(cvttps2dq)
TWO(cvtpd2dq)
TWO(cvttpd2dq)
TWO(rcpss)
TWO(rcpps)
TWO(rsqrtss)
TWO(rsqrtps)
ROUND(dpps, 0xff)
ROUND(dppd, 0x33)
ROUND(roundss, 0)
ROUND(roundsd, 4)
ROUND(roundps, 9)
ROUND(roundpd, 12)
AVX(vfmadd213sd, "vfmadd213sd %%xmm1, %%xmm0, %%xmm2")
AVX(vfmadd213ps, "vfmadd213ps %%ymm1, %%ymm0, %%ymm2")
AVX(vfnmsub231pd, "vfnmsub231pd %%ymm1, %%ymm0, %%ymm2")

/* 3DNow!, which new processors lack: it rounds to nearest and raises no flags, whatever MXCSR contains. */
#define NOW(op) \
    INSTRUCTION(op, "movq %[a], %%mm0\nmovq %[b], %%mm1\n", #op " %%mm1, %%mm0\n", "movq %%mm0, %[result]\nemms\n")
NOW(pfadd)
NOW(pfsub)
NOW(pfsubr)
NOW(pfmul)
NOW(pfacc)
NOW(pfnacc)
NOW(pfrcp)
NOW(pfrsqrt)
NOW(pfmax)
NOW(pfcmpge)
NOW(pi2fd)
NOW(pf2id)

#define ARITHMETIC_LINES(op, size)                                                                    \
    {#op, op##_register, size, 0}, {#op " memory", op##_memory, size, 0},                             \
        {"v" #op, v##op##_register, size, 1}, {"v" #op " same", v##op##_same, size, 1},               \
        {"v" #op " memory", v##op##_memory, size, 1},
#define FOUR_LINES(op)                                                                                \
    ARITHMETIC_LINES(op##ss, 4) ARITHMETIC_LINES(op##sd, 8) ARITHMETIC_LINES(op##ps, 4)               \
        ARITHMETIC_LINES(op##pd, 8) {"v" #op "ps wide", v##op##ps_wide, 4, 1},                        \
        {"v" #op "pd wide", v##op##pd_wide, 8, 1},
#define LINE(name, size, is_avx) {#name, name, size, is_avx},
#define COMPARE_LINES(op, size) LINE(op##_register, size, 0) LINE(op##_unread, size, 0) LINE(op##_jump, size, 0)
#define TO_INTEGER_LINES(op, size) LINE(op##_narrow, size, 0) LINE(op##_wide, size, 0)
#define QUESTION_LINES(n)                                                                             \
    LINE(cmpss_##n, 4, 0) LINE(cmpsd_##n, 8, 0) LINE(cmpps_##n, 4, 0) LINE(cmppd_##n, 8, 0)           \
        LINE(vcmpsd_##n, 8, 1) LINE(vcmpps_##n, 4, 1) LINE(vcmppd_##n, 8, 1) LINE(vcmpss_##n, 4, 1)

static const struct instruction instructions[] = {
    FOUR_LINES(add) FOUR_LINES(mul) FOUR_LINES(sub) FOUR_LINES(min) FOUR_LINES(div) FOUR_LINES(max)
    LINE(sqrtss_register, 4, 0) LINE(sqrtsd_register, 8, 0) LINE(sqrtps_register, 4, 0)
    LINE(sqrtpd_memory, 8, 0) LINE(vsqrtsd_register, 8, 1) LINE(vsqrtps_wide, 4, 1) LINE(vsqrtpd_wide, 8, 1)
    LINE(cvtss2sd_register, 4, 0) LINE(cvtsd2ss_memory, 8, 0)
    LINE(vcvtss2sd_register, 4, 1) LINE(vcvtsd2ss_register, 8, 1)
    COMPARE_LINES(comiss, 4) COMPARE_LINES(comisd, 8) COMPARE_LINES(ucomiss, 4) COMPARE_LINES(ucomisd, 8)
    TO_INTEGER_LINES(cvtss2si, 4) TO_INTEGER_LINES(cvttss2si, 4)
    TO_INTEGER_LINES(cvtsd2si, 8) TO_INTEGER_LINES(cvttsd2si, 8)
    LINE(cvtsi2ss_narrow, 8, 0) LINE(cvtsi2ss_wide, 8, 0) LINE(cvtsi2sd_narrow, 8, 0) LINE(cvtsi2sd_wide, 8, 0)
    LINE(vcvtsi2sd_wide, 8, 1)
    EIGHT(QUESTION_LINES)
};

static const struct instruction helped[] = {
    LINE(haddps, 4, 0) LINE(haddpd, 8, 0) LINE(hsubps, 4, 0) LINE(hsubpd, 8, 0)
    LINE(addsubps, 4, 0) LINE(addsubpd, 8, 0) LINE(cvtps2pd, 4, 0) LINE(cvtpd2ps, 8, 0)
    LINE(cvtdq2ps, 4, 0) LINE(cvtdq2pd, 4, 0) LINE(cvtps2dq, 4, 0) LINE(cvttps2dq, 4, 0)
    LINE(cvtpd2dq, 8, 0) LINE(cvttpd2dq, 8, 0) LINE(rcpss, 4, 0) LINE(rcpps, 4, 0)
    LINE(rsqrtss, 4, 0) LINE(rsqrtps, 4, 0) LINE(dpps_0xff, 4, 0) LINE(dppd_0x33, 8, 0)
    LINE(roundss_0, 4, 0) LINE(roundsd_4, 8, 0) LINE(roundps_9, 4, 0) LINE(roundpd_12, 8, 0)
    LINE(vfmadd213sd, 8, 1) LINE(vfmadd213ps, 4, 1) LINE(vfnmsub231pd, 8, 1)
    LINE(pfadd, 4, 0) LINE(pfsub, 4, 0) LINE(pfsubr, 4, 0) LINE(pfmul, 4, 0) LINE(pfacc, 4, 0)
    LINE(pfnacc, 4, 0) LINE(pfrcp, 4, 0) LINE(pfrsqrt, 4, 0) LINE(pfmax, 4, 0) LINE(pfcmpge, 4, 0)
    LINE(pi2fd, 4, 0) LINE(pf2id, 4, 0)
};

static uint64_t random_state;

static uint64_t next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* In both sizes: zero, subnormal, the smallest and the largest normal number, 1, infinity,
 * quiet and signalling NaN; then numbers near the limits of integers, and random numbers. */
static uint64_t number(int size)
{
    static const uint64_t wide[] = {
        0, 1, 0x000fffffffffffff, 0x0008000000000000, 0x0010000000000000, 0x0010000000000001, 0x7fefffffffffffff,
        0x3ff0000000000000, 0x3ff0000000000001, 0x7ff0000000000000, 0x7ff8000000000001, 0x7ff0000000000001,
        0x41dfffffffc00000, 0x41dfffffffe00000, 0x43e0000000000000, 0x47efffffe0000000, 0x47efffffffffffff,
        0x3810000000000000, 0x380fffffffffffff, 0x3690000000000000, 0x4000000000000000, 0x3fe0000000000000,
        0x1ff0000000000000, 0x5fe0000000000000};
    static const uint32_t narrow[] = {
        0, 1, 0x007fffff, 0x00400000, 0x00800000, 0x00800001, 0x7f7fffff, 0x3f800000, 0x3f800001, 0x7f800000,
        0x7fc00001, 0x7f800001, 0x4effffff, 0x4f000000, 0x5f000000, 0x5effffff, 0x40000000, 0x3f000000, 0x20000000,
        0x5f800000};
    uint64_t r = next(), sign = (r >> 8 & 1) << (size * 8 - 1);
    if (r % 8 == 0)
        return r >> (r >> 58); /* also for conversions from integers */
    if (r % 8 < 3)
        return sign | (size == 8 ? UINT64_C(0x3c) << 56 | r >> 4 : (uint64_t)(0x3c << 24) | (r >> 16 & 0x7ffffff));
    return sign | (size == 8 ? wide[(r >> 9) % (sizeof wide / sizeof *wide)] :
                               narrow[(r >> 9) % (sizeof narrow / sizeof *narrow)]);
}

static void fill(uint8_t *bytes, int size)
{
    for (int at = 0; at < 32; at += size) {
        uint64_t bits = number(size);
        memcpy(bytes + at, &bits, (size_t)size);
    }
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void line(const struct instruction *it, uint32_t seen)
{
    static const uint32_t noted[] = {0, 0x20, 0x3f};
    uint64_t results = 1, states = 1;
    random_state = 88172645463325252u;
    for (uint32_t control = 0; control < 16; control++)
        for (size_t k = 0; k < sizeof noted / sizeof *noted; k++)
            for (int i = 0; i < 150; i++) {
                struct state s = {.before = 0x1f80 | (control & 3) << 13 | (control & 4) << 13 |
                                            (control & 8) << 3 | noted[k]};
                fill(s.a, it->size);
                fill(s.b, it->size);
                it->run(&s);
                results = mix(mix(results, s.result, sizeof s.result), &s.integer, sizeof s.integer);
                s.after &= seen;
                states = mix(states, &s.after, sizeof s.after);
            }
    printf("%s: %016llx %016llx\n", it->name, (unsigned long long)results, (unsigned long long)states);
}

static void lines(const struct instruction *it, size_t n, uint32_t seen)
{
    for (size_t i = 0; i < n; i++)
        if (__builtin_cpu_supports("avx") || !it[i].is_avx)
            line(&it[i], seen);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        lines(helped, sizeof helped / sizeof *helped, ~2u);
    else
        lines(instructions, sizeof instructions / sizeof *instructions, ~0u);
    return 0;
}
/* SPDX-License-Identifier: MIT */
