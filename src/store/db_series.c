/* SPDX-License-Identifier: MIT */
/* Passes rows of a database to callbacks: entries, objects, errors, intervals and phases (db.h). */
#include "db_row.h"

int sl_db_entries(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                  int (*each)(void *context, const struct sl_db_entry *entry), void *context,
                  struct sl_failure *f)
{
    const int64_t bound[] = {profile->id, sl_rows_limit(n),
                             sl_field_is_address(&profile->detector->second)};
    struct sl_rows rows = sl_rows_query(
        database,
        "SELECT e.rank, e.pc, e.value, e.count, e.low, e.high, e.intervals, " SL_TUPLE_COLUMNS
        " FROM entry e" SL_TUPLE_JOINS("e",
                                       "?3 AND ") " WHERE e.profile = ?1 ORDER BY e.rank LIMIT ?2",
        bound, 3);
    while (sl_rows_next(&rows, NULL)) {
        struct sl_db_entry entry = {
            .rank = sl_column_uint(rows.row, 0),
            .value = sl_column_uint(rows.row, 2),
            .count = sl_column_uint(rows.row, 3),
            .low = sl_column_uint(rows.row, 4),
            .high = sl_column_uint(rows.row, 5),
            .by_intervals = !sl_is_null(rows.row, 6),
            .intervals = sl_column_uint(rows.row, 6),
        };
        sl_tuple_at(rows.row, 7, sl_column_uint(rows.row, 1), &entry);
        rows.result = each(context, &entry);
    }
    return sl_rows_end(&rows, f);
}

int sl_db_objects(struct sl_database *database,
                  int (*each)(void *context, const struct sl_db_object *object), void *context,
                  struct sl_failure *f)
{
    struct sl_db_object object;
    struct sl_rows rows = sl_rows_select(database, SL_DB_OBJECT, "ORDER BY id", NULL, 0);
    while (sl_rows_next(&rows, &object))
        rows.result = each(context, &object);
    return sl_rows_end(&rows, f);
}

int sl_db_names(struct sl_database *database, uint64_t address, char **symbol, char **line,
                struct sl_failure *f)
{
    struct sl_db_location place;
    const int64_t bound = (int64_t)address;
    struct sl_rows rows = sl_rows_query(
        database,
        "SELECT " SL_LOCATION_COLUMNS("p",
                                      "a") " FROM location p LEFT JOIN object a ON a.id = p.object"
                                           " WHERE p.address = ?1",
        &bound, 1);
    while (sl_rows_next(&rows, NULL)) {
        sl_location_at(rows.row, 0, address, &place);
        *symbol = sl_db_symbol(&place);
        *line = sl_db_line(&place);
        rows.result = *symbol ? 0 : sl_db_fail_memory(f);
    }
    return sl_rows_end(&rows, f);
}

/* Defines sl_db_NAME(): all rows of a profile in one table, each as a struct. */
#define ROWS_OF_PROFILE(NAME, struct_name, TABLE, order)                                       \
    int sl_db_##NAME(struct sl_database *database, const struct sl_db_profile *profile,        \
                     int (*each)(void *context, const struct struct_name *row), void *context, \
                     struct sl_failure *f)                                                     \
    {                                                                                          \
        struct struct_name row;                                                                \
        struct sl_rows rows = sl_rows_of_profile(database, TABLE, profile, "ORDER BY " order); \
        while (sl_rows_next(&rows, &row))                                                      \
            rows.result = each(context, &row);                                                 \
        return sl_rows_end(&rows, f);                                                          \
    }

ROWS_OF_PROFILE(errors, sl_named_value, SL_DB_ERROR, "name")
ROWS_OF_PROFILE(parameters, sl_parameter, SL_DB_PARAMETER, "name, position")
ROWS_OF_PROFILE(curve, sl_curve_point, SL_DB_ERROR_CURVE, "events")
ROWS_OF_PROFILE(intervals, sl_interval_row, SL_DB_INTERVAL, "id")
ROWS_OF_PROFILE(phases, sl_db_phase, SL_DB_PHASE, "id")

int sl_rows_each_tuple(struct sl_rows rows, sl_db_tuple_row *each, void *context,
                       struct sl_failure *f)
{
    while (sl_rows_next(&rows, NULL)) {
        struct sl_db_entry entry = {.rank = sl_column_uint(rows.row, 0),
                                    .value = sl_column_uint(rows.row, 3),
                                    .count = sl_column_uint(rows.row, 4)};
        sl_tuple_at(rows.row, 5, sl_column_uint(rows.row, 2), &entry);
        rows.result = each(context, sqlite3_column_int64(rows.row, 1), &entry);
    }
    return sl_rows_end(&rows, f);
}

int sl_db_phase_entries(struct sl_database *database, const struct sl_db_profile *profile,
                        uint64_t phase, sl_db_tuple_row *each, void *context, struct sl_failure *f)
{
    const int64_t bound[] = {profile->id, (int64_t)phase};
    return sl_rows_each_tuple(
        sl_rows_query(database,
                      "SELECT e.rank, e.tuple_profile, e.pc, e.value, e.count, " SL_TUPLE_COLUMNS
                      " FROM phase_entry e" SL_TUPLE_JOINS(
                          "e", "") " WHERE e.profile = ?1 AND e.phase = ?2 ORDER BY e.rank",
                      bound, 2),
        each, context, f);
}

int sl_db_unnamed_code(struct sl_database *database, const struct sl_db_profile *profile,
                       double least, int (*each)(void *context, const char *object, double part),
                       void *context, struct sl_failure *f)
{
    if (!profile->weight)
        return 0;
    struct sl_rows rows = sl_rows_query(
        database,
        "SELECT o.name, total(e.count) FROM entry e JOIN location p ON p.address = e.pc"
        " JOIN object o ON o.id = p.object WHERE e.profile = ?1 AND p.function IS NULL"
        " GROUP BY o.name ORDER BY 2 DESC, 1",
        &profile->id, 1);
    while (sl_rows_next(&rows, NULL)) {
        const char *object = sl_column_text(rows.row, 0);
        double part = sqlite3_column_double(rows.row, 1) / (double)profile->weight;
        if (object && part >= least)
            rows.result = each(context, object, part);
    }
    return sl_rows_end(&rows, f);
}
