/* SPDX-License-Identifier: MIT */
/* Unit tests of the in-order core, compared with a simple pipeline model that simulates every cycle
 * (in_order_naive.h). For random programs on random CPU models, both must give the same number of
 * execution cycles, and the same number of stall cycles for each cause. */
#include "in_order_naive.h"
#include "in_order_state.h"
#include "in_order_support.h"
#include "random.h"

#define BLOCKS 50

/* ---- random programs ---- */

static struct sl_op random_op(uint64_t *seed, uint64_t pc)
{
    struct sl_op op = make_op((enum sl_unit)sl_random_below(seed, SL_UNITS), -1, -1);
    op.pc = pc;
    op.size = (uint8_t)(1 + sl_random_below(seed, 15));
    op.n_sources = (uint8_t)sl_random_below(seed, SL_OP_SOURCES + 1);
    op.n_results = (uint8_t)sl_random_below(seed, SL_OP_RESULTS + 1);
    for (unsigned i = 0; i < op.n_sources; i++)
        op.source[i] = (uint8_t)(sl_random_below(seed, 2) * 64 + sl_random_below(seed, 8));
    for (unsigned i = 0; i < op.n_results; i++)
        op.result[i] = (uint8_t)(64 * (i % 2) + 2 * sl_random_below(seed, 4) + i / 2);
    op.flags = sl_random_below(seed, 3) ? op.flags : (uint8_t)(1 + sl_random_below(seed, 3));
    if (op.flags & SL_INSN_LOADS && op.n_results > 1)
        op.n_updates = (uint8_t)sl_random_below(seed, 2);
    if (!sl_random_below(seed, 3))
        op.branch = SL_BRANCH_CONDITIONAL;
    return op;
}

struct text {
    struct sl_op op[BLOCKS][OPS];
    unsigned n[BLOCKS];
};

static void random_text(struct text *t, uint64_t *seed)
{
    uint64_t pc = 0x1000;
    for (unsigned b = 0; b < BLOCKS; b++) {
        t->n[b] = (unsigned)sl_random_below(seed, OPS + 1);
        for (unsigned i = 0; i < t->n[b]; i++) {
            t->op[b][i] = random_op(seed, pc);
            pc += t->op[b][i].size;
        }
    }
}

static unsigned random_references(const struct text *t, unsigned b, struct sl_reference *r,
                                  uint64_t *seed)
{
    unsigned n = 0;
    for (unsigned i = 0; i < t->n[b]; i++)
        for (uint64_t k = t->op[b][i].flags & 3 ? sl_random_below(seed, 4) : 0; k; k--)
            r[n++] = (struct sl_reference){
                .address = sl_random_below(seed, sl_random_below(seed, 2) ? 2000 : 40000),
                .op = (uint16_t)i,
                .size = (uint8_t)(1u << sl_random_below(seed, 6)),
                .store = sl_random_below(seed, 2)};
    return n;
}

/* Small, so that everything misses now and then; parts may be absent. */
static struct sl_hierarchy_config random_hierarchy(uint64_t *seed)
{
    struct sl_hierarchy_config c = ordinary();
    c.l1i = c.l1d = (struct sl_cache_config){
        .size = 256, .ways = 2, .line = 32, .latency = 1, .allocate = true};
    c.l1d.latency = 1 + sl_random_below(seed, 3);
    c.l2.size = sl_random_below(seed, 2) ? 2048 : 0;
    c.itlb.entries = c.itlb.ways = sl_random_below(seed, 2) ? 2 : 0;
    c.dtlb.entries = c.dtlb.ways = sl_random_below(seed, 2) ? 2 : 0;
    c.itlb.page = c.dtlb.page = 1024;
    if (!sl_random_below(seed, 4))
        c.l1d.size = 0;
    if (!sl_random_below(seed, 4))
        c.l1i.size = 0;
    if (sl_random_below(seed, 2))
        c.l1d.write = SL_CACHE_THROUGH;
    c.l3.size = sl_random_below(seed, 2) ? 4096 : 0;
    c.l1d.prefetch = (unsigned)sl_random_below(seed, 4);
    c.l2.prefetch = (unsigned)sl_random_below(seed, 4);
    return c;
}

