/* SPDX-License-Identifier: MIT */
/* Reads the CPU models in a database, and the statistics about messages from hardware tables to
 * software. */
#include <string.h>

#include "delivery.h"
#include "db_row.h"

/* ---- CPU models ---- */

/* Sets the count of the machine event `name`, which may be NULL in a damaged database. */
static int set_total(struct sl_database *database, struct sl_db_machine *machine, const char *name,
                     uint64_t count, struct sl_failure *f)
{
    size_t i = 0;
    while (i < SL_MACHINE_EVENTS && name && strcmp(sl_machine_event_names[i].name, name))
        i++;
    if (!name || i == SL_MACHINE_EVENTS)
        return sl_db_fail_content(database, "the name of a machine event is unknown", f);
    machine->total[i] = count;
    return 0;
}

/* Reads the first CPU model, or the others. Only the tables of the others have a column with the
 * number of the model. */
static int read_machines(struct sl_database *database, bool others, struct sl_db_machine *machine,
                         size_t most, size_t *n, struct sl_failure *f)
{
    struct sl_db_machine one = {0};
    struct sl_rows rows = sl_rows_select(database, others ? SL_DB_OTHER_MACHINE : SL_DB_MACHINE,
                                         others ? "ORDER BY id" : "", NULL, 0);
    while (sl_rows_next(&rows, &one)) {
        if (*n == most) {
            rows.result = sl_db_fail_content(database, "there are too many CPU models", f);
            continue;
        }
        machine[*n] = one;
        machine[*n].energy_calibrated = strstr(one.description, "\npower.calibrated = 1\n");
        rows.result = sl_sql_copy_texts(rows.table, &machine[(*n)++]) ? 0 : sl_db_fail_memory(f);
    }
    int result = sl_rows_end(&rows, f);
    if (result)
        return result;
    rows = sl_rows_select(database, others ? SL_DB_OTHER_MACHINE_EVENT : SL_DB_MACHINE_EVENT, "",
                          NULL, 0);
    while (sl_rows_next(&rows, NULL)) {
        uint64_t which = others ? sl_column_uint(rows.row, 0) : 0;
        rows.result = which < *n
                          ? set_total(database, &machine[which],
                                      sl_column_text(rows.row, others ? 1 : 0),
                                      sl_column_uint(rows.row, 2), f)
                          : sl_db_fail_content(database,
                                               "a machine event belongs to a missing CPU model", f);
    }
    return sl_rows_end(&rows, f);
}

int sl_db_machine(struct sl_database *database, struct sl_failure *f)
{
    size_t n = 0;
    int result = read_machines(database, false, &database->machine, 1, &n, f);
    if (!result)
        result = read_machines(database, true, database->other_machine,
                               SL_RESULT_OTHER_MACHINES_MAX, &database->n_other_machines, f);
    if (result)
        return result;
    struct sl_rows rows = sl_rows_select(database, SL_DB_PROFILER, "", NULL, 0);
    while (sl_rows_next(&rows, &database->machine.profiler))
        database->machine.has_profiler = true;
    return sl_rows_end(&rows, f);
}

uint64_t sl_db_corrected_energy(const struct sl_db_machine *machine)
{
    double energy = machine->energy_factor * (double)machine->total[SL_MACHINE_ENERGY] + 0.5;
    return !(energy > 0) ? 0 : energy < 0x1p64 ? (uint64_t)energy : UINT64_MAX;
}

/* ---- delivery of messages ---- */

static int read_gaps(struct sl_database *database, struct sl_failure *f)
{
    struct sl_rows rows = sl_rows_select(database, SL_DB_MESSAGE_GAP, "", NULL, 0);
    while (sl_rows_next(&rows, NULL)) {
        struct sl_db_profile *profile = sl_db_profile_of_row(database, rows.row);
        uint64_t low = sl_column_uint(rows.row, 1);
        if (profile && low & (low - 1))
            rows.result = sl_db_fail_content(database, "message_gap.low is not a power of two", f);
        else if (profile)
            profile->status.gap[low ? __builtin_ctzll(low) + 1 : 0] = sl_column_uint(rows.row, 2);
    }
    return sl_rows_end(&rows, f);
}

int sl_db_deliveries(struct sl_database *database, struct sl_failure *f)
{
    int result = read_gaps(database, f);
    if (result)
        return result;
    struct sl_rows rows = sl_rows_select(database, SL_DB_MESSAGE_DELIVERY, "", NULL, 0);
    while (sl_rows_next(&rows, NULL)) {
        struct sl_db_profile *profile = sl_db_profile_of_row(database, rows.row);
        const char *name = sl_column_text(rows.row, 1);
        const struct sl_delivery_statistic *d = name ? sl_delivery_find(name) : NULL;
        if (!d)
            rows.result = sl_db_fail_content(database, "message_delivery has an unknown statistic",
                                             f);
        else if (profile)
            sl_delivery_set(&profile->status, d, sl_column_uint(rows.row, 2));
    }
    return sl_rows_end(&rows, f);
}
