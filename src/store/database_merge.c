/* SPDX-License-Identifier: MIT */
/* Merges databases (database_merge.h): checks that they are compatible, and adds up the statistics
 * of the programs and of the CPU models. merge_code.c merges the code, merge_profiles.c the
 * profiles. */
#include "database_merge.h"

#include <math.h>
#include <string.h>

#include "database_row.h"
#include "failure.h"
#include "utf8.h"

int sl_merge_check(const struct sl_merging *merging, int rc)
{
    return sl_database_check_write(merging->out, merging->path, rc, merging->f);
}

/* ---- databases that cannot be merged ---- */

static bool same_other_machines(const struct sl_database *a, const struct sl_database *b)
{
    bool all = a->n_other_machines == b->n_other_machines;
    for (size_t i = 0; all && i < a->n_other_machines; i++)
        all = sl_same_text(a->other_machine[i].description, b->other_machine[i].description);
    return all;
}

/* Returns why two databases cannot be merged, or NULL. */
static const char *find_conflict(const struct sl_database *a, const struct sl_database *b)
{
    const struct sl_db_program *p = &a->program, *q = &b->program;
    return !sl_same_text(p->arch, q->arch) ? "their programs have different architectures"
           : !sl_same_text(p->range, q->range) || !sl_same_text(p->only, q->only) ||
                   p->marked != q->marked || p->skip != q->skip || p->limit != q->limit ||
                   p->load_sampling_period != q->load_sampling_period ||
                   p->load_sampling_blocks != q->load_sampling_blocks ||
                   !sl_same_text(p->start_at, q->start_at)
               ? "the runs have different filters, run ranges or load sampling settings"
           : !sl_same_text(a->machine.description, b->machine.description) ||
                   !a->machine.name != !b->machine.name || !same_other_machines(a, b)
               ? "they have different CPU models"
           : a->machine.has_profiler || b->machine.has_profiler
               ? "cycles that include stalls for a modelled hardware profiler (profiler.queue) "
                 "cannot be added up"
               : NULL;
}

static int check_all(const struct sl_merge_inputs *inputs, struct sl_failure *f)
{
    for (size_t i = 1; i < inputs->n; i++) {
        const char *why = find_conflict(inputs->input[0].database, inputs->input[i].database);
        if (why)
            return sl_fail(f, SL_EUSAGE, "cannot merge %s and %s: %s", inputs->input[0].name,
                           inputs->input[i].name, why);
    }
    return 0;
}

/* ---- program, CPU models, objects ---- */

/* Returns the number of different programs among the inputs. */
static size_t count_programs(const struct sl_merge_inputs *inputs)
{
    size_t n = 0;
    for (size_t i = 0; i < inputs->n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = !sl_same_text(inputs->input[i].database->program.path,
                                   inputs->input[k].database->program.path);
        n += is_new;
    }
    return n;
}

/* Writes the sums of all programs, with the arguments of the first input. */
static int put_program(struct sl_merging *merging)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    struct sl_db_program sum = inputs->input[0].database->program;
    char warning[600];
    size_t n_programs = count_programs(inputs);
    for (size_t i = 1; i < inputs->n; i++)
        sl_sql_merge(&sl_db_tables[SL_DB_PROGRAM], &sum, &inputs->input[i].database->program);
    const char *runs = inputs->n == 1 ? "" : "s";
    const char *programs = n_programs == 1 ? "" : "s";
    const char *separator = sum.warning ? "; " : "";
    const char *warning_before = sum.warning ? sum.warning : "";
    snprintf(warning, sizeof warning,
             "merged from %zu run%s of %zu program%s: all counts are sums%s%.400s", inputs->n, runs,
             n_programs, programs, separator, warning_before);
    sum.warning = warning;
    struct sl_rows rows = sl_rows_query(inputs->input[0].database, "SELECT argv FROM program", NULL,
                                        0);
    int rc = SQLITE_OK;
    if (sl_rows_next(&rows, NULL))
        rc = sl_database_put_program(merging->out, &sum, sl_column_text(rows.row, 0));
    int result = sl_rows_end(&rows, merging->f);
    return result ? result : sl_merge_check(merging, rc);
}

/* Adds the machine events of another run. The correction of energy depends on the stalls of one
 * run, so a sum has none. */
static void add_machine(struct sl_db_machine *sum, const struct sl_db_machine *one)
{
    for (size_t i = 0; i < SL_MACHINE_TOTALS; i++)
        sum->total[i] += one->total[i];
    sum->energy_factor = NAN;
    sum->energy_extrapolated = false;
}

static int put_machines(struct sl_merging *merging)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    const struct sl_database *first = inputs->input[0].database;
    struct sl_db_machine machine = first->machine, other[SL_RESULT_OTHER_MACHINES_MAX];
    memcpy(other, first->other_machine, sizeof other);
    for (size_t k = 1; k < inputs->n; k++) {
        const struct sl_database *one = inputs->input[k].database;
        add_machine(&machine, &one->machine);
        for (size_t i = 0; i < first->n_other_machines; i++) /* all inputs have as many */
            add_machine(&other[i], &one->other_machine[i]);
    }
    int rc = sl_database_put_machines(merging->out, &machine, other, first->n_other_machines);
    return sl_merge_check(merging, rc);
}

static int put_objects(struct sl_merging *merging)
{
    struct sl_row row = sl_row_prepare(merging->out, &sl_db_tables[SL_DB_OBJECT]);
    for (size_t i = 0; i < merging->inputs.n_objects; i++)
        sl_row_put_fields(&row, &merging->inputs.object[i]);
    return sl_merge_check(merging, sl_row_finish(&row));
}

/* ---- the whole database ---- */

static int fill(sqlite3 *out, void *context)
{
    static int (*const part[])(struct sl_merging * merging) = {
        put_program, put_machines, put_objects, sl_merge_profiles, sl_merge_code};
    struct sl_merging *merging = context;
    merging->out = out;
    int rc = sl_database_begin(out);
    if (rc != SQLITE_OK)
        return rc;
    int result = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part && !result; i++)
        result = part[i](merging);
    merging->result = result;
    return result ? SQLITE_ABORT : sqlite3_exec(out, "COMMIT", NULL, NULL, NULL);
}

int sl_merge(const char *path, const char *const *database, size_t n,
             void (*left_out)(void *context, const char *message), void *context,
             struct sl_failure *f)
{
    SL_REQUIRE(f, path && (database || !n) && left_out);
    for (size_t i = 0; i < n; i++)
        SL_REQUIRE(f, database[i]);
    struct sl_failure merge_failure, write_failure;
    struct sl_merging merging = {
        .path = path, .left_out = left_out, .context = context, .f = &merge_failure};
    int result = n ? sl_merge_inputs_open(&merging.inputs, database, n, f)
                   : sl_fail(f, SL_EUSAGE, "no databases to merge: name at least one");
    if (!result)
        result = check_all(&merging.inputs, f);
    if (!result) {
        result = sl_database_write_by(path, fill, &merging, &write_failure);
        if (result && f)
            *f = merging.result ? merge_failure : write_failure;
        result = merging.result ? merging.result : result;
    }
    sl_merge_inputs_close(&merging.inputs);
    return result;
}
