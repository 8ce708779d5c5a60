/* SPDX-License-Identifier: MIT */
/* Unit tests of the model of an in-order core: for small loops, the simulated cycles equal those
 * computed by hand. */
#include "in_order_support.h"

/* ---- kernels ---- */

/* A loop of one block. Loads go to `address`, which moves on by `stride` within `span`. */
struct kernel {
    const char *name;
    const char *options;
    struct sl_op op[8];
    unsigned n;
    uint64_t stride, span;
    enum sl_prediction prediction;
    bool straight;        /* the block is entered from itself without a branch: code goes on */
    uint64_t cycles, per; /* `per` iterations, 0 for 1, take `cycles` cycles */
    uint64_t causes;      /* of all that are lost, as bits */
};

#define LOST(cause) (UINT64_C(1) << SL_MACHINE_STALL_##cause)

static void run_kernel(const struct kernel *k)
{
    enum { WARM = 5120, MEASURED = 5120 };
    struct sl_hierarchy_config config = ordinary();
    struct placed p = open_core(k->options, &config);
    struct sl_op op[8];
    uint64_t address = 0, before[SL_MACHINE_EVENTS] = {0}, lost = 0;
    memcpy(op, k->op, sizeof op);
    for (unsigned i = 0; i < WARM + MEASURED; i++) {
        struct sl_reference r[8];
        struct sl_block_execution e = {.op = op,
                                       .n_ops = k->n,
                                       .reference = r,
                                       .prediction = k->prediction,
                                       .taken = !k->straight};
        if (i == WARM)
            memcpy(before, p.totals, sizeof before);
        for (unsigned o = 0; o < k->n; o++) {
            op[o].pc = (k->straight ? 32 * (uint64_t)i % (1 << 20) : 0) + 4 * o;
            if (op[o].flags & (SL_INSN_LOADS | SL_INSN_STORES)) {
                r[e.n_references++] = (struct sl_reference){.address = 0x100000 + address,
                                                            .op = (uint16_t)o,
                                                            .size = 8,
                                                            .store = op[o].flags & SL_INSN_STORES};
                address = (address + k->stride) % (k->span ? k->span : 1);
            }
        }
        sl_core_in_order.block(p.core, &e, p.totals);
    }
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        before[i] = p.totals[i] - before[i];
    for (unsigned i = SL_MACHINE_STALL_FIRST; i <= SL_MACHINE_STALL_LAST; i++)
        lost += k->causes >> i & 1 ? 0 : before[i];
    uint64_t wanted = k->cycles * MEASURED / (k->per ? k->per : 1);
    if (!ok(before[SL_MACHINE_CYCLES] == wanted && !lost && causes_add_up(p.totals),
            "%s: %.2f cycles an iteration", k->name, (double)wanted / MEASURED))
        printf("# got %.4f, lost to other causes %.4f\n",
               (double)before[SL_MACHINE_CYCLES] / MEASURED, (double)lost / MEASURED);
    close_core(&p);
}

#define ADD(to, from) make_op(SL_UNIT_ALU, to, from)
#define LOAD(to, from) make_op(SL_UNIT_MEMORY, to, from)
#define UNIT(unit, to, from) make_op(SL_UNIT_##unit, to, from)
#define FOUR(op)       \
    {                  \
        op, op, op, op \
    }

