/* SPDX-License-Identifier: MIT */
/* Profiles of functions side by side, function by function. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_functions.h"
#include "failure.h"
#include "grow.h"
#include "perfect_hash.h"
#include "outcome.h"

enum { EXACT, LEAP, SNOOPP, WAYS };
static const char *const way_name[WAYS] = {"exact", "leap", "snoopp"};

#define WORTH_NAMING 0.001 /* part of the total */

struct row {
    uint64_t pc, count[WAYS];
    bool own;
};

struct rows {
    struct row *row;
    size_t n, capacity;
    const char *label;
    double total;
};

/* ---- rows ---- */

/* One more row: that of the lowest address which some list has left. */
static bool merge_one(const struct sl_profile_list *list, size_t *at, struct rows *out)
{
    struct row row = {.pc = UINT64_MAX};
    for (size_t i = 0; i < WAYS; i++)
        if (at[i] < list[i].n && list[i].entry[at[i]].tuple.pc < row.pc)
            row.pc = list[i].entry[at[i]].tuple.pc;
    for (size_t i = 0; i < WAYS; i++)
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
    struct sl_place first = {0}, place;
    uint64_t start, end;
    if (sl_symbols_find(sl_session_symbols(s), "main", &start, &end))
        sl_symbols_place(sl_session_symbols(s), start, &first);
    size_t length = directory_of(first.file);
    for (size_t i = 0; length && i < rows->n; i++) {
        sl_symbols_place(sl_session_symbols(s), rows->row[i].pc, &place);
        rows->row[i].own = directory_of(place.file) == length &&
                           !strncmp(place.file, first.file, length);
    }
}

/* Of the profiles at these places, SIZE_MAX for none. To be freed, also on failure. */
static bool collect(struct sl_session *s, const size_t which[WAYS], const char *label,
                    struct rows *rows)
{
    struct sl_profile_list list[WAYS] = {{0}};
    size_t at[WAYS] = {0}, n = 0;
    bool done = true;
    *rows = (struct rows){.label = label};
    for (size_t i = 0; i < WAYS && done; i++) {
        done = which[i] == SIZE_MAX || sl_profile_list(sl_session_profile(s, which[i]), &list[i]);
        n += list[i].n;
    }
    while (done && at[EXACT] + at[LEAP] + at[SNOOPP] < n)
        done = merge_one(list, at, rows);
    for (size_t i = 0; i < WAYS; i++)
        sl_profile_list_free(&list[i]);
    find_own(s, rows);
    return done;
}

static double differ(const struct row *row, int a, int b)
{
    return (double)row->count[a] - (double)row->count[b];
}

/* ---- what is told of them ---- */

static double largest(const struct rows *rows, int a, int b)
{
    double most = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].own)
            most = fmax(most, fabs(differ(&rows->row[i], a, b)));
    return most;
}

static void tell_mean(const struct rows *rows, bool own, const char *n_measure, const char *measure,
                      struct sl_job_figures *results)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        if ((own && !row->own) || !row->count[SNOOPP])
            continue;
        n++;
        sum += fabs(differ(row, LEAP, SNOOPP)) / (double)row->count[SNOOPP];
    }
    lab_figure(results, rows->label, n_measure, NAN, n);
    lab_figure(results, rows->label, measure, NAN, n != 0 ? sum / n : (double)NAN);
}

static bool is_stub(struct sl_session *s, uint64_t pc)
{
    struct sl_place place;
    sl_symbols_place(sl_session_symbols(s), pc, &place);
    return place.function && strstr(place.function, "@plt");
}

static void tell_gaps(struct sl_session *s, const struct rows *rows, struct sl_job_figures *results)
{
    double stubs = 0, others = 0, less = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double more = differ(&rows->row[i], LEAP, SNOOPP) / rows->total;
        if (more < 0)
            less -= more;
        else if (more > 0)
            *(is_stub(s, rows->row[i].pc) ? &stubs : &others) += more;
    }
    lab_figure(results, rows->label, "stubs_more", NAN, stubs);
    lab_figure(results, rows->label, "others_more", NAN, others);
    lab_figure(results, rows->label, "less", NAN, less);
}

