/* SPDX-License-Identifier: MIT */
/* What the two words of a detector's tuples are, and how they read.
 *
 * A detector says it in its row, and nobody else knows: the database names the words as it
 * does, and text, JSON and pages show them by how they read (src/report/views/word_forms.h). */
#ifndef SL_WORD_H
#define SL_WORD_H

#include <stdbool.h>

enum sl_reads {
    SL_READS_NOTHING,  /* there is no such word */
    SL_READS_CODE,     /* an address in code */
    SL_READS_FUNCTION, /* the first address of a function; 0: of code without a symbol */
    SL_READS_LOOP,     /* of a loop, or of a function for what is in none */
    SL_READS_EVENTS,   /* of a machine: event_set.h */
    SL_READS_NUMBER,   /* a datum */
    SL_READS_DATA,     /* an address in data; 0: not known */
    SL_READS_SLOT,     /* an address in data, of a method table; 0: not known */
    SL_READS_STRIDE,   /* how far apart two addresses are, forward or back */
    SL_READS_TARGET,   /* an address in code: where it went */
    SL_READS_END,      /* an address in code: where what begins with the first word ends */
    SL_READS_BACK,     /* the same of a loop, the branch that leads back; 0: it is no loop */
    SL_READS_OUTCOMES, /* branches of a path: path_descriptor.h */
    SL_READS_CAUSE,    /* what an instruction cost in the machine: machine_log.h */
    SL_READS_CALLERS,  /* name of a calling context: context_name.h */
    SL_READS
};

struct sl_word {
    const char *name;    /* in the database and in JSON: "target" */
    const char *heading; /* of a column for people; NULL: its name */
    enum sl_reads reads;
};

/* Whether it is an address of which there may be a name, and of code a line. */
static inline bool sl_word_is_place(const struct sl_word *word)
{
    return word->reads == SL_READS_TARGET || word->reads == SL_READS_SLOT ||
           word->reads == SL_READS_END || word->reads == SL_READS_BACK;
}

#endif
