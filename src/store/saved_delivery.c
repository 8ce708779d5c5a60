/* SPDX-License-Identifier: MIT */
/* How messages reached software, read back into the status of the profiles. */
#include "delivery.h"
#include "saved.h"
#include "saved_row.h"

struct reading {
    struct sl_database *database;
    struct sl_failure *f;
};

/* The profile that a row is of, by its first column; NULL: there is none. */
static struct sl_saved_profile *profile_of(const struct reading *reading, sqlite3_stmt *row)
{
    const struct sl_saved_profiles *all = &reading->database->profiles;
    for (size_t i = 0; i < all->n; i++)
        if (all->profile[i].id == sqlite3_column_int64(row, 0))
            return &all->profile[i];
    return NULL;
}

static int read_gap(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_profile *profile = profile_of(reading, row);
    uint64_t low = sl_number_at(row, 1);
    if (profile && low & (low - 1))
        return sl_saved_fail_content(reading->database,
                                     "gaps between messages begin at no power of two", reading->f);
    if (profile)
        profile->status.gap[low ? __builtin_ctzll(low) + 1 : 0] = sl_number_at(row, 2);
    return 0;
}

static int read_delivery(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_profile *profile = profile_of(reading, row);
    const char *name = sl_text_at(row, 1);
    const struct sl_delivery_figure *d = name ? sl_delivery_find(name) : NULL;
    if (!d)
        return sl_saved_fail_content(reading->database,
                                     "a figure of a delivery is of an unknown kind", reading->f);
    if (profile)
        sl_delivery_set(&profile->status, d, sl_number_at(row, 2));
    return 0;
}

int sl_saved_deliveries(struct sl_database *database, struct sl_failure *f)
{
    struct reading reading = {database, f};
    int result = sl_saved_rows(database, "SELECT profile, low, gaps FROM gap", NULL, 0, read_gap,
                               &reading, f);
    return result ? result
                  : sl_saved_rows(database, "SELECT profile, name, value FROM delivery", NULL, 0,
                                  read_delivery, &reading, f);
}
