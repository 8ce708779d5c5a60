/* SPDX-License-Identifier: MIT */
#include "saved_nameless.h"

#include "saved_row.h"

struct reading {
    int (*each)(void *context, const char *object, double part);
    void *context;
    double whole, least;
};

static int read_object(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    const char *object = sl_text_at(row, 0);
    double part = sl_real_at(row, 1) / reading->whole;
    return object && part >= reading->least ? reading->each(reading->context, object, part) : 0;
}

int sl_saved_nameless(struct sl_database *database, const struct sl_saved_profile *profile,
                      double least, int (*each)(void *context, const char *object, double part),
                      void *context, struct sl_failure *f)
{
    struct reading reading = {each, context, (double)profile->weight, least};
    const int64_t bound[] = {profile->id};
    if (!profile->weight)
        return 0;
    return sl_saved_rows(
        database,
        "SELECT o.name, total(e.count) FROM entry e JOIN place p ON p.address = e.pc"
        " JOIN object o ON o.id = p.object WHERE e.profile = ?1 AND p.function IS NULL"
        " GROUP BY o.name ORDER BY 2 DESC, 1",
        bound, 1, read_object, &reading, f);
}
