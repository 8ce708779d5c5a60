/* SPDX-License-Identifier: MIT */
/* Public functions for reports: sl_report() with its checks, sl_annotate() and sl_diff(). Each
 * function opens one database (sl_diff(): two), makes the report and writes it in the chosen
 * format. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "exporter.h"
#include "page.h"
#include "replacement.h"
#include "text.h"

/* The registry of report formats, from the list in exporter.h. */
#define SL_EXPORTER_ADDRESS(name) &sl_##name##_exporter,
const struct sl_exporter *const sl_exporters[] = {SL_EXPORTERS(SL_EXPORTER_ADDRESS) NULL};

#define STEPS 10     /* functions to move together (--partition), unless config->n is set */
#define DIFF_ROWS 10 /* of each part of a difference as text, unless config->n is set */

static const struct sl_exporter *find_exporter(const char *name, struct sl_failure *f)
{
    char names[256] = "", question[SL_NEAREST_BYTES];
    struct sl_nearest nearest;
    sl_nearest_start(&nearest, name, strlen(name));
    for (size_t i = 0; sl_exporters[i]; i++) {
        if (!strcmp(sl_exporters[i]->name, name))
            return sl_exporters[i];
        sl_nearest_offer(&nearest, sl_exporters[i]->name);
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                 sl_exporters[i]->name);
    }
    sl_fail(f, SL_EUSAGE, "unknown report format '%s'%s the formats are %s", name,
            sl_nearest_hint(&nearest, question), names);
    return NULL;
}

/* True if --partition is given. */
static bool is_partition(const struct sl_report_config *config)
{
    return config->partition < 0 || config->partition > 0;
}

static int check_partition(const struct sl_report_config *config, struct sl_failure *f)
{
    if (!(config->partition >= 1))
        return sl_fail(f, SL_EUSAGE, "the speedup of hardware must be at least 1, not %g",
                       config->partition);
    if (strcmp(config->format, "text") && strcmp(config->format, "json"))
        return sl_fail(f, SL_EUSAGE,
                       "a partition report cannot have the format %s: use text or json",
                       config->format);
    return 0;
}

/* Copies `given` to `config`, checks it, and finds its exporter. */
static int read_config(struct sl_report_config *config, const struct sl_report_config *given,
                       const struct sl_exporter **exporter, struct sl_failure *f)
{
    int result = sl_config_read(config, sizeof *config, given, "sl_report_config", f);
    if (result)
        return result;
    config->format = config->format ? config->format : "text";
    if (!(*exporter = find_exporter(config->format, f)))
        return SL_EUSAGE;
    return is_partition(config) ? check_partition(config, f) : 0;
}

int sl_report_check(const struct sl_report_config *given, struct sl_failure *f)
{
    struct sl_report_config config;
    const struct sl_exporter *exporter;
    return read_config(&config, given, &exporter, f);
}

/* True if a spec, DETECTOR[...]+DETECTOR...@TABLE, contains one of the named detectors. */
static bool has_one(const char *spec, const char *names)
{
    for (const char *at = spec; at && *at && *at != '@';
         at = at[strcspn(at, "+@")] == '+' ? at + strcspn(at, "+@") + 1 : NULL) {
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        for (const char *name = names; *name; name += strspn(name, " ")) {
            size_t size = strcspn(name, " ");
            if (size == length && !strncmp(name, at, size))
                return true;
            name += size;
        }
    }
    return false;
}

int sl_report_check_specs(const struct sl_report_config *given, const char *const *spec, size_t n,
                          struct sl_failure *f)
{
    SL_REQUIRE(f, spec || !n);
    struct sl_report_config config;
    const struct sl_exporter *exporter;
    int result = read_config(&config, given, &exporter, f);
    if (result || !exporter->needs || is_partition(&config))
        return result;
    for (size_t i = 0; i < n; i++)
        if (spec[i] && has_one(spec[i], exporter->needs))
            return 0;
    return sl_fail(
        f, SL_EUSAGE,
        "%s needs a profile of one of these detectors: %s; add a profile, or leave out all "
        "profiles, so that the report format chooses them",
        exporter->name, exporter->needs);
}

const char *const *sl_report_default_specs(const struct sl_report_config *given, bool machine)
{
    struct sl_report_config config;
    const struct sl_exporter *exporter;
    if (read_config(&config, given, &exporter, NULL))
        return NULL;
    return is_partition(&config) ? sl_partition_default_specs(machine)
                                 : exporter->default_specs[machine];
}

static int report_partition(const struct sl_output *o)
{
    struct sl_partition p;
    bool json = !strcmp(o->config->format, "json");
    int result = sl_partition_make(&p, o->database, o->config->partition,
                                   o->config->n ? o->config->n : STEPS, o->f);
    if (result)
        return result;
    result = (json ? sl_json_partition : sl_text_partition)(o, &p);
    sl_partition_free(&p);
    return result;
}

