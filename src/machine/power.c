/* SPDX-License-Identifier: MIT */
/* Power models of the core and of the caches, with the formulas of two papers (Aldham et al., 2011,
 * and Vaswani et al., 2005).
 *
 * Core: Aldham, Anderson, Brown, Canis, "Low-Cost Hardware Profiling of Run-Time and Energy in FPGA
 * Embedded Processors" (2011).
 *
 *     E = cycle time * (sum over instructions of their groups' power
 *                       + stall cycles * power of a stall)
 *
 * The paper has two definitions of a stall and a column of powers for each: all cycles that the
 * pipeline stalls (`stalls=pipeline`), or only those in which it waits for a cache or memory
 * (`stalls=cache`). With the latter, other stall cycles are cycles of the instructions, which were
 * measured with them. In both cases the cycles that are no stalls are divided evenly among the
 * instructions of the block, so that energy is power times time. If an instruction takes one cycle,
 * i.e. in order with `stalls=pipeline`, that is the formula above. A core that retires
 * several instructions per cycle takes the mean of their powers, not the sum, because the table was
 * measured on a scalar core. For machines other than `tiger` the results are relative at best.
 *
 * The groups' powers were measured without stalls, but not exactly: stages after a stalled one
 * continue. The powers are too low for programs with few stalls. The paper corrects the energy of a
 * whole program by its stall rate in percent:
 *
 *     factor = 1 + ((mean stalls - stalls) / stalls) / 10
 *
 * where the mean of its 13 programs is 33.9 %, for `stalls=pipeline`. The 10 is illegible in our
 * copy of the paper; its column of factors implies it, though its corrected energies divide by the
 * stalls there (docs/energy.md). The programs stall 9.5 to 55 % of their time; outside of that
 * range the formula, which diverges towards 0, is an extrapolation.
 *
 * Energies per cycle are in 1/4096 pJ (mW * ns = pJ), so that rounding errors do not accumulate.
 *
 * Caches: Vaswani, Thazhuthaveetil, Srikant, "A Programmable Hardware Path Profiler" (2005).
 * Each event has a cost relative to an access to the instruction cache. In the cycle-level
 * variant (`cycle_level`), the two-ported data cache costs the same in a cycle with one or two
 * accesses, which share the cost: SL_MACHINE_DATA_HALVES counts half cycles. The in-order core
 * makes the accesses of one instruction per cycle, so that only instructions with several
 * accesses share; in the out-of-order core, ports decide. More than two accesses in a cycle cost
 * half each, as in the paper's figure. */
#include "power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "op.h"

static const char *const stalls_names[] = {
    [SL_STALLS_PIPELINE] = "pipeline", [SL_STALLS_CACHE] = "cache", NULL};

#define C struct sl_power_config
const struct sl_option sl_power_options[] = {
    SL_TEXT(C, table, "tiger", "file with the power of instruction groups and of stalls"),
    SL_TEXT(
        C, groups, "auto",
        "file that assigns instructions to power groups; auto: the file of the instruction set"),
    SL_CHOICE(C, stalls, "pipeline", stalls_names,
              "stall cycles in the power model: all stalls (pipeline), or only waits for caches "
              "and memory (cache)"),
    SL_TEXT(C, cache, "cache", "file with the costs of cache events"),
    SL_BOOL(C, cycle_level, "0",
            "1: data cache accesses in the same cycle share the cost of one access"),
    SL_BOOL(C, calibrated, "0",
            "1: the power values were measured on this processor; 0: reports add `not calibrated`"),
    SL_OPTIONS_END,
};
#undef C

/* Energy of a cycle with that power: mW * ns = pJ. */
static uint64_t per_cycle(const struct sl_power *power, double milliwatts)
{
    return (uint64_t)(milliwatts * power->cycle_ns * (1 << SL_POWER_UNIT_LOG2) + 0.5);
}

/* ---- groups ---- */

static const char *const rules_of[SL_ARCH_COUNT] = {
    [SL_ARCH_NONE] = "groups-any",      [SL_ARCH_DESCRIBED] = "groups-any",
    [SL_ARCH_X86_64] = "groups-any",    [SL_ARCH_AARCH64] = "groups-any",
    [SL_ARCH_RISCV64] = "groups-riscv", [SL_ARCH_RISCV32] = "groups-riscv",
    [SL_ARCH_MIPSEL] = "groups-mips",   [SL_ARCH_MIPS] = "groups-mips",
};

