/* The in-order core: kernels whose cycles can be reckoned by hand, and random programs
 * against a pipeline that is counted cycle by cycle. */
#include <string.h>

#include "core.h"
#include "random.h"
#include "tap.h"

/* ---- a core -------------------------------------------------------------------------- */

struct placed {
    void *core, *config;
    struct sl_hierarchy *hierarchy;
    uint64_t happened[SL_HAPPENINGS];
};

static void *zeroed(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    return memset(aligned_alloc(64, bytes), 0, bytes);
}

static struct sl_hierarchy *open_hierarchy(const struct sl_hierarchy_config *config)
{
    struct sl_hierarchy *h = zeroed(sl_hierarchy_bytes(config));
    sl_hierarchy_init(h, config);
    return h;
}

/* `options` as in a spec: core(multiply=4). */
static struct placed open_core(const char *options, const struct sl_hierarchy_config *hierarchy)
{
    const struct sl_core_kind *kind = &sl_core_in_order;
    struct placed p = {.config = zeroed(kind->config_size), .hierarchy = open_hierarchy(hierarchy)};
    struct sl_spec spec;
    struct sl_failure f;
    if (sl_spec_split(&spec, options, 0, &f) ||
        sl_options_parse(kind->options, &spec, p.config, &f) || kind->check(p.config, &f)) {
        printf("Bail out! %s\n", f.text);
        exit(1);
    }
    p.core = zeroed(kind->size(p.config));
    kind->init(p.core, p.config, p.hierarchy);
    return p;
}

static void close_core(struct placed *p)
{
    free(p->core);
    free(p->config);
    free(p->hierarchy);
}

static bool causes_add_up(const uint64_t *happened)
{
    uint64_t sum = happened[SL_H_BASE];
    for (unsigned i = SL_H_LOST_FIRST; i <= SL_H_LOST_LAST; i++)
        sum += happened[i];
    return sum == happened[SL_H_CYCLES];
}

/* L1 caches of 8 KB with lines of 32 bytes, an L2 of 64 KB that takes 10 cycles, memory
 * that takes 100, TLBs of 16 pages that take 30. */
static struct sl_hierarchy_config ordinary(void)
{
    struct sl_hierarchy_config c;
    sl_hierarchy_defaults(&c);
    c.l1i = c.l1d = (struct sl_cache_config){.size = 8192, .ways = 2, .line = 32, .latency = 1,
                                             .allocate = true};
    c.l2 = (struct sl_cache_config){.size = 65536, .ways = 4, .line = 64, .latency = 10,
                                    .allocate = true};
    c.itlb = c.dtlb = (struct sl_tlb_config){.entries = 16, .ways = 16, .page = 4096, .latency = 30};
    return c;
}

/* ---- kernels --------------------------------------------------------------------------- */

static struct sl_op make_op(enum sl_unit unit, int result, int source)
{
    struct sl_op op = {.size = 4, .unit = (uint8_t)unit};
    memset(op.source, SL_OP_NEVER_WRITTEN, sizeof op.source);
    memset(op.result, SL_OP_NEVER_READ, sizeof op.result);
    if (unit == SL_UNIT_MEMORY)
        op.flags = SL_INSN_LOADS;
    if (result >= 0)
        op.result[op.n_results++] = (uint8_t)result;
    if (source >= 0)
        op.source[op.n_sources++] = (uint8_t)source;
    return op;
}

/* A loop of one block. Loads go to `address`, which moves on by `stride` within `span`. */
struct kernel {
    const char *name;
    const char *options;
    struct sl_op op[8];
    unsigned n;
    uint64_t stride, span;
    enum sl_prediction prediction;
    bool straight; /* the block is entered from itself without a branch: code goes on */
    uint64_t cycles, per;  /* so many iterations, 0 for 1, take that many cycles */
    uint64_t causes;       /* of all that are lost, as bits */
};

#define LOST(cause) (UINT64_C(1) << SL_H_LOST_##cause)

