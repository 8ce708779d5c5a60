/* SPDX-License-Identifier: MIT */
/* What was measured of a profile, read back: errors, curve, intervals. */
#include "saved.h"
#include "saved_row.h"

struct series {
    int (*error)(void *context, const struct sl_figure *error);
    int (*parameter)(void *context, const struct sl_parameter *parameter);
    int (*point)(void *context, const struct sl_curve_point *point);
    int (*interval)(void *context, const struct sl_interval_row *interval);
    void *context;
};

static int read_error(void *context, sqlite3_stmt *row)
{
    const struct series *series = context;
    const char *name = sl_text_at(row, 0);
    struct sl_figure error = {name ? name : "", sl_real_at(row, 1)};
    return series->error(series->context, &error);
}

int sl_saved_errors(struct sl_database *database, const struct sl_saved_profile *profile,
                    int (*each)(void *context, const struct sl_figure *error), void *context,
                    struct sl_failure *f)
{
    struct series series = {.error = each, .context = context};
    return sl_saved_rows(database, "SELECT name, value FROM error WHERE profile = ? ORDER BY name",
                         &profile->id, 1, read_error, &series, f);
}

static int read_parameter(void *context, sqlite3_stmt *row)
{
    const struct series *series = context;
    const char *name = sl_text_at(row, 0);
    struct sl_parameter parameter = {name ? name : "", sl_number_at(row, 1), sl_number_at(row, 2)};
    return series->parameter(series->context, &parameter);
}

int sl_saved_parameters(struct sl_database *database, const struct sl_saved_profile *profile,
                        int (*each)(void *context, const struct sl_parameter *parameter),
                        void *context, struct sl_failure *f)
{
    struct series series = {.parameter = each, .context = context};
    return sl_saved_rows(database,
                         "SELECT name, place, value FROM parameter WHERE profile = ?"
                         " ORDER BY name, place",
                         &profile->id, 1, read_parameter, &series, f);
}

static int read_point(void *context, sqlite3_stmt *row)
{
    const struct series *series = context;
    struct sl_curve_point point = {sl_number_at(row, 0), sl_real_at(row, 1)};
    return series->point(series->context, &point);
}

int sl_saved_curve(struct sl_database *database, const struct sl_saved_profile *profile,
                   int (*each)(void *context, const struct sl_curve_point *point), void *context,
                   struct sl_failure *f)
{
    struct series series = {.point = each, .context = context};
    return sl_saved_rows(database,
                         "SELECT events, error FROM curve WHERE profile = ? ORDER BY events",
                         &profile->id, 1, read_point, &series, f);
}

static int read_interval(void *context, sqlite3_stmt *row)
{
    const struct series *series = context;
    struct sl_interval_row interval = {
        .number = sl_number_at(row, 0),
        .first_event = sl_number_at(row, 1),
        .events = sl_number_at(row, 2),
        .weight = sl_number_at(row, 3),
        .threshold = sl_number_at(row, 4),
        .candidates = sl_number_at(row, 5),
        .entered = sl_number_at(row, 6),
        .left = sl_number_at(row, 7),
        .drops = sl_number_at(row, 8),
        .partial = sqlite3_column_int(row, 9) != 0,
        .error = sl_real_at(row, 10),
        .false_positive = sl_real_at(row, 11),
        .false_negative = sl_real_at(row, 12),
        .neutral_positive = sl_real_at(row, 13),
        .neutral_negative = sl_real_at(row, 14),
    };
    return series->interval(series->context, &interval);
}

int sl_saved_intervals(struct sl_database *database, const struct sl_saved_profile *profile,
                       int (*each)(void *context, const struct sl_interval_row *interval),
                       void *context, struct sl_failure *f)
{
    struct series series = {.interval = each, .context = context};
    return sl_saved_rows(database,
                         "SELECT number, first_event, events, weight, threshold, candidates,"
                         " entered, \"left\", drops, partial, error, false_positive,"
                         " false_negative, neutral_positive, neutral_negative"
                         " FROM interval WHERE profile = ? ORDER BY number",
                         &profile->id, 1, read_interval, &series, f);
}
