/* SPDX-License-Identifier: MIT */
/* Main part of the experiment `functions`: compares the cost of each function in the profiles of
 * the hardware function profilers LEAP and SnoopP with its cost in the exact profile.
 * experiment_functions.h lists the measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_functions.h"
#include "failure.h"
#include "grow.h"
#include "perfect_hash.h"
#include "session.h"

enum { EXACT, LEAP, SNOOPP, PROFILERS };
static const char *const profiler_name[PROFILERS] = {"exact", "leap", "snoopp"};

#define MIN_FRACTION 0.001 /* of the total: functions below have no figures of their own */

struct row { /* a function */
    uint64_t pc, count[PROFILERS];
    bool own; /* its source file is in the directory of main's */
};

struct rows {
    struct row *row;
    size_t n, capacity;
    const char *label;
    double total;
};

/* ---- rows ---- */

/* Appends the row of the lowest address at the current positions of the lists, and advances these.
 */
static bool merge_one(const struct sl_profile_list *list, size_t *at, struct rows *out)
{
    struct row row = {.pc = UINT64_MAX};
    for (size_t i = 0; i < PROFILERS; i++)
        if (at[i] < list[i].n && list[i].entry[at[i]].tuple.pc < row.pc)
            row.pc = list[i].entry[at[i]].tuple.pc;
    for (size_t i = 0; i < PROFILERS; i++)
        if (at[i] < list[i].n && list[i].entry[at[i]].tuple.pc == row.pc)
            row.count[i] = list[i].entry[at[i]++].count;
    if (!SL_GROW(out->row, out->capacity, out->n + 1))
        return false;
    out->row[out->n++] = row;
    return true;
}

static size_t directory_of(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? (size_t)(slash - file) : 0;
}

static void find_own(struct sl_session *s, struct rows *rows)
{
    struct sl_db_location first = {0}, place;
    uint64_t start, end;
    if (sl_symbols_find(s->symbols, "main", &start, &end))
        sl_symbols_place(s->symbols, start, &first);
    size_t length = directory_of(first.file);
    for (size_t i = 0; length && i < rows->n; i++) {
        sl_symbols_place(s->symbols, rows->row[i].pc, &place);
        rows->row[i].own = directory_of(place.file) == length &&
                           !strncmp(place.file, first.file, length);
    }
}

/* Merges the profiles with these indices (SIZE_MAX: none) into one row per function. The rows must
 * be freed, also after a failure. */
static bool collect(struct sl_session *s, const size_t which[PROFILERS], const char *label,
                    struct rows *rows)
{
    struct sl_profile_list list[PROFILERS] = {{0}};
    size_t at[PROFILERS] = {0}, n = 0;
    bool done = true;
    *rows = (struct rows){.label = label};
    for (size_t i = 0; i < PROFILERS && done; i++) {
        done = which[i] == SIZE_MAX || sl_profile_list(&s->profile[which[i]], &list[i]);
        n += list[i].n;
    }
    while (done && at[EXACT] + at[LEAP] + at[SNOOPP] < n)
        done = merge_one(list, at, rows);
    for (size_t i = 0; i < PROFILERS; i++)
        sl_profile_list_free(&list[i]);
    find_own(s, rows);
    return done;
}

static double difference(const struct row *row, int a, int b)
{
    return (double)row->count[a] - (double)row->count[b];
}

/* ---- figures of rows ---- */

static double max_difference(const struct rows *rows, int a, int b)
{
    double most = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].own)
            most = fmax(most, fabs(difference(&rows->row[i], a, b)));
    return most;
}

static void add_mean(const struct rows *rows, bool own, const char *n_measure, const char *measure,
                     struct sl_job_results *results)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        if ((own && !row->own) || !row->count[SNOOPP])
            continue;
        n++;
        sum += fabs(difference(row, LEAP, SNOOPP)) / (double)row->count[SNOOPP];
    }
    lab_add_figure(results, rows->label, n_measure, NAN, n);
    lab_add_figure(results, rows->label, measure, NAN, n != 0 ? sum / n : (double)NAN);
}

static bool is_stub(struct sl_session *s, uint64_t pc)
{
    struct sl_db_location place;
    sl_symbols_place(s->symbols, pc, &place);
    return place.function && strstr(place.function, "@plt");
}

