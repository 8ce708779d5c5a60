/* SPDX-License-Identifier: MIT */
/* Annotated code, the data of `annotate`: the instructions of a function, a file or a line, each
 * with its cost and source line. Costs come from a block profile. Profiles of edges, calls and
 * values add remarks such as "taken 4.6%".
 *
 *     parts          code ranges: runs of nearby lines, the costliest first
 *     lines          of a part, in source order; code without line information has one "line"
 *                    for each run of addresses
 *     instructions   of a line, by address */
#ifndef SL_ANNOTATION_H
#define SL_ANNOTATION_H

#include "costs.h"
#include "transfer_counts.h"

struct sl_annotated_insn {
    uint64_t address, own_address;
    const struct sl_db_span *span;
    const struct sl_insn *insn; /* bytes are in costs.code.statics */
    const struct sl_insn_info *info;
    uint64_t cost[SL_COST_COLUMNS];
};

struct sl_annotated_line {
    const char *file; /* NULL: code without a line */
    int line;
    size_t first, n; /* instructions */
    uint64_t cost[SL_COST_COLUMNS];
};

struct sl_annotated_range {
    size_t first, n; /* lines */
    uint64_t cost;   /* in column `column` */
};

struct sl_annotation {
    struct sl_costs costs;
    size_t column;   /* main column: cycles of a CPU model, else instructions if there are such */
    size_t executed; /* column of execution counts: instructions */
    uint64_t total;  /* of the program, in the main column */
    char *what;      /* "is_prime", "primes.c", "primes.c:25" */
    uint64_t cost[SL_COST_COLUMNS]; /* of all instructions in the annotation */
    struct sl_annotated_insn *insn;
    struct sl_annotated_line *line;
    struct sl_annotated_range *part;
    size_t n_insns, n_lines, n_parts, insns_capacity, lines_capacity, parts_capacity;
    uint64_t load_windows; /* load values were sampled in 1 of this number of windows */
    struct sl_transfer_counts edges, calls, values; /* sorted and merged; empty without a profile */
    struct sl_transfer_counts
        causes; /* from an instruction to a kind of cost (machine_log.h); sorted and merged */
};

/* Annotates the code of `place`: a function, "FILE", "FILE:LINE", or an object (its code without a
 * symbol). NULL: the function of the user's own code that executed most (if there is none, of all
 * code) or, with `all`, all code; it is no error if there is none. Call sl_annotation_free() in
 * either case.
 *
 *     SL_EUSAGE    there is no profile of blocks, or no such place: the message suggests a name
 *     SL_EFORMAT   the database is damaged
 *     SL_ENOMEM */
int sl_annotation_make(struct sl_annotation *annotation, struct sl_database *database,
                       const char *place, bool all, struct sl_failure *f);
void sl_annotation_free(struct sl_annotation *annotation);

/* Adds the costs of a CPU model (detector `cost`), if there is such a profile: columns for cycles,
 * misses and mispredicted branches. Cycles become the main column. Call it when all instructions
 * are in a->insn and none was removed. */
int sl_annotation_add_costs(struct sl_annotation *a, struct sl_database *database,
                            struct sl_failure *f);

/* Prints what the instruction waited for, in cycles, and its misses: "waits for data 62,607; misses
 * L1D 1,803". `after_text`: other text precedes it. */
void sl_annotation_print_costs(const struct sl_annotation *a, const struct sl_annotated_insn *insn,
                               bool after_text, FILE *out);
/* The remark of an instruction: "taken 4.6%", "-> add", "reads 0x7 100%"; "" if there is nothing to
 * report. insn->info must be known. The caller frees it; NULL if out of memory. */
char *sl_annotation_remark(const struct sl_annotation *a, const struct sl_annotated_insn *insn);

/* The functions that contain an instruction, for example "weigh, inlined in total, inlined in
 * main". The caller frees it; NULL if out of memory. */
char *sl_annotation_inlined(const struct sl_annotated_insn *insn);

#endif
