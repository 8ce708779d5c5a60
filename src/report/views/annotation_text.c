/* SPDX-License-Identifier: MIT */
/* Formats the remarks on annotated instructions: outcomes of branches, targets of calls, load
 * values (annotation.h). */
#include "annotation.h"

#include <inttypes.h>
#include <stdio.h>

#include "format.h"

#define VALUES 3   /* maximum number of values of a load, or targets of a call */
#define WORTH 0.05 /* minimum share of an instruction's executions for a value or target */

static void print_name(const struct sl_annotation *a, uint64_t address, FILE *out)
{
    const struct sl_db_span *span = sl_db_span_at(&a->costs.lines, address);
    const char *name = span ? span->function->name : NULL;
    uint64_t inside = span ? address - span->function->start : 0;
    if (name)
        fprintf(out, inside ? "%s+0x%" PRIx64 : "%s", name, inside);
    else
        fprintf(out, "0x%" PRIx64, address);
}

/* "taken 4.6%", from the counted edges. */
static void print_branch(const struct sl_annotation *a, const struct sl_annotated_insn *insn,
                         FILE *out)
{
    uint64_t executed = insn->cost[a->executed], passed = 0, taken = 0;
    uint64_t next = insn->address + insn->insn->size;
    const struct sl_transfer_counts *edges = &a->edges;
    for (size_t i = sl_transfer_counts_from(edges, insn->address);
         i < edges->n && edges->transfer[i].from == insn->address; i++)
        *(edges->transfer[i].to == next ? &passed : &taken) += edges->transfer[i].count;
    if (taken + passed == 0)
        return;
    if (taken + passed > executed)
        executed = taken + passed;
    if (taken || passed == executed)
        fprintf(out, "taken %.1f%%", sl_percent(taken, executed));
    else
        fprintf(out, "not taken %.1f%%", sl_percent(passed, executed));
}

static void print_most(const struct sl_annotation *a, const struct sl_transfer_counts *list,
                       const struct sl_annotated_insn *insn, bool places, FILE *out)
{
    struct sl_transfer_count most[VALUES];
    uint64_t executed = insn->cost[a->executed];
    size_t n = sl_transfer_counts_most(list, insn->address, VALUES, most), printed = 0;
    for (size_t i = 0; i < n && i < VALUES; i++) {
        double share = sl_percent(most[i].count, executed) *
                       (!places && a->load_windows > 1 ? (double)a->load_windows : 1);
        if (share < 100 * WORTH)
            break;
        fputs(printed++ ? ", " : places ? "-> " : "reads ", out);
        const struct sl_db_span *span = sl_db_span_at(&a->costs.lines, most[i].to);
        /* The start of a function is printed as a name. */
        if (places || (span && span->function->name && span->function->start == most[i].to))
            print_name(a, most[i].to, out);
        else
            fprintf(out, "0x%" PRIx64, most[i].to);
        if (n > 1 || !places)
            fprintf(out, " %.0f%%", share > 100 ? 100 : share);
    }
}

char *sl_annotation_remark(const struct sl_annotation *a, const struct sl_annotated_insn *insn)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    unsigned branch = insn->info->branch;
    bool indirect = branch == SL_BRANCH_INDIRECT || branch == SL_BRANCH_INDIRECT_CALL;
    if (branch == SL_BRANCH_CONDITIONAL)
        print_branch(a, insn, out);
    else if (branch == SL_BRANCH_CALL || branch == SL_BRANCH_JUMP) {
        const struct sl_db_span *span = sl_db_span_at(&a->costs.lines, insn->info->target);
        if (span && span->function != insn->span->function) {
            fputs("-> ", out);
            print_name(a, insn->info->target, out);
        }
    } else if (indirect) {
        bool called = sl_transfer_counts_leave(&a->calls, insn->address);
        print_most(a, called ? &a->calls : &a->edges, insn, true, out);
    }
    if (branch == SL_BRANCH_NONE)
        print_most(a, &a->values, insn, false, out);
    fflush(out);
    sl_annotation_print_costs(a, insn, size > 0, out);
    return fclose(out) ? NULL : text;
}

char *sl_annotation_inlined(const struct sl_annotated_insn *insn)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (const struct sl_db_inlined *at = insn->span->inlined; at; at = at->parent)
        fprintf(out, "%s, inlined in ", at->name);
    fputs(insn->span->function->name ? insn->span->function->name : "code without a symbol", out);
    return fclose(out) ? NULL : text;
}
