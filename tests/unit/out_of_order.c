/* SPDX-License-Identifier: MIT */
/* Unit tests of the out-of-order core: the cycles of small loops, and the causes of their stall
 * cycles, equal those computed by hand. Each loop is limited by one part of the core, for example
 * an execution unit, a queue, the branch predictor or instruction fetch. out_of_order_memory.c
 * tests loads and stores. */
#include "out_of_order_loop.h"

/* ---- units and widths ---- */

/* Eight that depend on each other, or on nothing. */
static struct loop eight(enum sl_unit unit, bool chain)
{
    struct loop l = new_loop();
    for (int i = 0; i < 8; i++)
        add_op(&l, unit, chain ? 1 : 2 + i, chain ? 1 : NONE);
    return l;
}

static void units(void)
{
    static const struct {
        const char *name;
        enum sl_unit unit;
        uint64_t chain, alone; /* cycles of eight */
    } cases[] = {
        {"additions", SL_UNIT_ALU, 8, 2},
        {"multiplications", SL_UNIT_MULTIPLY, 24, 4},
        {"divisions", SL_UNIT_DIVIDE, 160, 80},
        {"floating-point additions", SL_UNIT_FLOAT, 16, 2},
        {"floating-point multiplications", SL_UNIT_FLOAT_MULTIPLY, 32, 4},
        {"floating-point divisions", SL_UNIT_FLOAT_DIVIDE, 96, 48},
        {"no-operations", SL_UNIT_NONE, 2, 2},
        {"system instructions", SL_UNIT_SYSTEM, 24, 24},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loop chain = eight(cases[i].unit, true), alone = eight(cases[i].unit, false);
        ok(takes(&chain, cases[i].chain, 1) && takes(&alone, cases[i].alone, 1),
           "eight %s take %u cycles one after the other, %u if independent", cases[i].name,
           (unsigned)cases[i].chain, (unsigned)cases[i].alone);
    }
    struct loop l = eight(SL_UNIT_MULTIPLY, true);
    run(&l);
    ok(loses(&l, SL_MACHINE_BASE, 8) && loses(&l, SL_MACHINE_STALL_LONG, 16),
       "of a chain of multiplications all but the cycles of commit are lost as long");
    l = eight(SL_UNIT_SYSTEM, true);
    run(&l);
    ok(loses(&l, SL_MACHINE_STALL_DEPENDENCE, 16), "those of system instructions as dependence");
    l = eight(SL_UNIT_MULTIPLY, false);
    l.core.mul = 1;
    ok(takes(&l, 8, 1), "one multiplier: a multiplication a cycle");
    l.core.mul = 8;
    ok(takes(&l, 2, 1), "eight of them: as many as are fetched");
}

static void widths(void)
{
    struct loop l = eight(SL_UNIT_ALU, false);
    uint64_t *width[] = {&l.core.fetch, &l.core.dispatch, &l.core.issue, &l.core.commit,
                         &l.core.alu};
    const char *name[] = {"fetch", "dispatch", "issue", "commit", "alu"};
    for (size_t i = 0; i < 5; i++) {
        *width[i] = 1;
        bool one = takes(&l, 8, 1);
        *width[i] = 2;
        bool two = takes(&l, 4, 1);
        *width[i] = 3;
        ok(one && two && takes(&l, 8, 3), "%s=1, 2, 3: as many additions a cycle", name[i]);
        *width[i] = 4;
    }
    for (size_t i = 0; i < 5; i++)
        *width[i] = 8;
    ok(takes(&l, 1, 1), "eight of everything: eight additions a cycle");
    l = eight(SL_UNIT_ALU, false);
    l.executed.n_ops = 6;
    l.executed.taken = true;
    ok(takes(&l, 2, 1), "fetching stops after a taken branch: six instructions take two cycles");
}

