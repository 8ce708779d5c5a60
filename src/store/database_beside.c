/* SPDX-License-Identifier: MIT */
/* Machines that ran beside the first, with what happened in each. */
#include "database.h"
#include "database_row.h"
#include "happening.h"

static int fill_happenings(sqlite3 *database, const struct sl_result_machine *machine, size_t n)
{
    struct sl_row row = sl_row_prepare(database, "INSERT INTO beside_happening VALUES (?,?,?)");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < SL_H_TOTALS; k++) {
            sl_row_number(&row, i);
            sl_row_text(&row, sl_happening_names[k].name);
            sl_row_number(&row, machine[i].total[k]);
            sl_row_put(&row);
        }
    return sl_row_finish(&row);
}

int sl_database_fill_beside(sqlite3 *database, const struct sl_result_machine *machine, size_t n)
{
    struct sl_row row = sl_row_prepare(database, "INSERT INTO beside VALUES (?,?,?,?,?)");
    for (size_t i = 0; i < n; i++) {
        sl_row_number(&row, i);
        sl_row_text(&row, machine[i].name);
        sl_row_text(&row, machine[i].description);
        sl_row_real(&row, machine[i].energy_factor);
        sl_row_number(&row, machine[i].energy_extrapolated);
        sl_row_put(&row);
    }
    int rc = sl_row_finish(&row);
    return rc == SQLITE_OK ? fill_happenings(database, machine, n) : rc;
}