/* The same choices as the core's options and for the plain pipeline. */
static struct placed random_core(struct plain *p, uint64_t *seed)
{
    struct sl_hierarchy_config hierarchy = random_hierarchy(seed);
    char text[320];
    *p = (struct plain){.h = open_hierarchy(&hierarchy), .line = UINT64_MAX, .coming = UINT64_MAX};
    p->width = sl_random_below(seed, 2) ? 1 : 1 + (unsigned)sl_random_below(seed, 4);
    p->ports = 1 + (unsigned)sl_random_below(seed, 2);
    p->load_use = sl_random_below(seed, 3);
    for (unsigned i = 0; i < SL_UNITS; i++)
        p->latency[i] = i >= SL_UNIT_MULTIPLY && i <= SL_UNIT_FLOAT_DIVIDE
                            ? 1 + sl_random_below(seed, 9)
                            : 1;
    p->penalty = sl_random_below(seed, 5);
    p->misfetch = sl_random_below(seed, 3);
    p->bubble = sl_random_below(seed, 2);
    p->branch_wait = sl_random_below(seed, 2) * sl_random_below(seed, 4);
    p->store_busy = sl_random_below(seed, 2) * sl_random_below(seed, 9);
    p->multiply_pipelined = sl_random_below(seed, 2);
    p->blocking = sl_random_below(seed, 2);
    snprintf(
        text, sizeof text,
        "core(width=%d,ports=%d,load_use=%d,multiply=%d,divide=%d,float_add=%d,float_multiply=%d,"
        "float_divide=%d,branch_penalty=%d,misfetch_penalty=%d,taken_bubble=%d,"
        "multiply_pipelined=%d,blocking=%d,branch_wait=%d,store_busy=%d)",
        (int)p->width, (int)p->ports, (int)p->load_use, (int)p->latency[SL_UNIT_MULTIPLY],
        (int)p->latency[SL_UNIT_DIVIDE], (int)p->latency[SL_UNIT_FLOAT],
        (int)p->latency[SL_UNIT_FLOAT_MULTIPLY], (int)p->latency[SL_UNIT_FLOAT_DIVIDE],
        (int)p->penalty, (int)p->misfetch, (int)p->bubble, p->multiply_pipelined, p->blocking,
        (int)p->branch_wait, (int)p->store_busy);
    return open_core(text, &hierarchy);
}

/* Whether the commits of a block are those of the plain pipeline; `before` is when the last began.
 */
static bool same_commits(const struct plain *p, const struct sl_block_execution *e,
                         uint64_t *before)
{
    bool same = true;
    for (unsigned i = 0; i < e->n_ops; i++) {
        const struct sl_commit *c = &e->commit[i];
        bool wrong = !i && (e->prediction == SL_MISDIRECTED || e->prediction == SL_MISTARGETED);
        uint64_t empty = 0;
        for (uint64_t t = *before + 1; wrong && t < p->fetched[i]; t++)
            empty++;
        same &= *before + c->after == p->began[i] && p->began[i] - c->early == p->fetched[i] &&
                c->flushed == empty;
        *before = p->began[i];
    }
    return same;
}

/* The end of a run on both: what is begun, ends. True if all is equal. */
static bool ends_alike(struct placed *p, struct plain *plain)
{
    finish(plain);
    for (uint32_t i = 0; i < 2 && plain->width > 1; i++) {
        struct sl_block_execution none = {.taken = true};
        sl_core_in_order.block(p->core, &none, p->totals);
        plain_block(plain, &none, 0);
    }
    return !memcmp(p->totals, plain->totals, sizeof p->totals);
}

