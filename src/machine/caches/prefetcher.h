/* SPDX-License-Identifier: MIT */
/* A prefetcher: which lines a cache had better bring before they are asked for.
 *
 * It belongs to one cache and is told of each line that the program's accesses read there and
 * that was missing, or that it had brought and is met for the first time; then it says which
 * lines to bring now. The driver brings them, and tells how long that takes: a line that is met
 * before it has come is waited for. What the kinds ask for is in prefetcher.c. */
#ifndef SL_PREFETCHER_H
#define SL_PREFETCHER_H

#include "cache.h"

#define SL_PREFETCH_MAX 16u      /* lines asked for at once */
#define SL_PREFETCH_FLIGHTS 64u  /* lines of which it is known when they come: the latest */
#define SL_PREFETCH_STRIDES 256u /* instructions whose strides are known */
#define SL_PREFETCH_PAGE_LOG2 12 /* no prefetch leaves the page of the access */
#define SL_PREFETCH_OFFSETS 52u
#define SL_PREFETCH_RECENT 256u
#define SL_PREFETCH_NO_PC UINT64_MAX /* instructions: nobody's load */

/* A line on its way. */
struct sl_flight {
    uint64_t line, base;   /* base: the line whose access asked for it */
    uint64_t asked, comes; /* cycles */
    bool waits;            /* best-offset: not yet among the recent */
};

struct sl_stride {
    uint64_t pc, line;
    int64_t stride; /* lines */
    uint8_t sure;   /* 0 to 3; from 2 on it is believed */
};

struct sl_prefetcher {
    uint8_t kind, line_log2; /* enum sl_cache_prefetch */
    uint32_t degree;
    uint64_t n_flights; /* so far */
    struct sl_flight flight[SL_PREFETCH_FLIGHTS];
    struct sl_stride stride[SL_PREFETCH_STRIDES];
    struct sl_best_offset {
        uint64_t offset;       /* lines; 0: it does not prefetch */
        uint32_t next, rounds; /* the offset to be tried next; rounds of the phase */
        uint8_t score[SL_PREFETCH_OFFSETS];
        uint16_t recent[SL_PREFETCH_RECENT]; /* tag + 1; 0: empty */
    } best;
};

/* A read of the program's. */
struct sl_prefetch_read {
    uint64_t pc; /* of the instruction; SL_PREFETCH_NO_PC */
    uint64_t address;
    uint64_t now;    /* the cycle in which it was made */
    bool missed;     /* or it met a line that was brought */
    uint32_t cycles; /* that its line takes if it missed */
};

/* In zeroed memory. The cache was checked, and has one. */
void sl_prefetcher_init(struct sl_prefetcher *p, const struct sl_cache_config *config);

/* Where the lines to bring begin; returns how many. */
unsigned sl_prefetcher_ask(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                           uint64_t line[SL_PREFETCH_MAX]);

/* The line of `address` was brought for that read, and comes after `cycles`. */
void sl_prefetcher_brings(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                          uint64_t address, uint32_t cycles);

/* How long the first access to a line that was brought, made in cycle `now`, waits for it: not
 * longer than the line takes. */
uint32_t sl_prefetcher_late(const struct sl_prefetcher *p, uint64_t address, uint64_t now);

#endif
