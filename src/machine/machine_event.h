/* SPDX-License-Identifier: MIT */
/* Machine events: everything that a CPU model counts, for example cycles, cache misses and
 * mispredictions. The counts of all executed blocks add up to the totals.
 *
 * They are the events of the event counter paper (event_set.h) and those that metrics need.
 * CONTRIBUTING.md, "To add a machine effect", describes how to add one. */
#ifndef SL_MACHINE_EVENT_H
#define SL_MACHINE_EVENT_H

/* All events: X(identifier, name, summary). */
/* clang-format off */
#define SL_MACHINE_EVENT_LIST(X)                                                                  \
    X(CYCLES, "cycles", "clock cycles")                                                           \
    X(INSTRUCTIONS, "instructions", "retired instructions")                                       \
    /* instructions by class: each instruction has one class */                                   \
    X(LOAD, "load", "retired loads")                                                              \
    X(STORE, "store", "retired stores")                                                           \
    X(ARITHMETIC, "arithmetic", "retired integer instructions")                                   \
    X(MULTIPLY, "multiply", "retired integer multiplications and divisions")                      \
    X(BRANCH, "branch", "retired conditional branches")                                           \
    X(JUMP, "jump", "retired jumps, calls and returns")                                           \
    X(FLOAT, "float", "retired floating-point and vector instructions")                           \
    X(SYSTEM, "system", "retired system instructions")                                            \
    X(OTHER_CLASS, "other", "retired instructions that are atomic, no-ops or unknown")            \
    /* accesses and misses of caches and TLBs */                                                  \
    X(FETCH_LINES, "fetch", "accesses to the L1 instruction cache")                               \
    X(DATA_ACCESSES, "access", "accesses to the L1 data cache")                                   \
    X(DATA_HALVES, "dhalf",                                                                       \
      "port use of the L1 data cache: 2 for the only access in a cycle, else 1 per access")       \
    X(IMISS, "imiss", "misses of the L1 instruction cache")                                       \
    X(DMISS, "dmiss", "misses of the L1 data cache")                                              \
    X(DWRITEBACK, "dwriteback", "dirty lines evicted from the L1 data cache")                     \
    X(L2MISS, "l2miss", "misses of the L2 cache")                                                 \
    X(L2_ACCESSES, "l2access", "accesses to the L2 cache")                                        \
    X(L3MISS, "l3miss", "misses of the L3 cache")                                                 \
    X(L3_ACCESSES, "l3access", "accesses to the L3 cache")                                        \
    X(PREFETCHES, "prefetch", "lines prefetched by all caches")                                   \
    X(PREFETCH_HITS, "prefetchhit", "prefetched cache lines that were accessed later")            \
    X(MEMORY, "memory", "cache lines read from memory or written to memory")                      \
    X(ITLB_MISS, "itlbmiss", "misses of the instruction TLB")                                     \
    X(DTLB_MISS, "dtlbmiss", "misses of the data TLB")                                            \
    /* branches, counted at the block that the branch ends */                                     \
    X(WRONG_DIRECTION, "direction", "conditional branches with a mispredicted direction")         \
    X(WRONG_TARGET, "target", "indirect branches and returns with a mispredicted target")         \
    X(MISFETCH, "misfetch", "direct branches whose target was unknown at fetch")                  \
    /* stall cycles by cause: with BASE they add up to CYCLES */                                  \
    X(BASE, "base", "cycles without a stall")                                                     \
    X(STALL_FETCH, "stall-fetch", "stall: instruction fetch")                                     \
    X(STALL_ITLB, "stall-itlb", "stall: ITLB page walks")                                         \
    X(STALL_DATA, "stall-data", "stall: data beyond L1")                                          \
    X(STALL_DTLB, "stall-dtlb", "stall: DTLB page walks")                                         \
    X(STALL_LOAD_USE, "stall-loaduse", "stall: result of a load")                                 \
    X(STALL_LONG, "stall-long", "stall: multiply, divide, float")                                 \
    X(STALL_BRANCH, "stall-branch", "stall: mispredicted branches")                               \
    X(STALL_DEPENDENCE, "stall-dependence", "stall: waiting for registers")                       \
    X(STALL_STRUCTURE, "stall-structure", "stall: busy units and queues")                         \
    X(STALL_PROFILER, "stall-profiler", "stall: full profiler queue")                             \
    /* energies, in integer units, so that sums are exact */                                      \
    X(ENERGY, "energy", "energy in pJ")                                                           \
    X(CACHE_POWER, "cachepower",                                                                  \
      "energy of the caches, relative to an L1 instruction cache access, which counts 1000")      \
    /* components of the energy, counted only if requested, so not in the totals of every run */  \
    X(GROUP_A, "group-a", "cycles of instructions in power group A")                              \
    X(GROUP_B, "group-b", "cycles of instructions in power group B")                              \
    X(GROUP_C, "group-c", "cycles of instructions in power group C")                              \
    X(GROUP_D, "group-d", "cycles of instructions in power group D")                              \
    X(GROUP_E, "group-e", "cycles of instructions in power group E")                              \
    X(GROUP_F, "group-f", "cycles of instructions in power group F")                              \
    X(GROUP_STALL, "group-stall", "stall cycles, as the power model defines them")
/* clang-format on */

#define SL_MACHINE_EVENT_ENUM(identifier, name, summary) SL_MACHINE_##identifier,
enum sl_machine_event { SL_MACHINE_EVENT_LIST(SL_MACHINE_EVENT_ENUM) SL_MACHINE_EVENTS };
#undef SL_MACHINE_EVENT_ENUM

#define SL_MACHINE_GROUP_FIRST SL_MACHINE_GROUP_A
#define SL_MACHINE_TOTALS SL_MACHINE_GROUP_FIRST /* events below this have totals in every run */

#define SL_MACHINE_STALL_FIRST SL_MACHINE_STALL_FETCH
#define SL_MACHINE_STALL_LAST SL_MACHINE_STALL_PROFILER

struct sl_machine_event_name {
    const char *name;    /* "dmiss" */
    const char *summary; /* one line of help */
};

extern const struct sl_machine_event_name sl_machine_event_names[SL_MACHINE_EVENTS];

#endif
