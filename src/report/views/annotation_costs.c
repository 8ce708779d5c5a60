/* SPDX-License-Identifier: MIT */
/* Adds the costs computed by a CPU model (detector `cost`) to annotated code, as columns and as
 * remarks on instructions. */
#include "annotation.h"

#include <string.h>

#include "machine_log.h"
#include "format.h"

#define WORTH 0.001 /* events per execution; rarer ones are not printed */

/* ---- columns ---- */

/* In order of importance: if lines are too short, the last are left out first. */
enum { CYCLES, DATA_MISSES, MISPREDICTED, FETCH_MISSES, L2_MISSES, L3_MISSES, COLUMNS };
static const char *const name[COLUMNS] = {"cycles", "dmiss",  "mispredict",
                                          "imiss",  "l2miss", "l3miss"};

/* clang-format off */
static unsigned column_of(uint64_t kind)
{
    if (kind < SL_COST_EVENTS)
        return CYCLES;
    switch (sl_cost_kinds[kind]) {
    case SL_MACHINE_IMISS: return FETCH_MISSES;
    case SL_MACHINE_DMISS: return DATA_MISSES;
    case SL_MACHINE_L2MISS: return L2_MISSES;
    case SL_MACHINE_L3MISS: return L3_MISSES;
    case SL_MACHINE_MISFETCH: return COLUMNS;
    default: return MISPREDICTED;
    }
}
/* clang-format on */

/* Index of the column with this name, which is added if there is none; SL_COST_COLUMNS: no
 * space for it. It replaces the column that a block profile has for this metric, because costs of
 * blocks are only divided evenly among instructions. */
static size_t place_of(struct sl_costs *costs, const char *wanted)
{
    size_t at = 0;
    while (at < costs->n_columns && strcmp(costs->column[at].name, wanted))
        at++;
    if (at == SL_COST_COLUMNS)
        return at;
    costs->column[at] = (struct sl_cost_column){.name = wanted, .unit = "count", .of_blocks = true};
    costs->n_columns += at == costs->n_columns;
    return at;
}

int sl_annotation_add_costs(struct sl_annotation *a, struct sl_database *database,
                            struct sl_failure *f)
{
    size_t at[COLUMNS + 1];
    int result = sl_transfer_counts_load_first(&a->causes, database, SL_FIELD_CAUSE, false, 0, f);
    if (result || !a->causes.n)
        return result;
    for (unsigned i = 0; i < COLUMNS; i++)
        at[i] = place_of(&a->costs, name[i]);
    at[COLUMNS] = SL_COST_COLUMNS;
    for (size_t i = 0; i < a->n_insns; i++)
        for (unsigned c = 0; c < COLUMNS; c++)
            if (at[c] < SL_COST_COLUMNS)
                a->insn[i].cost[at[c]] = 0;
    if (at[CYCLES] == SL_COST_COLUMNS)
        return 0;
    a->column = at[CYCLES];
    a->total = 0;
    for (size_t i = 0; i < a->causes.n; i++)
        a->total += a->causes.transfer[i].to < SL_COST_EVENTS ? a->causes.transfer[i].count : 0;
    for (size_t i = 0; i < a->n_insns; i++) {
        struct sl_annotated_insn *insn = &a->insn[i];
        for (size_t k = sl_transfer_counts_from(&a->causes, insn->address);
             k < a->causes.n && a->causes.transfer[k].from == insn->address; k++) {
            const struct sl_transfer_count *cause = &a->causes.transfer[k];
            size_t column = cause->to < SL_COST_KINDS ? at[column_of(cause->to)] : SL_COST_COLUMNS;
            if (column < SL_COST_COLUMNS)
                insn->cost[column] += cause->count;
        }
    }
    return 0;
}

/* ---- remarks ---- */

static const char *const cause_name[SL_COST_KINDS] = {[SL_COST_WAITS] = "instructions",
                                                      "the ITLB",
                                                      "data",
                                                      "the DTLB",
                                                      "the load before",
                                                      "a long operation",
                                                      "a branch",
                                                      "a result",
                                                      "a free slot",
                                                      "the profiler",
                                                      [SL_COST_EVENTS] = "L1I",
                                                      "L1D",
                                                      "L2",
                                                      "L3",
                                                      "the wrong way",
                                                      "the wrong target",
                                                      "the target late"};

/* Kinds of costs that share a lead: from `first` up to `first` of the next group. */
static const struct {
    unsigned first;
    const char *lead;
} group[] = {{SL_COST_WAITS, "waits for "},
             {SL_COST_EVENTS, "misses "},
             {SL_COST_EVENTS + 4, "predicted "},
             {SL_COST_KINDS, NULL}};

void sl_annotation_print_costs(const struct sl_annotation *a, const struct sl_annotated_insn *insn,
                               bool after_text, FILE *out)
{
    const struct sl_transfer_counts *list = &a->causes;
    const char *between = after_text ? "; " : "";
    size_t i = sl_transfer_counts_from(list, insn->address);
    for (unsigned g = 0; group[g].lead; g++) {
        const char *lead = group[g].lead;
        for (; i < list->n && list->transfer[i].from == insn->address &&
               list->transfer[i].to < group[g + 1].first;
             i++) {
            const struct sl_transfer_count *cause = &list->transfer[i];
            if (cause->to < group[g].first ||
                (double)cause->count < WORTH * (double)insn->cost[a->executed])
                continue;
            fprintf(out, "%s%s%s %s", between, lead, cause_name[cause->to],
                    SL_NUMBER(cause->count));
            lead = "";
            between = ", ";
        }
        between = *between ? "; " : "";
    }
}