static void run_kernel(const struct kernel *k)
{
    enum { WARM = 5120, MEASURED = 5120 };
    struct sl_hierarchy_config config = ordinary();
    struct placed p = open_core(k->options, &config);
    struct sl_op op[8];
    uint64_t address = 0, before[SL_HAPPENINGS] = {0}, lost = 0;
    memcpy(op, k->op, sizeof op);
    for (unsigned i = 0; i < WARM + MEASURED; i++) {
        struct sl_reference r[8];
        struct sl_executed e = {.op = op, .n_ops = k->n, .reference = r,
                                .prediction = k->prediction, .taken = !k->straight};
        if (i == WARM)
            memcpy(before, p.happened, sizeof before);
        for (unsigned o = 0; o < k->n; o++) {
            op[o].pc = (k->straight ? 32 * (uint64_t)i % (1 << 20) : 0) + 4 * o;
            if (op[o].flags & (SL_INSN_LOADS | SL_INSN_STORES)) {
                r[e.n_references++] = (struct sl_reference){
                    .address = 0x100000 + address, .op = o, .size = 8,
                    .store = op[o].flags & SL_INSN_STORES};
                address = (address + k->stride) % (k->span ? k->span : 1);
            }
        }
        sl_core_in_order.block(p.core, &e, p.happened);
    }
    for (unsigned i = 0; i < SL_HAPPENINGS; i++)
        before[i] = p.happened[i] - before[i];
    for (unsigned i = SL_H_LOST_FIRST; i <= SL_H_LOST_LAST; i++)
        lost += k->causes >> i & 1 ? 0 : before[i];
    uint64_t wanted = k->cycles * MEASURED / (k->per ? k->per : 1);
    if (!ok(before[SL_H_CYCLES] == wanted && !lost && causes_add_up(p.happened),
            "%s: %.2f cycles an iteration", k->name, (double)wanted / MEASURED))
        printf("# got %.4f, lost to other causes %.4f\n",
               (double)before[SL_H_CYCLES] / MEASURED, (double)lost / MEASURED);
    close_core(&p);
}

