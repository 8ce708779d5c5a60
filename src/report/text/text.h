/* SPDX-License-Identifier: MIT */
/* Functions that print the sections of the text report. Each file text_SECTION.c prints one
 * section.
 *
 * Common to all: `n` is the number of rows to print; 0 means all rows. A section is printed in
 * full, instead of for one screen, if config->n is set. A function that returns int returns 0 or a
 * negative enum sl_error: SL_ENOMEM, or SL_EFORMAT for a damaged database. */
#ifndef SL_TEXT_H
#define SL_TEXT_H

#include "annotation.h"
#include "call_costs.h"
#include "difference.h"
#include "partition.h"
#include "source_functions.h"
#include "text_table.h"

/* ---- text_head.c: program, filters and warnings, the start of each report ---- */

#define SL_TEXT_HEIGHT 40 /* lines of a screen, unless config->height is set */

/* Columns of a line: `given`, or the default if that is 0, and never fewer than 40. */
size_t sl_text_width(size_t given);

/* Prints the command, the number of instructions, the filters and the warnings. */
int sl_text_head(const struct sl_output *o);

/* Prints the first line of an overview: the command, the architecture, the number of instructions;
 * then the filters. */
int sl_text_title(const struct sl_output *o);

/* Prints an empty line and the warnings about the run; nothing if there are none. */
int sl_text_run_warnings(const struct sl_output *o);

/* Prints each warning as a paragraph that starts with "! ". */
void sl_text_warnings(const struct sl_warnings *warnings, size_t width, FILE *out);

/* Sets *text to what print() prints to its output. The caller frees it, also after an error. */
int sl_text_print_to(const struct sl_output *o,
                     int (*print)(const struct sl_output *o, const void *context),
                     const void *context, char **text);

/* Number of lines of a text; 0 for NULL. */
size_t sl_text_count_lines(const char *text);

/* The frame of the formats flat and callgraph: prints the head of the report, the heading ("Calls
 * by instructions" if `what` is "Calls"), the first n functions by print(), and a foot with the
 * total cost, the number of functions that are not shown, and a warning if callers are missing.
 * print() returns false if out of memory. */
int sl_text_call_costs(const struct sl_output *o, const char *what,
                       bool (*print)(const struct sl_call_costs *costs, size_t n, size_t width,
                                     FILE *out));

/* Prints a warning if contexts of the tree lack their callers. */
void sl_text_orphans(const struct sl_context_tree *tree, size_t width, FILE *out);

/* ---- text_entries.c: entries of any profile ---- */

/* Prints the top n entries and their sum. In full, the source lines of a path take as many lines as
 * they need; otherwise they are shortened to one. */
int sl_text_entries(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n);

/* ---- text_functions.c: functions of the source ---- */

/* True if the i-th profile is printed by sl_text_functions(): the first exact profile of functions
 * by its metric, with self costs, and with exact blocks or nested contexts by the same metric in
 * the database. */
bool sl_text_is_functions(const struct sl_db_profiles *profiles, size_t i);

/* True if the i-th profile is not printed, because sl_text_functions() prints an earlier one that
 * contains it: contexts after functions. */
bool sl_text_is_in_functions(const struct sl_db_profiles *profiles, size_t i);

/* Prints the top n functions. With config->symbols, prints linker symbols, without moving the cost
 * of inlined code to the function that was inlined. */
int sl_text_functions(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n);

/* The exact profile of functions that sl_text_functions() prints first; NULL if there is none. */
const struct sl_db_profile *sl_text_functions_profile(const struct sl_db_profiles *profiles);

/* Loads the functions of that profile, with inclusive costs if there is a profile of contexts.
 * Call sl_source_functions_free() in either case. */
int sl_text_functions_load(const struct sl_output *o, const struct sl_db_profile *profile,
                           struct sl_source_functions *functions);

/* The costliest callers of a function: "inlined in weigh 98%, main 2%", "< sort 70%, main 30%". The
 * caller frees it; NULL if out of memory. */
char *sl_text_callers(const struct sl_source_functions *all,
                      const struct sl_source_function *function);

/* ---- text_overview.c: the first screen ---- */

