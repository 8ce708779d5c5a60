/* SPDX-License-Identifier: MIT */
/* What became dearer or cheaper from one database to another, as data: text, JSON and pages show
 * it.
 *
 * Both may be of different builds, so nothing is matched by addresses. A place is an object by the
 * last part of its path (the programs themselves are one, whatever they are called), a function by
 * its name and file, a line by what it is in its function (line_match.h); without lines, an address
 * inside of its function. What two places of a database have in common by that is one row. So are
 * the same places of several processes: of programs that were followed, the sums are compared. */
#ifndef SL_DIFFERENCE_H
#define SL_DIFFERENCE_H

#include "wording.h"

enum { SL_BEFORE, SL_AFTER, SL_SIDES };

/* A place; texts are NULL where they are not known, lines 0 where it is not there. */
struct sl_difference_place {
    char *function; /* printable, as all texts: "is_prime", "weigh, inlined in main" */
    char *object;   /* "primes" */
    char *file;     /* "primes.c" */
    int line[SL_SIDES];
};

struct sl_difference_row {
    char *key;                     /* the same of both sides */
    struct sl_difference_place at; /* of an event or a command, that is `function` */
    struct sl_difference_place to; /* of an edge, a loop: where it leads */
    char *second;                  /* what else tells it apart: "0x2a (42)", "NT", "< main"; NULL */
    uint64_t count[SL_SIDES];
    uint64_t low[SL_SIDES], high[SL_SIDES]; /* where the part is of estimates */
};

struct sl_difference_part {
    char *name;        /* for programs: "edge:count@exact", "line:instructions", "machine" */
    char *heading;     /* "Edges by count" */
    const char *units; /* "instructions"; NULL: each row has its own */
    const struct sl_detector_kind *detector; /* what its rows are; NULL: lines, events, commands */
    bool of_lines;
    uint64_t weight[SL_SIDES];     /* what all rows add up to, saved or not; 0: they do not */
    bool estimates;                /* low and high mean something */
    struct sl_difference_row *row; /* that which explains most first; none that are the same */
    size_t n, room;
    size_t n_same; /* rows that are */
};

struct sl_difference_run {
    char *database, *command;
    uint64_t instructions, blocks, loads, cycles; /* of all processes; cycles 0: no machine */
    uint64_t processes;                           /* that it started */
};

struct sl_difference {
    struct sl_difference_run run[SL_SIDES];
    struct sl_difference_part *part;
    size_t n, room;
    struct sl_notes notes;
};

/* SL_EUSAGE with a sentence if they have nothing to compare; errors of opening. To be freed all the
 * same. */
int sl_difference_make(struct sl_difference *difference, const char *before, const char *after,
                       struct sl_failure *f);
void sl_difference_free(struct sl_difference *difference);

/* How much more it is, as a part of what it was: 0.1, -0.02; infinite if it was nothing. */
double sl_difference_growth(uint64_t before, uint64_t after);

/* By how much the run became dearer: instructions or, if that is more, cycles. */
double sl_difference_dearer(const struct sl_difference *difference);

/* What a row explains, as a part of all that was there before; of rows that do not add up, of
 * itself. */
double sl_difference_share(const struct sl_difference_part *part,
                           const struct sl_difference_row *row);

/* Whether both true counts can be the same. */
bool sl_difference_doubtful(const struct sl_difference_part *part,
                            const struct sl_difference_row *row);

/* "primes.c:12", as it is now, or was where it is gone; NULL if it is not known. */
#define SL_DIFFERENCE_LINE_ROOM 300
const char *sl_difference_line(const struct sl_difference_place *place,
                               char room[SL_DIFFERENCE_LINE_ROOM]);

#endif
