/* SPDX-License-Identifier: MIT */
/* Test program that runs a guest program under QEMU, simulates it with a CPU model, and prints the
 * cycles of each block.
 *
 *     machine_loops TAP_DIR FILE MACHINE -- PROGRAM ARGUMENT...
 *
 * TAP_DIR contains the tap. FILE gets a line for each block,
 *
 *   0xPC EXECUTIONS CYCLES
 *
 * and one for each machine event, "NAME TOTAL". Exits with an error if the events of the blocks do
 * not add up to the totals, or base and stall cycles to the cycles. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "source.h"

static void die(const char *what)
{
    fprintf(stderr, "machine_loops: %s\n", what);
    exit(2);
}

struct run {
    struct sl_machine *machine;
    struct sl_source *source;
    struct sl_code code;
    uint64_t *executions, *cycles; /* by block */
    size_t n_blocks;
    uint64_t sum[SL_MACHINE_EVENTS];
};

static void grow(struct run *r)
{
    size_t n = r->code.n_blocks;
    r->executions = realloc(r->executions, n * sizeof *r->executions);
    r->cycles = realloc(r->cycles, n * sizeof *r->cycles);
    if (n && (!r->executions || !r->cycles))
        die("out of memory");
    for (; r->n_blocks < n; r->n_blocks++)
        r->executions[r->n_blocks] = r->cycles[r->n_blocks] = 0;
}

static void run_all(struct run *r)
{
    struct sl_failure f;
    struct sl_chunk chunk;
    int more;
    while ((more = sl_source_next(r->source, &chunk, &f)) > 0) {
        if (sl_code_sync(&r->code, &f) < 0 || sl_machine_sync(r->machine, &r->code, &f) < 0 ||
            sl_machine_run(r->machine, &chunk, &f) < 0)
            die(f.text);
        grow(r);
        for (uint32_t i = 0; i < chunk.n_blocks; i++) {
            r->executions[chunk.block[i]]++;
            r->cycles[chunk.block[i]] += sl_machine_block_counts(r->machine, SL_MACHINE_CYCLES)[i];
            for (unsigned what = 0; what < SL_MACHINE_EVENTS; what++)
                r->sum[what] += sl_machine_block_counts(r->machine, what)[i];
        }
    }
    if (more < 0)
        die(f.text);
}

static void check(const struct run *r)
{
    const uint64_t *total = sl_machine_totals(r->machine);
    uint64_t parts = total[SL_MACHINE_BASE];
    for (unsigned i = SL_MACHINE_STALL_FIRST; i <= SL_MACHINE_STALL_LAST; i++)
        parts += total[i];
    if (parts != total[SL_MACHINE_CYCLES])
        die("the causes do not add up to the cycles");
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        if (r->sum[i] != total[i])
            die("the blocks do not add up to the totals");
}

static void print(const struct run *r, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        die("cannot write the file");
    for (size_t i = 0; i < r->n_blocks; i++)
        fprintf(out, "0x%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", r->code.statics->block[i].pc,
                r->executions[i], r->cycles[i]);
    for (unsigned i = 0; i < SL_MACHINE_EVENTS; i++)
        fprintf(out, "%s %" PRIu64 "\n", sl_machine_event_names[i].name,
                sl_machine_totals(r->machine)[i]);
    fclose(out);
}

int main(int argc, char **argv)
{
    struct run r = {0};
    struct sl_failure f;
    if (argc < 6 || strcmp(argv[4], "--"))
        die("usage: machine_loops TAP_DIR FILE MACHINE -- PROGRAM ARGUMENT...");
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = argv + 5,
                             .needs = SL_NEED_ADDRESSES | SL_NEED_STORES,
                             .tap_dir = argv[1]};
    if (sl_machine_open(&r.machine, argv[3], &f) < 0 || sl_source_run(&r.source, &guest, &f) < 0)
        die(f.text);
    sl_machine_need_events(r.machine, (UINT64_C(1) << SL_MACHINE_EVENTS) - 1);
    sl_code_init(&r.code, &r.source->statics, &f);
    run_all(&r);
    check(&r);
    print(&r, argv[2]);
    sl_code_free(&r.code);
    sl_source_close(r.source);
    sl_machine_close(r.machine);
    free(r.executions);
    free(r.cycles);
    return 0;
}