static void random_programs(void)
{
    static struct text t;
    uint64_t seed = 1;
    unsigned wrong = 0, not_summed = 0, otherwise = 0, programs = tap_rounds(120, 12);
    for (unsigned program = 0; program < programs; program++) {
        struct plain plain;
        struct placed p = random_core(&plain, &seed);
        uint64_t before = 0;
        random_text(&t, &seed);
        for (unsigned i = 0, b = BLOCKS; i < 400; i++) {
            bool taken = ++b >= BLOCKS || sl_random_below(&seed, 2);
            b = taken ? (unsigned)sl_random_below(&seed, BLOCKS) : b;
            uint32_t held = !p.totals[SL_MACHINE_CYCLES] || sl_random_below(&seed, 20)
                                ? 0
                                : (uint32_t)sl_random_below(&seed, 9);
            struct sl_reference r[4 * OPS];
            struct sl_commit commit[OPS];
            struct sl_block_execution e = {
                .op = t.op[b],
                .n_ops = t.n[b],
                .reference = r,
                .n_references = random_references(&t, b, r, &seed),
                .prediction = (enum sl_prediction)sl_random_below(&seed, SL_PREDICTION_COUNT),
                .taken = taken,
                .commit = commit};
            if (held)
                sl_core_in_order.hold(p.core, sl_core_in_order.committed(p.core) + 1 + held);
            sl_core_in_order.block(p.core, &e, p.totals);
            plain_block(&plain, &e, held);
            not_summed += !causes_add_up(p.totals);
            otherwise += !same_commits(&plain, &e, &before);
        }
        wrong += !ends_alike(&p, &plain);
        close_core(&p);
        free(plain.h);
    }
    ok(!not_summed, "base and the causes of stall cycles add up to the cycles after every block");
    ok(!wrong, "%u random machines and programs: each cause as if counted cycle by cycle",
       programs);
    ok(!otherwise, "instructions are fetched and begin when they do there");
}

/* ---- ways that were gone before ---- */

#define SHAPES 6 /* of a few blocks, so that all comes again and again */

/* References of a shape go where they went before, more often than not. */
static void move_references(struct sl_reference *r, unsigned n, uint64_t *seed)
{
    for (unsigned i = 0; i < n; i++)
        if (!sl_random_below(seed, 4))
            r[i].address = sl_random_below(seed, sl_random_below(seed, 4) ? 600 : 40000);
}

/* Blocks of a few shapes on a core and, to compare it with, the plain pipeline or the same core
 * that goes through each of them by itself, which is faster by far. */
struct repeated {
    struct text text;
    struct sl_reference r[SHAPES][4 * OPS];
    unsigned n[SHAPES];
    struct placed p, walking;
    struct plain plain;
    uint64_t differ, forgotten; /* blocks after which figures do, after which all ways were */
};

static void begin_repeated(struct repeated *m, unsigned most_ops, uint64_t *seed)
{
    *m = (struct repeated){.differ = 0};
    uint64_t same_seed = *seed;
    struct plain unused;
    m->p = random_core(&m->plain, seed);
    m->walking = random_core(&unused, &same_seed);
    free(unused.h);
    random_text(&m->text, seed);
    for (unsigned b = 0; b < BLOCKS; b++)
        m->text.n[b] = m->text.n[b] < most_ops ? m->text.n[b] : most_ops;
    for (unsigned s = 0; s < SHAPES; s++) /* two shapes of a block, with other accesses */
        m->n[s] = random_references(&m->text, s / 2, m->r[s], seed);
}

static void end_repeated(struct repeated *m)
{
    close_core(&m->p);
    close_core(&m->walking);
    free(m->plain.h);
}

