/* SPDX-License-Identifier: MIT */
/* Unit tests of warming a CPU model, which runs caches and predictors without timing. After
 * warming, the model counts the same cache, TLB and predictor events in the next part of the run as
 * a model that simulated everything. */
#include "machine.h"

#include <string.h>

#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "random.h"
#include "tap.h"

/* Groups of two blocks: the first goes to itself or on to the second, which goes back, or (as if by
 * a signal) to another group. */
enum {
    LOAD = 0x00053503,  /* ld a0, 0(a0) */
    AGAIN = 0xfe061ee3, /* bne a2, zero, -4 */
    STORE = 0x00a5b023, /* sd a0, 0(a1) */
    ADD = 0x00b50533,   /* add a0, a0, a1 */
    BACK = 0xfe0618e3,  /* bne a2, zero, -16 */
};

#define GROUPS 50u
#define BLOCKS 3000u

static struct sl_machine *open_machine(const char *spec)
{
    struct sl_machine *m;
    struct sl_failure f;
    if (sl_machine_open(&m, spec, &f) < 0) {
        printf("# gives up: %s\n", f.text);
        exit(1);
    }
    sl_machine_need_events(m, UINT64_C(1) << SL_MACHINE_CYCLES);
    return m;
}

/* Groups are far apart in code; accesses are near and far. */
static void walk(struct tiny *t, const uint32_t *block, uint64_t *seed)
{
    uint64_t group = 0;
    bool second = false;
    for (unsigned i = 0; i < BLOCKS; i++) {
        uint64_t among = sl_random_below(seed, 3) ? 512 : 1 << 16;
        tiny_enter(t, block[2 * group + second]);
        tiny_access(t, 0, second ? 'w' : 'r', 3, 0x100000 + 8 * sl_random_below(seed, among));
        if (second && !sl_random_below(seed, 8))
            group = sl_random_below(seed, GROUPS);
        second = !second && sl_random_below(seed, 3);
    }
}

static void check(const char *spec)
{
    static const enum sl_machine_event same[] = {
        SL_MACHINE_IMISS,        SL_MACHINE_DMISS,       SL_MACHINE_DWRITEBACK,
        SL_MACHINE_L2MISS,       SL_MACHINE_L3MISS,      SL_MACHINE_ITLB_MISS,
        SL_MACHINE_DTLB_MISS,    SL_MACHINE_MISFETCH,    SL_MACHINE_WRONG_DIRECTION,
        SL_MACHINE_WRONG_TARGET, SL_MACHINE_INSTRUCTIONS};
    enum { SAME = sizeof same / sizeof *same };
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    struct sl_machine *detailed = open_machine(spec), *warmed = open_machine(spec);
    const uint32_t first[] = {LOAD, AGAIN}, second[] = {STORE, ADD, BACK};
    uint32_t block[2 * GROUPS];
    uint64_t seed = 5, before[2][SL_MACHINE_EVENTS];
    struct sl_failure f;
    struct sl_chunk chunk;
    int status = 0;
    for (unsigned i = 0; i < GROUPS; i++) {
        block[2 * i] = tiny_words(t, 0x10000 + 0x1a40 * i, 2, first);
        block[2 * i + 1] = tiny_words(t, 0x10008 + 0x1a40 * i, 3, second);
    }
    tiny_sync(t);
    for (unsigned c = 0; c < 12; c++) {
        walk(t, block, &seed);
        tiny_cut(t, &chunk);
        if (c == 9) {
            memcpy(before[0], sl_machine_totals(detailed), sizeof before[0]);
            memcpy(before[1], sl_machine_totals(warmed), sizeof before[1]);
        }
        status |= sl_machine_sync(detailed, &t->code, &f) | sl_machine_sync(warmed, &t->code, &f);
        status |= sl_machine_run(detailed, &chunk, &f);
        status |= c < 9 ? sl_machine_warm(warmed, &chunk, &f) : sl_machine_run(warmed, &chunk, &f);
    }
    ok(!status, "%s: it runs", spec);
    ok(!before[1][SL_MACHINE_INSTRUCTIONS] && !before[1][SL_MACHINE_CYCLES] &&
           !before[1][SL_MACHINE_WRONG_DIRECTION],
       "%s: while it warms, no instruction, cycle or branch counts", spec);
    for (unsigned i = 0; i < SAME; i++) {
        uint64_t a = sl_machine_totals(detailed)[same[i]] - before[0][same[i]];
        uint64_t b = sl_machine_totals(warmed)[same[i]] - before[1][same[i]];
        if (!ok(a == b, "%s: machine event %d is the same", spec, (int)same[i]))
            printf("# %llu, warmed %llu\n", (unsigned long long)a, (unsigned long long)b);
    }
    ok(sl_machine_totals(detailed)[SL_MACHINE_DMISS] > before[0][SL_MACHINE_DMISS] &&
           sl_machine_totals(detailed)[SL_MACHINE_WRONG_DIRECTION] >
               before[0][SL_MACHINE_WRONG_DIRECTION],
       "%s: and there is something to be counted", spec);
    sl_machine_close(detailed);
    sl_machine_close(warmed);
    tiny_free(t);
}

int main(void)
{
    use_checkout_data();
    check("rocket");
    check("ss4,l2.size=0");
    check("rocket,bpred.kind=tage,l1d.replacement=fifo,core.width=2");
    return done_testing();
}