static unsigned group_of(const struct sl_power *power, const struct sl_code *code, uint32_t number)
{
    const struct sl_insn_info *info = sl_code_insn(code, number);
    uint32_t word = sl_insn_word(code->statics, number);
    const struct sl_power_rule *r = power->rules.rule;
    while ((word & r->mask) != r->value ||
           (r->class != SL_CLASS_COUNT && r->class != info->class) ||
           (r->width && r->width != info->width))
        r++; /* the last one matches everything */
    return r->group;
}

/* ---- making ---- */

int sl_power_open(struct sl_power *power, const struct sl_power_config *config,
                  double frequency_mhz, struct sl_failure *f)
{
    *power = (struct sl_power){.config = *config, .cycle_ns = 1000 / frequency_mhz};
    int status = sl_power_read_table(&power->table, config->table, f);
    if (!status)
        status = sl_power_read_costs(&power->costs, config->cache, f);
    if (!status && strcmp(config->groups, "auto"))
        status = sl_power_read_rules(&power->rules, config->groups, f);
    power->stall = per_cycle(power, power->table.stall[config->stalls]);
    power->parts = (struct sl_parts){.unit_log2 = SL_POWER_UNIT_LOG2, .slack = 1};
    for (unsigned i = 0; i < SL_POWER_GROUPS; i++)
        power->parts.unit[i] = per_cycle(power, power->table.group[i][config->stalls]);
    power->parts.unit[SL_POWER_GROUPS] = power->stall;
    return status;
}

void sl_power_close(struct sl_power *power)
{
    free(power->mean);
    free(power->groups);
}

int sl_power_sync(struct sl_power *power, const struct sl_code *code, struct sl_failure *f)
{
    const struct sl_statics *statics = code->statics;
    if (power->n_means == code->n_blocks)
        return 0;
    int status = power->rules.n
                     ? 0
                     : sl_power_read_rules(&power->rules, rules_of[statics->program.arch], f);
    if (status)
        return status;
    if (!SL_GROW(power->mean, power->means_capacity, code->n_blocks) ||
        !SL_GROW(power->groups, power->groups_capacity, code->n_blocks))
        return sl_out_of_memory(f);
    for (; power->n_means < code->n_blocks; power->n_means++) {
        const struct sl_block *block = &statics->block[power->n_means];
        double sum = 0;
        for (uint32_t i = 0; i < block->n_insns; i++) {
            unsigned group = group_of(power, code, statics->block_insn[block->insns_at + i]);
            sum += power->table.group[group][power->config.stalls];
            power->groups[power->n_means].n[group]++;
        }
        power->mean[power->n_means] = block->n_insns ? per_cycle(power, sum / block->n_insns) : 0;
    }
    return 0;
}

/* ---- components of the energy ---- */

/* If a block took one cycle per instruction, each instruction gets one. Otherwise the cycles are
 * divided evenly and whole ones are counted; the rest is carried to later blocks. */
void sl_power_add_parts(struct sl_power *power, const struct sl_block *block, size_t number,
                        uint64_t *totals)
{
    const uint16_t *n = power->groups[number].n;
    uint64_t stalls = sl_power_stall_cycles(power, totals);
    uint64_t worked = totals[SL_MACHINE_CYCLES] - stalls - power->worked;
    totals[SL_MACHINE_GROUP_STALL] = stalls;
    power->worked += worked;
    if (worked == block->n_insns) {
        for (unsigned i = 0; i < SL_POWER_GROUPS; i++)
            totals[SL_MACHINE_GROUP_FIRST + i] += n[i];
        return;
    }
    power->parts.slack = 0;
    for (unsigned i = 0; i < SL_POWER_GROUPS && block->n_insns; i++) {
        power->part_fraction[i] += (worked * n[i] << 16) / block->n_insns;
        totals[SL_MACHINE_GROUP_FIRST + i] += power->part_fraction[i] >> 16;
        power->part_fraction[i] &= 0xffff;
    }
}

/* ---- correction ---- */

double sl_power_factor(const struct sl_power_correction *c, double stall_percent)
{
    if (!(c->divisor > 0 && stall_percent > 0))
        return (double)NAN;
    return 1 + (c->mean - stall_percent) / stall_percent / c->divisor;
}

/* ---- caches ---- */

uint64_t sl_power_cache_cost(const struct sl_power *power, const uint64_t *totals)
{
    const uint64_t *cost = power->costs.cost;
    uint64_t sum = 0;
    for (unsigned i = SL_MACHINE_FETCH_LINES; i <= SL_MACHINE_DTLB_MISS; i++)
        if (i != SL_MACHINE_DATA_ACCESSES || !power->config.cycle_level)
            sum += cost[i] * totals[i];
    if (power->config.cycle_level)
        sum += cost[SL_MACHINE_DATA_ACCESSES] * totals[SL_MACHINE_DATA_HALVES] / 2;
    return sum;
}
