/* SPDX-License-Identifier: MIT */
/* Machine events: everything that a CPU model counts, for example cycles, cache misses and
 * mispredictions. The counts of all executed blocks add up to the totals.
 *
 * They are the events of the event counter paper (event_set.h) and those that metrics need.
 * CONTRIBUTING.md, "To add a machine effect", describes how to add one. */
#ifndef SL_MACHINE_EVENT_H
#define SL_MACHINE_EVENT_H

#include <stdint.h>

enum sl_machine_event {
    SL_MACHINE_CYCLES,
    SL_MACHINE_INSTRUCTIONS,
    /* Instructions by class; each instruction has one class. */
    SL_MACHINE_LOAD,
    SL_MACHINE_STORE,
    SL_MACHINE_ARITHMETIC,
    SL_MACHINE_MULTIPLY, /* and divide */
    SL_MACHINE_BRANCH,
    SL_MACHINE_JUMP,
    SL_MACHINE_FLOAT, /* and vector */
    SL_MACHINE_SYSTEM,
    SL_MACHINE_OTHER_CLASS, /* atomics, no-operations, undecodable instructions */
    /* Accesses and misses of caches and TLBs. */
    SL_MACHINE_FETCH_LINES, /* L1I accesses, one per new line */
    SL_MACHINE_DATA_ACCESSES,
    SL_MACHINE_DATA_HALVES, /* half cycles of L1D: 2 for the only access of a cycle, else 1 each */
    SL_MACHINE_IMISS,
    SL_MACHINE_DMISS,
    SL_MACHINE_DWRITEBACK, /* dirty lines evicted from L1D */
    SL_MACHINE_L2MISS,     /* instructions and data */
    SL_MACHINE_L2_ACCESSES,
    SL_MACHINE_L3MISS, /* instructions and data */
    SL_MACHINE_L3_ACCESSES,
    SL_MACHINE_PREFETCHES,    /* prefetched lines, all caches */
    SL_MACHINE_PREFETCH_HITS, /* prefetched lines that were accessed later */
    SL_MACHINE_MEMORY,        /* lines read from and written to memory */
    SL_MACHINE_ITLB_MISS,
    SL_MACHINE_DTLB_MISS,
    /* Branches, counted at the block that the branch ends. */
    SL_MACHINE_WRONG_DIRECTION,
    SL_MACHINE_WRONG_TARGET,
    SL_MACHINE_MISFETCH, /* a direct target that was unknown at fetch */
    /* Stall cycles by cause; each has one. With SL_MACHINE_BASE they add up to SL_MACHINE_CYCLES.
     */
    SL_MACHINE_BASE,        /* cycles without a stall */
    SL_MACHINE_STALL_FETCH, /* instruction cache misses */
    SL_MACHINE_STALL_ITLB,
    SL_MACHINE_STALL_DATA, /* data latency beyond that of L1D */
    SL_MACHINE_STALL_DTLB,
    SL_MACHINE_STALL_LOAD_USE,   /* a load's value was needed at once */
    SL_MACHINE_STALL_LONG,       /* multiply, divide or floating point in progress */
    SL_MACHINE_STALL_BRANCH,     /* wrong direction or target, misfetch */
    SL_MACHINE_STALL_DEPENDENCE, /* in-order: branches wait for register writes; out-of-order:
                             system instructions execute alone */
    SL_MACHINE_STALL_STRUCTURE,  /* out-of-order only: no free unit, port or queue entry */
    SL_MACHINE_STALL_PROFILER,   /* commit waited for the profiler's queue */
    /* In integer units, so that sums are exact. */
    SL_MACHINE_ENERGY,      /* pJ */
    SL_MACHINE_CACHE_POWER, /* thousandths of an access to the instruction cache */
    /* Components of the energy: cycles of the instructions of each power group, and stall cycles.
     * Counted only if requested, so not in the totals of every run. */
    SL_MACHINE_GROUP_FIRST,
    SL_MACHINE_GROUP_LAST = SL_MACHINE_GROUP_FIRST + 5,
    SL_MACHINE_GROUP_STALL,
    SL_MACHINE_EVENTS
};

#define SL_MACHINE_TOTALS SL_MACHINE_GROUP_FIRST /* events below this have totals in every run */

#define SL_MACHINE_STALL_FIRST SL_MACHINE_STALL_FETCH
#define SL_MACHINE_STALL_LAST SL_MACHINE_STALL_PROFILER

struct sl_machine_event_name {
    const char *name;    /* "dmiss" */
    const char *summary; /* one line of help */
};

extern const struct sl_machine_event_name sl_machine_event_names[SL_MACHINE_EVENTS];

#endif
