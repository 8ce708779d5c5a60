/* lab.db: what was measured, with what it was measured on (data/lab/store.sql). One row of
 * `step` for each step that is done, all its figures with it, in one transaction: a lab that
 * is interrupted goes on where it stopped. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "database_row.h"
#include "lab_inside.h"

#ifndef LAB_COMMIT /* what it is built from: mk/lab.mk knows it */
#define LAB_COMMIT "no commit"
#endif

static void check(sqlite3 *store, int rc)
{
    if (rc != SQLITE_OK)
        lab_die("the lab's database: %s", sqlite3_errmsg(store));
}

void lab_do(sqlite3 *store, const char *sql, ...)
{
    va_list values;
    va_start(values, sql);
    char *text = lab_got(sqlite3_vmprintf(sql, values));
    va_end(values);
    check(store, sqlite3_exec(store, text, NULL, NULL, NULL));
    sqlite3_free(text);
}

/* The number that a query gives; `otherwise` if it gives none. */
static int number(sqlite3 *store, int otherwise, const char *sql, ...)
{
    sqlite3_stmt *query;
    va_list values;
    va_start(values, sql);
    char *text = lab_got(sqlite3_vmprintf(sql, values));
    va_end(values);
    check(store, sqlite3_prepare_v2(store, text, -1, &query, NULL));
    int found = sqlite3_step(query) == SQLITE_ROW ? sqlite3_column_int(query, 0) : otherwise;
    sqlite3_finalize(query);
    sqlite3_free(text);
    return found;
}

/* Empty, or with our tables and nothing that does something by itself: somebody else's is left alone. */
static bool is_ours(sqlite3 *store)
{
    return number(store, 0, "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema) OR"
                  " ((SELECT count(*) FROM pragma_table_info('figure') WHERE name IN ('step', 'measure')) = 2"
                  " AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type IN ('view', 'trigger')))");
}

sqlite3 *lab_store_open(const char *path)
{
    sqlite3 *store;
    char *schema = lab_words("store.sql");
    if (sqlite3_open(path, &store) != SQLITE_OK || sqlite3_busy_timeout(store, 120000) ||
        sqlite3_exec(store, "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE", NULL, NULL, NULL) !=
            SQLITE_OK)
        lab_die("%s: %s; it has to be a database of the lab's own, or not to exist", path,
                sqlite3_errmsg(store));
    if (!is_ours(store))
        lab_die("%s is a database of something else, and is left alone; give another directory", path);
    if (sqlite3_exec(store, number(store, 0, "SELECT 1 WHERE (SELECT count(*) FROM"
                                   " pragma_table_info('claim') WHERE name = 'rule') = 0")
                         ? "DROP TABLE IF EXISTS claim" /* as an older lab had it */
                         : "", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(store, number(store, 0, "SELECT (SELECT count(*) FROM pragma_table_info('step'))"
                                   " = 7") /* likewise */
                         ? "ALTER TABLE step ADD COLUMN built TEXT"
                         : "", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(store, schema, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(store, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        lab_die("%s: %s", path, sqlite3_errmsg(store));
    free(schema);
    return store;
}

/* One that has gone since it was measured stays as it was then: its figures do, too. */
void lab_store_programs(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_programs; i++) {
        const struct lab_program *p = &lab->program[i];
        lab_do(lab->store, "REPLACE INTO program SELECT %Q, %Q, %Q, %Q, %Q WHERE %d"
               " OR %Q NOT IN (SELECT coalesce(program, '') FROM step)", p->name,
               lab_kind_name(p->kind), p->does, p->version, p->absent, !p->absent, p->name);
    }
}

static const char *experiment_of(const struct lab_step *step)
{
    return step->experiment ? step->experiment->name : "record";
}

bool lab_store_has(sqlite3 *store, const struct lab_step *step)
{
    return number(store, 0, "SELECT what = %Q FROM step WHERE experiment = %Q AND name = %Q",
                  step->key, experiment_of(step), step->name);
}

void lab_store_size(struct lab *lab)
{
    int size = number(lab->store, (int)lab->size, "SELECT substr(what, instr(what, ' size ') + 6, 1)"
                      " FROM step WHERE what LIKE 'sluice %% size _%%' LIMIT 1");
    if (size != (int)lab->size && size >= 0 && size <= (int)LAB_TINY)
        lab_die_usage("%s has %s results; %s ones need a directory of their own (-o)",
                      lab->directory, lab_size_names[size], lab_size_names[lab->size]);
}

void lab_store_tidy(struct lab *lab)
{
    sqlite3 *store = lab->store;
    lab_do(store, "CREATE TEMP TABLE planned(experiment, name);"
           "CREATE TEMP TABLE asked(program PRIMARY KEY, there)");
    for (size_t i = 0; i < lab->n_steps; i++)
        lab_do(store, "INSERT INTO planned VALUES (%Q, %Q)", lab->step[i]->experiment->name,
               lab->step[i]->name);
    for (size_t i = 0; i < lab->n_programs; i++)
        lab_do(store, "INSERT INTO asked VALUES (%Q, %d)", lab->program[i].name,
               !lab->program[i].absent);
    lab_do(store, "DELETE FROM step WHERE experiment IN (SELECT experiment FROM planned)"
           " AND (experiment, name) NOT IN (SELECT experiment, name FROM planned)"
           " AND (program IS NULL"
           "  OR coalesce((SELECT there FROM asked WHERE asked.program = step.program), %d));"
           "DROP TABLE planned; DROP TABLE asked", !lab->n_wanted);
}

/* ---- a step's figures ------------------------------------------------------------ */

void lab_store_step(sqlite3 *store, const struct lab_step *step, const struct sl_job_figures *figures)
{
    lab_do(store, "BEGIN IMMEDIATE; DELETE FROM step WHERE experiment = %Q AND name = %Q;"
           "INSERT INTO step(experiment, name, program, machine, what, seconds, built)"
           " VALUES (%Q, %Q, %Q, %Q, %Q, %!.15g, %Q)", experiment_of(step), step->name,
           experiment_of(step), step->name, step->program ? step->program->name : NULL,
           step->machine, step->key, figures->seconds, LAB_COMMIT);
    uint64_t id = (uint64_t)sqlite3_last_insert_rowid(store);
    struct sl_row row = sl_row_prepare(store, "INSERT INTO figure VALUES (?,?,?,?,?)");
    for (size_t i = 0; i < figures->n; i++) {
        const struct sl_job_figure *one = &figures->figure[i];
        sl_row_number(&row, id);
        sl_row_text(&row, one->of < figures->n_labels ? figures->label[one->of] : "");
        sl_row_text(&row, one->measure);
        if (one->item)
            sl_row_text(&row, one->item);
        else
            sl_row_real(&row, one->x);
        sl_row_real(&row, one->value);
        sl_row_put(&row);
    }
    check(store, sl_row_finish(&row));
    lab_do(store, "COMMIT");
}
