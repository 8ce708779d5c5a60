/* SPDX-License-Identifier: MIT */
/* Models of hardware prefetchers. A prefetcher predicts which lines the program will access, so
 * that a cache can fetch them in advance.
 *
 * A prefetcher belongs to one cache. It is called for each line that the program reads there and
 * that misses, or that was prefetched and is read for the first time. It returns the lines to
 * prefetch now. The caller inserts them and reports their latency; an access to a line that has not
 * arrived waits for it. prefetcher.c describes the algorithms. */
#ifndef SL_PREFETCHER_H
#define SL_PREFETCHER_H

#include "cache.h"

#define SL_PREFETCH_MAX 16u       /* lines per prefetch */
#define SL_PREFETCH_IN_FLIGHT 64u /* latest lines whose time of arrival is known */
#define SL_PREFETCH_STRIDES 256u  /* instructions in the stride table */
#define SL_PREFETCH_PAGE_LOG2 12  /* no prefetch leaves the page of the access */
#define SL_PREFETCH_OFFSETS 52u
#define SL_PREFETCH_RECENT 256u
#define SL_PREFETCH_NO_PC UINT64_MAX /* for instruction fetches */

/* A prefetched line in flight. */
struct sl_prefetch_in_flight {
    uint64_t line, base;         /* base: the line whose access triggered it */
    uint64_t requested, arrival; /* cycles */
    bool pending;                /* best-offset: the base is not in recent[] yet */
};

struct sl_stride {
    uint64_t pc, line;
    int64_t stride;     /* lines */
    uint8_t confidence; /* 0 to 3; the stride is used from 2 on */
};

struct sl_prefetcher {
    _Alignas(64) uint8_t kind; /* enum sl_cache_prefetch */
    uint8_t line_log2;
    uint32_t degree;
    uint64_t n_requests; /* so far */
    struct sl_prefetch_in_flight in_flight[SL_PREFETCH_IN_FLIGHT];
    struct sl_stride stride[SL_PREFETCH_STRIDES];
    struct sl_best_offset {
        uint64_t offset;       /* lines; 0: prefetching is off */
        uint32_t next, rounds; /* offset to test next; rounds of this phase */
        uint8_t score[SL_PREFETCH_OFFSETS];
        uint16_t recent[SL_PREFETCH_RECENT]; /* tag + 1; 0: empty */
    } best;
};

/* A read by the program. */
struct sl_prefetch_read {
    uint64_t pc; /* of the instruction; SL_PREFETCH_NO_PC */
    uint64_t address;
    uint64_t now;    /* cycle of the read */
    bool missed;     /* false: first read of a prefetched line */
    uint32_t cycles; /* latency of the line if it missed */
};

/* Initializes in zeroed memory. The cache's configuration is checked and has a prefetcher. */
void sl_prefetcher_init(struct sl_prefetcher *p, const struct sl_cache_config *config);

/* Stores the addresses of the lines to prefetch after a read; returns their number. */
unsigned sl_prefetcher_lines(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                             uint64_t line[SL_PREFETCH_MAX]);

/* Reports that the line of `address` was prefetched for that read and arrives after `cycles`. */
void sl_prefetcher_requested(struct sl_prefetcher *p, const struct sl_prefetch_read *read,
                             uint64_t address, uint32_t cycles);

/* Returns the wait of the first access, in cycle `now`, to a prefetched line: at most the latency
 * of the line. */
uint32_t sl_prefetcher_remaining(const struct sl_prefetcher *p, uint64_t address, uint64_t now);

#endif
