/* SPDX-License-Identifier: MIT */
/* lab.db: the file of a sweep (sweep_store.h), in which each step is put as a whole when it is
 * done, so that a lab which is interrupted goes on where it stopped; and what it has of programs.
 */
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include "lab_inside.h"

#ifndef LAB_COMMIT /* what it is built from: mk/lab.mk knows it */
#define LAB_COMMIT "no commit"
#endif

struct sl_sweep_store *lab_store_open(const char *path)
{
    struct sl_sweep_store *store;
    struct sl_failure f;
    char *student = lab_words("student.sql");
    if (sl_sweep_store_open(&store, path, &f) < 0)
        lab_die_of(&f);
    lab_do(store, "%s", student);
    free(student);
    return store;
}

static void check(struct sl_sweep_store *store, int rc)
{
    if (rc != SQLITE_OK)
        lab_die("the lab's database: %s", sqlite3_errmsg(sl_sweep_store_sql(store)));
}

void lab_do(struct sl_sweep_store *store, const char *sql, ...)
{
    va_list values;
    va_start(values, sql);
    char *text = lab_got(sqlite3_vmprintf(sql, values));
    va_end(values);
    check(store, sqlite3_exec(sl_sweep_store_sql(store), text, NULL, NULL, NULL));
    sqlite3_free(text);
}

/* One that has gone since it was measured stays as it was then: its figures do, too. */
void lab_store_programs(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_programs; i++) {
        const struct lab_program *p = &lab->program[i];
        lab_do(lab->store,
               "REPLACE INTO program SELECT %Q, %Q, %Q, %Q, %Q WHERE %d"
               " OR %Q NOT IN (SELECT coalesce(program, '') FROM step)",
               p->name, lab_kind_name(p->kind), p->does, p->version, p->absent, !p->absent,
               p->name);
    }
}

void lab_store_size(struct lab *lab)
{
    sqlite3_stmt *query;
    check(lab->store,
          sqlite3_prepare_v2(sl_sweep_store_sql(lab->store),
                             "SELECT substr(what, instr(what, ' size ') + 6, 1) FROM step"
                             " WHERE what LIKE 'sluice % size _%' LIMIT 1",
                             -1, &query, NULL));
    int size = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int(query, 0) : (int)lab->size;
    sqlite3_finalize(query);
    if (size != (int)lab->size && size >= 0 && size <= (int)LAB_TINY)
        lab_die_usage("%s has %s results; %s ones need a directory of their own (-o)",
                      lab->directory, lab_size_names[size], lab_size_names[lab->size]);
}

void lab_store_tidy(struct lab *lab)
{
    struct sl_sweep_store *store = lab->store;
    lab_do(store, "CREATE TEMP TABLE planned(experiment, name);"
                  "CREATE TEMP TABLE asked(program PRIMARY KEY, there)");
    for (size_t i = 0; i < lab->n_steps; i++)
        lab_do(store, "INSERT INTO planned VALUES (%Q, %Q)", lab->step[i]->experiment->name,
               lab->step[i]->name);
    for (size_t i = 0; i < lab->n_programs; i++)
        lab_do(store, "INSERT INTO asked VALUES (%Q, %d)", lab->program[i].name,
               !lab->program[i].absent);
    lab_do(store,
           "DELETE FROM step WHERE experiment IN (SELECT experiment FROM planned)"
           " AND (experiment, name) NOT IN (SELECT experiment, name FROM planned)"
           " AND (program IS NULL"
           "  OR coalesce((SELECT there FROM asked WHERE asked.program = step.program), %d));"
           "DROP TABLE planned; DROP TABLE asked",
           !lab->n_wanted);
}

/* ---- a step's figures ---- */

static struct sl_step step_of(const struct lab_step *step)
{
    return (struct sl_step){.experiment = lab_experiment_of(step),
                            .name = step->name,
                            .what = step->key,
                            .program = step->program ? step->program->name : NULL,
                            .machine = step->machine};
}

bool lab_store_has(struct sl_sweep_store *store, const struct lab_step *step)
{
    struct sl_step it = step_of(step);
    struct sl_failure f;
    int has = sl_sweep_store_has_step(store, &it, &f);
    if (has < 0)
        lab_die_of(&f);
    return has;
}

void lab_store_step(struct sl_sweep_store *store, const struct lab_step *step,
                    const struct sl_job_figures *figures)
{
    struct sl_step it = step_of(step);
    struct sl_failure f;
    uint64_t id;
    int error = sl_sweep_store_begin(store, &f);
    if (error >= 0)
        error = sl_sweep_store_step(store, &it, &id, &f);
    if (error >= 0)
        error = sl_sweep_store_seconds(store, id, figures->seconds, figures->useful, LAB_COMMIT,
                                       &f);
    for (size_t i = 0; i < figures->n && error >= 0; i++) {
        const struct sl_job_figure *one = &figures->figure[i];
        const char *label = one->of < figures->n_labels ? figures->label[one->of] : "";
        error = sl_sweep_store_figure(store, id, label, one->measure, one->item, one->x, one->value,
                                      &f);
    }
    if (error < 0 || sl_sweep_store_commit(store, &f) < 0)
        lab_die_of(&f);
}