static void queues(void)
{
    struct loop l = eight(SL_UNIT_ALU, false);
    l.core.rob = 4;
    ok(takes(&l, 6, 1) && loses(&l, SL_MACHINE_STALL_STRUCTURE, 4),
       "rob=4: four additions every three cycles, two of which are lost to structure");
    l.core.rob = 8;
    ok(takes(&l, 3, 1), "rob=8: eight");
    l.core.rob = 12;
    ok(takes(&l, 2, 1), "rob=12 is enough for four a cycle");
    l.core.rob = 128;
    l.core.ifq = 1;
    ok(takes(&l, 8, 1), "ifq=1: an instruction a cycle");
    l.core.ifq = 2;
    ok(takes(&l, 4, 1), "ifq=2: two");
    l = new_loop();
    for (int i = 0; i < 8; i++)
        add_load(&l, 2 + i, NONE, 0x10000);
    l.core.lsq = 1;
    ok(takes(&l, 32, 1), "lsq=1: a load, which takes two cycles, every four");
    l.core.lsq = 8;
    ok(takes(&l, 4, 1), "lsq=8: eight every four");
    /* A division at the head; what is after it waits for a free entry, not for units. */
    l = new_loop();
    add_op(&l, SL_UNIT_DIVIDE, 1, 1);
    for (int i = 0; i < 9; i++)
        add_op(&l, SL_UNIT_ALU, 2, NONE);
    l.core.rob = 10;
    ok(takes(&l, 22, 1) && loses(&l, SL_MACHINE_STALL_LONG, 19),
       "a reorder buffer that holds one division at a time overlaps them not at all");
}

/* ---- fetch ---- */

static void branches(void)
{
    struct loop l = eight(SL_UNIT_ALU, false);
    l.executed.n_ops = 4;
    l.op[3].branch = SL_BRANCH_CONDITIONAL;
    l.executed.taken = true;
    ok(takes(&l, 1, 1), "a loop of four that is predicted: a cycle");
    l.executed.prediction = SL_MISDIRECTED;
    ok(takes(&l, 6, 1) && loses(&l, SL_MACHINE_STALL_BRANCH, 5),
       "predicted wrong: three cycles until it is executed, three of penalty");
    l.core.branch_penalty = 10;
    ok(takes(&l, 13, 1) && loses(&l, SL_MACHINE_STALL_BRANCH, 12), "branch_penalty=10: seven more");
    l.core.branch_penalty = 3;
    l.executed.prediction = SL_MISFETCHED;
    ok(takes(&l, 2, 1), "a misfetch is found out at dispatch: a bubble of one cycle");
    l.core.misfetch_penalty = 4;
    ok(takes(&l, 5, 1) && loses(&l, SL_MACHINE_STALL_BRANCH, 4), "misfetch_penalty=4: of four");
    l.executed.prediction = SL_MISTARGETED;
    add_op(&l, SL_UNIT_MULTIPLY, 9, NONE);
    struct sl_op branch = l.op[3];
    l.op[3] = l.op[4];
    l.op[4] = branch;
    l.op[4].source[0] = 9;
    l.op[4].n_sources = 1;
    ok(takes(&l, 9, 1) && loses(&l, SL_MACHINE_STALL_LONG, 1) &&
           loses(&l, SL_MACHINE_STALL_BRANCH, 5),
       "a branch that waits for a multiplication: three cycles more, one of them lost as long");
}