/* Every second block is one of `n_copies`, which do the same but have numbers of their own. */
static struct sl_block_execution next_repeated(struct repeated *m, unsigned i, unsigned *s,
                                               uint32_t n_copies, uint64_t *seed)
{
    unsigned before = *s / 2, block = (*s = (unsigned)sl_random_below(seed, SHAPES)) / 2;
    bool often = sl_random_below(seed, 8);
    uint32_t copy = i % 2 ? (uint32_t)sl_random_below(seed, n_copies) : 0, n_ops = m->text.n[block];
    move_references(m->r[*s], m->n[*s], seed);
    return (struct sl_block_execution){
        .op = m->text.op[block],
        .n_ops = n_ops,
        .reference = m->r[*s],
        .n_references = m->n[*s],
        .shape = n_ops && sl_random_below(seed, 30) ? SHAPES * copy + *s + 1 : 0,
        .prediction = often ? SL_PREDICTED
                            : (enum sl_prediction)sl_random_below(seed, SL_PREDICTION_COUNT),
        .taken = block != before + 1 || sl_random_below(seed, 2)};
}

static void run_held(struct placed *p, const struct sl_block_execution *e, uint32_t held)
{
    if (held)
        sl_core_in_order.hold(p->core, sl_core_in_order.committed(p->core) + 1 + held);
    sl_core_in_order.block(p->core, e, p->totals);
}

static void run_repeated(struct repeated *m, bool by_plain, unsigned n_blocks, uint32_t n_copies,
                         uint64_t *seed)
{
    const struct sl_in_order *core = m->p.core;
    const uint64_t *wanted = by_plain ? m->plain.totals : m->walking.totals;
    for (unsigned i = 0, s = 0; i < n_blocks; i++) {
        struct sl_block_execution e = next_repeated(m, i, &s, n_copies, seed);
        bool had_ways = core->memos;
        uint32_t held = !m->p.totals[SL_MACHINE_CYCLES] || sl_random_below(seed, 50)
                            ? 0
                            : (uint32_t)sl_random_below(seed, 9);
        run_held(&m->p, &e, held);
        m->forgotten += had_ways && !core->memos;
        e.shape = 0;
        if (by_plain)
            plain_block(&m->plain, &e, held);
        else
            run_held(&m->walking, &e, held);
        /* Those of the same cycle as the first of the next block are counted there. */
        m->differ += (!by_plain || m->plain.width == 1) &&
                     memcmp(m->p.totals, wanted, sizeof m->p.totals) != 0;
    }
}

static void repeated_programs(void)
{
    static struct repeated m;
    enum { PROGRAMS = 60, N = 3000 };
    uint64_t seed = 7, wrong = 0, differ = 0;
    for (unsigned program = 0; program < PROGRAMS; program++) {
        begin_repeated(&m, OPS, &seed);
        run_repeated(&m, true, N, 1, &seed);
        differ += m.differ;
        wrong += !ends_alike(&m.p, &m.plain);
        end_repeated(&m);
    }
    ok(!differ, "%d blocks that come again: the same after every one", PROGRAMS * N);
    ok(!wrong, "and at the end, where several begin together");
}

/* More ways than there is space for. */
static void forgotten_programs(void)
{
    static struct repeated m;
    uint64_t seed = 11, differ = 0, never = 0;
    unsigned programs = tap_rounds(4, 2);
    for (unsigned program = 0; program < programs; program++) {
        begin_repeated(&m, program % 2 ? OPS : 1, &seed); /* steps or ways are too many */
        for (unsigned i = 0; i < 100 && m.forgotten < 2; i++)
            run_repeated(&m, false, 20000, 1 << 20, &seed);
        run_repeated(&m, false, 3000, 1, &seed);
        never += m.forgotten < 2;
        differ += m.differ;
        end_repeated(&m);
    }
    ok(!never, "%u programs with more ways than there is space for: all are forgotten, twice",
       programs);
    ok(!differ, "after every block, the same as without ways");
}

int main(void)
{
    random_programs();
    repeated_programs();
    forgotten_programs();
    return done_testing();
}