static void tell_functions(struct sl_session *s, const struct rows *rows, int ways,
                           struct sl_job_figures *results)
{
    char name[200];
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        double more = ways > SNOOPP ? differ(row, LEAP, SNOOPP) / rows->total : 0;
        bool heavy = (double)row->count[EXACT] >= WORTH_NAMING * rows->total;
        if (!row->own && !heavy && fabs(more) < WORTH_NAMING)
            continue;
        sl_symbols_print(sl_session_symbols(s), row->pc, name, sizeof name);
        for (int way = 0; way < (row->own ? ways : heavy); way++)
            lab_figure_of(results, rows->label, way_name[way], name, (double)row->count[way]);
        if (fabs(more) >= WORTH_NAMING)
            lab_figure_of(results, rows->label, "more", name, more);
    }
}

static void tell_dropped(const struct sl_profile *p, const char *label, const char *measure,
                         struct sl_job_figures *results)
{
    struct sl_table_status status = sl_profile_status(p);
    if (status.weight)
        lab_figure(results, label, measure, NAN,
                   (double)status.drops_weight / (double)status.weight);
}

/* ---- the step's profiles ---- */

/* The three of one metric, the first of them at `first`. */
static bool tell_metric(struct sl_session *s, size_t first, struct sl_job_figures *results)
{
    const size_t which[WAYS] = {first, first + LEAP, first + SNOOPP};
    const char *metric = sl_profile_asked(sl_session_profile(s, first))->detector[0].metric->name;
    struct rows rows;
    bool done = collect(s, which, metric, &rows);
    rows.total = (double)sl_profile_weight(sl_session_profile(s, first));
    if (done && rows.total > 0) {
        lab_figure(results, metric, "total", NAN, rows.total);
        lab_figure(results, metric, "leap_off", NAN, largest(&rows, LEAP, EXACT));
        lab_figure(results, metric, "snoopp_off", NAN, largest(&rows, SNOOPP, EXACT));
        lab_figure(results, metric, "apart", NAN, largest(&rows, LEAP, SNOOPP));
        tell_mean(&rows, true, "own", "own_mean", results);
        tell_mean(&rows, false, "counted", "all_mean", results);
        tell_dropped(sl_session_profile(s, which[LEAP]), metric, "leap_dropped", results);
        tell_dropped(sl_session_profile(s, which[SNOOPP]), metric, "snoopp_dropped", results);
        lab_figure(results, metric, "misplaced", NAN,
                   sl_profile_figure(sl_session_profile(s, which[LEAP]), "misplaced"));
        tell_gaps(s, &rows, results);
        tell_functions(s, &rows, WAYS, results);
    }
    free(rows.row);
    return done;
}

/* LEAP with the document's bounds, at `bounded`, and the one at `free_of_them`. */
static bool tell_document(struct sl_session *s, size_t bounded, size_t free_of_them,
                          struct sl_job_figures *results)
{
    const struct sl_profile *document = sl_session_profile(s, bounded);
    struct rows rows;
    bool done = collect(s, (size_t[WAYS]){free_of_them, bounded, SIZE_MAX}, "document", &rows);
    double full = 0;
    for (size_t i = 0; i < rows.n; i++)
        full += rows.row[i].count[LEAP] == UINT32_MAX;
    lab_figure(results, "document", "apart", NAN, largest(&rows, LEAP, EXACT));
    lab_figure(results, "document", "full", NAN, full);
    lab_figure(results, "document", "forgotten", NAN, sl_profile_figure(document, "forgotten"));
    lab_figure(results, "document", "lost", NAN, sl_profile_figure(document, "lost"));
    free(rows.row);
    return done;
}

static bool tell_hierarchical(struct sl_session *s, size_t exact, struct sl_job_figures *results)
{
    struct rows rows;
    bool done = collect(s, (size_t[WAYS]){exact, exact + 1, SIZE_MAX}, "hierarchical", &rows);
    rows.total = (double)sl_profile_whole(sl_session_profile(s, exact));
    lab_figure(results, "hierarchical", "total", NAN, rows.total);
    lab_figure(results, "hierarchical", "leap_off", NAN, largest(&rows, LEAP, EXACT));
    tell_functions(s, &rows, SNOOPP, results);
    free(rows.row);
    return done;
}

