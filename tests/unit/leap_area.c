/* SPDX-License-Identifier: MIT */
/* Unit tests of the hardware area of function profilers that paper 2 (docs/glossary.md) published:
 * the memory bits of LEAP and the registers of SnoopP. The model's number of bits differs from the
 * published number by the same amount in all rows of the published table. */
#include <math.h>

#include "support/function_list.h"
#include "support/placed_table.h"
#include "table.h"
#include "tap.h"

#define STACK 32u      /* calls */
#define ONE_BLOCK 4096 /* bits of a memory block of a Cyclone II */
#define ADDRESS 32u    /* bits of one in snoopp's ranges */
#define PUBLISHED 26u  /* of those bits, what synthesis seems to have left */

static const struct row {
    unsigned width, functions, memory_bits, snoopp_registers;
} rows[] = {
    {32, 32, 5120, 2847}, {32, 64, 6144, 5540}, {32, 128, 8192, 10921},  {32, 256, 12288, 21678},
    {64, 32, 6144, 3873}, {64, 64, 8192, 7590}, {64, 128, 12288, 15019}, {64, 256, 20480, 29872},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static uint64_t storage_of(const char *table, const struct row *r)
{
    char spec[40];
    struct sl_table_status s;
    struct sl_function_list list = make_list(r->functions, 0x10000, 2);
    list.n_pieces = list.n; /* as many ranges as functions */
    struct sl_table_host host = {.functions = &list};
    struct sl_event event = {0, {list.start[0], 0}, 1, NULL, 0, 0};
    snprintf(spec, sizeof spec, "%s(bits=%u)", table, r->width);
    struct placed p = place(spec, &host);
    sl_table_step(p.table, &event);
    sl_table_status(p.table, &s);
    unplace(&p);
    free_list(&list);
    return s.storage_bits;
}

int main(void)
{
    size_t published = 0, counters = 0, fits = 0, registers = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        const struct row *r = &rows[i];
        uint64_t leap = storage_of("leap", r), index = (uint64_t)lround(log2(r->functions));
        uint64_t tab = 8 * r->functions, stack = STACK * index;
        uint64_t held = 32 + 3 * 5 + index + r->width + index; /* V A1 A2 B1 B2, data, current */
        uint64_t memory = leap - held;
        published += r->memory_bits == r->functions * r->width + ONE_BLOCK;
        counters += memory - tab - stack == r->memory_bits - ONE_BLOCK;
        fits += tab + stack <= ONE_BLOCK;
        uint64_t snoopp = storage_of("snoopp", r), narrow = 2 * (ADDRESS - PUBLISHED);
        uint64_t rest = r->snoopp_registers - (snoopp - r->functions * narrow);
        registers += rest > 150 && rest < 180;
        printf("# %u bits, %u functions: leap %u published, %llu here; snoopp %u, %llu\n", r->width,
               r->functions, r->memory_bits, (unsigned long long)memory, r->snoopp_registers,
               (unsigned long long)snoopp);
    }
    ok(published == N_ROWS, "published memory bits are counters and 4096, however many functions");
    ok(counters == N_ROWS, "leap's memory without tab and stack is what is published above 4096");
    ok(fits == N_ROWS, "its tab and stack would fit into those 4096");
    ok(registers == N_ROWS,
       "snoopp's storage, with 26 bits of each address, is that of its published "
       "registers but for 150 to 180 of them");
    return done_testing();
}