#define ADD(to, from) make_op(SL_UNIT_ALU, to, from)
#define LOAD(to, from) make_op(SL_UNIT_MEMORY, to, from)
#define UNIT(unit, to, from) make_op(SL_UNIT_##unit, to, from)
#define FOUR(op) {op, op, op, op}

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
        {"four independent additions", "core", {ADD(1, 1), ADD(2, 2), ADD(3, 3), ADD(4, 4)}, 4,
         .cycles = 4},
        {"four loads that follow a pointer in L1", "core", FOUR(LOAD(1, 1)), 4, .cycles = 8,
         .causes = LOST(LOAD_USE)},
        {"the same, load-use 3", "core(load_use=3)", FOUR(LOAD(1, 1)), 4, .cycles = 16,
         .causes = LOST(LOAD_USE)},
        {"four loads nobody waits for", "core", FOUR(LOAD(2, 1)), 4, .cycles = 4},
        {"a load, another instruction, the use", "core", {LOAD(1, -1), ADD(2, 2), ADD(3, 1)}, 3,
         .cycles = 3},
        {"additions from memory, dependent", "core", FOUR(sum), 4, .cycles = 8,
         .causes = LOST(LOAD_USE)},
        {"pops: the stack pointer is there at once", "core", FOUR(pop), 4, .cycles = 4},
        {"stores in L1", "core", FOUR(store), 4, .cycles = 4},
        {"a pointer followed in L2", "core", {LOAD(1, 1)}, 1, 64, 32768, .cycles = 12,
         .causes = LOST(LOAD_USE) | LOST(DATA)},
        {"a pointer followed in memory, 64 lines a page", "core", {LOAD(1, 1)}, 1, 64, 1 << 26,
         .cycles = 112 * 64 + 30, .per = 64, .causes = LOST(LOAD_USE) | LOST(DATA) | LOST(DTLB)},
        {"a pointer followed in memory, one line a page", "core", {LOAD(1, 1)}, 1, 4096 + 64,
         1 << 26, .cycles = 142, .causes = LOST(LOAD_USE) | LOST(DATA) | LOST(DTLB)},
        {"multiplications, dependent", "core(multiply=5)", FOUR(UNIT(MULTIPLY, 1, 1)), 4,
         .cycles = 20, .causes = LOST(LONG)},
        {"multiplications, independent", "core(multiply=5)", FOUR(UNIT(MULTIPLY, 1, 2)), 4,
         .cycles = 4},
        {"multiplications, independent, one at a time", "core(multiply=5,multiply_pipelined=0)",
         FOUR(UNIT(MULTIPLY, 1, 2)), 4, .cycles = 20, .causes = LOST(LONG)},
        {"divisions, independent: one at a time", "core(divide=33)", FOUR(UNIT(DIVIDE, 1, 2)), 4,
         .cycles = 132, .causes = LOST(LONG)},
        {"a division that other instructions hide", "core(divide=4)",
         {UNIT(DIVIDE, 1, 2), ADD(3, 3), ADD(3, 3), ADD(3, 3), ADD(3, 1)}, 5, .cycles = 5},
        {"a multiplication waits for the divider", "core(divide=9,multiply=2)",
         {UNIT(DIVIDE, 1, 2), UNIT(MULTIPLY, 3, 4)}, 2, .cycles = 10, .causes = LOST(LONG)},
        {"floating point, dependent", "core(float_add=3)", FOUR(UNIT(FLOAT, 70, 70)), 4,
         .cycles = 12, .causes = LOST(LONG)},
        {"floating-point divisions: one at a time", "core(float_divide=7)",
         FOUR(UNIT(FLOAT_DIVIDE, 70, 71)), 4, .cycles = 28, .causes = LOST(LONG)},
        {"floating-point products behind one another", "core(float_multiply=7)",
         FOUR(UNIT(FLOAT_MULTIPLY, 70, 71)), 4, .cycles = 4},
        {"a wrong direction every iteration", "core(branch_penalty=5)", FOUR(ADD(1, 1)), 4,
         .prediction = SL_MISDIRECTED, .cycles = 9, .causes = LOST(BRANCH)},
        {"a wrong target every iteration", "core(branch_penalty=5)", FOUR(ADD(1, 1)), 4,
         .prediction = SL_MISTARGETED, .cycles = 9, .causes = LOST(BRANCH)},
        {"a misfetch every iteration", "core(misfetch_penalty=2)", FOUR(ADD(1, 1)), 4,
         .prediction = SL_MISFETCHED, .cycles = 6, .causes = LOST(BRANCH)},
        {"a bubble behind every taken branch", "core(taken_bubble=1)", FOUR(ADD(1, 1)), 4,
         .cycles = 5, .causes = LOST(BRANCH)},
        /* Eight instructions a line of 32 bytes; L2's line is two of them, a page 128. */
        {"straight code from memory", "core",
         {ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1), ADD(1, 1)},
         8, .straight = true, .cycles = (18 * 2 + 100) * 64 + 30, .per = 128,
         .causes = LOST(FETCH) | LOST(ITLB)},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        run_kernel(&all[i]);
}

/* ---- a miss that does not block ---------------------------------------------------------- */

/* Cycles of a load that misses (10 of them), n additions and one instruction more, which
 * if it is a load goes `offset` bytes behind the first. */
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
    for (unsigned i = 0; i < 1000; i++) { /* behind the first 512 lines all are in L2 */
        uint64_t address = 0x100000 + 64 * (i % 512);
        struct sl_reference r[2] = {{.address = address, .op = 0, .size = 8},
                                    {.address = address + offset, .op = n + 1, .size = 8}};
        struct sl_executed e = {.op = op, .n_ops = n + 2, .reference = r,
                                .n_references = 1 + (last.unit == SL_UNIT_MEMORY), .taken = true};
        before = p.happened[SL_H_CYCLES];
        memcpy(lost, p.happened, sizeof p.happened);
        sl_core_in_order.block(p.core, &e, p.happened);
    }
    for (unsigned i = 0; i < SL_HAPPENINGS; i++)
        lost[i] = p.happened[i] - lost[i];
    before = p.happened[SL_H_CYCLES] - before;
    close_core(&p);
    return before;
}

