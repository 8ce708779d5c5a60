/* SPDX-License-Identifier: MIT */
/* Power models: the energy of the core (Aldham et al., 2011) and the relative energy of the caches
 * (Vaswani et al., 2005). power.c describes both. */
#ifndef SL_POWER_H
#define SL_POWER_H

#include "code.h"
#include "machine_event.h"
#include "options.h"

/* ---- files: power_file.c ---- */

#define SL_POWER_GROUPS 6 /* A to F */

/* Definition of a stall cycle; it selects the column of the power table. */
enum sl_power_stalls { SL_STALLS_PIPELINE, SL_STALLS_CACHE, SL_STALLS_COUNT };

/* Correction of energy by the stall rate (power.c). */
struct sl_power_correction {
    double mean, low, high; /* stall rates of the measured programs in percent */
    double divisor;         /* 0: no correction */
};

struct sl_power_table {
    double group[SL_POWER_GROUPS][SL_STALLS_COUNT]; /* mW */
    double stall[SL_STALLS_COUNT];
    struct sl_power_correction correction;
};

struct sl_power_rule {
    uint32_t mask, value; /* of the instruction word */
    uint8_t class;        /* SL_CLASS_COUNT: any */
    uint8_t width;        /* 0: any */
    uint8_t group;
};

#define SL_POWER_RULES 256
struct sl_power_rules {
    struct sl_power_rule rule[SL_POWER_RULES];
    size_t n;
};

/* Relative costs in thousandths; 0 if an event costs nothing. */
struct sl_cache_costs {
    uint64_t cost[SL_MACHINE_EVENTS];
};

/* Read a file: power/NAME.txt in the data directory or, if `name` has a slash, a path. Return 0,
 * SL_EUSAGE if the file does not exist, SL_EIO, SL_ENOMEM, or SL_EFORMAT with a message that begins
 * with file and line. */
int sl_power_read_table(struct sl_power_table *table, const char *name, struct sl_failure *f);
int sl_power_read_rules(struct sl_power_rules *rules, const char *name, struct sl_failure *f);
int sl_power_read_costs(struct sl_cache_costs *costs, const char *name, struct sl_failure *f);

/* ---- the model: power.c ---- */

struct sl_power_config {
    char table[128], groups[128], cache[128]; /* files: power_file.c */
    unsigned stalls;                          /* enum sl_power_stalls */
    bool cycle_level;
    bool calibrated; /* shown in reports */
};

extern const struct sl_option sl_power_options[]; /* section `power` */

struct sl_power {
    struct sl_power_config config;
    struct sl_power_table table;
    struct sl_power_rules rules; /* empty: selected when the instruction set is known */
    struct sl_cache_costs costs;
    double cycle_ns;
    /* By block: mean energy per cycle of its instructions, in 2^-SL_POWER_UNIT_LOG2 pJ. */
    uint64_t *mean;
    size_t n_means, means_capacity;
    uint64_t stall;          /* energy of a stall cycle, in the same unit */
    uint64_t fraction;       /* rest below 1 pJ, in the same unit */
    uint64_t cycles, stalls; /* cycles and stall cycles accounted for so far */
    struct sl_power_groups {
        uint16_t n[SL_POWER_GROUPS];
    } * groups; /* by block: its instructions by power group */
    size_t groups_capacity;
    struct sl_parts parts;                   /* components of the energy */
    uint64_t worked;                         /* cycles assigned to groups */
    uint64_t part_fraction[SL_POWER_GROUPS]; /* fractions of a cycle, in 2^-16 */
};

#define SL_POWER_UNIT_LOG2 12 /* log2 of the energy units per pJ */

/* Reads the files. If the groups are the default ones, sl_power_sync() reads them, as soon as the
 * instruction set is known. Both return 0 or an error of the readers above. Call sl_power_close()
 * in any case. */
int sl_power_open(struct sl_power *power, const struct sl_power_config *config,
                  double frequency_mhz, struct sl_failure *f);
int sl_power_sync(struct sl_power *power, const struct sl_code *code, struct sl_failure *f);
void sl_power_close(struct sl_power *power);

static inline uint64_t sl_power_stall_cycles(const struct sl_power *power, const uint64_t *totals)
{
    return power->config.stalls == SL_STALLS_PIPELINE
               ? totals[SL_MACHINE_CYCLES] - totals[SL_MACHINE_BASE]
               : totals[SL_MACHINE_STALL_FETCH] + totals[SL_MACHINE_STALL_ITLB] +
                     totals[SL_MACHINE_STALL_DATA] + totals[SL_MACHINE_STALL_DTLB];
}

/* Adds the energy of the cycles since the last call to totals[SL_MACHINE_ENERGY]. `mean` is the
 * energy per cycle of those that are no stalls. */
static inline void sl_power_add_energy(struct sl_power *power, uint64_t mean, uint64_t *totals)
{
    uint64_t stalls = sl_power_stall_cycles(power, totals), new_stalls = stalls - power->stalls;
    uint64_t worked = totals[SL_MACHINE_CYCLES] - power->cycles - new_stalls;
    uint64_t spent = power->fraction + worked * mean + new_stalls * power->stall;
    totals[SL_MACHINE_ENERGY] += spent >> SL_POWER_UNIT_LOG2;
    power->fraction = spent & ((UINT64_C(1) << SL_POWER_UNIT_LOG2) - 1);
    power->cycles = totals[SL_MACHINE_CYCLES];
    power->stalls = stalls;
}

/* Adds the same cycles to SL_MACHINE_GROUP_FIRST ... SL_MACHINE_GROUP_STALL. Multiplied with
 * power->parts they give the energy. */
void sl_power_add_parts(struct sl_power *power, const struct sl_block *block, size_t number,
                        uint64_t *totals);

/* Returns the correction factor for a stall rate; NAN if there is no correction or no stall. */
double sl_power_factor(const struct sl_power_correction *correction, double stall_percent);

/* Returns the energy of the caches, as SL_MACHINE_CACHE_POWER. */
uint64_t sl_power_cache_cost(const struct sl_power *power, const uint64_t *totals);

#endif
