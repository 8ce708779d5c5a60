/* SPDX-License-Identifier: MIT */
/* Two report formats for profile-guided optimization: `profgen`, the unsymbolized profile that
 * llvm-profgen converts for clang -fprofile-sample-use, and `autofdo`, the text profile that
 * create_llvm_prof of AutoFDO reads. The addresses in the two formats differ. `autofdo` also has a
 * list of samples of single addresses, which sluice leaves empty:
 *
 *     profgen             autofdo
 *     2                   2                  fall-through ranges: first and last instruction
 *     401120-401136:4     1120-1136:4
 *     401138-40113c:1     1138-113c:1
 *                         0                  samples of single addresses: none
 *     1                   1                  taken branches
 *     401136->401120:3    1136->1120:3
 *
 * llvm-profgen reads addresses of the file (--use-offset=0), AutoFDO reads file offsets. */
#include <inttypes.h>

#include "edge_counts.h"
#include "exporter.h"

static void print(const struct sl_edge_counts *counts, const struct sl_transfer_counts *list,
                  const char *between,
                  uint64_t (*written)(const struct sl_edge_counts *counts, uint64_t address),
                  FILE *out)
{
    fprintf(out, "%zu\n", list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct sl_transfer_count *p = &list->transfer[i];
        fprintf(out, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", written(counts, p->from), between,
                written(counts, p->to), p->count);
    }
}

/* `written` converts an address to the form of the file; `no_samples` is the list of samples of
 * single addresses. */
static int write_counts(const struct sl_output *o,
                        uint64_t (*written)(const struct sl_edge_counts *counts, uint64_t address),
                        const char *no_samples)
{
    struct sl_edge_counts counts;
    int result = sl_edge_counts(&counts, o->database, o->config, o->f);
    if (result)
        return result;
    print(&counts, &counts.runs, "-", written, o->out);
    fputs(no_samples, o->out);
    print(&counts, &counts.taken, "->", written, o->out);
    sl_edge_counts_free(&counts);
    return 0;
}

static int write_profgen(const struct sl_output *o)
{
    return write_counts(o, sl_edge_counts_file_address, "");
}

static int write_autofdo(const struct sl_output *o)
{
    return write_counts(o, sl_edge_counts_file_offset, "0\n");
}

const struct sl_exporter sl_profgen_exporter = {
    .name = "profgen",
    .summary = "profile for llvm-profgen --unsymbolized-profile, from edge and block profiles",
    .needs = "edge path",
    .write = write_profgen,
};

const struct sl_exporter sl_autofdo_exporter = {
    .name = "autofdo",
    .summary = "profile for create_llvm_prof --profiler=text, from edge and block profiles",
    .needs = "edge path",
    .write = write_autofdo,
};
