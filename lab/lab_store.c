/* lab.db: what was measured, with what it was measured on. One row of `step` for each step
 * that is done, all its figures with it, in one transaction: a lab that is interrupted goes
 * on where it stopped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database_row.h"
#include "failure.h"
#include "grow.h"
#include "lab_inside.h"

static int refused(sqlite3 *store, struct sl_failure *f)
{
    return sl_fail(f, SL_EIO, "the lab's database: %s", sqlite3_errmsg(store));
}

int lab_store_open(sqlite3 **store, const char *path, struct sl_failure *f)
{
    char *schema = lab_words("store", "sql", f);
    if (!schema)
        return f->code;
    int rc = sqlite3_open(path, store);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(*store, 120000); /* others of the crew write, too */
        rc = sqlite3_exec(*store, "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE", NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(*store, schema, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(*store, "COMMIT", NULL, NULL, NULL);
    free(schema);
    if (rc == SQLITE_OK)
        return 0;
    sl_fail(f, rc == SQLITE_NOTADB ? SL_EFORMAT : SL_EIO, "%s: %s; it has to be a database of "
            "the lab's own, or not to exist", path, sqlite3_errmsg(*store));
    sqlite3_close(*store);
    *store = NULL;
    return rc == SQLITE_NOTADB ? SL_EFORMAT : SL_EIO;
}

/* One that has gone since it was measured stays as it was then: its figures do, too. */
int lab_store_programs(struct lab *lab, struct sl_failure *f)
{
    struct sl_row row = sl_row_prepare(lab->store, "REPLACE INTO program SELECT ?1, ?2, ?3, ?4, ?5"
                                       " WHERE ?5 IS NULL"
                                       " OR ?1 NOT IN (SELECT coalesce(program, '') FROM step)");
    for (size_t i = 0; i < lab->n_programs; i++) {
        const struct lab_program *p = &lab->program[i];
        sl_row_text(&row, p->name);
        sl_row_text(&row, lab_kind_name(p->kind));
        sl_row_text(&row, p->does);
        sl_row_text(&row, p->version);
        sl_row_text(&row, p->absent);
        sl_row_put(&row);
    }
    return sl_row_finish(&row) == SQLITE_OK ? 0 : refused(lab->store, f);
}

static const char *experiment_of(const struct lab_step *step)
{
    return step->experiment ? step->experiment->name : "record";
}

bool lab_store_has(sqlite3 *store, const struct lab_step *step)
{
    sqlite3_stmt *query;
    bool has = false;
    if (sqlite3_prepare_v2(store, "SELECT what = ?3 FROM step WHERE experiment = ?1 AND name "
                           "= ?2", -1, &query, NULL) == SQLITE_OK) {
        sqlite3_bind_text(query, 1, experiment_of(step), -1, SQLITE_STATIC);
        sqlite3_bind_text(query, 2, step->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(query, 3, step->key, -1, SQLITE_STATIC);
        has = sqlite3_step(query) == SQLITE_ROW && sqlite3_column_int(query, 0);
    }
    sqlite3_finalize(query);
    return has;
}

int lab_store_size(struct lab *lab, struct sl_failure *f)
{
    sqlite3_stmt *query;
    int size = (int)lab->config->size;
    if (sqlite3_prepare_v2(lab->store, "SELECT substr(what, instr(what, ' size ') + 6, 1) FROM step"
                           " WHERE what LIKE 'sluice % size _%' LIMIT 1", -1, &query,
                           NULL) != SQLITE_OK)
        return refused(lab->store, f);
    if (sqlite3_step(query) == SQLITE_ROW)
        size = sqlite3_column_int(query, 0);
    sqlite3_finalize(query);
    if (size == (int)lab->config->size || size < 0 || size > (int)LAB_TINY)
        return 0;
    return sl_fail(f, SL_EUSAGE, "%s has %s results; %s ones need a directory of their own (-o)",
                   lab->directory, lab_size_names[size], lab_size_names[lab->config->size]);
}

static int put_plan(struct lab *lab)
{
    struct sl_row row = sl_row_prepare(lab->store, "INSERT INTO planned VALUES (?,?)");
    for (size_t i = 0; i < lab->n_steps; i++) {
        sl_row_text(&row, lab->step[i]->experiment->name);
        sl_row_text(&row, lab->step[i]->name);
        sl_row_put(&row);
    }
    int rc = sl_row_finish(&row);
    if (rc != SQLITE_OK)
        return rc;
    row = sl_row_prepare(lab->store, "INSERT INTO asked VALUES (?,?)");
    for (size_t i = 0; i < lab->n_programs; i++) {
        sl_row_text(&row, lab->program[i].name);
        sl_row_number(&row, !lab->program[i].absent);
        sl_row_put(&row);
    }
    return sl_row_finish(&row);
}

int lab_store_tidy(struct lab *lab, struct sl_failure *f)
{
    char *forget_others = sqlite3_mprintf(
        "DELETE FROM step WHERE experiment IN (SELECT experiment FROM planned)"
        " AND (experiment, name) NOT IN (SELECT experiment, name FROM planned)"
        " AND (program IS NULL"
        "  OR coalesce((SELECT there FROM asked WHERE asked.program = step.program), %d));"
        "DROP TABLE planned; DROP TABLE asked", !lab->config->n_programs);
    int rc = forget_others ? sqlite3_exec(lab->store,
                                          "CREATE TEMP TABLE planned(experiment, name);"
                                          "CREATE TEMP TABLE asked(program PRIMARY KEY, there)",
                                          NULL, NULL, NULL)
                           : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = put_plan(lab);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(lab->store, forget_others, NULL, NULL, NULL);
    sqlite3_free(forget_others);
    return rc == SQLITE_OK ? 0 : refused(lab->store, f);
}

/* ---- a step's figures ------------------------------------------------------------ */

static int put_figures(sqlite3 *store, uint64_t id, const struct lab_results *results)
{
    struct sl_row row = sl_row_prepare(store, "INSERT INTO figure VALUES (?,?,?,?,?)");
    for (size_t i = 0; i < results->n; i++) {
        const struct lab_one *one = &results->figure[i];
        sl_row_number(&row, id);
        sl_row_text(&row, one->label);
        sl_row_text(&row, one->measure);
        if (one->item)
            sl_row_text(&row, one->item);
        else
            sl_row_real(&row, one->x);
        sl_row_real(&row, one->value);
        sl_row_put(&row);
    }
    return sl_row_finish(&row);
}

static int put_step(sqlite3 *store, const struct lab_step *step, double seconds)
{
    struct sl_row row = sl_row_prepare(store, "INSERT INTO step(experiment, name, program, machine,"
                                       " what, seconds) VALUES (?,?,?,?,?,?)");
    sl_row_text(&row, experiment_of(step));
    sl_row_text(&row, step->name);
    sl_row_text(&row, step->program ? step->program->name : NULL);
    sl_row_text(&row, step->machine);
    sl_row_text(&row, step->key);
    sl_row_real(&row, seconds);
    sl_row_put(&row);
    return sl_row_finish(&row);
}

static int forget(sqlite3 *store, const struct lab_step *step)
{
    struct sl_row row = sl_row_prepare(store, "DELETE FROM step WHERE experiment = ? AND name = ?");
    sl_row_text(&row, experiment_of(step));
    sl_row_text(&row, step->name);
    sl_row_put(&row);
    return sl_row_finish(&row);
}

int lab_store_step(sqlite3 *store, const struct lab_step *step,
                      const struct lab_results *results, double seconds, struct sl_failure *f)
{
    if (results->out_of_memory)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    int rc = sqlite3_exec(store, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = forget(store, step);
    if (rc == SQLITE_OK)
        rc = put_step(store, step, seconds);
    if (rc == SQLITE_OK)
        rc = put_figures(store, (uint64_t)sqlite3_last_insert_rowid(store), results);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(store, "COMMIT", NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        return 0;
    refused(store, f);
    sqlite3_exec(store, "ROLLBACK", NULL, NULL, NULL);
    return SL_EIO;
}

/* ---- collecting --------------------------------------------------------------------- */

static void add(struct lab_results *results, const char *label, const char *measure,
                const char *item, double x, double value)
{
    if (isnan(value))
        return;
    if (!SL_GROW(results->figure, results->room, results->n + 1)) {
        results->out_of_memory = true;
        return;
    }
    struct lab_one *one = &results->figure[results->n++];
    *one = (struct lab_one){strdup(label), strdup(measure), item ? strdup(item) : NULL, x, value};
    results->out_of_memory |= !one->label || !one->measure || (item && !one->item);
}

void lab_figure(struct lab_results *results, const char *label, const char *measure, double x,
                   double value)
{
    add(results, label, measure, NULL, x, value);
}

void lab_figure_of(struct lab_results *results, const char *label, const char *measure,
                      const char *item, double value)
{
    add(results, label, measure, item, NAN, value);
}

void lab_results_free(struct lab_results *results)
{
    for (size_t i = 0; i < results->n; i++) {
        free(results->figure[i].label);
        free(results->figure[i].measure);
        free(results->figure[i].item);
    }
    free(results->figure);
}
