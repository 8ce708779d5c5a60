/* sl_report: opens a database and hands it to the exporter that was asked for. */
#include <string.h>

#include "exporter.h"
#include "failure.h"
#include "partition.h"
#include "saved.h"
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
    struct sl_database *opened = NULL;
    const struct sl_exporter *exporter = find_exporter(config->format ? config->format : "text", f);
    int result = sl_report_check(config, f);
    if (result)
        return result;
    result = sl_database_open(&opened, database, f);
    if (!result)
        result = asked(config) ? sl_partition_report(opened, config, out, f)
                               : exporter->write(opened, config, out, f);
    sl_database_close(opened);
    return result ? result : sl_report_written(out, f);
}
