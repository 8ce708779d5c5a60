/* SPDX-License-Identifier: MIT */
/* Unit tests of `sluice annotate` (annotation.h): which instructions belong to a function, how
 * often each instruction was executed, and which remarks are printed next to an instruction. */
#include "annotation.h"

#include "view_support.h"

static const struct sl_annotated_insn *insn_at(const struct sl_annotation *a, uint64_t address)
{
    for (size_t i = 0; i < a->n_insns; i++)
        if (a->insn[i].address == address)
            return &a->insn[i];
    return NULL;
}

static void remark(const struct sl_annotation *a, uint64_t address, const char *wanted)
{
    const struct sl_annotated_insn *insn = insn_at(a, address);
    char *text = insn ? sl_annotation_remark(a, insn) : NULL;
    if (!ok(text && !strcmp(text, wanted), "work+0x%" PRIx64 ": %s", address - w, wanted))
        printf("# got: %s\n", text ? text : "nothing");
    free(text);
}

static void function(struct sl_database *database)
{
    struct sl_annotation a;
    ok(!sl_annotation_make(&a, database, "work", false, &f), "a function can be annotated");
    ok(a.n_insns == 9 && !insn_at(&a, h), "it has its own instructions only");
    ok(a.total == 7120 && a.cost[a.column] == 5120, "the sums are those of function and program");
    const struct sl_annotated_insn *nop = insn_at(&a, w + SKIPPED);
    ok(nop && nop->cost[a.executed] == 30, "an instruction has its executions");
    uint64_t lines = 0, ranges = 0;
    for (size_t i = 0; i < a.n_lines; i++)
        lines += a.line[i].cost[a.column];
    for (size_t i = 0; i < a.n_parts; i++)
        ranges += a.part[i].cost;
    ok(lines == 5120 && ranges == 5120, "lines and code ranges add up to the function");
    remark(&a, w + LOAD, "reads 0x7 99%");
    remark(&a, w + BRANCH, "taken 97.0%");
    remark(&a, w + CALL, "-> helper");
    remark(&a, w + SKIPPED, "");
    sl_annotation_free(&a);
}

static void places(struct sl_database *database)
{
    struct sl_annotation a;
    ok(!sl_annotation_make(&a, database, NULL, false, &f) && !strcmp(a.what, "work"),
       "without a place, the function with the highest cost is annotated");
    sl_annotation_free(&a);
    ok(!sl_annotation_make(&a, database, NULL, true, &f) && a.n_insns == 11,
       "all code has all instructions");
    sl_annotation_free(&a);
    ok(!sl_annotation_make(&a, database, "view_support.h", false, &f) && a.n_insns == 11,
       "a file has the instructions of its lines");
    sl_annotation_free(&a);
    ok(sl_annotation_make(&a, database, "wrok", false, &f) == SL_EUSAGE && strstr(f.text, "work?"),
       "an unknown function is refused with the nearest name");
    sl_annotation_free(&a);
}

int main(void)
{
    struct sl_database *database = open_database();
    function(database);
    places(database);
    close_database(database);
    return done_testing();
}
