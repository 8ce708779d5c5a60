/* SPDX-License-Identifier: MIT */
/* Code with what happened in it: the instructions of a function, a file or a line, each with its
 * cost and its source line, from a profile of blocks; and beside them what profiles of edges, calls
 * and values say.
 *
 *     parts      runs of lines that are near one another, the costliest first
 *     lines      of a part, in the order of the source; code without lines is in one "line" for
 *                each run of addresses
 *     instructions of a line, by address */
#ifndef SL_ANNOTATION_H
#define SL_ANNOTATION_H

#include "costs.h"
#include "passage.h"

struct sl_annotated_insn {
    uint64_t address, own_address;
    const struct sl_saved_span *span;
    const struct sl_insn *insn; /* its bytes are in costs.code.statics */
    const struct sl_insn_info *info;
    uint64_t cost[SL_COST_COLUMNS];
};

struct sl_annotated_line {
    const char *file; /* NULL: code without a line */
    int line;
    size_t first, n; /* instructions */
    uint64_t cost[SL_COST_COLUMNS];
};

struct sl_annotated_part {
    size_t first, n; /* lines */
    uint64_t cost;   /* in the first column */
};

struct sl_annotation {
    struct sl_costs costs;
    size_t column;   /* which is the first: cycles of a machine, or instructions, if there are */
    size_t executed; /* which says how often: instructions */
    uint64_t total;  /* of the program, in that column */
    char *what;      /* "is_prime", "primes.c", "primes.c:25" */
    uint64_t cost[SL_COST_COLUMNS]; /* of all instructions here */
    struct sl_annotated_insn *insn;
    struct sl_annotated_line *line;
    struct sl_annotated_part *part;
    size_t n_insns, n_lines, n_parts, room_insns, room_lines, room_parts;
    uint64_t stretches;                      /* loads were watched in one of so many */
    struct sl_passages edges, calls, values; /* settled; empty where there is no profile */
    struct sl_passages causes; /* likewise: from an instruction to a kind of cost (op_log.h) */
};

/* `place` is a function, "FILE" or "FILE:LINE", or for its code without a symbol an object; NULL:
 * the function that executed most.
 *
 * SL_EUSAGE  there is no profile of blocks, or no such place: the message says what is like it
 * SL_EFORMAT the database is damaged
 * SL_ENOMEM
 * To be freed all the same. */
int sl_annotation_make(struct sl_annotation *annotation, struct sl_database *database,
                       const char *place, struct sl_failure *f);

/* The same of all code, which may be none. */
int sl_annotation_make_all(struct sl_annotation *annotation, struct sl_database *database,
                           struct sl_failure *f);
void sl_annotation_free(struct sl_annotation *annotation);

/* What happened most at an instruction, in a list of passages: `most` of them at most, the most
 * frequent first. Returns how many there are. */
size_t sl_annotation_most(const struct sl_passages *list, uint64_t address, size_t most,
                          struct sl_passage *out);

/* Reads the profile, if there is one, and charges the instructions with it: columns for cycles,
 * misses and branches predicted wrong, of which cycles become the first. Instructions have come,
 * and none was left out. */
int sl_annotation_charge(struct sl_annotation *a, struct sl_database *database,
                         struct sl_failure *f);

/* What it waited for, in cycles, and what went wrong at it: "waits for data 62,607; misses L1D
 * 1,803"; behind other words or not. */
void sl_annotation_say_costs(const struct sl_annotation *a, const struct sl_annotated_insn *insn,
                             bool behind, FILE *out);
/* "taken 4.6%", "-> add", "brings 0x7 100%"; "" if there is nothing to say. The instruction is
 * known. */
char *sl_annotation_say(const struct sl_annotation *a, const struct sl_annotated_insn *insn);

/* "weigh, inlined in total, inlined in main". */
char *sl_annotation_inlined(const struct sl_annotated_insn *insn);

#endif
