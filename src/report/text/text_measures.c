/* SPDX-License-Identifier: MIT */
/* Text report of a profile's table: at most two lines of statistics and, for repeated profiles, the
 * spread of the errors over the runs (text_runs.c):
 *
 *     storage 2.0 KB, 297 messages (overhead 0.31% of instructions), 1,200 not sent, error 2.93%
 *     40 intervals, 12.3 candidates per interval, 93.1% of candidates still hot in the next
 *     interval */
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static void add_messages(struct sl_text_line *line, const struct sl_db_profile *profile,
                         struct sl_overhead_whole whole)
{
    const struct sl_table_status *status = &profile->status;
    const char *number = SL_NUMBER(status->messages);
    const char *plural = status->messages == 1 ? "" : "s";
    if (!isnan(sl_overhead(status, whole)))
        sl_text_line_add(line, "%s message%s (overhead %.2f%% of %s)", number, plural,
                         100 * sl_overhead(status, whole), whole.of);
    else
        sl_text_line_add(line, "%s message%s", number, plural);
    if (status->residue)
        sl_text_line_add(line, "%s not sent", SL_NUMBER(status->residue));
}

/* "queue of 16 messages: 1,200 late, 3 lost" */
static void add_queue(struct sl_text_line *line, const struct sl_table_queue *queue,
                      const char *what)
{
    if (!queue->capacity)
        return;
    sl_text_line_add(line, "queue of %" PRIu64 " %s: %s late", queue->capacity, what,
                     SL_NUMBER(queue->late));
    sl_text_line_add(line, "%s lost", SL_NUMBER(queue->lost));
}

/* "9 instructions converged, 4 filtered out (120,000 events)" */
static void add_filter(struct sl_text_line *line, const struct sl_table_status *status)
{
    if (!status->check_cycles)
        return;
    sl_text_line_add(line, "%" PRIu64 " instruction%s converged", status->converged,
                     status->converged == 1 ? "" : "s");
    if (status->filtered)
        sl_text_line_add(line, "%" PRIu64 " filtered out (%s events)", status->filtered,
                         SL_NUMBER(status->passed));
}

/* True if invariance is the error measure of all profiles in the table. */
static bool by_invariance(const struct sl_database *database, const struct sl_db_profile *profile)
{
    for (size_t i = 0; i < database->profiles.n; i++) {
        const struct sl_db_profile *other = &database->profiles.profile[i];
        if (other->first == profile->first &&
            other->detector->error_measure != SL_MEASURE_INVARIANCE)
            return false;
    }
    return true;
}

struct errors {
    struct sl_text_line *line;
    bool by_invariance;
    double dynamic; /* dynamic overlap; printed when the number of windows is known */
};

/* Adds the error of the profile and the error of its intervals; other formats have their
 * components. Errors come sorted by name. */
static int add_error(void *context, const struct sl_named_value *error)
{
    struct errors *errors = context;
    bool of_intervals = !strcmp(error->name, "interval");
    bool is_headline = errors->by_invariance && !strcmp(error->name, "invariance");
    if ((of_intervals || is_headline) && !isnan(error->value))
        sl_text_line_add(errors->line, "%serror %.2f%%", of_intervals ? "interval " : "",
                         100 * error->value);
    else if (!strcmp(error->name, "overlap"))
        sl_text_line_add(errors->line, "overlap %.2f%%", 100 * error->value);
    else if (!strcmp(error->name, "overlap_dynamic"))
        errors->dynamic = error->value;
    else if (!strcmp(error->name, "windows") && error->value > 0)
        sl_text_line_add(errors->line, "dynamic %.2f%% (%.0f window%s)", 100 * errors->dynamic,
                         error->value, error->value > 1 ? "s" : "");
    return 0;
}

/* Parameters of a hash: registers are printed with their values, tables with their size. */
struct parameters {
    struct sl_text_line *line;
    bool begun;
    uint64_t words; /* elements of arrays, except the first */
};

static int add_parameter(void *context, const struct sl_parameter *parameter)
{
    struct parameters *all = context;
    if (parameter->place)
        all->words++;
    else if (strcmp(parameter->name, "tab"))
        sl_text_line_add(all->line, "%s%s %" PRIu64, all->begun ? "" : "hash with ",
                         parameter->name, parameter->value);
    all->begun = true;
    return 0;
}