static void misses(void)
{
    uint64_t lost[SL_HAPPENINGS];
    uint64_t cycles = cycles_behind_miss(true, 4, ADD(3, 1), 0, lost);
    ok(cycles == 16 && lost[SL_H_LOST_DATA] == 10, "a miss that blocks takes its cycles");
    cycles = cycles_behind_miss(false, 12, ADD(3, 4), 0, lost);
    ok(cycles == 14 && lost[SL_H_BASE] == 14, "one that does not takes none if nobody waits");
    cycles = cycles_behind_miss(false, 4, ADD(3, 1), 0, lost);
    ok(cycles == 13 && lost[SL_H_LOST_DATA] == 7, "the use waits for what is left of it");
    cycles = cycles_behind_miss(false, 4, LOAD(3, 4), 8, lost);
    ok(cycles == 12 && lost[SL_H_LOST_DATA] == 6, "another access to the line waits for it");
    cycles = cycles_behind_miss(false, 12, LOAD(3, 4), -UINT64_C(64), lost);
    ok(cycles == 14 && lost[SL_H_BASE] == 14, "an access to a line that is there does not wait");
    cycles = cycles_behind_miss(false, 4, LOAD(3, 4), 1 << 14, lost);
    ok(cycles == 22 && lost[SL_H_LOST_DATA] == 16, "another miss waits until it is done");
}

static void holds(void)
{
    struct sl_hierarchy_config config = ordinary();
    struct placed p = open_core("core", &config);
    struct sl_op op = ADD(1, 1);
    struct sl_executed e = {.op = &op, .n_ops = 1};
    sl_core_in_order.block(p.core, &e, p.happened);
    uint64_t before = p.happened[SL_H_CYCLES];
    sl_core_in_order.hold(p.core, 5);
    sl_core_in_order.hold(p.core, 2);
    sl_core_in_order.block(p.core, &e, p.happened);
    sl_core_in_order.block(p.core, &e, p.happened);
    ok(p.happened[SL_H_CYCLES] - before == 9 && p.happened[SL_H_LOST_PROFILER] == 7,
       "commit that is held up waits once");
    close_core(&p);
}

/* ---- the plain pipeline: everything counts down, cycle by cycle ------------------------------ */

struct plain {
    struct sl_hierarchy *h;
    uint64_t load_use, latency[SL_UNITS], penalty, misfetch, bubble;
    bool multiply_pipelined, blocking;
    uint64_t left[SL_OP_REGISTERS]; /* cycles until the value is there */
    unsigned cause[SL_OP_REGISTERS];
    uint64_t divider, float_divider, cache; /* cycles until they are free */
    uint64_t line, coming; /* the one fetched from, the one that was missed last */
    uint64_t happened[SL_HAPPENINGS];
};

static void tick(struct plain *p, unsigned cause)
{
    for (unsigned i = 0; i < SL_OP_REGISTERS; i++)
        p->left[i] -= p->left[i] > 0;
    p->divider -= p->divider > 0;
    p->float_divider -= p->float_divider > 0;
    p->cache -= p->cache > 0;
    p->happened[SL_H_CYCLES]++;
    p->happened[cause]++;
}

static void ticks(struct plain *p, unsigned cause, uint64_t n)
{
    while (n--)
        tick(p, cause);
}

static void plain_fetch(struct plain *p, const struct sl_op *op)
{
    unsigned log2 = p->h->port[0].line_log2;
    for (uint64_t line = op->pc >> log2; line <= (op->pc + op->size - 1) >> log2; line++) {
        if (line == p->line)
            continue;
        struct sl_access got = sl_hierarchy_fetch(p->h, line << log2, 1);
        uint64_t walk = got.what & SL_ACCESS_TLB_MISS ? p->h->port[0].walk_cycles : 0;
        ticks(p, SL_H_LOST_ITLB, walk);
        ticks(p, SL_H_LOST_FETCH, got.cycles - p->h->port[0].hit_cycles - walk);
        p->line = line;
    }
}

/* The source that takes longest; SL_OP_NEVER_WRITTEN if all are there. */
static unsigned missing(const struct plain *p, const struct sl_op *op)
{
    unsigned worst = SL_OP_NEVER_WRITTEN;
    for (unsigned i = 0; i < op->n_sources; i++)
        if (p->left[op->source[i]] > p->left[worst])
            worst = op->source[i];
    return worst;
}

