/* What SQL has not and pages need. */
#ifndef LAB_SQL_H
#define LAB_SQL_H

#include <sqlite3.h>

/*     pct(share [, digits])     "12.3 %"; a dash for NULL; 1 digit unless given
 *     num(value [, digits])     "12,345" (0 digits) or "1.25"
 *     median(x), quantile(x, q) of a group, between two values in proportion
 *     deviation(x)              standard deviation of a group (n - 1)
 *     ci95(x)                   half the width of the 95 % confidence interval of its mean,
 *                               by Student's t; NULL below two values
 *     geomean(x) */
int lab_sql(sqlite3 *store);

#endif
