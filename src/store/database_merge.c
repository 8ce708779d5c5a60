/* SPDX-License-Identifier: MIT */
/* Merges several databases into one: checks that they can be merged, and adds up the programs and
 * the CPU models (database_merge.h). Code and profiles are merged in merge_code.c and
 * merge_profiles.c. */
#include "database_merge.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "database_row.h"
#include "failure.h"

int sl_merge_check(const struct sl_merging *merging, int rc, struct sl_failure *f)
{
    return rc == SQLITE_OK ? 0
           : (rc & 0xff) == SQLITE_NOMEM
               ? sl_db_fail_memory(f)
               : sl_fail(f, SL_EIO, "cannot write %s: %s", merging->path,
                         (rc & 0xff) == SQLITE_FULL ? "no space left on the device"
                                                    : sqlite3_errmsg(merging->out));
}

void sl_merge_say(const struct sl_merging *merging, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    merging->left_out(merging->context, sentence);
}

/* ---- databases that cannot be merged ---- */

static bool same(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

static bool same_beside(const struct sl_database *a, const struct sl_database *b)
{
    bool all = a->n_beside == b->n_beside;
    for (size_t i = 0; all && i < a->n_beside; i++)
        all = same(a->beside[i].description, b->beside[i].description);
    return all;
}

static const char *why_not(const struct sl_database *a, const struct sl_database *b)
{
    const struct sl_db_program *p = &a->program, *q = &b->program;
    return !same(p->arch, q->arch) ? "they are programs of different processors"
           : !same(p->range, q->range) || !same(p->only, q->only) || p->marked != q->marked ||
                   p->skip != q->skip || p->limit != q->limit || p->stretches != q->stretches ||
                   p->stretch_blocks != q->stretch_blocks || !same(p->start_at, q->start_at)
               ? "not the same part of them was counted"
           : !same(a->machine.description, b->machine.description) ||
                   !a->machine.name != !b->machine.name || !same_beside(a, b)
               ? "they ran on different machines"
           : a->machine.has_profiler || b->machine.has_profiler
               ? "a machine that waits for a profiler does so for one run"
               : NULL;
}

static int check_all(const struct sl_merge_inputs *inputs, struct sl_failure *f)
{
    for (size_t i = 1; i < inputs->n; i++) {
        const char *why = why_not(inputs->input[0].database, inputs->input[i].database);
        if (why)
            return sl_fail(f, SL_EUSAGE, "%s and %s cannot be one: %s", inputs->input[0].name,
                           inputs->input[i].name, why);
    }
    return 0;
}

/* ---- program, CPU models, objects ---- */

/* The number of different programs among the inputs. */
static size_t count_programs(const struct sl_merge_inputs *inputs)
{
    size_t n = 0;
    for (size_t i = 0; i < inputs->n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = !same(inputs->input[i].database->program.path,
                           inputs->input[k].database->program.path);
        n += is_new;
    }
    return n;
}

/* Writes the sums; the arguments are those of the first input. */
static int put_program(struct sl_merging *merging, struct sl_failure *f)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    struct sl_db_program sum = inputs->input[0].database->program;
    char warning[600];
    size_t n_programs = count_programs(inputs);
    for (size_t i = 1; i < inputs->n; i++)
        sl_sql_merge(sl_db_tables[SL_DB_PROGRAM], &sum, &inputs->input[i].database->program);
    snprintf(warning, sizeof warning,
             "%zu run%s of %zu program%s %s one here; all counts are sums%s%.400s", inputs->n,
             inputs->n == 1 ? "" : "s", n_programs, n_programs == 1 ? "" : "s",
             inputs->n == 1 ? "is" : "are", sum.warning ? "; " : "",
             sum.warning ? sum.warning : "");
    sum.warning = warning;
    struct sl_rows rows = sl_rows_query(inputs->input[0].database, "SELECT argv FROM program", NULL,
                                        0);
    int rc = SQLITE_OK;
    if (sl_rows_next(&rows, NULL))
        rc = sl_database_put_program(merging->out, &sum, sl_column_text(rows.row, 0));
    int result = sl_rows_end(&rows, 0, f);
    return result ? result : sl_merge_check(merging, rc, f);
}

/* Adds the machine events of another run. Energy is corrected by the stalls of one run: a sum has
 * no factor. */
static void add_machine(struct sl_db_machine *sum, const struct sl_db_machine *one)
{
    for (size_t i = 0; i < SL_MACHINE_TOTALS; i++)
        sum->total[i] += one->total[i];
    sum->energy_factor = NAN;
    sum->energy_extrapolated = false;
}

static int put_machines(struct sl_merging *merging, struct sl_failure *f)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    const struct sl_database *first = inputs->input[0].database;
    struct sl_db_machine machine = first->machine, beside[SL_RESULT_BESIDE_MAX];
    for (size_t i = 0; i < first->n_beside; i++)
        beside[i] = first->beside[i];
    for (size_t k = 1; k < inputs->n; k++) {
        const struct sl_database *one = inputs->input[k].database;
        add_machine(&machine, &one->machine);
        for (size_t i = 0; i < first->n_beside; i++) /* all inputs have the same number */
            add_machine(&beside[i], &one->beside[i]);
    }
    int rc = machine.name ? sl_database_put_machine(merging->out, &machine) : SQLITE_OK;
    if (rc == SQLITE_OK)
        rc = sl_database_put_beside(merging->out, beside, first->n_beside);
    return sl_merge_check(merging, rc, f);
}

static int put_objects(struct sl_merging *merging, struct sl_failure *f)
{
    struct sl_row row = sl_row_prepare(merging->out, sl_db_tables[SL_DB_OBJECT]);
    for (size_t i = 0; i < merging->inputs.n_objects; i++)
        sl_row_put_fields(&row, &merging->inputs.object[i]);
    return sl_merge_check(merging, sl_row_finish(&row), f);
}

/* ---- the whole database ---- */

static int fill(sqlite3 *out, void *context)
{
    struct sl_merging *merging = context;
    struct sl_failure *f = merging->f;
    merging->out = out;
    int rc = sl_database_begin(out);
    if (rc != SQLITE_OK)
        return rc;
    int result = put_program(merging, f);
    if (!result)
        result = put_machines(merging, f);
    if (!result)
        result = put_objects(merging, f);
    if (!result)
        result = sl_merge_profiles(merging, f);
    if (!result)
        result = sl_merge_code(merging, f);
    merging->result = result;
    return result ? SQLITE_ABORT : sqlite3_exec(out, "COMMIT", NULL, NULL, NULL);
}

int sl_merge(const char *path, const char *const *database, size_t n,
             void (*left_out)(void *context, const char *sentence), void *context,
             struct sl_failure *f)
{
    struct sl_failure own, of_writing;
    struct sl_merging merging = {.path = path, .left_out = left_out, .context = context, .f = &own};
    int result = n ? sl_merge_inputs_open(&merging.inputs, database, n, f)
                   : sl_fail(f, SL_EUSAGE, "there is nothing to make one database of");
    if (!result)
        result = check_all(&merging.inputs, f);
    if (!result) {
        result = sl_database_write_by(path, fill, &merging, &of_writing);
        if (result && f)
            *f = merging.result ? own : of_writing;
        result = merging.result ? merging.result : result;
    }
    sl_merge_inputs_close(&merging.inputs);
    return result;
}
