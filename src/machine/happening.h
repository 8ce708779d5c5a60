/* SPDX-License-Identifier: MIT */
/* What happens in a machine and can be counted: the events of the approximate
 * counters' document and what the metrics need. One row of them for each executed
 * block; the rows add up to the run's totals.
 *
 * To add one: a line here and a line in happening.c, and the core that counts it. */
#ifndef SL_HAPPENING_H
#define SL_HAPPENING_H

#include <stdint.h>

enum sl_happening {
    SL_H_CYCLES,
    SL_H_INSTRUCTIONS,
    /* Instructions by class; an instruction is in one of these. */
    SL_H_LOAD,
    SL_H_STORE,
    SL_H_ARITHMETIC,
    SL_H_MULTIPLY, /* and divide */
    SL_H_BRANCH,
    SL_H_JUMP,
    SL_H_FLOAT, /* and vector */
    SL_H_SYSTEM,
    SL_H_OTHER_CLASS, /* atomics, no-operations, what could not be decoded */
    /* Caches and TLBs: accesses and misses of them. */
    SL_H_FETCH_LINES, /* L1I accesses: a new line each */
    SL_H_DATA_ACCESSES,
    SL_H_DATA_HALVES, /* of cycles of L1D: 2 for an access alone in its cycle, else 1 each */
    SL_H_IMISS,
    SL_H_DMISS,
    SL_H_DWRITEBACK, /* dirty lines that left L1D */
    SL_H_L2MISS,     /* of instructions and data */
    SL_H_L2_ACCESSES,
    SL_H_L3MISS, /* likewise */
    SL_H_L3_ACCESSES,
    SL_H_PREFETCHES,     /* lines that prefetchers brought, into any cache */
    SL_H_PREFETCHES_MET, /* of those that an access met */
    SL_H_MEMORY,         /* accesses to memory: lines read and written */
    SL_H_ITLB_MISS,
    SL_H_DTLB_MISS,
    /* Branches, counted at the block that the branch ends. */
    SL_H_WRONG_DIRECTION,
    SL_H_WRONG_TARGET,
    SL_H_MISFETCH, /* a direct target that had to be computed */
    /* Cycles lost, by cause: each lost cycle has one. With SL_H_BASE they add up to
     * SL_H_CYCLES. */
    SL_H_BASE,       /* cycles in which work was done: all that are not lost */
    SL_H_LOST_FETCH, /* waiting for instructions: L1I, L2, memory */
    SL_H_LOST_ITLB,
    SL_H_LOST_DATA, /* waiting for data beyond L1D's own latency */
    SL_H_LOST_DTLB,
    SL_H_LOST_LOAD_USE,   /* a load's value was needed at once */
    SL_H_LOST_LONG,       /* multiply, divide, floating point, not yet done */
    SL_H_LOST_BRANCH,     /* wrong direction or target, misfetch */
    SL_H_LOST_DEPENDENCE, /* in order: branches wait until registers are written; out of order:
                           * system instructions are alone */
    SL_H_LOST_STRUCTURE,  /* out of order only: no unit, port or room */
    SL_H_LOST_PROFILER,   /* commit waited for a profiler's queue */
    /* In thousandths, so that they can be added up exactly. */
    SL_H_ENERGY,      /* of a nanojoule */
    SL_H_CACHE_POWER, /* of an access to the instruction cache */
    /* What energy is made of: cycles of the instructions of each group, and of stalls. Only
     * counted where they are wanted, so not in the totals of every run. */
    SL_H_GROUP_FIRST,
    SL_H_GROUP_LAST = SL_H_GROUP_FIRST + 5,
    SL_H_STOOD,
    SL_HAPPENINGS
};

#define SL_H_TOTALS SL_H_GROUP_FIRST /* those in front of it have totals in any case */

#define SL_H_LOST_FIRST SL_H_LOST_FETCH
#define SL_H_LOST_LAST SL_H_LOST_PROFILER

struct sl_happening_name {
    const char *name;    /* "dmiss" */
    const char *summary; /* one line */
};

extern const struct sl_happening_name sl_happening_names[SL_HAPPENINGS];

#endif