static void add_gaps(struct sl_session *s, const struct rows *rows, struct sl_job_results *results)
{
    double stubs = 0, others = 0, less = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double more = difference(&rows->row[i], LEAP, SNOOPP) / rows->total;
        if (more < 0)
            less -= more;
        else if (more > 0)
            *(is_stub(s, rows->row[i].pc) ? &stubs : &others) += more;
    }
    lab_add_figure(results, rows->label, "stubs_more", NAN, stubs);
    lab_add_figure(results, rows->label, "others_more", NAN, others);
    lab_add_figure(results, rows->label, "less", NAN, less);
}

static void add_functions(struct sl_session *s, const struct rows *rows, int n_profilers,
                          struct sl_job_results *results)
{
    char name[200];
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        double more = n_profilers > SNOOPP ? difference(row, LEAP, SNOOPP) / rows->total : 0;
        bool heavy = (double)row->count[EXACT] >= MIN_FRACTION * rows->total;
        if (!row->own && !heavy && fabs(more) < MIN_FRACTION)
            continue;
        sl_symbols_print(s->symbols, row->pc, name, sizeof name);
        for (int k = 0; k < (row->own ? n_profilers : heavy); k++)
            lab_add_item_figure(results, rows->label, profiler_name[k], name,
                                (double)row->count[k]);
        if (fabs(more) >= MIN_FRACTION)
            lab_add_item_figure(results, rows->label, "more", name, more);
    }
}

static void add_dropped(const struct sl_profile *p, const char *label, const char *measure,
                        struct sl_job_results *results)
{
    struct sl_table_status status = sl_profile_status(p);
    if (status.weight)
        lab_add_figure(results, label, measure, NAN,
                       (double)status.drops_weight / (double)status.weight);
}

/* ---- figures of the step's profiles ---- */

/* The three profiles of one metric, from the index `first`. */
static bool add_metric(struct sl_session *s, size_t first, struct sl_job_results *results)
{
    const size_t which[PROFILERS] = {first, first + LEAP, first + SNOOPP};
    const char *metric = s->profile[first].spec.detector[0].metric->name;
    struct rows rows;
    bool done = collect(s, which, metric, &rows);
    rows.total = (double)sl_profile_weight(&s->profile[first]);
    if (done && rows.total > 0) {
        lab_add_figure(results, metric, "total", NAN, rows.total);
        lab_add_figure(results, metric, "leap_off", NAN, max_difference(&rows, LEAP, EXACT));
        lab_add_figure(results, metric, "snoopp_off", NAN, max_difference(&rows, SNOOPP, EXACT));
        lab_add_figure(results, metric, "apart", NAN, max_difference(&rows, LEAP, SNOOPP));
        add_mean(&rows, true, "own", "own_mean", results);
        add_mean(&rows, false, "counted", "all_mean", results);
        add_dropped(&s->profile[which[LEAP]], metric, "leap_dropped", results);
        add_dropped(&s->profile[which[SNOOPP]], metric, "snoopp_dropped", results);
        lab_add_figure(results, metric, "misplaced", NAN,
                       sl_profile_statistic(&s->profile[which[LEAP]], "misplaced"));
        add_gaps(s, &rows, results);
        add_functions(s, &rows, PROFILERS, results);
    }
    free(rows.row);
    return done;
}

/* Compares LEAP with the limits of the paper with LEAP without limits; both are indices. */
static bool add_paper_limits(struct sl_session *s, size_t limited, size_t unlimited,
                             struct sl_job_results *results)
{
    const struct sl_profile *document = &s->profile[limited];
    struct rows rows;
    bool done = collect(s, (size_t[PROFILERS]){unlimited, limited, SIZE_MAX}, "document", &rows);
    double full = 0;
    for (size_t i = 0; i < rows.n; i++)
        full += rows.row[i].count[LEAP] == UINT32_MAX;
    lab_add_figure(results, "document", "apart", NAN, max_difference(&rows, LEAP, EXACT));
    lab_add_figure(results, "document", "full", NAN, full);
    lab_add_figure(results, "document", "forgotten", NAN,
                   sl_profile_statistic(document, "forgotten"));
    lab_add_figure(results, "document", "lost", NAN, sl_profile_statistic(document, "lost"));
    free(rows.row);
    return done;
}

