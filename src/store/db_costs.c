/* SPDX-License-Identifier: MIT */
/* Reads the counts of several profiles by code address with one SQL query, which joins entries with
 * names and source lines (db_lines.h). */
#include "db_lines.h"

#include <stdlib.h>

#include "db_row.h"

/* Columns of the address p in object o; s is the start of its function. */
#define PLACE(p, o, s)                                                            \
    p ".object_address, " p ".object, " o ".path, " o ".name, " p ".function, " p \
      ".function_start, " s ".file, " p ".file, " p ".line"
#define JOIN(address, p, o, s)                                                              \
    " LEFT JOIN location " p " ON " p ".address = " address " LEFT JOIN object " o " ON " o \
    ".id = " p ".object LEFT JOIN location " s " ON " s ".address = " p ".function_start"
#define ORDER " ORDER BY o.path, p.function, p.function_start, p.file, p.line, e.pc, e.value"
enum { OWN, OBJECT, PATH, NAME, FUNCTION, START, FUNCTION_FILE, SOURCE, LINE, PLACE_COLUMNS };

static struct sl_cost_location location_at(sqlite3_stmt *row, int column, uint64_t address)
{
    bool in_object = !sl_is_null(row, column + OBJECT);
    return (struct sl_cost_location){
        .address = address,
        .own_address = in_object ? sl_column_uint(row, column + OWN) : address,
        .object = in_object ? sqlite3_column_int64(row, column + OBJECT) : -1,
        .path = sl_column_text(row, column + PATH),
        .object_name = sl_column_text(row, column + NAME),
        .function = sl_column_text(row, column + FUNCTION),
        .function_start = sl_column_uint(row, column + START),
        .function_file = sl_column_text(row, column + FUNCTION_FILE),
        .file = sl_column_text(row, column + SOURCE),
        .line = sqlite3_column_int(row, column + LINE),
    };
}

int sl_db_costs(struct sl_database *database, const int64_t *profile, size_t n_profiles, uint64_t n,
                int (*each)(void *context, const struct sl_cost_location *at, uint64_t value,
                            const uint64_t *count),
                void *context, struct sl_failure *f)
{
    int64_t bound[SL_COST_COLUMNS + 1];
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return sl_db_fail_memory(f);
    fputs("SELECT e.pc, e.value, " PLACE("p", "o", "s"), out);
    for (size_t i = 0; i < n_profiles; i++) {
        bound[i] = profile[i];
        fprintf(out, ", e.cost%zu", i);
    }
    bound[n_profiles] = sl_rows_limit(n);
    fputs(" FROM (SELECT pc, value", out);
    for (size_t i = 0; i < n_profiles; i++)
        fprintf(out, ", sum((profile = ?%zu) * count) AS cost%zu", i + 1, i);
    fputs(" FROM entry WHERE profile IN (", out);
    for (size_t i = 0; i < n_profiles; i++)
        fprintf(out, "%s?%zu", i ? "," : "", i + 1);
    fprintf(out, ") AND rank <= ?%zu GROUP BY pc, value) e", n_profiles + 1);
    fputs(JOIN("e.pc", "p", "o", "s") ORDER, out);
    bool closed = !fclose(out);
    struct sl_rows rows = sl_rows_query(database, sql ? sql : "", bound, (int)n_profiles + 1);
    free(sql);
    rows.result = closed ? 0 : sl_db_fail_memory(f);
    while (sl_rows_next(&rows, NULL)) {
        uint64_t count[SL_COST_COLUMNS];
        struct sl_cost_location at = location_at(rows.row, 2, sl_column_uint(rows.row, 0));
        for (size_t i = 0; i < n_profiles; i++)
            count[i] = sl_column_uint(rows.row, 2 + PLACE_COLUMNS + (int)i);
        rows.result = each(context, &at, sl_column_uint(rows.row, 1), count);
    }
    return sl_rows_end(&rows, f);
}

int sl_db_transfers(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                    sl_cost_transfer *each, void *context, struct sl_failure *f)
{
    const int64_t bound[] = {profile->id, sl_rows_limit(n)};
    struct sl_rows rows = sl_rows_query(
        database,
        "SELECT e.pc, e.value, e.count, " PLACE("p", "o", "s") ", " PLACE(
            "q", "b", "t") " FROM entry e" JOIN("e.pc", "p", "o", "s")
            JOIN("e.value", "q", "b", "t") " WHERE e.profile = ?1 AND e.rank <= ?2" ORDER,
        bound, 2);
    while (sl_rows_next(&rows, NULL)) {
        struct sl_cost_location from = location_at(rows.row, 3, sl_column_uint(rows.row, 0));
        struct sl_cost_location to = location_at(rows.row, 3 + PLACE_COLUMNS,
                                                 sl_column_uint(rows.row, 1));
        rows.result = each(context, &from, &to, sl_column_uint(rows.row, 2));
    }
    return sl_rows_end(&rows, f);
}
