/* SPDX-License-Identifier: MIT */
/* Unit tests of the disassembler, which prints instructions as text, and of the decoder for
 * instructions that a stream describes without their machine code. */
#include "isa.h"

#include <string.h>

#include "random.h"
#include "tap.h"

static void text(enum sl_arch arch, const char *bytes, size_t size, const char *wanted)
{
    struct sl_disassembler *d = sl_disassembler_open(arch);
    char out[160];
    sl_disassemble(d, 0x1000, (const uint8_t *)bytes, size, out, sizeof out);
    ok(!strncmp(out, wanted, strlen(wanted)), "%s: %s", sl_arch_name(arch), out);
    sl_disassembler_close(d);
}

static void texts(void)
{
    text(SL_ARCH_X86_64, "\x48\x89\xd8", 3, "movq %rbx, %rax");
    text(SL_ARCH_X86_64, "\x7e\x10", 2, "jle 0x1012");
    text(SL_ARCH_X86_64, "\x48\x89\xd8\x90", 4, ".byte 48 89 d8 90"); /* two instructions */
    text(SL_ARCH_AARCH64, "\x20\x00\x80\xd2", 4, "mov");
    text(SL_ARCH_MIPS, "\x00\x00\x00\x00", 4, "nop");
    text(SL_ARCH_MIPS, "\x24\x02\x00\x01", 4, "addiu");
    text(SL_ARCH_MIPSEL, "\x01\x00\x02\x24", 4, "addiu");
    text(SL_ARCH_NONE, "\x01\xff", 2, ".byte 01 ff");
    sl_disassembler_close(NULL);

    struct sl_disassembler *d = sl_disassembler_open(SL_ARCH_NONE);
    uint8_t bytes[16] = {0};
    bool bounded = true;
    for (size_t capacity = 1; capacity < 40; capacity++) {
        char out[64];
        memset(out, 'x', sizeof out);
        sl_disassemble(d, 0, bytes, sizeof bytes, out, capacity);
        bounded &= strnlen(out, capacity) < capacity && out[capacity] == 'x';
    }
    ok(bounded, "the text is cut to the size of the buffer");
    sl_disassembler_close(d);
}

static uint64_t general(unsigned reg)
{
    return reg >= 1 && reg <= 64 ? UINT64_C(1) << (reg - 1) : 0;
}

/* By the table in isa.h, for any bytes. */
static bool is_described(const uint8_t *b, const struct sl_insn_info *info)
{
    uint64_t reads = 0, target = 0;
    for (unsigned i = 6; i < 10; i++)
        reads |= general(b[i]);
    for (unsigned i = 0; i < 8; i++)
        target |= (uint64_t)b[16 + i] << 8 * i;
    return info->class == (b[0] < SL_CLASS_COUNT ? b[0] : SL_CLASS_OTHER) &&
           info->branch == (b[1] < SL_BRANCH_COUNT ? b[1] : SL_BRANCH_NONE) &&
           info->width == b[3] && info->reads.general == reads &&
           info->writes.general == (general(b[4]) | general(b[5])) && info->target == target;
}

static void descriptions(void)
{
    struct sl_decoder *decoder = sl_decoder_open(SL_ARCH_DESCRIBED);
    uint64_t seed = 1;
    bool good = true;
    for (unsigned i = 0; i < 10000; i++) {
        uint8_t b[SL_DESCRIPTION_SIZE];
        struct sl_insn_info info;
        for (size_t k = 0; k < sizeof b; k++)
            b[k] = (uint8_t)sl_random_below(&seed, i & 1 ? 256 : 16);
        sl_decode(decoder, 0, b, sizeof b, &info);
        good &= is_described(b, &info) && !(info.flags & SL_INSN_DELAY_SLOT);
    }
    ok(good, "10,000 random descriptions are decoded as their table says");
    struct sl_insn_info info;
    sl_decode(decoder, 0, (const uint8_t[4]){SL_CLASS_LOAD, 0, 0, 4}, 4, &info);
    ok(info.class == SL_CLASS_OTHER && !info.width, "a truncated description describes nothing");
    sl_decoder_close(decoder);
}

int main(void)
{
    texts();
    descriptions();
    return done_testing();
}
