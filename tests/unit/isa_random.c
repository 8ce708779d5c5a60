/* SPDX-License-Identifier: MIT */
/* Unit tests of instruction decoders with random bytes of any length. Decoding never crashes (run
 * the test with SAN=1), never reads beyond the given size, and returns consistent results. Half of
 * the inputs start with a real opcode, so that valid instructions are tested, too. */
#include <string.h>

#include "isa.h"
#include "random.h"
#include "tap.h"

static const char *wrong(const struct sl_insn_info *info, size_t size)
{
    const bool direct = info->branch == SL_BRANCH_CONDITIONAL || info->branch == SL_BRANCH_JUMP ||
                        info->branch == SL_BRANCH_CALL;
    const bool flows = info->class == SL_CLASS_BRANCH || info->class == SL_CLASS_JUMP;
    if (info->size != size)
        return "size";
    if (info->class >= SL_CLASS_COUNT || info->branch >= SL_BRANCH_COUNT || info->flags > 31)
        return "range";
    if (flows != (info->branch != SL_BRANCH_NONE))
        return "class of a branch";
    if (info->class == SL_CLASS_BRANCH && info->branch != SL_BRANCH_CONDITIONAL)
        return "branch that is not conditional";
    if (!direct && info->target)
        return "target of what is no direct branch";
    if (info->flags & SL_INSN_DELAY_SLOT && info->branch == SL_BRANCH_NONE)
        return "delay slot";
    if (info->width && !(info->flags & (SL_INSN_LOADS | SL_INSN_STORES)))
        return "width without access";
    if (info->class == SL_CLASS_LOAD && !(info->flags & SL_INSN_LOADS))
        return "load that does not";
    if (info->class == SL_CLASS_STORE && !(info->flags & SL_INSN_STORES))
        return "store that does not";
    if ((info->reads.general | info->writes.general) >> 35 ||
        (info->reads.vector | info->writes.vector) >> 33)
        return "registers that do not exist";
    return NULL;
}

static void try_arch(enum sl_arch arch, unsigned tries)
{
    struct sl_decoder *decoder = sl_decoder_open(arch);
    uint64_t seed = 1 + (uint64_t)arch;
    const char *what = NULL;
    unsigned known = 0;
    for (unsigned i = 0; i < tries && !what; i++) {
        size_t size = sl_random_below(&seed, 17);
        if (i & 1)
            size = arch == SL_ARCH_X86_64 ? 1 + sl_random_below(&seed, 8) : 4;
        /* On the heap and no longer than said, for the sanitizer's sake. */
        uint8_t *bytes = malloc(size ? size : 1);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)sl_random_next(&seed);
        struct sl_insn_info info, again;
        memset(&info, 0xff, sizeof info);
        memset(&again, 0, sizeof again);
        uint64_t pc = sl_random_next(&seed);
        sl_decode(decoder, pc, bytes, size, &info);
        what = wrong(&info, size);
        sl_decode(decoder, pc, bytes, size, &again);
        if (again.class != info.class || again.target != info.target ||
            memcmp(&again.reads, &info.reads, 2 * sizeof info.reads))
            what = "second time";
        known += info.class != SL_CLASS_OTHER;
        if (what) {
            printf("# ");
            for (size_t k = 0; k < size; k++)
                printf("%02x", bytes[k]);
            printf(" %s %s\n", sl_class_name((enum sl_class)info.class),
                   sl_branch_name((enum sl_branch)info.branch));
        }
        free(bytes);
    }
    ok(!what, "%s: random bytes give consistent instructions%s%s", sl_arch_name(arch),
       what ? ", wrong: " : "", what ? what : "");
    ok(arch == SL_ARCH_NONE || arch == SL_ARCH_DESCRIBED ? known == 0 : known > tries / 20,
       "%s: %u of %u are known", sl_arch_name(arch), known, tries);
    sl_decoder_close(decoder);
}

int main(void)
{
    for (int arch = SL_ARCH_NONE; arch < SL_ARCH_COUNT; arch++)
        try_arch((enum sl_arch)arch, 200000);
    sl_decoder_close(NULL);
    return done_testing();
}
