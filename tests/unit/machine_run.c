/* SPDX-License-Identifier: MIT */
/* Unit tests of complete CPU models on small programs written by hand: cycles, branches and their
 * stall cycles, threads, delay slots, repeated instructions, accesses that are reported late, and
 * cache traffic. */
#include "../support/checkout_data.h"
#include "../support/tiny_program.h"
#include "machine_support.h"
#include "tap.h"

#define BIT(what) (UINT64_C(1) << (what))

/* No TLBs and no prediction: the loop's branch, taken, is wrong every time. */
#define PLAIN "rocket,core.blocking=1,itlb.entries=0,dtlb.entries=0,bpred.kind=none"
#define GUESSING \
    "rocket,core.blocking=1,itlb.entries=0,dtlb.entries=0,bpred.kind=bimodal,l1d.replacement=lru"

static void run_tiny(struct sl_machine *m, struct tiny *t)
{
    struct sl_chunk chunk;
    tiny_cut(t, &chunk);
    run(m, &t->code, &chunk);
}

/* ---- RISC-V ---- */

enum {
    ADD = 0x00b50533,   /* add a0, a0, a1 */
    LOAD = 0x00053503,  /* ld a0, 0(a0) */
    STORE = 0x00a5b023, /* sd a0, 0(a1) */
    MUL = 0x02b50533,   /* mul a0, a0, a1 */
    COUNT = 0xfff60613, /* addi a2, a2, -1 */
    RETURN = 0x00008067,
    ECALL = 0x00000073,
};

