/* SPDX-License-Identifier: MIT */
/* Unit tests of the out-of-order core on random programs: with more resources, a program is faster,
 * or at most slightly slower.
 *
 * A core that issues the oldest instruction first can become slower: an older instruction that is
 * ready earlier may take the issue slot of a younger and more urgent one. So each single increase
 * may cost a little, but all of them together must gain. */
#include "out_of_order_program.h"

#define BLOCKS 1500
#define PROGRAMS 12u
#define MAY_COST 5 /* thousandths of the cycles, a step */

static uint64_t cycles_of(const struct program *p, const struct sl_out_of_order_config *c)
{
    struct placed_core core;
    struct sl_hierarchy_config hierarchy = small_hierarchy();
    hierarchy.l1i.size = 4096;
    open_core(&core, c, &hierarchy);
    run_program(&core, p);
    uint64_t cycles = core.totals[SL_MACHINE_CYCLES];
    close_core(&core);
    return cycles;
}

struct climb {
    size_t steps, costly;
    uint64_t first, last; /* cycles of all programs */
    int64_t worst;        /* thousandths */
};

static void climb(struct climb *all, const struct program *p, size_t field, const uint64_t *value)
{
    struct sl_out_of_order_config c;
    uint64_t before = 0;
    sl_options_defaults(sl_out_of_order_options, &c);
    for (; *value; value++) {
        *(uint64_t *)((char *)&c + field) = *value;
        uint64_t cycles = cycles_of(p, &c);
        if (before) {
            int64_t costs = ((int64_t)cycles - (int64_t)before) * 1000 / (int64_t)before;
            all->steps++;
            all->costly += cycles > before;
            all->worst = costs > all->worst ? costs : all->worst;
        } else {
            all->first += cycles;
        }
        before = cycles;
    }
    all->last += before;
}

int main(void)
{
    static const struct {
        const char *name;
        size_t field;
        uint64_t value[10];
    } cases[] = {
#define CASE(field, ...)                                        \
    {                                                           \
#field, offsetof(struct sl_out_of_order_config, field), \
        {                                                       \
            __VA_ARGS__, 0                                      \
        }                                                       \
    }
        CASE(fetch, 1, 2, 3, 4, 8),
        CASE(dispatch, 1, 2, 3, 4, 8),
        CASE(issue, 1, 2, 3, 4, 8),
        CASE(commit, 1, 2, 3, 4, 8),
        CASE(rob, 4, 8, 16, 32, 64, 128, 256),
        CASE(lsq, 2, 4, 8, 16, 64),
        CASE(ifq, 1, 2, 4, 8, 16),
        CASE(alu, 1, 2, 4, 8),
        CASE(mul, 1, 2, 4),
        CASE(fpu, 1, 2, 4),
        CASE(fpmul, 1, 2, 4),
        CASE(ports, 1, 2, 3, 4),
        CASE(multiply, 12, 6, 3, 1),
        CASE(float_add, 8, 4, 2, 1),
        CASE(branch_penalty, 20, 10, 3),
        CASE(address, 4, 2, 1),
        CASE(forwarding, 10, 5, 1),
    };
    static const struct program_kind kind = {.name = "everything",
                                             .registers = 24,
                                             .memory = 25,
                                             .multiply = 8,
                                             .divide = 1,
                                             .floating = 25,
                                             .wrong = 3,
                                             .data = 1024};
    static struct program program[PROGRAMS];
    for (size_t i = 0; i < PROGRAMS; i++)
        make_program(&program[i], &kind, BLOCKS, 1 + i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct climb all = {.steps = 0};
        for (size_t k = 0; k < PROGRAMS; k++)
            climb(&all, &program[k], cases[i].field, cases[i].value);
        ok(all.last < all.first && all.worst <= MAY_COST,
           "%s: better is faster in all, and no step costs more than 0.5 %%", cases[i].name);
        printf("# %zu of %zu steps cost something, %.1f %% at most; in all %.1f %% faster\n",
               all.costly, all.steps, (double)all.worst / 10,
               100 * ((double)all.first / (double)all.last - 1));
    }
    for (size_t i = 0; i < PROGRAMS; i++)
        free_program(&program[i]);
    return done_testing();
}
