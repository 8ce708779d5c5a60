/* sl_report: opens a database, sees that it is one of ours, and hands it to the
 * exporter that was asked for. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "database.h"
#include "exporter.h"
#include "failure.h"
#include "partition.h"
#include "wording.h"

static const struct sl_exporter *find_exporter(const char *name, struct sl_failure *f)
{
    char names[256] = "";
    for (size_t i = 0; sl_exporters[i]; i++) {
        if (!strcmp(sl_exporters[i]->name, name))
            return sl_exporters[i];
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", sl_exporters[i]->name);
    }
    sl_fail(f, SL_EUSAGE, "there is no report format '%s'; there are: %s", name, names);
    return NULL;
}

/* What to move to hardware is asked for. */
static bool asked(const struct sl_report_config *config)
{
    return config->partition < 0 || config->partition > 0;
}

static int pragma(sqlite3 *database, const char *sql, int *value)
{
    sqlite3_stmt *row;
    int rc = sqlite3_prepare_v2(database, sql, -1, &row, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW)
        *value = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    return rc == SQLITE_ROW ? 0 : -1;
}

static int check(sqlite3 *database, const char *path, struct sl_failure *f)
{
    int id = 0, version = 0;
    /* A database from somewhere else must not run anything through its views. */
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (pragma(database, "PRAGMA application_id", &id) ||
        pragma(database, "PRAGMA user_version", &version) || id != SL_DATABASE_ID)
        return sl_fail(f, SL_EFORMAT, "%s is not a database of sluice", path);
    if (version != SL_DATABASE_VERSION)
        return sl_fail(f, SL_EFORMAT,
                       "%s was written by another version of sluice (its tables are version %d, "
                       "this one reads %d); use that one, or profile again",
                       path, version, SL_DATABASE_VERSION);
    return 0;
}

static int open_checked(const char *path, sqlite3 **database, struct sl_failure *f)
{
    struct stat status;
    *database = NULL;
    if (stat(path, &status))
        return sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    if (!S_ISREG(status.st_mode))
        return sl_fail(f, SL_EFORMAT, "%s is not a database of sluice", path);
    if (sqlite3_open_v2(path, database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        return sl_fail(f, SL_EIO, "cannot read %s: %s", path,
                       *database ? sqlite3_errmsg(*database) : "out of memory");
    return check(*database, path, f);
}

static int check_partition(const struct sl_report_config *config, struct sl_failure *f)
{
    bool is_text = !config->format || !strcmp(config->format, "text");
    if (!(config->partition >= 1))
        return sl_fail(f, SL_EUSAGE, "hardware is at least as fast as software: not %g times",
                       config->partition);
    if (!is_text && strcmp(config->format, "json"))
        return sl_fail(f, SL_EUSAGE, "what to move to hardware is said as text or json, not %s",
                       config->format);
    return 0;
}

int sl_report_check(const struct sl_report_config *config, struct sl_failure *f)
{
    const char *format = config->format ? config->format : "text";
    return !find_exporter(format, f) ? SL_EUSAGE
           : asked(config)           ? check_partition(config, f)
                                     : 0;
}

const char *const *sl_report_usual(const struct sl_report_config *config, bool machine)
{
    const struct sl_exporter *exporter = find_exporter(config->format ? config->format : "text",
                                                       NULL);
    return asked(config) ? sl_partition_usual(machine) : exporter ? exporter->usual[machine] : NULL;
}

int sl_report(const char *database, const struct sl_report_config *config, FILE *out,
              struct sl_failure *f)
{
    sqlite3 *opened;
    const struct sl_exporter *exporter = find_exporter(config->format ? config->format : "text", f);
    int result = sl_report_check(config, f);
    if (result)
        return result;
    result = open_checked(database, &opened, f);
    if (!result)
        result = asked(config) ? sl_partition_report(opened, config, out, f)
                               : exporter->write(opened, config, out, f);
    sqlite3_close(opened);
    return result ? result : sl_report_written(out, f);
}
