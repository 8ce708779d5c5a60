/* SPDX-License-Identifier: MIT */
/* Read access to the results of a session, for comparisons, experiments, tests and the database.
 * The session must have run. All pointers are valid until the session is closed. */
#ifndef SL_OUTCOME_H
#define SL_OUTCOME_H

#include "evaluated_table.h"
#include "machine.h"
#include "subpath.h"
#include "spec.h"
#include "symbol.h"

struct sl_profile;

/* ---- the run ---- */

struct sl_run_totals {
    uint64_t instructions, blocks, loads;
};
struct sl_run_totals sl_session_totals(const struct sl_session *session);

/* Events that the evaluators' exact profiles dropped for lack of memory: if there are any, the
 * errors are wrong. */
uint64_t sl_session_exact_drops(const struct sl_session *session);

const struct sl_machine *sl_session_machine(const struct sl_session *session); /* NULL: none */
/* Branches that the profiler in hardware processed (profiler.h), and its cycles for them. Returns
 * false if there is no such profiler. */
bool sl_session_profiler_work(const struct sl_session *session, uint64_t *branches,
                              uint64_t *cycles);
struct sl_symbols *sl_session_symbols(const struct sl_session *session);

/* The program's functions, if some table counts by function; otherwise empty. */
const struct sl_function_list *sl_session_functions(const struct sl_session *session);

/* ---- a profile ---- */

size_t sl_session_profiles(const struct sl_session *session); /* without repetitions */
const struct sl_profile *sl_session_profile(const struct sl_session *session, size_t which);

const struct sl_profile_spec *sl_profile_spec_of(const struct sl_profile *profile);
const struct sl_evaluated_table *sl_profile_table(const struct sl_profile *profile);
/* The status of the profile's table, with the storage of its detectors' hardware. */
struct sl_table_status sl_profile_status(const struct sl_profile *profile);

/* An option of the profile's table as a number; NAN if the table has no option `name`. */
double sl_profile_option(const struct sl_profile *profile, const char *name);

/* The weight of all events of the profile's detectors, and the denominator of percentages, which is
 * smaller for inclusive costs. */
uint64_t sl_profile_weight(const struct sl_profile *profile);
uint64_t sl_profile_total_weight(const struct sl_profile *profile);

/* A statistic of the profile's first detector by name (sl_detector_facts.statistic); NAN if there
 * is none. */
double sl_profile_statistic(const struct sl_profile *profile, const char *name);

/* Appends the entries of the profile, or of the exact profile of its events, to a list and sorts
 * it. The latter needs an exact table or --exact. Returns false if out of memory. */
bool sl_profile_list(const struct sl_profile *profile, struct sl_profile_list *list);
bool sl_profile_exact_list(const struct sl_profile *profile, struct sl_profile_list *list);

/* The sequence of all events. Returns false if the table does not store it, or out of memory. */
bool sl_profile_sequence(const struct sl_profile *profile, struct sl_sequence *sequence);

/* The counts of machine events in each run, if there is an exact profile of them, and the errors of
 * each run, if there are several. Free with sl_readings_free(). Returns false if out of memory. */
bool sl_profile_readings(const struct sl_profile *profile, struct sl_readings *readings);

/* ---- the top entries ---- */

/* The top entries of a table, highest count first, then by tuple.
 *
 * Entries of contexts refer to those of their callers. A caller may have no weight of its own (no
 * miss, or all of its code is inlined) and be missing in the table; with `linked` it is added after
 * all others, with a count of 0. */
struct sl_top_entries {
    size_t wanted;
    bool tagged; /* only entries with `tag` in the pc, which is removed */
    uint64_t tag;
    bool linked;            /* add missing callers */
    struct sl_entry *entry; /* result; the caller frees it */
    uint64_t *intervals;    /* number of intervals in which each was a candidate; NULL, or the
                             * caller frees it */
    size_t n;
    uint64_t distinct; /* number of entries in the table, with that tag */
};

/* Fills the result from the members above it. Returns 0 or SL_ENOMEM; nothing is to be freed then.
 */
int sl_top_entries_find(struct sl_top_entries *top, const struct sl_evaluated_table *table,
                        const struct sl_tuple_names *names, struct sl_failure *f);

#endif
