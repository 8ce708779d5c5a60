/* SPDX-License-Identifier: MIT */
/* Unit tests of the QEMU plugin's decoders of loads (tap/loads_*.c): they agree with the full
 * decoders in src/code/isa.
 *
 * The tap reports whether an instruction certainly makes exactly one load of known size as QEMU
 * executes it; in doubt it reports unknown. The decoders of src/code/isa report the architectural
 * effects of an instruction. Where the tap is certain, both must agree:
 *
 *     tap reports           the decoder reports
 *     0                     no load
 *     n                     a load of n bytes, no store
 *     n, then stores        a load and a store, of n bytes each
 *
 * For x86-64 the two are independent: the tap has a table, and the library uses Capstone. For the
 * other guests the tap uses the library's decoders, and the test checks that it is certain only
 * where they are, and about most instructions. tests/oracle/tap_guest.t compares the tap with
 * objdump.
 *
 * Encodings: all compressed ones of RISC-V; for the others every combination of the fields that
 * select an instruction, with varying registers. Instructions that the decoder does not know
 * (`other`) are not compared. */
#include "../../tap/guest.c"
#include "../../tap/loads_risc.c"
#include "../../tap/loads_x86.c"

#include <string.h>

#include "isa.h"
#include "random.h"
#include "tap.h"

struct comparison {
    const struct guest *guest;
    struct sl_decoder *decoder;
    uint64_t certain, loads, unknown_to_decoder, wrong;
};

static void report(struct comparison *c, const uint8_t *bytes, size_t size, int loads,
                   const struct sl_insn_info *info)
{
    if (c->wrong++ >= 10)
        return;
    printf("# %s", c->guest->target_name);
    for (size_t i = 0; i < size; i++)
        printf(" %02x", bytes[i]);
    printf(": tap %d%s, decoder %s flags %u width %u\n", loads & 15,
           loads & LOADS_THEN_STORES ? " then stores" : "",
           sl_class_name((enum sl_class)info->class), info->flags, info->width);
}

/* Encodings that no compiler makes and Capstone decodes wrongly: movq with REX.W, call and jmp with
 * prefix 66, and a mandatory prefix that is not the last one. Intel's manual and QEMU have what the
 * tap says. */
static bool capstone_is_wrong(const struct comparison *c, const uint8_t *b)
{
    if (strcmp(c->guest->target_name, "x86_64"))
        return false;
    return (b[0] == 0xf3 && b[1] == 0x48 && b[2] == 0x0f && b[3] == 0x7e) ||
           (b[0] == 0x66 && b[1] == 0xff) || ((b[0] & 0xfe) == 0xf2 && b[1] == 0x26);
}

static void compare(struct comparison *c, const uint8_t *bytes, size_t size)
{
    struct sl_insn_info info;
    int loads = c->guest->loads(bytes, size);
    if (loads == LOADS_UNKNOWN)
        return;
    sl_decode(c->decoder, 0x1000, bytes, size, &info);
    if (info.class == SL_CLASS_OTHER) {
        c->unknown_to_decoder++;
        return;
    }
    c->certain++;
    c->loads += loads != 0;
    unsigned access = info.flags & (SL_INSN_LOADS | SL_INSN_STORES);
    bool same = !loads                      ? !(access & SL_INSN_LOADS)
                : loads & LOADS_THEN_STORES ? access == (SL_INSN_LOADS | SL_INSN_STORES)
                                            : access == SL_INSN_LOADS;
    if ((!same || (loads && info.width != (loads & 15))) && !capstone_is_wrong(c, bytes))
        report(c, bytes, size, loads, &info);
}

static void compare_word(struct comparison *c, uint32_t word)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * (c->guest->big_endian ? 3 - i : i));
    compare(c, bytes, 4);
}

/* Every value of the bits in `mask`, the other bits random. */
static void compare_fields(struct comparison *c, uint32_t mask, uint64_t *seed)
{
    uint32_t value = 0;
    do {
        uint32_t others = (uint32_t)sl_random_next(seed) & ~mask;
        compare_word(c, value | others);
        value = (value - mask) & mask; /* the next subset of the mask */
    } while (value);
}