static void lines(void)
{
    /* Two lines that displace each other. */
    struct loop l = eight(SL_UNIT_ALU, false);
    for (int i = 0; i < 8; i++)
        add_op(&l, SL_UNIT_ALU, 2, NONE)->pc = 0x400400 + 4 * (uint64_t)i;
    l.hierarchy.l1i.size = 64;
    ok(takes(&l, 24, 1) && loses(&l, SL_MACHINE_STALL_FETCH, 20),
       "eight instructions of a line that comes from L2: 12 cycles, 10 of which are lost");
    l.hierarchy.itlb = (struct sl_tlb_config){.entries = 1, .ways = 1, .page = 1024, .latency = 30};
    ok(takes(&l, 84, 1) && loses(&l, SL_MACHINE_STALL_FETCH, 20) &&
           loses(&l, SL_MACHINE_STALL_ITLB, 60),
       "with a TLB that walks for 30 cycles: 42");
    l.hierarchy.l1i.size = 32768;
    l.hierarchy.itlb.entries = 0;
    l.hierarchy.l1i.latency = 5;
    ok(takes(&l, 4, 1), "L1's own latency is hidden");
    l.op[15].branch = SL_BRANCH_CONDITIONAL;
    l.executed.prediction = SL_MISDIRECTED;
    ok(takes(&l, 3 + 3 + 3 + 4, 1), "until fetching has to begin again");

    l = eight(SL_UNIT_ALU, false);
    struct placed_core core;
    open_core(&core, &l.core, &l.hierarchy);
    l.executed.op = l.op;
    l.op[0].pc = 0x40001e;
    l.executed.n_ops = 1;
    sl_core_out_of_order.block(core.core, &l.executed, core.totals);
    ok(core.hierarchy->kind[SL_ACCESS_FETCH].accesses == 2 &&
           core.hierarchy->kind[SL_ACCESS_FETCH].l1_misses == 2 &&
           core.totals[SL_MACHINE_CYCLES] == 5 + 110 + 10,
       "an instruction in two lines of L1, one of L2, waits for both");
    close_core(&core);
}

/* ---- commit ---- */

static void holds(void)
{
    struct loop l = eight(SL_UNIT_ALU, false);
    l.hold = 5;
    ok(takes(&l, 7, 1) && loses(&l, SL_MACHINE_STALL_PROFILER, 5) && loses(&l, SL_MACHINE_BASE, 2),
       "a profiler that holds for five cycles after every block adds five");
    l = eight(SL_UNIT_DIVIDE, true);
    l.hold = 19;
    ok(takes(&l, 160, 1) && !l.totals[SL_MACHINE_STALL_PROFILER],
       "while nothing could have been committed a hold costs nothing");
    l.hold = 25;
    ok(takes(&l, 160, 1) && loses(&l, SL_MACHINE_STALL_PROFILER, 6),
       "nor does what the instructions after it make up for");

    struct placed_core core;
    l = eight(SL_UNIT_ALU, false);
    l.executed.op = l.op;
    l.executed.n_ops = 1;
    open_core(&core, &l.core, &l.hierarchy);
    sl_core_out_of_order.block(core.core, &l.executed, core.totals);
    uint64_t before = core.totals[SL_MACHINE_CYCLES];
    hold_for(&core, 1000);
    hold_for(&core, 300);
    ok(core.totals[SL_MACHINE_CYCLES] == before, "a hold is counted with the block that follows");
    sl_core_out_of_order.block(core.core, &l.executed, core.totals);
    ok(core.totals[SL_MACHINE_CYCLES] == before + 1001 &&
           core.totals[SL_MACHINE_STALL_PROFILER] == 1000,
       "of two the longer counts");
    close_core(&core);
}

/* ---- configurations ---- */

static void configurations(void)
{
    struct sl_out_of_order_config c;
    sl_options_defaults(sl_out_of_order_options, &c);
    ok(c.rob == 128 && c.lsq == 64 && c.ifq == 16 && c.mul == 2 && c.fpmul == 2 &&
           c.branch_penalty == 3,
       "the defaults are those of the path profiler's machine");
    size_t refused = 0, n = 0;
    for (const struct sl_option *o = sl_out_of_order_options; o->name; o++, n++) {
        char value[32];
        snprintf(value, sizeof value, "%u", (unsigned)o->high + 1);
        refused += !sl_option_set(o, value, strlen(value), &c);
    }
    ok(n == refused && n == sl_core_out_of_order.config_size / sizeof(uint64_t),
       "every value has a bound, and is refused beyond it");
    const struct sl_option *rob = sl_option_find(sl_out_of_order_options, "rob", 3);
    ok(!sl_option_set(rob, "0", 1, &c), "so is rob=0");
}

int main(void)
{
    units();
    widths();
    queues();
    branches();
    lines();
    holds();
    configurations();
    return done_testing();
}