static void kernels(void)
{
    struct sl_op store = make_op(SL_UNIT_MEMORY, -1, 1);
    store.flags = SL_INSN_STORES;
    struct sl_op sum = make_op(SL_UNIT_ALU, 1, 1); /* from memory */
    sum.flags = SL_INSN_LOADS;
    struct sl_op pop = make_op(SL_UNIT_MEMORY, 2, 4);
    pop.n_results = 2;
    pop.result[1] = 4;
    pop.n_updates = 1;
    const struct kernel all[] = {
        {"four dependent additions", "core", FOUR(ADD(1, 1)), 4, .cycles = 4},
        {"four independent additions",
         "core",
         {ADD(1, 1), ADD(2, 2), ADD(3, 3), ADD(4, 4)},
         4,
         .cycles = 4},
        {"four loads that follow a pointer in L1", "core", FOUR(LOAD(1, 1)), 4, .cycles = 8,
         .causes = LOST(LOAD_USE)},
        {"the same, load-use 3", "core(load_use=3)", FOUR(LOAD(1, 1)), 4, .cycles = 16,
         .causes = LOST(LOAD_USE)},
        {"four loads without dependents", "core", FOUR(LOAD(2, 1)), 4, .cycles = 4},
        {"a load, another instruction, the use",
         "core",
         {LOAD(1, -1), ADD(2, 2), ADD(3, 1)},
         3,
         .cycles = 3},
        {"additions from memory, dependent", "core", FOUR(sum), 4, .cycles = 8,
         .causes = LOST(LOAD_USE)},
        {"pops: the stack pointer is there at once", "core", FOUR(pop), 4, .cycles = 4},
        {"stores in L1", "core", FOUR(store), 4, .cycles = 4},
        {"a pointer followed in L2",
         "core",
         {LOAD(1, 1)},
         1,
         64,
         32768,
         .cycles = 12,
         .causes = LOST(LOAD_USE) | LOST(DATA)},
        {"a pointer followed in memory, 64 lines a page",
         "core",
         {LOAD(1, 1)},
         1,
         64,
         1 << 26,
         .cycles = 112 * 64 + 30,
         .per = 64,
         .causes = LOST(LOAD_USE) | LOST(DATA) | LOST(DTLB)},
        {"a pointer followed in memory, one line a page",
         "core",
         {LOAD(1, 1)},
         1,
         4096 + 64,
         1 << 26,
         .cycles = 142,
         .causes = LOST(LOAD_USE) | LOST(DATA) | LOST(DTLB)},
        {"multiplications, dependent", "core(multiply=5)", FOUR(UNIT(MULTIPLY, 1, 1)), 4,
         .cycles = 20, .causes = LOST(LONG)},
        {"multiplications, independent", "core(multiply=5)", FOUR(UNIT(MULTIPLY, 1, 2)), 4,
         .cycles = 4},
        {"multiplications, independent, one at a time", "core(multiply=5,multiply_pipelined=0)",
         FOUR(UNIT(MULTIPLY, 1, 2)), 4, .cycles = 20, .causes = LOST(LONG)},
        {"divisions, independent: one at a time", "core(divide=33)", FOUR(UNIT(DIVIDE, 1, 2)), 4,
         .cycles = 132, .causes = LOST(LONG)},
        {"a division that other instructions hide",
         "core(divide=4)",
         {UNIT(DIVIDE, 1, 2), ADD(3, 3), ADD(3, 3), ADD(3, 3), ADD(3, 1)},
         5,
         .cycles = 5},
        {"a multiplication waits for the divider",
         "core(divide=9,multiply=2)",
         {UNIT(DIVIDE, 1, 2), UNIT(MULTIPLY, 3, 4)},
         2,
         .cycles = 10,
         .causes = LOST(LONG)},
        {"floating point, dependent", "core(float_add=3)", FOUR(UNIT(FLOAT, 70, 70)), 4,
         .cycles = 12, .causes = LOST(LONG)},
        {"floating-point divisions: one at a time", "core(float_divide=7)",
         FOUR(UNIT(FLOAT_DIVIDE, 70, 71)), 4, .cycles = 28, .causes = LOST(LONG)},
        {"floating-point products one after another", "core(float_multiply=7)",
         FOUR(UNIT(FLOAT_MULTIPLY, 70, 71)), 4, .cycles = 4},
        {"a wrong direction every iteration", "core(branch_penalty=5)", FOUR(ADD(1, 1)), 4,
         .prediction = SL_MISDIRECTED, .cycles = 9, .causes = LOST(BRANCH)},
        {"a wrong target every iteration", "core(branch_penalty=5)", FOUR(ADD(1, 1)), 4,
         .prediction = SL_MISTARGETED, .cycles = 9, .causes = LOST(BRANCH)},
        {"a misfetch every iteration", "core(misfetch_penalty=2)", FOUR(ADD(1, 1)), 4,
         .prediction = SL_MISFETCHED, .cycles = 6, .causes = LOST(BRANCH)},
        {"a bubble after every taken branch", "core(taken_bubble=1)", FOUR(ADD(1, 1)), 4,
         .cycles = 5, .causes = LOST(BRANCH)},
        /* Eight instructions a line of 32 bytes; L2's line is two of them, a page 128. */
        {"straight code from memory",
         "core",
         {ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1)},
         8,
         .straight = true,
         .cycles = (18 * 2 + 100) * 64 + 30,
         .per = 128,
         .causes = LOST(FETCH) | LOST(ITLB)},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        run_kernel(&all[i]);
}

/* ---- a miss that does not block ---- */

/* Cycles of a load that misses (10 of them), n additions and one instruction more, which
 * if it is a load goes `offset` bytes after the first. */
