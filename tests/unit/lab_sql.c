/* What the lab adds to SQL, against values worked out by hand or taken from tables. */
#include "lab_sql.h"

#include <string.h>

#include "tap.h"

static sqlite3 *store;

static const char *value_of(const char *expression)
{
    static char text[128];
    char query[512];
    sqlite3_stmt *rows = NULL;
    snprintf(query, sizeof query, "SELECT %s", expression);
    text[0] = '\0';
    if (sqlite3_prepare_v2(store, query, -1, &rows, NULL) == SQLITE_OK &&
        sqlite3_step(rows) == SQLITE_ROW) {
        const char *value = (const char *)sqlite3_column_text(rows, 0);
        snprintf(text, sizeof text, "%s", value ? value : "NULL");
    }
    sqlite3_finalize(rows);
    return text;
}

static void gives(const char *expression, const char *wanted)
{
    const char *got = value_of(expression);
    ok(!strcmp(got, wanted), "%s is %s%s%s", expression, wanted,
           strcmp(got, wanted) ? ", not " : "", strcmp(got, wanted) ? got : "");
}

int main(void)
{
    sqlite3_open(":memory:", &store);
    ok(lab_sql(store) == SQLITE_OK, "the functions can be added");

    gives("pct(0.1234)", "12.3 %");
    gives("pct(0.1234, 0)", "12 %");
    gives("pct(-0.5, 2)", "-50.00 %");
    gives("pct(NULL)", "–");
    gives("num(0)", "0");
    gives("num(999)", "999");
    gives("num(1000)", "1,000");
    gives("num(-1234567)", "-1,234,567");
    gives("num(-123)", "-123");
    gives("num(1234.567, 2)", "1,234.57");
    gives("num(NULL, 2)", "–");

    sqlite3_exec(store, "CREATE TABLE t(x); INSERT INTO t VALUES (4), (1), (NULL), (3), (2)", NULL,
                 NULL, NULL);
    gives("median(x) FROM t", "2.5");
    gives("quantile(x, 0) FROM t", "1.0");
    gives("quantile(x, 1) FROM t", "4.0");
    gives("quantile(x, 0.25) FROM t", "1.75");
    gives("printf('%.6f', deviation(x)) FROM t", "1.290994");
    /* 3.182 * 1.290994 / 2 */
    gives("printf('%.4f', ci95(x)) FROM t", "2.0540");
    gives("printf('%.6f', geomean(x)) FROM t", "2.213364"); /* 24 ^ (1 / 4) */
    gives("ci95(x) FROM t WHERE x = 1", "NULL");
    gives("deviation(x) FROM t WHERE x = 1", "NULL");
    gives("median(x) FROM t WHERE x > 9", "NULL");
    gives("group_concat(m) FROM (SELECT median(x) AS m FROM t WHERE x GROUP BY x % 2)", "3.0,2.0");

    /* Student's points beyond the table: 2.040 at 31 degrees, 1.984 at 100. */
    sqlite3_exec(store, "CREATE TABLE u(x); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                 "FROM c WHERE i < 101) INSERT INTO u SELECT i % 2 FROM c", NULL, NULL, NULL);
    gives("printf('%.3f', ci95(x) / deviation(x) * sqrt(count(*))) FROM u", "1.984");
    gives("printf('%.2f', ci95(x) / deviation(x) * sqrt(count(*))) FROM u WHERE rowid <= 32", "2.04");
    sqlite3_close(store);
    return done_testing();
}