static void riscv_words(struct comparison *c)
{
    uint64_t seed = 1;
    for (uint32_t half = 0; half < 65536; half++) {
        uint8_t bytes[4] = {(uint8_t)half, (uint8_t)(half >> 8)};
        if ((half & 3) != 3)
            compare(c, bytes, 2);
    }
    compare_fields(c, 0xfe00707f, &seed); /* opcode, funct3, funct7 */
}

static void aarch64_words(struct comparison *c)
{
    uint64_t seed = 2;
    compare_fields(c, 0xffe0fc00, &seed);
}

static void mips_words(struct comparison *c)
{
    uint64_t seed = 3;
    compare_fields(c, 0xfc1f003f, &seed); /* opcode, rt, function */
    compare_fields(c, 0xffe0003f, &seed); /* opcode, rs, function */
}

/* Prefixes, opcode map, opcode, ModRM with all of mod and reg; SIB, displacement and immediate are
 * random. */
static void x86_bytes(struct comparison *c)
{
    static const char *const prefix[] = {"",     "\x66", "\xf3",     "\xf2",     "\x48",
                                         "\x41", "\x64", "\x66\x48", "\xf3\x48", "\xf2\x48"};
    static const char *const map[] = {"", "\x0f", "\x0f\x38", "\x0f\x3a"};
    uint64_t seed = 4;
    for (unsigned i = 0; i < 10 * 4 * 256 * 32; i++) {
        uint8_t bytes[32] = {0};
        const char *p = prefix[i % 10], *m = map[i / 10 % 4];
        size_t at = strlen(p), length = strlen(m);
        memcpy(bytes, p, at);
        memcpy(bytes + at, m, length);
        at += length;
        bytes[at++] = (uint8_t)(i / 40);
        bytes[at++] = (uint8_t)(i / 40 / 256 << 3 | sl_random_below(&seed, 8));
        for (; at < 16; at++)
            bytes[at] = (uint8_t)sl_random_next(&seed);
        compare(c, bytes, x86_shape(bytes, 15).length);
    }
}

/* VEX with two and three bytes: map, vvvv and L, prefix, W. */
static void vex_bytes(struct comparison *c)
{
    uint64_t seed = 5;
    for (unsigned i = 0; i < 3 * 16 * 256 * 32; i++) {
        unsigned map = 1 + i % 3, last = i / 3 % 16;
        uint8_t bytes[32] = {0xc4, (uint8_t)(0xe0 | map),
                             (uint8_t)((last & 8) << 4 | 0x78 | (last & 7)), (uint8_t)(i / 48)};
        bytes[4] = (uint8_t)(i / 48 / 256 << 3 | sl_random_below(&seed, 8));
        for (size_t at = 5; at < 16; at++)
            bytes[at] = (uint8_t)sl_random_next(&seed);
        compare(c, bytes, x86_shape(bytes, 15).length);
    }
}

static void both_x86(struct comparison *c)
{
    x86_bytes(c);
    vex_bytes(c);
}

static void try_guest(const char *target, enum sl_arch arch, void (*encodings)(struct comparison *))
{
    struct comparison c = {.guest = guest_find(target), .decoder = sl_decoder_open(arch)};
    encodings(&c);
    ok(!c.wrong, "%s: tap and decoder agree on %lu of %lu encodings", target,
       (unsigned long)(c.certain - c.wrong), (unsigned long)c.certain);
    ok(c.loads > 1000 && c.certain - c.loads > 1000,
       "%s: %lu load, %lu do not, %lu are not decoded", target, (unsigned long)c.loads,
       (unsigned long)(c.certain - c.loads), (unsigned long)c.unknown_to_decoder);
    sl_decoder_close(c.decoder);
}

int main(void)
{
    try_guest("x86_64", SL_ARCH_X86_64, both_x86);
    try_guest("aarch64", SL_ARCH_AARCH64, aarch64_words);
    try_guest("riscv64", SL_ARCH_RISCV64, riscv_words);
    try_guest("riscv32", SL_ARCH_RISCV32, riscv_words);
    try_guest("mipsel", SL_ARCH_MIPSEL, mips_words);
    try_guest("mips", SL_ARCH_MIPS, mips_words);
    return done_testing();
}