static bool add_inclusive(struct sl_session *s, size_t exact, struct sl_job_results *results)
{
    struct rows rows;
    bool done = collect(s, (size_t[PROFILERS]){exact, exact + 1, SIZE_MAX}, "hierarchical", &rows);
    rows.total = (double)sl_profile_total_weight(&s->profile[exact]);
    lab_add_figure(results, "hierarchical", "total", NAN, rows.total);
    lab_add_figure(results, "hierarchical", "leap_off", NAN, max_difference(&rows, LEAP, EXACT));
    add_functions(s, &rows, SNOOPP, results);
    free(rows.row);
    return done;
}

/* Compares the profile `with` some behavior of the hardware with the one `without` it, over the
 * program's own functions. */
static bool add_effect(struct sl_session *s, size_t with, size_t without, const char *label,
                       struct sl_job_results *results)
{
    const struct sl_profile *plain = &s->profile[without];
    double total = (double)sl_profile_total_weight(plain), n = 0;
    struct rows rows;
    bool done = collect(s, (size_t[PROFILERS]){without, with, SIZE_MAX}, label, &rows);
    if (total <= 0)
        total = (double)sl_profile_weight(plain);
    for (size_t i = 0; i < rows.n; i++)
        n += rows.row[i].own && rows.row[i].count[LEAP] != rows.row[i].count[EXACT];
    lab_add_figure(results, label, "off", NAN, max_difference(&rows, LEAP, EXACT) / total);
    lab_add_figure(results, label, "functions", NAN, n);
    lab_add_figure(results, label, "lost", NAN, sl_profile_statistic(&s->profile[with], "lost"));
    free(rows.row);
    return done;
}

static void add_program(struct sl_session *s, struct sl_job_results *results)
{
    const struct sl_function_list *functions = &s->functions;
    size_t n = functions->n;
    unsigned size_log2 = sl_perfect_hash_log2(n);
    double hashed = ldexp(1, (int)size_log2);
    struct sl_energy_correction correction = sl_machine_correction(s->machine);
    struct sl_table_status status = sl_profile_status(&s->profile[LEAP]);
    lab_add_figure(results, "", "functions", NAN, (double)n);
    lab_add_figure(results, "", "ranges", NAN, (double)functions->n_pieces);
    lab_add_figure(results, "", "stripped", NAN, functions->stripped);
    lab_add_figure(results, "", "hashed", NAN, n ? hashed : (double)NAN);
    lab_add_figure(results, "", "tab", NAN,
                   n ? hashed * sl_perfect_hash_word_bits(size_log2) : (double)NAN);
    lab_add_figure(results, "", "perfect", NAN, n ? status.storage_bits > 0 : (double)NAN);
    lab_add_figure(results, "", "factor", NAN, correction.factor);
    lab_add_figure(results, "", "extrapolated", NAN, correction.extrapolated);
}

static bool uses_table(const struct sl_session *s, size_t which, const char *table)
{
    return which < s->n_profiles && !strcmp(s->profile[which].spec.table->name, table);
}

/* True if the three profiles of a metric begin at this index. */
static bool is_metric_group(const struct sl_session *s, size_t first)
{
    bool exact = uses_table(s, first, "exact");
    bool leap = uses_table(s, first + LEAP, "leap");
    bool snoopp = uses_table(s, first + SNOOPP, "snoopp");
    return exact && leap && snoopp;
}

static int add_figures(const struct lab_step *step, struct sl_session *s,
                       struct sl_job_results *results, struct sl_failure *f)
{
    bool done = true;
    size_t at = 0, cycles = SIZE_MAX;
    lab_add_replay_figures(step, s, results);
    add_program(s, results);
    for (; is_metric_group(s, at) && done; at += PROFILERS) {
        done = add_metric(s, at, results);
        const struct sl_profile_spec *asked = &s->profile[at].spec;
        cycles = strcmp(asked->detector[0].metric->name, "cycles") ? cycles : at;
    }
    if (done && at + 2 < s->n_profiles)
        done = add_paper_limits(s, at, cycles + LEAP, results) && add_inclusive(s, at + 1, results);
    if (done && at + 7 < s->n_profiles)
        done = add_effect(s, at + 5, at + 6, "wraps", results) &&
               add_effect(s, at + 7, at + 1, "twice", results);
    if (!done)
        return sl_out_of_memory(f);
    return at + 3 < s->n_profiles ? lab_functions_moved(step, s, results, f) : 0;
}

int lab_functions(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    return lab_run_session(step, false, add_figures, results, f);
}