int sl_report(const char *database, const struct sl_report_config *given, FILE *out,
              struct sl_failure *f)
{
    SL_REQUIRE(f, database && out);
    struct sl_report_config config;
    const struct sl_exporter *exporter;
    int result = read_config(&config, given, &exporter, f);
    if (result)
        return result;
    struct sl_output o = {NULL, &config, sl_text_width(config.width),
                          sl_shown_open(out, exporter->shown, f), f};
    if (!o.out)
        return SL_ENOMEM;
    result = sl_database_open_process(&o.database, database, config.process, f);
    if (!result) {
        o.database->program.own = config.own;
        o.database->program.symbols = config.symbols;
    }
    if (!result)
        result = is_partition(&config) ? report_partition(&o) : exporter->write(&o);
    sl_database_close(o.database);
    return sl_shown_close(o.out, out, result, "the report", f);
}

/* Writes the report to `fd`, and closes it. Returns SL_EIO if it cannot be opened or written. */
static int report_through(int fd, const char *database, const struct sl_report_config *config,
                          const char *path, struct sl_failure *f)
{
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (!out) {
        int result = sl_fail_errno(f, SL_EIO, "cannot write %s", path);
        if (fd >= 0)
            close(fd);
        return result;
    }
    int result = sl_report(database, config, out, f);
    return fclose(out) && !result ? sl_fail_errno(f, SL_EIO, "cannot write %s", path) : result;
}

int sl_report_file(const char *database, const struct sl_report_config *given, const char *path,
                   struct sl_failure *f)
{
    SL_REQUIRE(f, database && path);
    struct sl_report_config config;
    int result = sl_config_read(&config, sizeof config, given, "sl_report_config", f);
    if (result)
        return result;
    struct stat status;
    struct sl_replacement replacement;
    if (!stat(path, &status) && !S_ISREG(status.st_mode))
        return report_through(open(path, O_WRONLY | O_CLOEXEC), database, &config, path, f);
    result = sl_replacement_open(&replacement, path, f);
    if (result)
        return result;
    result = report_through(fcntl(replacement.fd, F_DUPFD_CLOEXEC, 0), database, &config, path, f);
    if (!result)
        return sl_replacement_commit(&replacement, f);
    sl_replacement_abandon(&replacement);
    return result;
}

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    return !strcmp(a, b) || (!stat(a, &one) && !stat(b, &other) && one.st_dev == other.st_dev &&
                             one.st_ino == other.st_ino);
}

int sl_report_can_write(const char *path, const char *database, struct sl_failure *f)
{
    SL_REQUIRE(f, path && database);
    struct stat status;
    struct sl_replacement replacement;
    if (same_file(path, database))
        return sl_fail(f, SL_EUSAGE,
                       "the report would overwrite its database %s: write the report to another "
                       "file",
                       path);
    if (!stat(path, &status) && !S_ISREG(status.st_mode))
        return access(path, W_OK) ? sl_fail_errno(f, SL_EIO, "cannot write %s", path) : 0;
    int result = sl_replacement_open(&replacement, path, f);
    if (!result)
        sl_replacement_abandon(&replacement);
    return result;
}

int sl_annotate(const char *database, const struct sl_annotate_config *given, FILE *out,
                struct sl_failure *f)
{
    SL_REQUIRE(f, database && out);
    struct sl_annotate_config own, *config = &own;
    int unread = sl_config_read(&own, sizeof own, given, "sl_annotate_config", f);
    if (unread < 0)
        return unread;
    struct sl_database *opened = NULL;
    struct sl_annotation annotation = {0};
    FILE *shown = sl_shown_open(out, config->colour ? SL_SHOWN_COLOURED : SL_SHOWN_MARKED, f);
    if (!shown)
        return SL_ENOMEM;
    int result = sl_database_open_process(&opened, database, config->process, f);
    if (!result)
        result = sl_annotation_make(&annotation, opened, config->place, false, f);
    if (!result)
        result = sl_text_annotation(&annotation, config, shown, f);
    sl_annotation_free(&annotation);
    sl_database_close(opened);
    return sl_shown_close(shown, out, result, "the report", f);
}

int sl_diff(const char *before, const char *after, const struct sl_diff_config *given, FILE *out,
            struct sl_regression *regression, struct sl_failure *f)
{
    SL_REQUIRE(f, before && after && out && regression);
    struct sl_diff_config own, *config = &own;
    *regression = (struct sl_regression){.metric = "instructions"};
    int unread = sl_config_read(&own, sizeof own, given, "sl_diff_config", f);
    if (unread < 0)
        return unread;
    const char *format = config->format ? config->format : "text";
    bool json = !strcmp(format, "json"), html = !strcmp(format, "html");
    struct sl_difference difference = {0};
    if (!json && !html && strcmp(format, "text"))
        return sl_fail(f, SL_EUSAGE,
                       "a comparison cannot have the format %s: use text, json or html",
                       config->format);
    FILE *shown = sl_shown_open(out, json ? SL_SHOWN_AS_JSON : SL_SHOWN_MARKED, f);
    if (!shown)
        return SL_ENOMEM;
    int result = sl_difference_make(&difference, before, after, config->symbols, f);
    if (!result)
        result = json   ? sl_json_difference(&difference, config->n, shown, f)
                 : html ? sl_page_difference(&difference, config->n, shown, f)
                        : sl_text_difference(&difference, config->n ? config->n : DIFF_ROWS,
                                             sl_text_width(config->width), shown, f);
    if (!result)
        *regression = sl_difference_regression(&difference);
    sl_difference_free(&difference);
    return sl_shown_close(shown, out, result, "the report", f);
}
