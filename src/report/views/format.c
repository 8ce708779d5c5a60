/* SPDX-License-Identifier: MIT */
/* Formats numbers, percentages, energies, headings and command lines, and collects warnings
 * about a run (format.h). */
#include "format.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"

const char *sl_format_number(uint64_t number, char buffer[SL_FORMAT_SIZE])
{
    char plain[24];
    int length = snprintf(plain, sizeof plain, "%" PRIu64, number);
    char *to = buffer;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
    return buffer;
}

const char *sl_format_short(uint64_t number, char buffer[SL_FORMAT_SIZE])
{
    static const char units[] = "KMGTPE";
    double value = (double)number / 1000;
    size_t unit = 0;
    if (number < 10000)
        return sl_format_number(number, buffer);
    for (; value >= 999.95 && units[unit + 1]; unit++)
        value /= 1000;
    snprintf(buffer, SL_FORMAT_SIZE, "%.1f %c", value, units[unit]);
    return buffer;
}

const char *sl_format_storage(uint64_t bits, char buffer[SL_FORMAT_SIZE])
{
    static const char *const units[] = {"KB", "MB", "GB", "TB"};
    uint64_t bytes = bits / 8 + (bits % 8 != 0);
    double size = (double)bytes / 1024;
    size_t unit = 0;
    for (; size >= 1024 && unit < 3; unit++)
        size /= 1024;
    if (bytes < 1024)
        snprintf(buffer, SL_FORMAT_SIZE, "%" PRIu64 " B", bytes);
    else
        snprintf(buffer, SL_FORMAT_SIZE, "%.1f %s", size, units[unit]);
    return buffer;
}

const char *sl_format_percent(double part, bool sign, char buffer[SL_FORMAT_SIZE])
{
    double percent = 100 * fabs(part);
    const char *before = !sign ? "" : part > 0 ? "+" : part < 0 ? "-" : "";
    int decimals = percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0;
    if (isnan(part))
        snprintf(buffer, SL_FORMAT_SIZE, "-");
    else if (percent > 0 && percent < 0.005)
        snprintf(buffer, SL_FORMAT_SIZE, "<0.01%%");
    else
        snprintf(buffer, SL_FORMAT_SIZE, "%s%.*f%%", before, decimals, percent);
    return buffer;
}

const char *sl_format_energy(uint64_t picojoules, char buffer[SL_FORMAT_SIZE])
{
    static const char *const units[] = {"pJ", "nJ", "\xc2\xb5J", "mJ", "J"};
    double energy = (double)picojoules;
    size_t unit = 0;
    for (; energy >= 999.5 && unit < 4; unit++)
        energy /= 1000;
    int decimals = !unit || energy >= 99.95 ? 0 : energy >= 9.995 ? 1 : 2;
    snprintf(buffer, SL_FORMAT_SIZE, "%.*f %s", decimals, energy, units[unit]);
    return buffer;
}

const char *sl_format_entries(const struct sl_db_profile *profile, uint64_t n)
{
    return n == 1 ? profile->detector->name : profile->detector->plural;
}

const char *sl_format_dropped(const struct sl_table_status *status)
{
    return status->sends ? "messages" : "events";
}

/* Arguments that are empty or contain white space are quoted; this is not a full shell syntax. */
char *sl_format_command(const struct sl_db_program *program)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < program->argc; i++) {
        const char *quote = !program->argv[i][0] || strpbrk(program->argv[i], " \t\n") ? "'" : "";
        fprintf(out, "%s%s%s%s", i ? " " : "", quote, program->argv[i], quote);
    }
    if (!program->argc)
        fputs(program->path && program->path[0] ? program->path : "a stream without a program",
              out);
    fclose(out);
    return sl_own_printable(text);
}

void sl_format_heading(const struct sl_db_profile *profile, char *out, size_t capacity)
{
    snprintf(out, capacity, "%s by %s", sl_format_entries(profile, 0), profile->metric->by);
    if (capacity && out[0] >= 'a' && out[0] <= 'z')
        out[0] = (char)(out[0] - 'a' + 'A');
}

int sl_report_no_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory for the report");
}

