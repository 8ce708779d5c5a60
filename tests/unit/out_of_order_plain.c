/* SPDX-License-Identifier: MIT */
/* Unit tests of the out-of-order core, compared with a cycle-by-cycle simulation
 * (out_of_order_naive.h). For random programs on random CPU models, both must agree on the cycles,
 * the cycles with a commit, the use of the ports and all accesses to the memory hierarchy. */
#include "out_of_order_naive.h"
#include "support/hierarchy_counts.h"

#define BLOCKS 400

static struct sl_out_of_order_config random_config(uint64_t *seed)
{
    struct sl_out_of_order_config c;
    sl_options_defaults(sl_out_of_order_options, &c);
    uint64_t *width[] = {&c.fetch, &c.dispatch, &c.issue, &c.commit, &c.alu,
                         &c.mul,   &c.fpu,      &c.fpmul, &c.ports};
    if (sl_random_below(seed, 4) == 0)
        return c;
    for (size_t i = 0; i < sizeof width / sizeof *width; i++)
        *width[i] = 1 + sl_random_below(seed, 5);
    c.rob = 1 + sl_random_below(seed, 1 + sl_random_below(seed, 150));
    c.lsq = 1 + sl_random_below(seed, 1 + sl_random_below(seed, 80));
    c.ifq = 1 + sl_random_below(seed, 20);
    c.multiply = 1 + sl_random_below(seed, 6);
    c.float_add = 1 + sl_random_below(seed, 4);
    c.float_multiply = 1 + sl_random_below(seed, 6);
    c.divide = 1 + sl_random_below(seed, 30);
    c.float_divide = 1 + sl_random_below(seed, 20);
    c.address = sl_random_below(seed, 3);
    c.forwarding = 1 + sl_random_below(seed, 4);
    c.branch_penalty = sl_random_below(seed, 8);
    c.misfetch_penalty = sl_random_below(seed, 4);
    return c;
}

/* Whether the log of commits says what the plain machine did: cycles of commit and dispatch, and
 * for how many of them it was empty after an instruction that was wrong or had to be alone. */
static bool same_commits(const struct machine *m, const struct sl_commit *commit)
{
    uint64_t cycle = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct plain *p = &m->all[i];
        bool alone = i && m->all[i - 1].op->unit == SL_UNIT_SYSTEM;
        bool wrong = p->first_of && (p->first_of->prediction == SL_MISDIRECTED ||
                                     p->first_of->prediction == SL_MISTARGETED);
        uint64_t before = cycle, empty = 0;
        for (uint64_t t = before + 1; i && t < p->dispatch; t++)
            empty += wrong || alone;
        cycle += commit[i].after;
        if (cycle != p->commit || cycle - commit[i].early != p->dispatch ||
            commit[i].flushed != empty)
            return false;
    }
    return true;
}

/* Space for the commits of all instructions, which the core is to fill. */
static struct sl_commit *want_commits(struct program *program)
{
    size_t n = 0;
    for (size_t i = 0; i < program->n_executed; i++)
        n += program->executed[i].n_ops;
    struct sl_commit *all = calloc(n + 1, sizeof *all), *next = all;
    for (size_t i = 0; i < program->n_executed; i++) {
        program->executed[i].commit = next;
        next += program->executed[i].n_ops;
    }
    return all;
}

static void nothing(void *context, uint32_t insn)
{
    (void)context;
    (void)insn;
}

/* What a run leaves behind. */
struct left {
    struct hierarchy_counters count;
    uint64_t totals[SL_MACHINE_EVENTS], now, pc;
};

static void run_once(struct program *program, const struct sl_out_of_order_config *config,
                     const struct sl_hierarchy_config *hierarchy, struct left *left)
{
    struct placed_core core;
    memset(left, 0, sizeof *left);
    open_core(&core, config, hierarchy);
    run_program(&core, program);
    hierarchy_count(core.hierarchy, &left->count);
    memcpy(left->totals, core.totals, sizeof left->totals);
    left->now = core.hierarchy->now;
    left->pc = core.hierarchy->pc;
    close_core(&core);
}

/* Returns whether a run gives the same results with and without an observer of the commits. Without
 * one, the core processes instructions in groups, and otherwise one by one. Prefetchers depend on
 * the time and the instruction of each access. */
