/* SPDX-License-Identifier: MIT */
/* Report format `bolt`: a pre-aggregated profile, which `perf2bolt -pa` converts for llvm-bolt.
 *
 *     B 401136 401120 3 0    taken branch: from, to, count, mispredicted
 *     F 401120 401136 4      fall-through range: first and last instruction, count
 *
 * Addresses are those of the file. perf2bolt finds the blocks within an F itself, so there is one
 * for every block of ours, and one for each transfer to the next block without a taken branch.
 * Calls from outside of the file come from X:0. Mispredictions are not known. */
#include <inttypes.h>

#include "edge_counts.h"
#include "exporter.h"

static void print(const struct sl_edge_counts *counts, const struct sl_transfer_counts *list,
                  char kind, FILE *out)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct sl_transfer_count *p = &list->transfer[i];
        fprintf(out, "%c ", kind);
        if (p->from)
            fprintf(out, "%" PRIx64, sl_edge_counts_file_address(counts, p->from));
        else
            fputs("X:0", out);
        fprintf(out, " %" PRIx64 " %" PRIu64 "%s\n", sl_edge_counts_file_address(counts, p->to),
                p->count, kind == 'B' ? " 0" : "");
    }
}

static int write_bolt(const struct sl_output *o)
{
    struct sl_edge_counts counts;
    int result = sl_edge_counts(&counts, o->database, o->config, o->f);
    if (result)
        return result;
    print(&counts, &counts.taken, 'B', o->out);
    print(&counts, &counts.entered, 'B', o->out);
    print(&counts, &counts.runs, 'F', o->out);
    print(&counts, &counts.passed, 'F', o->out);
    sl_edge_counts_free(&counts);
    return 0;
}

const struct sl_exporter sl_bolt_exporter = {
    .name = "bolt",
    .summary = "profile for perf2bolt -pa, from edge and block profiles",
    .needs = "edge path",
    .write = write_bolt,
};