static void plain_results(struct plain *p, const struct sl_op *op, uint64_t missed)
{
    bool loads = op->flags & SL_INSN_LOADS;
    unsigned hit = p->h->port[1].hit_cycles;
    uint64_t extra = loads ? p->load_use + (hit ? hit - 1 : 0) : 0;
    for (unsigned i = 0; i < op->n_results; i++) {
        bool update = i >= (unsigned)(op->n_results - op->n_updates);
        p->left[op->result[i]] = update ? 1 : p->latency[op->unit] + extra + missed;
        p->cause[op->result[i]] = missed                     ? SL_H_LOST_DATA
                                  : p->latency[op->unit] > 1 ? SL_H_LOST_LONG
                                                             : SL_H_LOST_LOAD_USE;
    }
}

static void plain_op(struct plain *p, const struct sl_op *op, const struct sl_reference *r,
                     unsigned n)
{
    unsigned source;
    uint64_t walk = 0, data = 0;
    plain_fetch(p, op);
    while ((source = missing(p, op)) != SL_OP_NEVER_WRITTEN)
        tick(p, p->cause[source]);
    bool divides = op->unit == SL_UNIT_DIVIDE, float_divides = op->unit == SL_UNIT_FLOAT_DIVIDE;
    while (p->divider && (divides || op->unit == SL_UNIT_MULTIPLY))
        tick(p, SL_H_LOST_LONG);
    while (p->float_divider && (float_divides || op->unit == SL_UNIT_FLOAT_MULTIPLY))
        tick(p, SL_H_LOST_LONG);
    if (divides || (op->unit == SL_UNIT_MULTIPLY && !p->multiply_pipelined))
        p->divider = p->latency[op->unit];
    if (float_divides)
        p->float_divider = p->latency[op->unit];
    bool waits = false;
    for (unsigned i = 0; i < n; i++) {
        struct sl_access got = r[i].store ? sl_hierarchy_store(p->h, r[i].address, r[i].size)
                                          : sl_hierarchy_load(p->h, r[i].address, r[i].size);
        uint64_t w = got.what & SL_ACCESS_TLB_MISS ? p->h->port[1].walk_cycles : 0;
        uint64_t missed = got.cycles - p->h->port[1].hit_cycles - w;
        uint64_t line = r[i].address >> p->h->port[1].line_log2;
        walk += w;
        data += missed;
        waits |= missed || line == p->coming;
        p->coming = missed ? line : p->coming;
    }
    while (waits && p->cache)
        tick(p, SL_H_LOST_DATA);
    p->happened[SL_H_DATA_HALVES] += n == 1 ? 2 : n;
    ticks(p, SL_H_LOST_DTLB, walk);
    if (p->blocking)
        ticks(p, SL_H_LOST_DATA, data);
    else if (data)
        p->cache = data + 1;
    plain_results(p, op, !p->blocking && op->flags & SL_INSN_LOADS ? data : 0);
    tick(p, SL_H_BASE);
}

static void plain_block(struct plain *p, const struct sl_executed *e, uint32_t held)
{
    const struct sl_reference *r = e->reference;
    ticks(p, SL_H_LOST_PROFILER, held);
    if (e->taken || e->prediction != SL_PREDICTED) {
        ticks(p, SL_H_LOST_BRANCH, e->prediction == SL_MISFETCHED  ? p->misfetch
                                   : e->prediction != SL_PREDICTED ? p->penalty
                                                                   : p->bubble);
        p->line = UINT64_MAX;
    }
    for (unsigned i = 0; i < e->n_ops; i++) {
        unsigned n = 0;
        while (r + n < e->reference + e->n_references && r[n].op == i)
            n++;
        plain_op(p, &e->op[i], r, n);
        r += n;
    }
}

/* ---- random programs -------------------------------------------------------------------------- */

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
    return op;
}

#define BLOCKS 50
#define OPS 12

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
                .op = i, .size = (uint8_t)(1u << sl_random_below(seed, 6)),
                .store = sl_random_below(seed, 2)};
    return n;
}