/* bne a2, zero, offset */
static uint32_t branch(int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return 0x00061063 | (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | (o >> 1 & 15) << 8 |
           (o >> 11 & 1) << 7;
}

/* ---- kernels ---- */

struct kernel {
    const char *name, *spec;
    uint32_t body[4];
    unsigned n_body;
    uint64_t stride, span; /* of what is accessed */
    uint64_t cycles;       /* of an iteration, with the counting and the branch */
};

static void run_kernel(const struct kernel *k)
{
    enum { CHUNKS = 8, ITERATIONS = 2000 };
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    struct sl_machine *m = open_machine(k->spec, BIT(SL_MACHINE_CYCLES));
    uint32_t word[6];
    memcpy(word, k->body, sizeof k->body);
    word[k->n_body] = COUNT;
    word[k->n_body + 1] = branch(-4 * (int32_t)(k->n_body + 1));
    uint32_t loop = tiny_words(t, 0x10000, k->n_body + 2, word);
    uint64_t address = 0, cycles = 0;
    tiny_sync(t);
    for (unsigned c = 0; c < CHUNKS; c++) {
        for (unsigned i = 0; i < ITERATIONS; i++) {
            tiny_enter(t, loop);
            for (unsigned o = 0; o < k->n_body; o++)
                if (word[o] == LOAD || word[o] == STORE) {
                    tiny_access(t, o, word[o] == LOAD ? 'r' : 'w', 3, 0x100000 + address);
                    address = (address + k->stride) % k->span;
                }
        }
        run_tiny(m, t);
        cycles = 0;
        for (unsigned i = 0; i < ITERATIONS; i++)
            cycles += sl_machine_block_counts(m, SL_MACHINE_CYCLES)[i];
    }
    if (!ok(cycles == k->cycles * ITERATIONS, "%s: %d cycles an iteration", k->name,
            (int)k->cycles))
        printf("# got %.4f\n", (double)cycles / ITERATIONS);
    sl_machine_close(m);
    tiny_free(t);
}

static void kernels(void)
{
    const struct kernel all[] = {
        {"dependent additions", GUESSING, {ADD, ADD, ADD, ADD}, 4, 0, 1, 6},
        {"a pointer followed twice in L1", GUESSING, {LOAD, LOAD}, 2, 64, 8192, 5},
        {"a pointer followed in memory", GUESSING, {LOAD}, 1, 64, 1 << 24, 43},
        {"a pointer followed in L2",
         GUESSING ",l2.size=1Mi,l2.ways=8,l2.latency=9",
         {LOAD},
         1,
         64,
         1 << 17,
         12},
        {"stores to memory", GUESSING, {STORE}, 1, 64, 1 << 24, 43},
        {"dependent multiplications", GUESSING, {MUL, MUL}, 2, 0, 1, 10},
        {"a branch that is always wrong", PLAIN, {ADD, ADD}, 2, 0, 1, 7},
        {"tiger: a branch waits until its register is written", "tiger", {ADD, ADD}, 2, 0, 1, 6},
        {"tiger: with forwarding it would cost nothing",
         "tiger,core.branch_wait=0",
         {ADD, ADD},
         2,
         0,
         1,
         4},
        {"tiger: stores are written through, and keep the cache",
         "tiger",
         {STORE},
         1,
         64,
         1 << 24,
         7},
        {"tiger: without that they would cost nothing",
         "tiger,core.store_busy=0",
         {STORE},
         1,
         64,
         1 << 24,
         5},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        run_kernel(&all[i]);
}

/* ---- branches ---- */

struct places {
    struct tiny *t;
    uint32_t loop, after, handler, back;
};

/* A loop, what comes after it, and a signal's handler that ends with a system call. */
static struct places branching(void)
{
    struct places p = {.t = tiny_new(SL_ARCH_RISCV64)};
    p.loop = tiny_words(p.t, 0x1000, 2, (uint32_t[]){ADD, branch(-4)});
    p.after = tiny_words(p.t, 0x1008, 1, (uint32_t[]){RETURN});
    p.handler = tiny_words(p.t, 0x9000, 1, (uint32_t[]){ADD});
    p.back = tiny_words(p.t, 0x9004, 1, (uint32_t[]){ECALL});
    tiny_sync(p.t);
    return p;
}

static void enter_all(struct tiny *t, unsigned n, const uint32_t *block)
{
    for (unsigned i = 0; i < n; i++)
        tiny_enter(t, block[i]);
}
#define ENTER(t, ...) enter_all(t, sizeof(uint32_t[]){__VA_ARGS__} / 4, (uint32_t[]){__VA_ARGS__})

static bool rows_are(const struct sl_machine *m, enum sl_machine_event what, unsigned n,
                     const uint32_t *wanted)
{
    const uint32_t *row = sl_machine_block_counts(m, what);
    return !memcmp(row, wanted, n * sizeof *row);
}
#define ROWS_ARE(m, what, ...) \
    rows_are(m, what, sizeof(uint32_t[]){__VA_ARGS__} / 4, (uint32_t[]){__VA_ARGS__})

static void mispredictions(void)
{
    struct places p = branching();
    struct sl_machine *m = open_machine(PLAIN, BIT(SL_MACHINE_WRONG_DIRECTION) |
                                                   BIT(SL_MACHINE_WRONG_TARGET) |
                                                   BIT(SL_MACHINE_STALL_BRANCH));
    ENTER(p.t, p.loop, p.loop, p.loop, p.after);
    run_tiny(m, p.t);
    ok(ROWS_ARE(m, SL_MACHINE_WRONG_DIRECTION, 1, 1, 0, 0),
       "a wrong direction counts at the block that the branch ends");
    ok(ROWS_ARE(m, SL_MACHINE_STALL_BRANCH, 0, 3, 3, 0),
       "its cycles count at the block that waited");
    ENTER(p.t, p.loop, p.loop);
    run_tiny(m, p.t);
    ok(ROWS_ARE(m, SL_MACHINE_WRONG_TARGET, 1, 0) && ROWS_ARE(m, SL_MACHINE_WRONG_DIRECTION, 1, 0),
       "what ended the last chunk counts at the first block of this one");
    ok(sl_machine_totals(m)[SL_MACHINE_WRONG_DIRECTION] == 3 &&
           sl_machine_totals(m)[SL_MACHINE_WRONG_TARGET] == 1,
       "each is counted once");
    p.t->flags = SL_CHUNK_GAP;
    ENTER(p.t, p.loop, p.loop);
    run_tiny(m, p.t);
    ok(sl_machine_totals(m)[SL_MACHINE_WRONG_DIRECTION] == 4,
       "after a gap no branch counts as mispredicted");
    p.t->flags = SL_CHUNK_START;
    ENTER(p.t, p.loop);
    run_tiny(m, p.t);
    ok(sl_machine_totals(m)[SL_MACHINE_WRONG_DIRECTION] == 4, "nor at the start of a thread");
    sl_machine_close(m);

    m = open_machine(PLAIN, 0);
    ENTER(p.t, p.loop, p.handler, p.back, p.loop, p.after, p.handler, p.back, p.loop);
    run_tiny(m, p.t);
    ok(sl_machine_totals(m)[SL_MACHINE_WRONG_DIRECTION] == 0 &&
           sl_machine_totals(m)[SL_MACHINE_WRONG_TARGET] == 1,
       "a branch interrupted by a signal is not counted, but after a return every target is "
       "possible");
    sl_machine_close(m);
    tiny_free(p.t);
}

/* Two threads in the same loop; each chunk of one is followed by one of the other. */
static void threads(void)
{
    struct places p = branching();
    struct sl_machine *m = open_machine(PLAIN, 0);
    for (unsigned i = 0; i < 6; i++) {
        p.t->thread = i % 2 ? 4000000000u : 7;
        if (i % 2)
            ENTER(p.t, p.loop, p.loop, p.loop);
        else
            ENTER(p.t, p.after, p.handler);
        run_tiny(m, p.t);
    }
    ok(sl_machine_totals(m)[SL_MACHINE_WRONG_DIRECTION] == 8 &&
           sl_machine_totals(m)[SL_MACHINE_WRONG_TARGET] == 3,
       "each thread goes on where its own last chunk ended");
    sl_machine_close(m);
    m = open_machine(PLAIN, 0);
    const uint32_t straight[] = {p.handler, p.handler, p.back};
    for (unsigned i = 0; i < 3; i++) {
        p.t->thread = i % 2;
        tiny_enter(p.t, straight[i]);
        run_tiny(m, p.t);
    }
    ok(sl_machine_totals(m)[SL_MACHINE_FETCH_LINES] == 3, "and fetches its code again");
    sl_machine_close(m);
    tiny_free(p.t);
}

static void delay_slot(void)
{
    struct tiny *t = tiny_new(SL_ARCH_MIPSEL);
    struct sl_machine *m = open_machine("tiger,core.branch_penalty=9", ALL);
    /* beq $2, $3, +8 at the end of a page; its slot, the target and what is after. */
    uint32_t first = tiny_words(t, 0x1ffc, 1, (uint32_t[]){0x10430002});
    uint32_t slot = tiny_words(t, 0x2000, 1, (uint32_t[]){0x00000000});
    uint32_t target = tiny_words(t, 0x2008, 1, (uint32_t[]){0x00641021});
    uint32_t after = tiny_words(t, 0x2004, 1, (uint32_t[]){0x00641021});
    tiny_sync(t);
    ENTER(t, first, slot, target);
    run_tiny(m, t);
    ok(ROWS_ARE(m, SL_MACHINE_WRONG_DIRECTION, 0, 1, 0) &&
           ROWS_ARE(m, SL_MACHINE_STALL_BRANCH, 0, 0, 9),
       "a branch whose delay slot is a block of its own is counted after that block");
    t->flags = SL_CHUNK_GAP;
    ENTER(t, first, slot, after, target);
    run_tiny(m, t);
    ok(ROWS_ARE(m, SL_MACHINE_WRONG_DIRECTION, 0, 0, 0, 0), "also if it was not taken");
    sl_machine_close(m);
    tiny_free(t);
}

static void repeated(void)
{
    struct tiny *t = tiny_new(SL_ARCH_X86_64);
    struct sl_machine *m = open_machine(PLAIN, ALL);
    uint32_t first = tiny_bytes(t, 0x1000, 2, (uint8_t[]){3, 2},
                                (uint8_t[]){0x48, 0x01, 0xd8, 0xf3, 0xaa}); /* add, rep stosb */
    uint32_t round = tiny_bytes(t, 0x1003, 1, (uint8_t[]){2}, (uint8_t[]){0xf3, 0xaa});
    uint32_t after = tiny_bytes(t, 0x1005, 1, (uint8_t[]){1}, (uint8_t[]){0xc3});
    tiny_sync(t);
    ENTER(t, first, round, round, round, after);
    run_tiny(m, t);
    const uint64_t *total = sl_machine_totals(m);
    ok(total[SL_MACHINE_WRONG_DIRECTION] + total[SL_MACHINE_WRONG_TARGET] +
                   total[SL_MACHINE_MISFETCH] ==
               0 &&
           total[SL_MACHINE_FETCH_LINES] == 1 && total[SL_MACHINE_INSTRUCTIONS] == 6,
       "another round of rep is no branch, and nothing is fetched for it");
    sl_machine_close(m);
    tiny_free(t);
}

/* ---- blocks in pieces ---- */

static void late_accesses(void)
{
    uint64_t whole[SL_MACHINE_EVENTS];
    for (int cut = 0; cut < 2; cut++) {
        struct tiny *t = tiny_new(SL_ARCH_RISCV64);
        struct sl_machine *m = open_machine(PLAIN, ALL);
        uint32_t block = tiny_words(t, 0x1000, 3, (uint32_t[]){LOAD, LOAD, STORE});
        tiny_sync(t);
        tiny_enter(t, block);
        tiny_access(t, 0, 'r', 3, 0x10000);
        if (cut) {
            run_tiny(m, t);
            tiny_access(t, 1, 'r', 3, 0x20000);
            run_tiny(m, t); /* no block of its own */
        } else {
            tiny_access(t, 1, 'r', 3, 0x20000);
        }
        tiny_access(t, 2, 'w', 3, 0x30000);
        tiny_enter(t, block);
        tiny_access(t, 0, 'r', 3, 0x20008);
        run_tiny(m, t);
        const uint64_t *total = sl_machine_totals(m);
        if (!cut) {
            memcpy(whole, total, sizeof whole);
        } else {
            ok(total[SL_MACHINE_DATA_ACCESSES] == 4 &&
                   total[SL_MACHINE_DMISS] == whole[SL_MACHINE_DMISS] &&
                   total[SL_MACHINE_STALL_DATA] == whole[SL_MACHINE_STALL_DATA] &&
                   total[SL_MACHINE_INSTRUCTIONS] == 6 && total[SL_MACHINE_BASE] == 6,
               "accesses that come with a later chunk are made once");
            ok(sl_machine_block_counts(m, SL_MACHINE_DMISS)[0] == 2 &&
                   sl_machine_block_counts(m, SL_MACHINE_STALL_DATA)[0] == 80,
               "they count at the next block that is run");
            ok(total[SL_MACHINE_CYCLES] - total[SL_MACHINE_BASE] ==
                   total[SL_MACHINE_STALL_DATA] + total[SL_MACHINE_STALL_FETCH] +
                       total[SL_MACHINE_STALL_LOAD_USE],
               "and so do their cycles");
        }
        sl_machine_close(m);
        tiny_free(t);
    }
}

/* ---- caches ---- */

/* 100 stores, each to a line of its own, and a load from the first. */
static void counted(void)
{
    struct tiny *t = tiny_new(SL_ARCH_RISCV64);
    struct sl_machine *through = open_machine("tiger", 0);
    struct sl_machine *back = open_machine(PLAIN ",l1d.size=1Ki,l1d.ways=1", 0);
    uint32_t store = tiny_words(t, 0x1000, 1, (uint32_t[]){STORE});
    uint32_t load = tiny_words(t, 0x1004, 1, (uint32_t[]){LOAD});
    struct sl_chunk chunk;
    tiny_sync(t);
    for (unsigned i = 0; i < 100; i++) {
        tiny_enter(t, store);
        tiny_access(t, 0, 'w', 3, 0x10000 + 64 * i);
    }
    tiny_enter(t, load);
    tiny_access(t, 0, 'r', 3, 0x10000);
    tiny_cut(t, &chunk);
    run(through, &t->code, &chunk);
    run(back, &t->code, &chunk);
    const uint64_t *n = sl_machine_totals(through);
    ok(n[SL_MACHINE_DATA_ACCESSES] == 101 && n[SL_MACHINE_DMISS] == 101 &&
           n[SL_MACHINE_DWRITEBACK] == 0 && n[SL_MACHINE_MEMORY] == 100 + 1 + n[SL_MACHINE_IMISS] &&
           n[SL_MACHINE_L2_ACCESSES] == 0,
       "what is written through goes to memory, and the lines that are read come from it");
    n = sl_machine_totals(back);
    ok(n[SL_MACHINE_DMISS] == 101 && n[SL_MACHINE_DWRITEBACK] == 100 - 16 + 1 &&
           n[SL_MACHINE_MEMORY] == 101 + n[SL_MACHINE_DWRITEBACK] + n[SL_MACHINE_IMISS],
       "what is written back goes there when its line leaves");
    sl_machine_close(through);
    sl_machine_close(back);
    tiny_free(t);
}

int main(void)
{
    use_checkout_data();
    kernels();
    mispredictions();
    threads();
    delay_slot();
    repeated();
    late_accesses();
    counted();
    return done_testing();
}