static int add_parameters(struct sl_database *database, const struct sl_db_profile *profile,
                          struct sl_text_line *line, struct sl_failure *f)
{
    struct parameters all = {line, false, 0};
    int result = sl_db_parameters(database, profile, add_parameter, &all, f);
    if (all.words)
        sl_text_line_add(line, "tab of %" PRIu64 " words", all.words + 1);
    return result;
}

static int describe_table(struct sl_database *database, size_t i, char **text, struct sl_failure *f)
{
    const struct sl_db_profile *profile = &database->profiles.profile[i];
    const struct sl_table_status *status = &profile->status;
    char number[SL_FORMAT_SIZE];
    struct sl_text_line line = {0};
    if (strcmp(profile->table, "exact"))
        sl_text_line_add(&line, "%sstorage %s", profile->shared ? "together: " : "",
                         sl_format_storage(status->storage_bits, number));
    if (status->sends)
        add_messages(&line, profile, sl_messages_whole(database));
    add_queue(&line, &status->input, "tuples");
    add_queue(&line, &status->output, "messages");
    if (status->output.capacity && sl_has_gaps(status))
        sl_text_line_add(&line, "median gap between messages %s %s", SL_NUMBER(status->gap_median),
                         sl_time_unit(status));
    add_filter(&line, status);
    if (profile->shared && status->drops)
        sl_text_line_add(&line, "%s %s dropped", SL_NUMBER(status->drops),
                         sl_format_dropped(status));
    struct errors errors = {&line, by_invariance(database, profile), 0};
    int result = sl_db_errors(database, profile, add_error, &errors, f);
    if (!result)
        result = add_parameters(database, profile, &line, f);
    *text = sl_text_line_close(&line);
    return result;
}

/* ---- intervals ---- */

struct intervals {
    uint64_t n, whole;          /* `whole`: complete intervals */
    uint64_t candidates, drops; /* of complete intervals; of all */
    uint64_t still_hot, left;   /* from one complete interval to the next */
};

static int add_interval(void *context, const struct sl_interval_row *interval)
{
    struct intervals *all = context;
    all->drops += interval->drops;
    if (!interval->partial) {
        all->whole++;
        all->candidates += interval->candidates;
        if (all->n) {
            all->still_hot += interval->candidates - interval->entered;
            all->left += interval->left;
        }
    }
    all->n++;
    return 0;
}

static int describe_intervals(struct sl_database *database, const struct sl_db_profile *profile,
                              char **text, struct sl_failure *f)
{
    struct intervals all = {0};
    struct sl_text_line line = {0};
    int result = sl_db_intervals(database, profile, add_interval, &all, f);
    if (result || !all.n)
        return result;
    sl_text_line_add(&line, "%s interval%s", SL_NUMBER(all.n), all.n == 1 ? "" : "s");
    if (!all.whole)
        sl_text_line_add(&line, "the last one incomplete");
    else
        sl_text_line_add(&line, "%.1f candidates per interval",
                         (double)all.candidates / (double)all.whole);
    if (all.still_hot + all.left)
        sl_text_line_add(&line, "%.1f%% of candidates still hot in the next interval",
                         100.0 * (double)all.still_hot / (double)(all.still_hot + all.left));
    if (all.drops)
        sl_text_line_add(&line, "%s dropped", SL_NUMBER(all.drops));
    *text = sl_text_line_close(&line);
    return 0;
}

/* ---- the whole section ---- */

int sl_measures_load(struct sl_database *database, size_t i, struct sl_measures *measures,
                     struct sl_failure *f)
{
    const struct sl_db_profile *profile = &database->profiles.profile[i];
    *measures = (struct sl_measures){0};
    if (i + 1 < database->profiles.n && profile->shared && profile->first == profile[1].first)
        return 0;
    int result = sl_db_runs(database, profile, &measures->runs, f);
    if (!result)
        result = describe_table(database, i, &measures->table, f);
    if (!result)
        result = describe_intervals(database, profile, &measures->intervals, f);
    if (result)
        sl_measures_free(measures);
    return result;
}

void sl_measures_free(struct sl_measures *measures)
{
    free(measures->table);
    free(measures->intervals);
    sl_db_runs_free(&measures->runs);
    *measures = (struct sl_measures){0};
}

void sl_measures_print(const struct sl_db_profile *profile, const struct sl_measures *measures,
                       size_t width, FILE *out)
{
    if (measures->table)
        sl_text_paragraph(out, width, "  ", "%s", measures->table);
    if (measures->intervals)
        sl_text_paragraph(out, width, "  ", "%s", measures->intervals);
    sl_text_run_measures(profile, &measures->runs, width, out);
}