static bool same_in_pieces(struct program *program, const struct sl_out_of_order_config *config,
                           struct sl_hierarchy_config hierarchy)
{
    struct left observed, other;
    bool same = true;
    hierarchy.l1d.prefetch = SL_CACHE_STRIDE;
    hierarchy.l1i.prefetch = SL_CACHE_NEXT_LINE;
    hierarchy.l1d.prefetch_degree = hierarchy.l1i.prefetch_degree = 2;
    run_once(program, config, &hierarchy, &observed);
    for (unsigned i = 0; i < 2; i++) {
        for (size_t b = 0; b < program->n_executed; b++) {
            program->executed[b].commit = NULL;
            program->executed[b].after_op = i ? nothing : NULL;
        }
        run_once(program, config, &hierarchy, &other);
        same = same && !memcmp(&other, &observed, sizeof other);
    }
    return same;
}

/* How much the two differ, in thousandths of the plain machine's cycles. */
static int64_t compare(const struct program_kind *kind, uint64_t seed, bool *same, bool *adds_up,
                       bool *in_pieces)
{
    struct program program;
    struct placed_core core;
    struct sl_hierarchy_config hierarchy = small_hierarchy();
    struct machine m = {.c = random_config(&seed)};
    hierarchy.l1d.latency = sl_random_below(&seed, 4);
    hierarchy.l1i.latency = sl_random_below(&seed, 4);
    make_program(&program, kind, BLOCKS, seed);
    struct sl_commit *commit = want_commits(&program);
    open_core(&core, &m.c, &hierarchy);
    run_program(&core, &program);
    m.h = open_hierarchy(&hierarchy);
    note_program(&m, &program, kind->data);
    uint64_t cycles = simulate(&m);
    struct hierarchy_counters of_core, of_plain;
    hierarchy_count(core.hierarchy, &of_core);
    hierarchy_count(m.h, &of_plain);
    *same = core.totals[SL_MACHINE_CYCLES] == cycles && core.totals[SL_MACHINE_BASE] == m.base &&
            core.totals[SL_MACHINE_DATA_HALVES] == m.halves &&
            !memcmp(&of_core, &of_plain, sizeof of_core) && same_commits(&m, commit);
    *adds_up = causes_add_up(core.totals);
    *in_pieces = same_in_pieces(&program, &m.c, hierarchy);
    int64_t differs = ((int64_t)core.totals[SL_MACHINE_CYCLES] - (int64_t)cycles) * 1000;
    free(commit);
    close_machine(&m);
    close_core(&core);
    free_program(&program);
    return differs / (int64_t)cycles;
}

static void compare_all(const struct program_kind *kind, size_t n)
{
    size_t differing = 0, not_adding_up = 0, not_in_pieces = 0;
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        bool same, adds_up, in_pieces;
        int64_t differs = compare(kind, 1000 + 7 * i, &same, &adds_up, &in_pieces);
        not_in_pieces += !in_pieces;
        differing += !same;
        not_adding_up += !adds_up;
        low = differs < low ? differs : low;
        high = differs > high ? differs : high;
    }
    if (kind->divide)
        ok(low >= -10 && high <= 10, "%s: within 1 %% of the plain machine's cycles", kind->name);
    else
        ok(!differing, "%s: cycles, cycles of commit and use of ports are the plain machine's",
           kind->name);
    printf("# %zu of %zu differ, by %.1f %% to %.1f %%\n", differing, n, (double)low / 10,
           (double)high / 10);
    ok(!not_adding_up, "%s: the causes add up to the cycles", kind->name);
    ok(!not_in_pieces, "%s: the same results observed, in pieces, and one by one", kind->name);
}

int main(void)
{
    static const struct program_kind kinds[] = {
        {.name = "arithmetic", .registers = 24, .multiply = 10, .floating = 20, .data = 64},
        {.name = "chains", .registers = 3, .multiply = 10, .floating = 20, .data = 64},
        {.name = "memory", .registers = 24, .memory = 60, .data = 4096},
        {.name = "few addresses", .registers = 12, .memory = 60, .data = 128},
        {.name = "wrong branches", .registers = 12, .memory = 20, .wrong = 40, .data = 1024},
        {.name = "a profiler that holds",
         .registers = 12,
         .memory = 20,
         .wrong = 5,
         .holds = 40,
         .data = 1024},
        {.name = "everything but division",
         .registers = 20,
         .memory = 30,
         .multiply = 5,
         .floating = 10,
         .system = 1,
         .nop = 5,
         .wrong = 10,
         .holds = 10,
         .data = 2048},
        {.name = "divisions",
         .registers = 20,
         .memory = 20,
         .multiply = 10,
         .divide = 10,
         .floating = 10,
         .wrong = 5,
         .data = 1024},
        {.name = "long blocks",
         .registers = 20,
         .memory = 60,
         .nop = 5,
         .wrong = 10,
         .data = 2048,
         .ops = BLOCK_OPS_MAX},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        compare_all(&kinds[i], kinds[i].ops ? tap_rounds(15, 2) : tap_rounds(150, 15));
    return done_testing();
}
