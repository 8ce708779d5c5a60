/* SPDX-License-Identifier: MIT */
/* Reads the CPU models of a database, and the delivery of messages of its profiles. */
#include <string.h>

#include "delivery.h"
#include "grow.h"
#include "db_row.h"

/* ---- CPU models ---- */

/* Copies the texts of a CPU model that was read into `machine`. */
static int keep_machine(struct sl_db_machine *machine, struct sl_failure *f)
{
    machine->energy_calibrated = strstr(machine->description, "\npower.calibrated = 1\n") != NULL;
    return sl_sql_copy_texts(sl_db_tables[SL_DB_MACHINE], machine) ? 0 : sl_db_fail_memory(f);
}

/* Adds a count of the machine event `name`; NULL is unknown. */
static int set_total(struct sl_database *database, struct sl_db_machine *machine, const char *name,
                     uint64_t count, struct sl_failure *f)
{
    size_t i = 0;
    while (i < SL_HAPPENINGS && name && strcmp(sl_machine_event_names[i].name, name))
        i++;
    if (!name || i == SL_HAPPENINGS)
        return sl_db_fail_content(database, "something unknown happened in its machine", f);
    machine->total[i] = count;
    return 0;
}

static int read_machine(struct sl_database *database, struct sl_failure *f)
{
    struct sl_db_machine *machine = &database->machine;
    struct sl_rows rows = sl_rows_select(database, SL_DB_MACHINE, "", NULL, 0);
    int result = 0;
    while (!result && sl_rows_next(&rows, NULL)) {
        if (machine->name)
            result = sl_db_fail_content(database, "its machine is not one with a name", f);
        else {
            sl_sql_read(rows.table, rows.row, machine);
            result = keep_machine(machine, f);
        }
    }
    result = sl_rows_end(&rows, result, f);
    if (result)
        return result;
    rows = sl_rows_select(database, SL_DB_HAPPENING, "", NULL, 0);
    while (!result && sl_rows_next(&rows, NULL))
        result = set_total(database, machine, sl_column_text(rows.row, 0),
                           sl_column_uint(rows.row, 2), f);
    result = sl_rows_end(&rows, result, f);
    if (result)
        return result;
    rows = sl_rows_select(database, SL_DB_PROFILER, "", NULL, 0);
    while (sl_rows_next(&rows, &machine->profiler))
        machine->has_profiler = true;
    return sl_rows_end(&rows, 0, f);
}

static int read_beside(struct sl_database *database, struct sl_failure *f)
{
    struct sl_db_machine machine = {0};
    struct sl_rows rows = sl_rows_select(database, SL_DB_BESIDE, "ORDER BY id", NULL, 0);
    int result = 0;
    while (!result && sl_rows_next(&rows, &machine)) {
        if (database->n_beside == SL_RESULT_BESIDE_MAX)
            result = sl_db_fail_content(database, "it has more machines than can be", f);
        else if (!SL_GROW(database->beside, database->beside_capacity, database->n_beside + 1))
            result = sl_db_fail_memory(f);
        else {
            database->beside[database->n_beside] = machine;
            result = keep_machine(&database->beside[database->n_beside++], f);
        }
    }
    result = sl_rows_end(&rows, result, f);
    if (result)
        return result;
    rows = sl_rows_select(database, SL_DB_BESIDE_HAPPENING, "", NULL, 0);
    while (!result && sl_rows_next(&rows, NULL)) {
        uint64_t which = sl_column_uint(rows.row, 0);
        result = which < database->n_beside
                     ? set_total(database, &database->beside[which], sl_column_text(rows.row, 1),
                                 sl_column_uint(rows.row, 2), f)
                     : sl_db_fail_content(database,
                                          "something happened in a machine that is not there", f);
    }
    return sl_rows_end(&rows, result, f);
}

int sl_db_machine(struct sl_database *database, struct sl_failure *f)
{
    int result = read_machine(database, f);
    return result ? result : read_beside(database, f);
}

uint64_t sl_db_corrected_energy(const struct sl_db_machine *machine)
{
    double energy = machine->energy_factor * (double)machine->total[SL_MACHINE_ENERGY] + 0.5;
    return !(energy > 0) ? 0 : energy < 0x1p64 ? (uint64_t)energy : UINT64_MAX;
}

/* ---- delivery of messages ---- */

/* The profile in the first column of a row; NULL: there is none. */
static struct sl_db_profile *profile_of(const struct sl_database *database, sqlite3_stmt *row)
{
    const struct sl_db_profiles *all = &database->profiles;
    for (size_t i = 0; i < all->n; i++)
        if (all->profile[i].id == sqlite3_column_int64(row, 0))
            return &all->profile[i];
    return NULL;
}

static int read_gaps(struct sl_database *database, struct sl_failure *f)
{
    struct sl_rows rows = sl_rows_select(database, SL_DB_GAP, "", NULL, 0);
    int result = 0;
    while (!result && sl_rows_next(&rows, NULL)) {
        struct sl_db_profile *profile = profile_of(database, rows.row);
        uint64_t low = sl_column_uint(rows.row, 1);
        if (profile && low & (low - 1))
            result = sl_db_fail_content(database, "gaps between messages begin at no power of two",
                                        f);
        else if (profile)
            profile->status.gap[low ? __builtin_ctzll(low) + 1 : 0] = sl_column_uint(rows.row, 2);
    }
    return sl_rows_end(&rows, result, f);
}

int sl_db_deliveries(struct sl_database *database, struct sl_failure *f)
{
    int result = read_gaps(database, f);
    if (result)
        return result;
    struct sl_rows rows = sl_rows_select(database, SL_DB_DELIVERY, "", NULL, 0);
    while (!result && sl_rows_next(&rows, NULL)) {
        struct sl_db_profile *profile = profile_of(database, rows.row);
        const char *name = sl_column_text(rows.row, 1);
        const struct sl_delivery_figure *d = name ? sl_delivery_find(name) : NULL;
        if (!d)
            result = sl_db_fail_content(database, "a figure of a delivery is of an unknown kind",
                                        f);
        else if (profile)
            sl_delivery_set(&profile->status, d, sl_column_uint(rows.row, 2));
    }
    return sl_rows_end(&rows, result, f);
}
