/* SPDX-License-Identifier: MIT */
/* Tables that get the same events, and, where errors are measured, the exact profile beside
 * them: every batch goes to each.
 *
 *     batch ──┬──► exact profile ─────────────────────┐ every so many events, and at the end
 *             ├──► table ──► what it says ────────────┤
 *             ├──► cohort: tables with equal intervals, judged at the end of each (cohort.h)
 *             └──► windows: the same tables anew for each part of the run (windows.h) */
#ifndef SL_JUDGE_H
#define SL_JUDGE_H

#include "cohort.h"
#include "sums.h"
#include "windows.h"

/* What is to be measured. */
struct sl_judging {
    bool wanted;
    uint64_t every;  /* events between two points of the curve; 0: at the end only */
    uint64_t points; /* for a doubling of the events, once there would be more; 0: all */
    struct sl_invariance_limits limits;
};

/* All zero before its first table joins. */
struct sl_judge {
    struct sl_judging judging;
    struct sl_measured **table; /* the caller's */
    size_t n, room;
    struct sl_table *exact;    /* NULL: not open */
    struct sl_cohort *cohort;  /* of those that work by intervals, where they are judged */
    struct sl_windows windows; /* of the others, likewise */
    uint64_t events;
    uint64_t sums_up_to; /* of the repetitions that take sums; 0: none does */
    struct sl_sums sums;
    struct sl_failure failure; /* of a judgement in the middle: code 0 if there was none */
};

/* Takes the table up; kind, config, repetition and comparable are known, and it is not open.
 * False without memory. */
bool sl_judge_join(struct sl_judge *judge, struct sl_measured *table);

/* Opens all tables, which share `host`'s memory evenly. */
int sl_judge_open(struct sl_judge *judge, const struct sl_judging *judging,
                  const struct sl_table_host *host, struct sl_failure *f);

void sl_judge_observe(struct sl_judge *judge, const struct sl_batch *batch);

/* So many events of one tuple, where nothing is judged and all tables take them so
 * (sl_table_kind.add). */
bool sl_judge_adds(const struct sl_judge *judge);
void sl_judge_add(struct sl_judge *judge, uint32_t number, uint64_t times, uint64_t weight);

/* A window of the run has ended. */
int sl_judge_window(struct sl_judge *judge, const struct sl_names *names, struct sl_failure *f);

/* The tables finish, the last judgement is made, errors get their names. */
int sl_judge_finish(struct sl_judge *judge, const struct sl_names *names, struct sl_failure *f);

/* Events that are missing in the exact profile, for want of memory. */
uint64_t sl_judge_exact_drops(const struct sl_judge *judge);

/* The exact profile: the one beside, or that of a table which is one; NULL if there is none. */
const struct sl_table *sl_judge_exact(const struct sl_judge *judge);

/* Threads of its tables have nothing left to do. */
void sl_judge_rest(struct sl_judge *judge);

/* The tables stay the caller's to close. */
void sl_judge_close(struct sl_judge *judge);

#endif