/* Prints the overview of a run with the default profiles: modules, functions by the costs of
 * `profile`, source lines, hints. */
int sl_text_overview(const struct sl_output *o, const struct sl_db_profile *profile);

/* Sets *text to the section "Hints" (hints.h), which is "" if there are none. The caller frees it,
 * also after an error. */
int sl_text_hints(const struct sl_output *o, char **text);

/* ---- text_lines.c: source lines ---- */

/* True if the i-th profile is printed by sl_text_lines(): the first exact profile of blocks by its
 * metric, and the metric is not count. */
bool sl_text_is_lines(const struct sl_db_profiles *profiles, size_t i);

/* Prints the top n source lines of a profile of blocks. */
int sl_text_lines(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n);

/* ---- text_phases.c ---- */

/* Prints the first n phases; prints nothing if the profile has no phases. */
int sl_text_phases(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n);

/* ---- text_subpaths.c: hot subpaths of a sequence (table wpp) ---- */

/* Lines of the section in addition to its subpaths; maximum number of lines of a subpath that is
 * not printed in full. */
#define SL_TEXT_SUBPATHS_AROUND 5
#define SL_TEXT_SUBPATH_LINES 2

/* Prints the top n subpaths, and the size of the grammar relative to the sequence. In full, one
 * line per event of a subpath. */
int sl_text_subpaths(const struct sl_output *o, const struct sl_db_profile *profile,
                     const struct sl_db_sequence *sequence, uint64_t n);

/* ---- text_measures.c: storage, messages, errors and intervals of a profile's table ---- */

struct sl_measures {
    char *table, *intervals; /* one message each; NULL: nothing to report */
    struct sl_db_runs runs;
};

/* Loads the statistics of profile i. If several profiles share a table, only the last one has
 * statistics of it. sl_measures_free() may be called after an error, too. */
int sl_measures_load(struct sl_database *database, size_t i, struct sl_measures *measures,
                     struct sl_failure *f);
void sl_measures_free(struct sl_measures *measures);

void sl_measures_print(const struct sl_db_profile *profile, const struct sl_measures *measures,
                       size_t width, FILE *out);

/* ---- text_runs.c: spread over several runs with different seeds (--runs) ----
 * Both functions print nothing for a single run, and nothing if out of memory. */

/* The spread of each event with a count of at least `least`. */
void sl_text_run_events(const struct sl_db_profile *profile, const struct sl_db_runs *runs,
                        uint64_t least, size_t width, FILE *out);

/* The spread of error measures. */
void sl_text_run_measures(const struct sl_db_profile *profile, const struct sl_db_runs *runs,
                          size_t width, FILE *out);

/* ---- text_events.c: event profiles with exact counts, all tables in one listing ---- */

/* Sets *text to the text that replaces profile i in the report; the caller frees it. The first
 * profile of a listing gets all of the listing, with the top config->n events; its other profiles
 * get ""; a profile in no listing gets NULL. `measures` is an array, by profile. */
int sl_text_events(const struct sl_output *o, const struct sl_measures *measures, size_t i,
                   char **text);

/* ---- text_machine.c: totals of the CPU models ---- */

/* Prints an empty line and the totals of the run; nothing without a CPU model. */
int sl_text_machine(const struct sl_db_machine *machine, size_t width, FILE *out,
                    struct sl_failure *f);

/* The same for several CPU models, one column each; prints nothing if there is only one. */
int sl_text_machines(const struct sl_output *o);

/* ---- text_processes.c ---- */

/* Prints the process tree of a run with --follow; nothing if the program started no process. */
int sl_text_processes(const struct sl_output *o);

/* ---- whole reports: `annotate`, `diff` (top n rows of each part), --partition ---- */

/* Prints with colours as those of shown.h if config->colour is set. */
int sl_text_annotation(const struct sl_annotation *annotation,
                       const struct sl_annotate_config *config, FILE *out, struct sl_failure *f);
int sl_text_difference(const struct sl_difference *difference, size_t n, size_t width, FILE *out,
                       struct sl_failure *f);
int sl_text_partition(const struct sl_output *o, const struct sl_partition *p);

#endif
