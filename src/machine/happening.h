/* SPDX-License-Identifier: MIT */
/* Machine events: everything that a CPU model counts. The events of the event counter paper, and
 * those that metrics need. Each executed block has a row of them; the rows add up to the totals.
 *
 * CONTRIBUTING.md, "To add a machine effect", says how to add one. */
#ifndef SL_HAPPENING_H
#define SL_HAPPENING_H

#include <stdint.h>

enum sl_happening {
    SL_H_CYCLES,
    SL_H_INSTRUCTIONS,
    /* Instructions by class; each instruction has one class. */
    SL_H_LOAD,
    SL_H_STORE,
    SL_H_ARITHMETIC,
    SL_H_MULTIPLY, /* and divide */
    SL_H_BRANCH,
    SL_H_JUMP,
    SL_H_FLOAT, /* and vector */
    SL_H_SYSTEM,
    SL_H_OTHER_CLASS, /* atomics, no-operations, undecodable instructions */
    /* Accesses and misses of caches and TLBs. */
    SL_H_FETCH_LINES, /* L1I accesses, one per new line */
    SL_H_DATA_ACCESSES,
    SL_H_DATA_HALVES, /* half cycles of L1D: 2 for an access alone in its cycle, else 1 each */
    SL_H_IMISS,
    SL_H_DMISS,
    SL_H_DWRITEBACK, /* dirty lines evicted from L1D */
    SL_H_L2MISS,     /* instructions and data */
    SL_H_L2_ACCESSES,
    SL_H_L3MISS, /* instructions and data */
    SL_H_L3_ACCESSES,
    SL_H_PREFETCHES,     /* prefetched lines, all caches */
    SL_H_PREFETCHES_MET, /* prefetched lines that were accessed */
    SL_H_MEMORY,         /* lines read from and written to memory */
    SL_H_ITLB_MISS,
    SL_H_DTLB_MISS,
    /* Branches, counted at the block that the branch ends. */
    SL_H_WRONG_DIRECTION,
    SL_H_WRONG_TARGET,
    SL_H_MISFETCH, /* a direct target that was unknown at fetch */
    /* Stall cycles by cause; each has one. With SL_H_BASE they add up to SL_H_CYCLES. */
    SL_H_BASE,       /* cycles without a stall */
    SL_H_LOST_FETCH, /* instruction cache misses */
    SL_H_LOST_ITLB,
    SL_H_LOST_DATA, /* data latency beyond that of L1D */
    SL_H_LOST_DTLB,
    SL_H_LOST_LOAD_USE,   /* a load's value was needed at once */
    SL_H_LOST_LONG,       /* multiply, divide or floating point in progress */
    SL_H_LOST_BRANCH,     /* wrong direction or target, misfetch */
    SL_H_LOST_DEPENDENCE, /* in-order: branches wait for register writes; out-of-order: system
                             instructions execute alone */
    SL_H_LOST_STRUCTURE,  /* out-of-order only: no free unit, port or queue entry */
    SL_H_LOST_PROFILER,   /* commit waited for the profiler's queue */
    /* In integer units, so that sums are exact. */
    SL_H_ENERGY,      /* pJ */
    SL_H_CACHE_POWER, /* thousandths of an access to the instruction cache */
    /* Components of the energy: cycles of the instructions of each power group, and stall cycles.
     * Counted only if requested, so not in the totals of every run. */
    SL_H_GROUP_FIRST,
    SL_H_GROUP_LAST = SL_H_GROUP_FIRST + 5,
    SL_H_STOOD,
    SL_HAPPENINGS
};

#define SL_H_TOTALS SL_H_GROUP_FIRST /* events below this have totals in every run */

#define SL_H_LOST_FIRST SL_H_LOST_FETCH
#define SL_H_LOST_LAST SL_H_LOST_PROFILER

struct sl_happening_name {
    const char *name;    /* "dmiss" */
    const char *summary; /* one line of help */
};

extern const struct sl_happening_name sl_happening_names[SL_HAPPENINGS];

#endif