static uint64_t cycles_behind_miss(bool blocking, unsigned n, struct sl_op last, uint64_t offset,
                                   uint64_t *lost)
{
    struct sl_hierarchy_config config = ordinary();
    struct placed p = open_core(blocking ? "core(blocking=1)" : "core(blocking=0)", &config);
    struct sl_op op[16] = {LOAD(1, 5)};
    for (unsigned i = 1; i <= n; i++)
        op[i] = ADD(2, 2);
    op[n + 1] = last;
    uint64_t before = 0;
    for (unsigned i = 0; i < 1000; i++) { /* after the first 512 lines all are in L2 */
        uint64_t address = 0x100000 + 64 * (i % 512);
        struct sl_reference r[2] = {
            {.address = address, .op = 0, .size = 8},
            {.address = address + offset, .op = (uint16_t)(n + 1), .size = 8}};
        struct sl_block_execution e = {.op = op,
                                       .n_ops = n + 2,
                                       .reference = r,
                                       .n_references = 1 + (last.unit == SL_UNIT_MEMORY),
                                       .taken = true};
        before = p.totals[SL_MACHINE_CYCLES];
        memcpy(lost, p.totals, sizeof p.totals);
        sl_core_in_order.block(p.core, &e, p.totals);
    }
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        lost[i] = p.totals[i] - lost[i];
    before = p.totals[SL_MACHINE_CYCLES] - before;
    close_core(&p);
    return before;
}

static void misses(void)
{
    uint64_t lost[SL_MACHINE_EVENTS];
    uint64_t cycles = cycles_behind_miss(true, 4, ADD(3, 1), 0, lost);
    ok(cycles == 16 && lost[SL_MACHINE_STALL_DATA] == 10, "a miss that blocks takes its cycles");
    cycles = cycles_behind_miss(false, 12, ADD(3, 4), 0, lost);
    ok(cycles == 14 && lost[SL_MACHINE_BASE] == 14,
       "one that does not takes none if no instruction waits");
    cycles = cycles_behind_miss(false, 4, ADD(3, 1), 0, lost);
    ok(cycles == 13 && lost[SL_MACHINE_STALL_DATA] == 7, "the use waits for what is left of it");
    cycles = cycles_behind_miss(false, 4, LOAD(3, 4), 8, lost);
    ok(cycles == 12 && lost[SL_MACHINE_STALL_DATA] == 6, "another access to the line waits for it");
    cycles = cycles_behind_miss(false, 12, LOAD(3, 4), -UINT64_C(64), lost);
    ok(cycles == 14 && lost[SL_MACHINE_BASE] == 14,
       "an access to a line that is there does not wait");
    cycles = cycles_behind_miss(false, 4, LOAD(3, 4), 1 << 14, lost);
    ok(cycles == 22 && lost[SL_MACHINE_STALL_DATA] == 16, "another miss waits until it is done");
}

static void holds(void)
{
    struct sl_hierarchy_config config = ordinary();
    struct placed p = open_core("core", &config);
    struct sl_op op = ADD(1, 1);
    struct sl_block_execution e = {.op = &op, .n_ops = 1};
    sl_core_in_order.block(p.core, &e, p.totals);
    uint64_t before = p.totals[SL_MACHINE_CYCLES];
    uint64_t committed = sl_core_in_order.committed(p.core);
    sl_core_in_order.hold(p.core, committed + 6);
    sl_core_in_order.hold(p.core, committed + 2);
    sl_core_in_order.block(p.core, &e, p.totals);
    ok(sl_core_in_order.committed(p.core) == committed + 6,
       "nothing is committed before the later of two cycles that it is held up to");
    sl_core_in_order.block(p.core, &e, p.totals);
    ok(p.totals[SL_MACHINE_CYCLES] - before == 7 && p.totals[SL_MACHINE_STALL_PROFILER] == 5,
       "commit that is held up waits once");
    close_core(&p);
}

/* Each block of many loads is remembered from its second execution on: with a shape it does what it
 * does without one. */
static void many_loads(void)
{
    enum { LOADS = 180, TIMES = 20 };
    static struct sl_op op[LOADS];
    static struct sl_reference r[LOADS];
    struct sl_hierarchy_config config = ordinary();
    uint64_t totals[2][SL_MACHINE_EVENTS];
    for (uint32_t i = 0; i < LOADS; i++) {
        op[i] = LOAD(1, -1);
        op[i].pc = 4 * i;
        r[i] = (struct sl_reference){.address = 0x100000 + 8 * i, .op = (uint16_t)i, .size = 8};
    }
    for (uint32_t shape = 0; shape < 2; shape++) {
        struct placed p = open_core("core", &config);
        struct sl_block_execution e = {.op = op,
                                       .n_ops = LOADS,
                                       .reference = r,
                                       .n_references = LOADS,
                                       .taken = true,
                                       .shape = shape};
        for (unsigned i = 0; i < TIMES; i++)
            sl_core_in_order.block(p.core, &e, p.totals);
        memcpy(totals[shape], p.totals, sizeof p.totals);
        close_core(&p);
    }
    ok(!memcmp(totals[0], totals[1], sizeof totals[0]) &&
           totals[0][SL_MACHINE_DATA_HALVES] == 2 * LOADS * TIMES,
       "a block of %d loads: remembered, it does what it did", LOADS);
}

int main(void)
{
    kernels();
    misses();
    holds();
    many_loads();
    return done_testing();
}
