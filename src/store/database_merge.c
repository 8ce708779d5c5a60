/* SPDX-License-Identifier: MIT */
#include "database_merge.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "database_row.h"
#include "failure.h"
#include "saved_row.h"

int sl_merge_check(const struct sl_merging *merging, int rc, struct sl_failure *f)
{
    return rc == SQLITE_OK ? 0
           : (rc & 0xff) == SQLITE_NOMEM
               ? sl_saved_fail_memory(f)
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

/* ---- what cannot be one ---- */

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
    const struct sl_saved_program *p = &a->program, *q = &b->program;
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

/* ---- program, machine, objects ---- */

static int copy_arguments(void *context, sqlite3_stmt *from)
{
    struct sl_row *row = context;
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_text(row->statement, ++row->column, sl_text_at(from, 0), -1,
                                    SQLITE_TRANSIENT);
    return 1; /* the first one counts */
}

static struct sl_saved_program sums_of(const struct sl_merge_inputs *inputs, size_t *n_programs)
{
    struct sl_saved_program sum = inputs->input[0].database->program;
    *n_programs = 1;
    for (size_t i = 1; i < inputs->n; i++) {
        const struct sl_saved_program *one = &inputs->input[i].database->program;
        bool is_new = true;
        sum.ended = sum.ended && one->ended && one->status == sum.status;
        sum.exec = sum.exec || one->exec;
        sum.forks += one->forks;
        sum.threads += one->threads;
        sum.dropped_blocks += one->dropped_blocks;
        sum.dropped_mems += one->dropped_mems;
        sum.instructions += one->instructions;
        sum.blocks += one->blocks;
        sum.loads += one->loads;
        sum.warning = sum.warning ? sum.warning : one->warning;
        sum.tap = same(sum.tap, one->tap) ? sum.tap : NULL;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = !same(one->path, inputs->input[k].database->program.path);
        *n_programs += is_new;
    }
    return sum;
}

static int put_program(struct sl_merging *merging, struct sl_failure *f)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    char warning[600];
    size_t n_programs;
    const struct sl_saved_program sum = sums_of(inputs, &n_programs);
    snprintf(warning, sizeof warning,
             "%zu run%s of %zu program%s %s one here; all counts are sums%s%.400s", inputs->n,
             inputs->n == 1 ? "" : "s", n_programs, n_programs == 1 ? "" : "s",
             inputs->n == 1 ? "is" : "are", sum.warning ? "; " : "",
             sum.warning ? sum.warning : "");
    struct sl_row row = sl_row_prepare(
        merging->out, "INSERT INTO program VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    sl_row_text(&row, sum.path);
    int result = sl_saved_rows(inputs->input[0].database, "SELECT argv FROM program", NULL, 0,
                               copy_arguments, &row, f);
    sl_row_text(&row, sum.arch);
    sl_row_number_if(&row, sum.ended, (uint64_t)sum.status);
    sl_row_number(&row, sum.exec);
    sl_row_number(&row, sum.forks);
    sl_row_number(&row, sum.threads);
    sl_row_number(&row, sum.dropped_blocks);
    sl_row_number(&row, sum.dropped_mems);
    sl_row_number(&row, sum.instructions);
    sl_row_number(&row, sum.blocks);
    sl_row_number(&row, sum.loads);
    sl_row_text(&row, sum.range);
    sl_row_text(&row, sum.only);
    sl_row_number(&row, sum.marked);
    sl_row_number(&row, sum.skip);
    sl_row_number_if(&row, sum.limit, sum.limit);
    sl_row_text(&row, warning);
    sl_row_text(&row, sum.tap);
    sl_row_number_if(&row, sum.stretches, sum.stretches);
    sl_row_number_if(&row, sum.stretches, sum.stretch_blocks);
    sl_row_text(&row, sum.start_at);
    sl_row_put(&row);
    int rc = sl_row_finish(&row);
    return result < 0 ? result : sl_merge_check(merging, rc, f);
}

/* Energy's correction is by the stalls of one run. */
static int put_machine(struct sl_merging *merging, struct sl_failure *f)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    const struct sl_saved_machine *machine = &inputs->input[0].database->machine;
    if (!machine->name)
        return 0;
    struct sl_row row = sl_row_prepare(merging->out, "INSERT INTO machine VALUES (?,?,?,?)");
    sl_row_text(&row, machine->name);
    sl_row_text(&row, machine->description);
    sl_row_real(&row, inputs->n == 1 ? machine->energy_factor : NAN);
    sl_row_number(&row, inputs->n == 1 && machine->energy_extrapolated);
    sl_row_put(&row);
    int rc = sl_row_finish(&row);
    row = sl_row_prepare(merging->out, "INSERT INTO happening VALUES (?,?,?)");
    for (size_t i = 0; i < SL_H_TOTALS && rc == SQLITE_OK; i++) {
        uint64_t sum = 0;
        for (size_t k = 0; k < inputs->n; k++)
            sum += inputs->input[k].database->machine.total[i];
        sl_row_text(&row, sl_happening_names[i].name);
        sl_row_text(&row, sl_happening_names[i].summary);
        sl_row_number(&row, sum);
        sl_row_put(&row);
    }
    int put = sl_row_finish(&row);
    return sl_merge_check(merging, rc == SQLITE_OK ? put : rc, f);
}

/* The sums of machines that ran beside the first; there are as many in each. */
static int put_beside(struct sl_merging *merging, struct sl_failure *f)
{
    const struct sl_merge_inputs *inputs = &merging->inputs;
    const struct sl_database *first = inputs->input[0].database;
    struct sl_result_machine machine[SL_RESULT_BESIDE_MAX];
    uint64_t sum[SL_RESULT_BESIDE_MAX][SL_HAPPENINGS] = {{0}};
    for (size_t i = 0; i < first->n_beside; i++) {
        const struct sl_saved_machine *one = &first->beside[i];
        for (size_t k = 0; k < inputs->n; k++)
            for (size_t j = 0; j < SL_H_TOTALS; j++)
                sum[i][j] += inputs->input[k].database->beside[i].total[j];
        machine[i] = (struct sl_result_machine){
            .name = one->name,
            .description = one->description,
            .total = sum[i],
            .energy_factor = inputs->n == 1 ? one->energy_factor : NAN,
            .energy_extrapolated = inputs->n == 1 && one->energy_extrapolated};
    }
    return sl_merge_check(merging, sl_database_fill_beside(merging->out, machine, first->n_beside),
                          f);
}

static int put_objects(struct sl_merging *merging, struct sl_failure *f)
{
    struct sl_row row = sl_row_prepare(merging->out, "INSERT INTO object VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; i < merging->inputs.n_objects; i++) {
        const struct sl_merge_object *object = &merging->inputs.object[i];
        sl_row_number(&row, i);
        sl_row_number(&row, object->start);
        sl_row_number(&row, object->end);
        sl_row_number(&row, object->offset);
        sl_row_text(&row, object->path);
        sl_row_text(&row, object->name);
        sl_row_text(&row, object->build_id);
        sl_row_put(&row);
    }
    return sl_merge_check(merging, sl_row_finish(&row), f);
}

/* ---- all of it ---- */

static int fill(sqlite3 *out, void *context)
{
    struct sl_merging *merging = context;
    struct sl_failure *f = merging->f;
    merging->out = out;
    int rc = sqlite3_exec(out, sl_database_schema, NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        return rc;
    int result = put_program(merging, f);
    if (!result)
        result = put_machine(merging, f);
    if (!result)
        result = put_beside(merging, f);
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
