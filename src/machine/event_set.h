/* SPDX-License-Identifier: MIT */
/* Sets of machine events, for example cache misses and mispredictions. A simulated hardware counter
 * selects one set and counts its events.
 *
 * The counters are those of the processor that is extended by Xu, Kim, Nikolic and Shao,
 * "Memory-Efficient Hardware Performance Counters with Approximate-Counting Algorithms" (the event
 * counter paper): 29 counters, each with a selector. A selector is a set of machine events, and its
 * counter counts all of them. Set up for all events at once, each of the 29 counts one event:
 * cycles, instructions, instructions by class, accesses, misses, mispredictions or interlocks.
 *
 * Departures: in the paper, a selector is one of three groups of events and a mask within it, so
 * that events of different groups cannot be added; and several events in one cycle count as one,
 * where here each counts. */
#ifndef SL_EVENT_SET_H
#define SL_EVENT_SET_H

#include "machine_event.h"
#include "sluice.h"

#define SL_FABRIC_COUNTERS 29u
/* The first one is the clock. */
static const uint8_t sl_fabric[SL_FABRIC_COUNTERS] = {
    SL_MACHINE_CYCLES,
    SL_MACHINE_INSTRUCTIONS,
    /* instructions by class */
    SL_MACHINE_LOAD,
    SL_MACHINE_STORE,
    SL_MACHINE_ARITHMETIC,
    SL_MACHINE_MULTIPLY,
    SL_MACHINE_BRANCH,
    SL_MACHINE_JUMP,
    SL_MACHINE_FLOAT,
    SL_MACHINE_SYSTEM,
    SL_MACHINE_OTHER_CLASS,
    /* memory */
    SL_MACHINE_FETCH_LINES,
    SL_MACHINE_DATA_ACCESSES,
    SL_MACHINE_IMISS,
    SL_MACHINE_DMISS,
    SL_MACHINE_DWRITEBACK,
    SL_MACHINE_MEMORY,
    SL_MACHINE_ITLB_MISS,
    SL_MACHINE_DTLB_MISS,
    /* branches */
    SL_MACHINE_WRONG_DIRECTION,
    SL_MACHINE_WRONG_TARGET,
    SL_MACHINE_MISFETCH,
    /* stall cycles */
    SL_MACHINE_STALL_FETCH,
    SL_MACHINE_STALL_ITLB,
    SL_MACHINE_STALL_DATA,
    SL_MACHINE_STALL_DTLB,
    SL_MACHINE_STALL_LOAD_USE,
    SL_MACHINE_STALL_LONG,
    SL_MACHINE_STALL_BRANCH,
};

/* The first field of a tuple that denotes a set: this bit, and 1 << enum sl_machine_event for each
 * event. No program has code at such an address. */
#define SL_EVENT_SET_PC (UINT64_C(1) << 55)

/* Parses names separated by +: "dmiss", "direction+target". Returns 0 or SL_EUSAGE. */
int sl_event_set_parse(uint64_t *set, const char *text, struct sl_failure *f);

/* Writes the names of a set, with or without SL_EVENT_SET_PC; cut at `capacity` bytes. */
void sl_event_set_name(uint64_t set, char *out, size_t capacity);

#endif
