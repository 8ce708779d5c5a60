/* SPDX-License-Identifier: MIT */
/* The files that say what takes how much power (data/power), one thing a line, words
 * with blanks between, # before a comment:
 *
 *     a table of powers           A 47.27 38.45       a group, mW; stalls are only those
 *                                 stall 31.85 44.34   of caches / all of the pipeline
 *                                 correction 33.9 10 9.5 55   mean stalls in %, divisor,
 *                                                     lowest, highest; may be left out
 *     groups of instructions      word 0xfc00003f 0x00000018 E    bits that it must have
 *                                 class load 1 E                  class and bytes accessed
 *                                 class load D                    class
 *                                 any C                           the last line
 *     costs of cache events       l2access 5          relative to an access to L1I
 *
 * An instruction is in the group of the first line that it fits. Its word is its first
 * four bytes as a number, in the order of the instruction set. */
#ifndef SL_POWER_FILE_H
#define SL_POWER_FILE_H

#include "happening.h"
#include "isa.h"

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

#endif