/* Small, so that everything misses now and then; parts may be absent. */
static struct sl_hierarchy_config random_hierarchy(uint64_t *seed)
{
    struct sl_hierarchy_config c = ordinary();
    c.l1i = c.l1d = (struct sl_cache_config){.size = 256, .ways = 2, .line = 32, .latency = 1,
                                             .allocate = true};
    c.l1d.latency = 1 + sl_random_below(seed, 3);
    c.l2.size = sl_random_below(seed, 2) ? 2048 : 0;
    c.itlb.entries = c.itlb.ways = sl_random_below(seed, 2) ? 2 : 0;
    c.dtlb.entries = c.dtlb.ways = sl_random_below(seed, 2) ? 2 : 0;
    c.itlb.page = c.dtlb.page = 1024;
    if (!sl_random_below(seed, 4))
        c.l1d.size = 0;
    if (!sl_random_below(seed, 4))
        c.l1i.size = 0;
    return c;
}

/* The same choices as the core's options and for the plain pipeline. */
static struct placed random_core(struct plain *p, uint64_t *seed)
{
    struct sl_hierarchy_config hierarchy = random_hierarchy(seed);
    char text[256];
    *p = (struct plain){.h = open_hierarchy(&hierarchy), .line = UINT64_MAX,
                        .coming = UINT64_MAX};
    p->load_use = sl_random_below(seed, 3);
    for (unsigned i = 0; i < SL_UNITS; i++)
        p->latency[i] = i >= SL_UNIT_MULTIPLY && i <= SL_UNIT_FLOAT_DIVIDE
                            ? 1 + sl_random_below(seed, 9) : 1;
    p->penalty = sl_random_below(seed, 5);
    p->misfetch = sl_random_below(seed, 3);
    p->bubble = sl_random_below(seed, 2);
    p->multiply_pipelined = sl_random_below(seed, 2);
    p->blocking = sl_random_below(seed, 2);
    snprintf(text, sizeof text,
             "core(load_use=%d,multiply=%d,divide=%d,float_add=%d,float_multiply=%d,"
             "float_divide=%d,branch_penalty=%d,misfetch_penalty=%d,taken_bubble=%d,"
             "multiply_pipelined=%d,blocking=%d)",
             (int)p->load_use, (int)p->latency[SL_UNIT_MULTIPLY], (int)p->latency[SL_UNIT_DIVIDE],
             (int)p->latency[SL_UNIT_FLOAT], (int)p->latency[SL_UNIT_FLOAT_MULTIPLY],
             (int)p->latency[SL_UNIT_FLOAT_DIVIDE], (int)p->penalty, (int)p->misfetch,
             (int)p->bubble, p->multiply_pipelined, p->blocking);
    return open_core(text, &hierarchy);
}

static void random_programs(void)
{
    static struct text t;
    uint64_t seed = 1;
    unsigned wrong = 0, not_summed = 0;
    for (unsigned program = 0; program < 60; program++) {
        struct plain plain;
        struct placed p = random_core(&plain, &seed);
        random_text(&t, &seed);
        for (unsigned i = 0, b = BLOCKS; i < 400; i++) {
            bool taken = ++b >= BLOCKS || sl_random_below(&seed, 2);
            b = taken ? (unsigned)sl_random_below(&seed, BLOCKS) : b;
            uint32_t held = sl_random_below(&seed, 20) ? 0 : (uint32_t)sl_random_below(&seed, 9);
            struct sl_reference r[4 * OPS];
            struct sl_executed e = {
                .op = t.op[b], .n_ops = t.n[b], .reference = r,
                .n_references = random_references(&t, b, r, &seed),
                .prediction = (enum sl_prediction)sl_random_below(&seed, SL_PREDICTION_COUNT),
                .taken = taken};
            if (held)
                sl_core_in_order.hold(p.core, held);
            sl_core_in_order.block(p.core, &e, p.happened);
            plain_block(&plain, &e, held);
            not_summed += !causes_add_up(p.happened);
        }
        wrong += memcmp(p.happened, plain.happened, sizeof p.happened) != 0;
        close_core(&p);
        free(plain.h);
    }
    ok(!not_summed, "base and the causes of lost cycles add up to the cycles behind every block");
    ok(!wrong, "60 random machines and programs: each cause as if counted cycle by cycle");
}

int main(void)
{
    kernels();
    misses();
    holds();
    random_programs();
    return done_testing();
}
