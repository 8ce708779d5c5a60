/* SPDX-License-Identifier: MIT */
#include "saved_phases.h"

#include "saved_row.h"

struct reading {
    int (*phase)(void *context, const struct sl_saved_phase *phase);
    int (*entry)(void *context, int64_t of, const struct sl_saved_entry *entry);
    void *context;
};

static int read_phase(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_phase phase = {sl_number_at(row, 0), sl_number_at(row, 1), sl_number_at(row, 2),
                                   sl_number_at(row, 3), sl_number_at(row, 4), sl_real_at(row, 5)};
    return reading->phase(reading->context, &phase);
}

int sl_saved_phases(struct sl_database *database, const struct sl_saved_profile *profile,
                    int (*each)(void *context, const struct sl_saved_phase *phase), void *context,
                    struct sl_failure *f)
{
    struct reading reading = {.phase = each, .context = context};
    return sl_saved_rows(database,
                         "SELECT number, first_event, events, weight, kind, turnover"
                         " FROM phase WHERE profile = ? ORDER BY number",
                         &profile->id, 1, read_phase, &reading, f);
}

static int read_entry(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_entry entry = {
        .rank = sl_number_at(row, 0), .value = sl_number_at(row, 3), .count = sl_number_at(row, 4)};
    sl_place_at(row, 5, sl_number_at(row, 2), &entry.at);
    sl_place_at(row, 11, entry.value, &entry.to);
    return reading->entry(reading->context, sqlite3_column_int64(row, 1), &entry);
}

int sl_saved_phase_entries(struct sl_database *database, const struct sl_saved_profile *profile,
                           uint64_t phase,
                           int (*each)(void *context, int64_t of,
                                       const struct sl_saved_entry *entry),
                           void *context, struct sl_failure *f)
{
    struct reading reading = {.entry = each, .context = context};
    const int64_t bound[] = {profile->id, (int64_t)phase};
    return sl_saved_rows(
        database,
        "SELECT e.rank, e.of, e.pc, e.value, e.count,"
        " p.function, p.function_start, a.name, p.object_address, p.file, p.line,"
        " q.function, q.function_start, b.name, q.object_address, q.file, q.line"
        " FROM phase_entry e LEFT JOIN place p ON p.address = e.pc"
        " LEFT JOIN object a ON a.id = p.object LEFT JOIN place q ON q.address = e.value"
        " LEFT JOIN object b ON b.id = q.object"
        " WHERE e.profile = ?1 AND e.phase = ?2 ORDER BY e.rank",
        bound, 2, read_entry, &reading, f);
}
