/* Whether what a database has besides data is what we would have made. */
#ifndef SL_SCHEMA_CHECK_H
#define SL_SCHEMA_CHECK_H

#include <stdbool.h>

/* Says what is wrong with a thing of a database whose tables were made by `schema`: a row of
 * sqlite_schema, and whether it has pages of its own. Tables and indices that somebody has added for
 * himself may stay. NULL: nothing. */
const char *sl_schema_wrong_with(const char *schema, const char *type, const char *name,
                                 const char *sql, bool is_stored);

#endif
