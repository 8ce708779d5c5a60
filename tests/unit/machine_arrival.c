/* SPDX-License-Identifier: MIT */
/* Unit tests of how a CPU model classifies the way in which a thread reached a block, for example
 * by a taken branch or a return. The tests cover every kind of instruction at the end of the
 * previous block, followed by the next block in memory, by the target, or by any other block. */
#include "machine_state.h"

#include "../support/tiny_program.h"
#include "tap.h"

/* RISC-V; the block with the branch is at 0x1000, one instruction. */
#define HERE 0x1000
#define AFTER 0x1004
#define TARGET 0x1008
#define ELSEWHERE 0x9000

static const struct end {
    const char *name;
    uint32_t word;
    enum sl_branch kind;
    enum sl_arrival after, target, elsewhere; /* how the thread arrives at each */
} ends[] = {
    {"no branch", 0x00b50533, SL_BRANCH_NONE, SL_ARRIVED_FALL_THROUGH, SL_ARRIVED_UNKNOWN,
     SL_ARRIVED_UNKNOWN},
    {"a system call", 0x00000073, SL_BRANCH_NONE, SL_ARRIVED_FALL_THROUGH, SL_ARRIVED_UNKNOWN,
     SL_ARRIVED_UNKNOWN},
    {"a conditional branch", 0x00b50463, SL_BRANCH_CONDITIONAL, SL_ARRIVED_BY_BRANCH,
     SL_ARRIVED_BY_BRANCH, SL_ARRIVED_UNKNOWN},
    {"a jump", 0x0080006f, SL_BRANCH_JUMP, SL_ARRIVED_UNKNOWN, SL_ARRIVED_BY_BRANCH,
     SL_ARRIVED_UNKNOWN},
    {"a call", 0x008000ef, SL_BRANCH_CALL, SL_ARRIVED_UNKNOWN, SL_ARRIVED_BY_BRANCH,
     SL_ARRIVED_UNKNOWN},
    {"an indirect jump", 0x00078067, SL_BRANCH_INDIRECT, SL_ARRIVED_BY_BRANCH, SL_ARRIVED_BY_BRANCH,
     SL_ARRIVED_BY_BRANCH},
    {"an indirect call", 0x000780e7, SL_BRANCH_INDIRECT_CALL, SL_ARRIVED_BY_BRANCH,
     SL_ARRIVED_BY_BRANCH, SL_ARRIVED_BY_BRANCH},
    {"a return", 0x00008067, SL_BRANCH_RETURN, SL_ARRIVED_BY_BRANCH, SL_ARRIVED_BY_BRANCH,
     SL_ARRIVED_BY_BRANCH},
};

/* From the first block to the one at `to`, as it is and with its description. */
static bool comes(const struct tiny *t, const struct end *e, uint32_t to, enum sl_arrival how)
{
    struct sl_thread_position place;
    struct sl_retired_branch b = {0};
    uint64_t pc = t->statics.block[to].pc;
    sl_arrival_reset(&place);
    if (sl_arrival_step(&t->code, &place, 0, &b) != SL_ARRIVED_UNKNOWN ||
        sl_arrival_step(&t->code, &place, to, &b) != how)
        return false;
    bool conditional = e->kind == SL_BRANCH_CONDITIONAL;
    return how != SL_ARRIVED_BY_BRANCH ||
           (b.pc == HERE && b.next == AFTER && b.kind == e->kind &&
            b.target == (conditional ? TARGET : pc) && b.taken == (!conditional || pc == TARGET));
}

static void all_ends(void)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const struct end *e = &ends[i];
        struct tiny *t = tiny_new(SL_ARCH_RISCV64);
        const uint32_t nop = 0x00000013;
        tiny_words(t, HERE, 1, &e->word);
        uint32_t after = tiny_words(t, AFTER, 1, &nop), target = tiny_words(t, TARGET, 1, &nop);
        uint32_t elsewhere = tiny_words(t, ELSEWHERE, 1, &nop);
        tiny_sync(t);
        ok(comes(t, e, after, e->after), "%s, then what is after it", e->name);
        ok(comes(t, e, target, e->target), "%s, then its target", e->name);
        ok(comes(t, e, elsewhere, e->elsewhere), "%s, then neither", e->name);
        tiny_free(t);
    }
}

/* beq $2, $3, 0x2008 at the end of a page, and its slot on the next. */
static void slot_of_its_own(void)
{
    struct tiny *t = tiny_new(SL_ARCH_MIPSEL);
    const uint32_t nop = 0;
    uint32_t branch = tiny_words(t, 0x1ffc, 1, (uint32_t[]){0x10430002});
    uint32_t slot = tiny_words(t, 0x2000, 1, &nop), after = tiny_words(t, 0x2004, 1, &nop);
    uint32_t target = tiny_words(t, 0x2008, 1, &nop);
    uint32_t elsewhere = tiny_words(t, 0x9000, 1, &nop);
    tiny_sync(t);
    const uint32_t to[] = {target, after, elsewhere, slot};
    bool right[4];
    for (unsigned i = 0; i < 4; i++) {
        struct sl_thread_position place;
        struct sl_retired_branch b = {0};
        sl_arrival_reset(&place);
        sl_arrival_step(&t->code, &place, branch, &b);
        right[i] = sl_arrival_step(&t->code, &place, slot, &b) == SL_ARRIVED_FALL_THROUGH && !b.pc;
        enum sl_arrival how = sl_arrival_step(&t->code, &place, to[i], &b);
        right[i] &= i < 2 ? how == SL_ARRIVED_BY_BRANCH && b.pc == 0x1ffc && b.next == 0x2004 &&
                                b.target == 0x2008 && b.taken == (i == 0)
                          : how == SL_ARRIVED_UNKNOWN;
        right[i] &= sl_arrival_step(&t->code, &place, branch, &b) == SL_ARRIVED_UNKNOWN;
    }
    ok(right[0], "a delay slot of its own: the branch was taken, and returns go after the slot");
    ok(right[1], "it was not taken");
    ok(right[2] && right[3], "it was interrupted after the slot");
    tiny_free(t);
}

static void repeats(void)
{
    struct tiny *t = tiny_new(SL_ARCH_X86_64);
    struct sl_thread_position place;
    struct sl_retired_branch b;
    uint32_t first = tiny_bytes(t, 0x1000, 2, (uint8_t[]){3, 2},
                                (uint8_t[]){0x48, 0x01, 0xd8, 0xf3, 0xaa}); /* add, rep stosb */
    uint32_t round = tiny_bytes(t, 0x1003, 1, (uint8_t[]){2}, (uint8_t[]){0xf3, 0xaa});
    tiny_sync(t);
    sl_arrival_reset(&place);
    sl_arrival_step(&t->code, &place, first, &b);
    ok(sl_arrival_step(&t->code, &place, round, &b) == SL_ARRIVED_FALL_THROUGH &&
           sl_arrival_step(&t->code, &place, round, &b) == SL_ARRIVED_FALL_THROUGH &&
           sl_arrival_step(&t->code, &place, first, &b) == SL_ARRIVED_UNKNOWN,
       "another round of rep, but not the block from its beginning");
    tiny_free(t);
}

int main(void)
{
    all_ends();
    slot_of_its_own();
    repeats();
    return done_testing();
}
