/* SPDX-License-Identifier: MIT */
/* Database of `sluice lab`, lab.db. It has the format of a sweep file (sweep_store.h), and an
 * additional table `student` with quantiles of Student's t distribution. Each finished step is
 * stored in one transaction, so that an interrupted run of the lab continues where it stopped. */
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include "lab_internal.h"

#ifndef LAB_COMMIT /* the commit that the lab is built from; set by mk/lab.mk */
#define LAB_COMMIT "no commit"
#endif

struct sl_sweep_store *lab_store_open(const char *path)
{
    struct sl_sweep_store *store;
    struct sl_failure f;
    char *student = lab_read_data_file("student.sql");
    if (sl_sweep_store_open(&store, path, &f) < 0)
        lab_die_failure(&f);
    lab_store_execute(store, "%s", student);
    free(student);
    return store;
}

static void check(struct sl_sweep_store *store, int rc)
{
    if (rc != SQLITE_OK)
        lab_die("the lab's database: %s", sqlite3_errmsg(sl_sweep_store_sql(store)));
}

void lab_store_execute(struct sl_sweep_store *store, const char *sql, ...)
{
    va_list values;
    va_start(values, sql);
    char *text = lab_check_alloc(sqlite3_vmprintf(sql, values));
    va_end(values);
    check(store, sqlite3_exec(sl_sweep_store_sql(store), text, NULL, NULL, NULL));
    sqlite3_free(text);
}

/* A program that is no longer available, but has steps in the database, keeps its row, which
 * belongs to their figures. */
void lab_store_programs(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_programs; i++) {
        const struct lab_program *p = &lab->program[i];
        lab_store_execute(lab->store,
                          "REPLACE INTO program SELECT %Q, %Q, %Q, %Q, %Q WHERE %d"
                          " OR %Q NOT IN (SELECT coalesce(program, '') FROM step)",
                          p->name, lab_kind_name(p->kind), p->summary, p->version, p->absent,
                          !p->absent, p->name);
    }
}

void lab_store_check_size(struct lab *lab)
{
    sqlite3_stmt *query;
    check(lab->store,
          sqlite3_prepare_v2(sl_sweep_store_sql(lab->store),
                             "SELECT substr(cache_key, instr(cache_key, ' size ') + 6, 1) FROM step"
                             " WHERE cache_key LIKE 'sluice % size _%' LIMIT 1",
                             -1, &query, NULL));
    int size = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int(query, 0) : (int)lab->size;
    sqlite3_finalize(query);
    if (size != (int)lab->size && size >= 0 && size <= (int)LAB_TINY)
        lab_die_usage(
            "%s has results for input size %s: use another directory (-o) for input size %s",
            lab->directory, lab_size_names[size], lab_size_names[lab->size]);
}

void lab_store_delete_stale(struct lab *lab)
{
    struct sl_sweep_store *store = lab->store;
    lab_store_execute(store, "CREATE TEMP TABLE planned(experiment, name);"
                             "CREATE TEMP TABLE selected(program PRIMARY KEY, available)");
    for (size_t i = 0; i < lab->n_steps; i++)
        lab_store_execute(store, "INSERT INTO planned VALUES (%Q, %Q)",
                          lab->step[i]->experiment->name, lab->step[i]->name);
    for (size_t i = 0; i < lab->n_programs; i++)
        lab_store_execute(store, "INSERT INTO selected VALUES (%Q, %d)", lab->program[i].name,
                          !lab->program[i].absent);
    lab_store_execute(
        store,
        "DELETE FROM step WHERE experiment IN (SELECT experiment FROM planned)"
        " AND (experiment, name) NOT IN (SELECT experiment, name FROM planned)"
        " AND (program IS NULL"
        "  OR coalesce((SELECT available FROM selected WHERE selected.program = step.program),"
        " %d));"
        "DROP TABLE planned; DROP TABLE selected",
        !lab->n_selected);
}

/* ---- a step's figures ---- */

static struct sl_sweep_step step_of(const struct lab_step *step)
{
    return (struct sl_sweep_step){.experiment = lab_experiment_name(step),
                                  .name = step->name,
                                  .what = step->key,
                                  .program = step->program ? step->program->name : NULL,
                                  .machine = step->machine};
}

bool lab_store_has_step(struct sl_sweep_store *store, const struct lab_step *step)
{
    struct sl_sweep_step stored = step_of(step);
    struct sl_failure f;
    int has = sl_sweep_store_has_step(store, &stored, &f);
    if (has < 0)
        lab_die_failure(&f);
    return has;
}

void lab_store_add_step(struct sl_sweep_store *store, const struct lab_step *step,
                        const struct sl_job_results *figures)
{
    struct sl_sweep_step stored = step_of(step);
    struct sl_failure f;
    uint64_t id;
    int error = sl_sweep_store_begin(store, &f);
    if (error >= 0)
        error = sl_sweep_store_step(store, &stored, &id, &f);
    if (error >= 0)
        error = sl_sweep_store_seconds(store, id, figures->seconds, figures->useful, LAB_COMMIT,
                                       &f);
    for (size_t i = 0; i < figures->n && error >= 0; i++) {
        const struct sl_job_result *one = &figures->figure[i];
        const char *label = one->of < figures->n_labels ? figures->label[one->of] : "";
        error = sl_sweep_store_measurement(store, id, label, one->measure, one->item, one->x,
                                           one->value, &f);
    }
    if (error < 0 || sl_sweep_store_commit(store, &f) < 0)
        lab_die_failure(&f);
}
