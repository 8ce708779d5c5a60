#include "lab_sql.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"

static void show(sqlite3_context *context, int n, sqlite3_value **value, double factor,
                 const char *unit, int usual_digits)
{
    char text[64], grouped[96];
    if (sqlite3_value_type(value[0]) == SQLITE_NULL) {
        sqlite3_result_text(context, "–", -1, SQLITE_STATIC);
        return;
    }
    int digits = n > 1 ? sqlite3_value_int(value[1]) : usual_digits;
    snprintf(text, sizeof text, "%.*f", digits, factor * sqlite3_value_double(value[0]));
    size_t whole = strcspn(text, "."), put = 0;
    for (size_t i = 0; text[i]; i++) {
        if (i && i < whole && (whole - i) % 3 == 0 && text[i - 1] != '-')
            grouped[put++] = ',';
        grouped[put++] = text[i];
    }
    snprintf(grouped + put, sizeof grouped - put, "%s", unit);
    sqlite3_result_text(context, grouped, -1, SQLITE_TRANSIENT);
}

static void percent(sqlite3_context *context, int n, sqlite3_value **value)
{
    show(context, n, value, 100, " %", 1);
}

static void number(sqlite3_context *context, int n, sqlite3_value **value)
{
    show(context, n, value, 1, "", 0);
}

/* ---- groups ------------------------------------------------------------------------ */

struct group {
    double *x;
    size_t n, room;
    double q;
    bool out_of_memory;
};

static void add(sqlite3_context *context, int n, sqlite3_value **value)
{
    struct group *g = sqlite3_aggregate_context(context, sizeof *g);
    if (!g || sqlite3_value_type(value[0]) == SQLITE_NULL)
        return;
    if (n > 1)
        g->q = sqlite3_value_double(value[1]);
    if (SL_GROW(g->x, g->room, g->n + 1))
        g->x[g->n++] = sqlite3_value_double(value[0]);
    else
        g->out_of_memory = true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile_of(struct group *g, double q)
{
    qsort(g->x, g->n, sizeof *g->x, by_size);
    double place = q * (double)(g->n - 1);
    size_t low = (size_t)place;
    size_t high = low + 1 < g->n ? low + 1 : low;
    return g->x[low] + (place - (double)low) * (g->x[high] - g->x[low]);
}

static double deviation_of(const struct group *g)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < g->n; i++)
        mean += g->x[i] / (double)g->n;
    for (size_t i = 0; i < g->n; i++)
        squares += (g->x[i] - mean) * (g->x[i] - mean);
    return sqrt(squares / (double)(g->n - 1));
}

/* The two-sided 95 % point of Student's t: a table to 30 degrees of freedom, beyond that
 * the first terms of its expansion around the normal distribution's. */
static double student(size_t freedom)
{
    static const double point[] = {
        0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
        2.201, 2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
        2.074, 2.069,  2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    };
    const double z = 1.959964;
    if (freedom < sizeof point / sizeof *point)
        return point[freedom];
    return z + (z * z * z + z) / (4 * (double)freedom);
}

enum summary { MEDIAN, QUANTILE, DEVIATION, INTERVAL, GEOMETRIC };

static double summary_of(struct group *g, enum summary what)
{
    double sum = 0;
    switch (what) {
    case MEDIAN: return quantile_of(g, 0.5);
    case QUANTILE: return quantile_of(g, fmin(fmax(g->q, 0), 1));
    case DEVIATION: return g->n > 1 ? deviation_of(g) : NAN;
    case INTERVAL:
        return g->n > 1 ? student(g->n - 1) * deviation_of(g) / sqrt((double)g->n) : NAN;
    case GEOMETRIC:
        for (size_t i = 0; i < g->n; i++)
            sum += log(g->x[i]) / (double)g->n;
        return exp(sum);
    }
    return NAN;
}

static void finish(sqlite3_context *context)
{
    struct group *g = sqlite3_aggregate_context(context, 0);
    if (!g || !g->n) {
        sqlite3_result_null(context);
        return;
    }
    if (g->out_of_memory)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_double(context,
                              summary_of(g, *(const enum summary *)sqlite3_user_data(context)));
    free(g->x);
}

int lab_sql(sqlite3 *store)
{
    static const struct {
        const char *name;
        int arguments;
        enum summary what;
    } groups[] = {{"median", 1, MEDIAN}, {"quantile", 2, QUANTILE}, {"deviation", 1, DEVIATION},
                  {"ci95", 1, INTERVAL}, {"geomean", 1, GEOMETRIC}};
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC, rc = SQLITE_OK;
    for (int n = 1; n <= 2 && rc == SQLITE_OK; n++) {
        rc = sqlite3_create_function(store, "pct", n, flags, NULL, percent, NULL, NULL);
        if (rc == SQLITE_OK)
            rc = sqlite3_create_function(store, "num", n, flags, NULL, number, NULL, NULL);
    }
    for (size_t i = 0; i < sizeof groups / sizeof *groups && rc == SQLITE_OK; i++)
        rc = sqlite3_create_function(store, groups[i].name, groups[i].arguments, flags,
                                     (void *)(uintptr_t)&groups[i].what, NULL, add, finish);
    return rc;
}
