/* SPDX-License-Identifier: MIT */
/* Unit tests of the prefetchers: the cache lines that each prefetcher requests, and the time to
 * wait for a line that has not arrived yet. On random accesses, tests/unit/hierarchy.c compares the
 * prefetchers with plain models of them. */
#include "hierarchy.h"

#include <stdlib.h>

#include "tap.h"

#define LINE 64u
#define PAGE 4096u

static struct sl_prefetcher *make(unsigned kind, uint64_t degree)
{
    struct sl_prefetcher *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    sl_prefetcher_init(
        p, &(struct sl_cache_config){.line = LINE, .prefetch = kind, .prefetch_degree = degree});
    return p;
}

static unsigned read_line(struct sl_prefetcher *p, uint64_t pc, uint64_t address,
                          uint64_t out[SL_PREFETCH_MAX])
{
    struct sl_prefetch_read read = {.pc = pc, .address = address, .missed = true};
    return sl_prefetcher_lines(p, &read, out);
}

static void next_line(void)
{
    uint64_t out[SL_PREFETCH_MAX];
    struct sl_prefetcher *p = make(SL_CACHE_NEXT_LINE, 3);
    unsigned n = read_line(p, 0, 10 * LINE + 5, out);
    ok(n == 3 && out[0] == 11 * LINE && out[1] == 12 * LINE && out[2] == 13 * LINE,
       "next-line: requests the next lines");
    n = read_line(p, 0, PAGE - 2 * LINE, out);
    ok(n == 1 && out[0] == PAGE - LINE, "next-line: does not leave the page");
    ok(read_line(p, 0, UINT64_MAX, out) == 0, "next-line: does not wrap around");
    free(p);
}

static void stride(void)
{
    uint64_t out[SL_PREFETCH_MAX];
    struct sl_prefetcher *p = make(SL_CACHE_STRIDE, 2);
    unsigned n[5];
    for (unsigned i = 0; i < 5; i++)
        n[i] = read_line(p, 0x400, 5 * LINE * i, out);
    ok(!n[0] && !n[1] && !n[2] && n[3] == 2 && n[4] == 2,
       "stride: requests lines when a distance has appeared three times");
    ok(out[0] == 25 * LINE && out[1] == 30 * LINE, "stride: at that distance");
    ok(read_line(p, 0x404, 25 * LINE, out) == 0, "stride: another instruction has its own stride");
    ok(read_line(p, SL_PREFETCH_NO_PC, 25 * LINE, out) == 0,
       "stride: instruction fetches have none");
    free(p);
}

/* Reads consecutive lines every 10 cycles, with a latency of 35 cycles. Returns the last distance
 * in lines, 0 if nothing was requested. */
static uint64_t learned_offset(struct sl_prefetcher *p)
{
    uint64_t out[SL_PREFETCH_MAX], offset = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        struct sl_prefetch_read read = {
            .address = i * LINE, .now = 10 * i, .missed = true, .cycles = 35};
        unsigned n = sl_prefetcher_lines(p, &read, out);
        for (unsigned k = 0; k < n; k++)
            sl_prefetcher_requested(p, &read, out[k], 35);
        if (n)
            offset = out[0] / LINE - i;
    }
    return offset;
}

static void best_offset(void)
{
    struct sl_prefetcher *p = make(SL_CACHE_BEST_OFFSET, 1);
    uint64_t offset = learned_offset(p);
    ok(offset == 4, "best-offset: learns the smallest offset that is in time (%llu)",
       (unsigned long long)offset);
    free(p);
}

static void waits(void)
{
    struct sl_prefetcher *p = make(SL_CACHE_NEXT_LINE, 1);
    struct sl_prefetch_read read = {.address = 0, .now = 100, .missed = true};
    sl_prefetcher_requested(p, &read, LINE, 30);
    ok(sl_prefetcher_remaining(p, LINE + 8, 110) == 20,
       "a line in flight: the rest of its latency");
    ok(sl_prefetcher_remaining(p, LINE, 90) == 30, "at most its latency");
    ok(sl_prefetcher_remaining(p, LINE, 130) == 0, "a line that has arrived: no wait");
    ok(sl_prefetcher_remaining(p, 2 * LINE, 110) == 0, "a line that was not requested: no wait");
    for (unsigned i = 0; i < SL_PREFETCH_IN_FLIGHT; i++)
        sl_prefetcher_requested(p, &read, (10 + i) * LINE, 30);
    ok(sl_prefetcher_remaining(p, LINE, 110) == 0, "an old request is forgotten");
    free(p);
}

int main(void)
{
    next_line();
    stride();
    best_offset();
    waits();
    return done_testing();
}
