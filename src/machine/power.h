/* SPDX-License-Identifier: MIT */
/* What energy the processor takes, by the function profiler's document, and its caches,
 * by the path profiler's; see power.c for both. */
#ifndef SL_POWER_H
#define SL_POWER_H

#include "code.h"
#include "happening.h"
#include "isa.h"
#include "options.h"

/* ---- files: power_file.c ---- */

#define SL_POWER_GROUPS 6 /* A to F */

/* Which cycles are stalls, and with that which column counts. */
enum sl_power_stalls { SL_STALLS_PIPELINE, SL_STALLS_CACHE, SL_STALLS_COUNT };

/* How energy is corrected by how much a program stalls (power.c). */
struct sl_power_correction {
    double mean, divisor; /* the mean stall rate of the programs measured, in percent; 0, 0: none */
    double low, high;     /* the lowest and the highest of them */
};

struct sl_power_table {
    double group[SL_POWER_GROUPS][SL_STALLS_COUNT]; /* mW */
    double stall[SL_STALLS_COUNT];
    struct sl_power_correction correction;
};

struct sl_power_rule {
    uint32_t mask, value; /* of the word */
    uint8_t class;        /* SL_CLASS_COUNT: any */
    uint8_t width;        /* 0: any */
    uint8_t group;
};

#define SL_POWER_RULES 256
struct sl_power_rules {
    struct sl_power_rule rule[SL_POWER_RULES];
    size_t n;
};

/* In thousandths; 0 for what costs nothing. */
struct sl_cache_costs {
    uint64_t cost[SL_HAPPENINGS];
};

/* `name` is that of a file in the data directory, power/NAME.txt, or with a / in it a
 * path. SL_EUSAGE if there is no such file, SL_EIO, SL_ENOMEM, or SL_EFORMAT with a
 * sentence that begins with the file and the line. */
int sl_power_read_table(struct sl_power_table *table, const char *name, struct sl_failure *f);
int sl_power_read_rules(struct sl_power_rules *rules, const char *name, struct sl_failure *f);
int sl_power_read_costs(struct sl_cache_costs *costs, const char *name, struct sl_failure *f);

/* ---- the model: power.c ---- */

struct sl_power_config {
    char table[128], groups[128], cache[128]; /* files: power_file.h */
    unsigned stalls;                          /* enum sl_power_stalls */
    bool cycle_level;
    bool calibrated; /* said in reports */
};

extern const struct sl_option sl_power_options[]; /* section `power` */

struct sl_power {
    struct sl_power_config config;
    struct sl_power_table table;
    struct sl_power_rules *rules; /* NULL: not known before there is code */
    struct sl_cache_costs costs;
    double cycle_ns;
    uint64_t *mean; /* by block: a cycle of its instructions, in SL_POWER_UNIT */
    size_t n_means, room_means;
    uint64_t stall;          /* a cycle in which it stands still */
    uint64_t fraction;       /* less than one thousandth of a nanojoule */
    uint64_t cycles, stalls; /* that are reckoned */
    struct sl_power_groups {
        uint16_t n[SL_POWER_GROUPS];
    } * groups; /* by block: its instructions */
    size_t room_groups;
    struct sl_parts parts;                   /* what energy is made of */
    uint64_t worked;                         /* cycles that are in the groups */
    uint64_t part_fraction[SL_POWER_GROUPS]; /* of a cycle, in 2^-16 */
};

#define SL_POWER_UNIT_LOG2 12 /* parts of a thousandth of a nanojoule, in bits */

/* Reads the files, but for the groups if they are those of the instruction set: which that
 * is comes with the code. On failure, too, it is to be closed. */
int sl_power_open(struct sl_power *power, const struct sl_power_config *config,
                  double frequency_mhz, struct sl_failure *f);
int sl_power_sync(struct sl_power *power, const struct sl_code *code, struct sl_failure *f);
void sl_power_close(struct sl_power *power);

static inline uint64_t sl_power_stall_cycles(const struct sl_power *power, const uint64_t *happened)
{
    return power->config.stalls == SL_STALLS_PIPELINE
               ? happened[SL_H_CYCLES] - happened[SL_H_BASE]
               : happened[SL_H_LOST_FETCH] + happened[SL_H_LOST_ITLB] + happened[SL_H_LOST_DATA] +
                     happened[SL_H_LOST_DTLB];
}

/* Adds the energy of the cycles since the last time to happened[SL_H_ENERGY]; those that
 * were no stalls were of instructions that take `mean`. */
static inline void sl_power_spend(struct sl_power *power, uint64_t mean, uint64_t *happened)
{
    uint64_t stalls = sl_power_stall_cycles(power, happened), stood = stalls - power->stalls;
    uint64_t worked = happened[SL_H_CYCLES] - power->cycles - stood;
    uint64_t spent = power->fraction + worked * mean + stood * power->stall;
    happened[SL_H_ENERGY] += spent >> SL_POWER_UNIT_LOG2;
    power->fraction = spent & ((UINT64_C(1) << SL_POWER_UNIT_LOG2) - 1);
    power->cycles = happened[SL_H_CYCLES];
    power->stalls = stalls;
}

/* Adds the same cycles to SL_H_GROUP_FIRST ... SL_H_STOOD: with the power of a cycle of each,
 * power->parts, they make up the energy. */
void sl_power_divide(struct sl_power *power, const struct sl_block *block, size_t number,
                     uint64_t *happened);

/* What energy is to be multiplied with for a program that stalled for that part of its
 * cycles. NAN where nothing can be said: there is no correction, or it never stalled. */
double sl_power_factor(const struct sl_power_correction *correction, double stall_percent);

/* What happened in the caches, as SL_H_CACHE_POWER. */
uint64_t sl_power_of_caches(const struct sl_power *power, const uint64_t *happened);

#endif