bool sl_warnings_add(struct sl_warnings *warnings, const char *format, ...)
{
    va_list arguments;
    if (!SL_GROW(warnings->text, warnings->capacity, warnings->n + 1))
        return false;
    va_start(arguments, format);
    int length = vasprintf(&warnings->text[warnings->n], format, arguments);
    va_end(arguments);
    warnings->n += length >= 0;
    return length >= 0;
}

static bool add_dropped(struct sl_warnings *warnings, const struct sl_db_program *program)
{
    bool of_blocks = program->dropped_blocks, of_mems = program->dropped_mems;
    return sl_warnings_add(
        warnings,
        "%s%s%s%s%s events were dropped (lossy run, or more than 1024 threads at once): "
        "counts are too low.",
        of_blocks ? SL_NUMBER(program->dropped_blocks) : "", of_blocks ? " block" : "",
        of_blocks && of_mems ? " and " : "", of_mems ? SL_NUMBER(program->dropped_mems) : "",
        of_mems ? " memory" : "");
}

#define UNNAMED_MIN 0.05 /* minimum share of an object without symbols for a warning */

static int warn_unnamed(void *context, const char *object, double part)
{
    char percent[SL_FORMAT_SIZE];
    return sl_warnings_add(
               context,
               "%s has no symbols, but takes %s of the execution: use an unstripped "
               "file, install its debug information (on Debian: the package NAME-dbgsym), "
               "or set DEBUGINFOD_URLS.",
               object, sl_format_percent(part, false, percent))
               ? 0
               : SL_ENOMEM;
}

/* Uses the first profile of functions by a cost, without inclusive costs. */
static int warn_unnamed_objects(struct sl_warnings *warnings, struct sl_database *database,
                                struct sl_failure *f)
{
    const struct sl_db_profiles *profiles = &database->profiles;
    for (size_t i = 0; i < profiles->n; i++)
        if (sl_detector_counts_functions(profiles->profile[i].detector) &&
            profiles->profile[i].metric->weigh && !sl_db_overlaps(&profiles->profile[i])) {
            int result = sl_db_unnamed_code(database, &profiles->profile[i], UNNAMED_MIN,
                                            warn_unnamed, warnings, f);
            return result == SL_ENOMEM ? sl_report_no_memory(f) : result;
        }
    return 0;
}

int sl_warnings_collect(struct sl_warnings *warnings, struct sl_database *database,
                        struct sl_failure *f)
{
    const struct sl_db_program *program = &database->program;
    const struct sl_db_profiles *profiles = &database->profiles;
    char heading[128];
    bool good = true;
    *warnings = (struct sl_warnings){0};
    if (program->warning)
        good = good && sl_warnings_add(warnings, "%s", program->warning);
    if (program->exec && !database->n_processes)
        good = good &&
               sl_warnings_add(warnings, "The program called exec. The new program is profiled "
                                         "only with the option follow.");
    if (program->forks)
        good = good &&
               sl_warnings_add(warnings, "%s child process%s not profiled.",
                               SL_NUMBER(program->forks), program->forks == 1 ? " was" : "es were");
    if (program->dropped_blocks || program->dropped_mems)
        good = good && add_dropped(warnings, program);
    for (size_t i = 0; i < profiles->n; i++)
        if (profiles->profile[i].note) {
            sl_format_heading(&profiles->profile[i], heading, sizeof heading);
            good = good && sl_warnings_add(warnings, "%s: %s", heading, profiles->profile[i].note);
        }
    int result = good ? warn_unnamed_objects(warnings, database, f) : sl_report_no_memory(f);
    if (result)
        sl_warnings_free(warnings);
    return result;
}

void sl_warnings_free(struct sl_warnings *warnings)
{
    for (size_t i = 0; i < warnings->n; i++)
        free(warnings->text[i]);
    free(warnings->text);
    *warnings = (struct sl_warnings){0};
}

struct sl_overhead_whole sl_messages_whole(const struct sl_database *database)
{
    return sl_overhead_whole(database->program.instructions,
                             database->machine.total[SL_MACHINE_CYCLES]);
}