/* What a habit of the hardware changes, of the program's own functions: the profile at `with`, and
 * the one without it. The largest difference in parts of the total, and how many functions there
 * are that differ. */
static bool tell_habit(struct sl_session *s, size_t with, size_t without, const char *label,
                       struct sl_job_figures *results)
{
    const struct sl_profile *plain = sl_session_profile(s, without);
    double total = (double)sl_profile_whole(plain), n = 0;
    struct rows rows;
    bool done = collect(s, (size_t[WAYS]){without, with, SIZE_MAX}, label, &rows);
    if (total <= 0)
        total = (double)sl_profile_weight(plain);
    for (size_t i = 0; i < rows.n; i++)
        n += rows.row[i].own && rows.row[i].count[LEAP] != rows.row[i].count[EXACT];
    lab_figure(results, label, "off", NAN, largest(&rows, LEAP, EXACT) / total);
    lab_figure(results, label, "functions", NAN, n);
    lab_figure(results, label, "lost", NAN, sl_profile_figure(sl_session_profile(s, with), "lost"));
    free(rows.row);
    return done;
}

static void tell_program(struct sl_session *s, struct sl_job_figures *results)
{
    const struct sl_function_list *functions = sl_session_functions(s);
    size_t n = functions->n;
    unsigned size_log2 = sl_perfect_hash_log2(n);
    double hashed = ldexp(1, (int)size_log2);
    struct sl_energy_correction correction = sl_machine_correction(sl_session_machine(s));
    struct sl_table_status status = sl_profile_status(sl_session_profile(s, LEAP));
    lab_figure(results, "", "functions", NAN, (double)n);
    lab_figure(results, "", "ranges", NAN, (double)functions->n_pieces);
    lab_figure(results, "", "stripped", NAN, functions->stripped);
    lab_figure(results, "", "hashed", NAN, n ? hashed : (double)NAN);
    lab_figure(results, "", "tab", NAN,
               n ? hashed * sl_perfect_hash_word_bits(size_log2) : (double)NAN);
    lab_figure(results, "", "perfect", NAN, n ? status.storage_bits > 0 : (double)NAN);
    lab_figure(results, "", "factor", NAN, correction.factor);
    lab_figure(results, "", "extrapolated", NAN, correction.extrapolated);
}

static bool is_by(const struct sl_session *s, size_t which, const char *table)
{
    return which < sl_session_profiles(s) &&
           !strcmp(sl_profile_asked(sl_session_profile(s, which))->table->name, table);
}

/* The metric's three at that place, or nothing. */
static bool is_three(const struct sl_session *s, size_t first)
{
    return is_by(s, first, "exact") && is_by(s, first + LEAP, "leap") &&
           is_by(s, first + SNOOPP, "snoopp");
}

static int tell_all(const struct lab_step *step, struct sl_session *s,
                    struct sl_job_figures *results, struct sl_failure *f)
{
    bool capacity = true;
    size_t at = 0, cycles = SIZE_MAX;
    lab_tell(step, s, results);
    tell_program(s, results);
    for (; is_three(s, at) && capacity; at += WAYS) {
        capacity = tell_metric(s, at, results);
        const struct sl_profile_spec *asked = sl_profile_asked(sl_session_profile(s, at));
        cycles = strcmp(asked->detector[0].metric->name, "cycles") ? cycles : at;
    }
    if (capacity && at + 2 < sl_session_profiles(s))
        capacity = tell_document(s, at, cycles + LEAP, results) &&
                   tell_hierarchical(s, at + 1, results);
    if (capacity && at + 7 < sl_session_profiles(s))
        capacity = tell_habit(s, at + 5, at + 6, "wraps", results) &&
                   tell_habit(s, at + 7, at + 1, "twice", results);
    if (!capacity)
        return sl_out_of_memory(f);
    return at + 3 < sl_session_profiles(s) ? lab_functions_moved(step, s, results, f) : 0;
}

int lab_functions(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    return lab_look_at(step, false, tell_all, results, f);
}
