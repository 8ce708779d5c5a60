/* Two lines at most:
 *
 *     storage 2.0 KB, 297 messages (overhead 0.31% of instructions), 1,200 not sent, error 2.93%
 *     40 intervals, 12.3 candidates in each, 93.1% of them stay to the next */
#include "text_measures.h"

#include <stdlib.h>
#include <string.h>

#include "overhead.h"
#include "text_table.h"
#include "utf8.h"

/* A line that grows part by part. */
struct line {
    char *text;
    size_t length;
    FILE *out;
    bool begun;
};

static bool open_line(struct line *line)
{
    *line = (struct line){0};
    line->out = open_memstream(&line->text, &line->length);
    return line->out;
}

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(line->begun ? ", " : "", line->out);
    vfprintf(line->out, format, arguments);
    va_end(arguments);
    line->begun = true;
}

/* The line, or NULL if nothing is in it. */
static char *close_line(struct line *line)
{
    bool whole = !fclose(line->out);
    if (whole && line->begun)
        return line->text;
    free(line->text);
    return NULL;
}

/* ---- the table ----------------------------------------------------------- */

static bool same_table(const struct sl_saved_profile *a, const struct sl_saved_profile *b)
{
    return a->shared && b->shared && !strcmp(a->spec, b->spec);
}

static void add_messages(struct line *line, const struct sl_saved_profile *profile,
                         uint64_t instructions)
{
    const struct sl_table_status *status = &profile->status;
    char number[SL_GROUPED_ROOM];
    sl_grouped(status->messages, number);
    if (instructions)
        add(line, "%s message%s (overhead %.2f%% of instructions)", number,
            status->messages == 1 ? "" : "s", 100 * sl_overhead(status, instructions));
    else
        add(line, "%s message%s", number, status->messages == 1 ? "" : "s");
    if (status->residue)
        add(line, "%s not sent", sl_grouped(status->residue, number));
}

/* The error of the whole profile and that of its intervals; what these are made of is
 * for other formats. */
static int add_error(void *context, const struct sl_figure *error)
{
    bool of_intervals = !strcmp(error->name, "interval");
    if ((of_intervals || !strcmp(error->name, "invariance")) && !isnan(error->value))
        add(context, "%serror %.2f%%", of_intervals ? "interval " : "", 100 * error->value);
    return 0;
}

static int say_table(sqlite3 *database, const struct sl_told *told, size_t i, char **text,
                     struct sl_failure *f)
{
    const struct sl_saved_profile *profile = &told->profiles.profile[i];
    const struct sl_table_status *status = &profile->status;
    char number[SL_GROUPED_ROOM];
    struct line line;
    if (!open_line(&line))
        return sl_report_no_memory(f);
    if (strcmp(profile->table, "exact"))
        add(&line, "%sstorage %s", profile->shared ? "together: " : "",
            sl_storage(status->storage_bits, number));
    if (status->sends)
        add_messages(&line, profile, told->program.instructions);
    if (profile->shared && status->drops)
        add(&line, "%s %s were not kept", sl_grouped(status->drops, number), sl_dropped(status));
    int result = sl_saved_errors(database, profile, add_error, &line, f);
    *text = close_line(&line);
    return result;
}

/* ---- intervals ------------------------------------------------------------ */

struct intervals {
    uint64_t n, whole;           /* whole: they ended before the run did */
    uint64_t candidates, drops;  /* of whole ones; of all */
    uint64_t stayed, left;       /* from one whole one to the next */
};

static int add_interval(void *context, const struct sl_result_interval *interval)
{
    struct intervals *all = context;
    all->drops += interval->drops;
    if (!interval->partial) {
        all->whole++;
        all->candidates += interval->candidates;
        if (all->n) {
            all->stayed += interval->candidates - interval->entered;
            all->left += interval->left;
        }
    }
    all->n++;
    return 0;
}

static int say_intervals(sqlite3 *database, const struct sl_saved_profile *profile, char **text,
                         struct sl_failure *f)
{
    char number[SL_GROUPED_ROOM];
    struct intervals all = {0};
    struct line line;
    int result = sl_saved_intervals(database, profile, add_interval, &all, f);
    if (result || !all.n)
        return result;
    if (!open_line(&line))
        return sl_report_no_memory(f);
    add(&line, "%s interval%s", sl_grouped(all.n, number), all.n == 1 ? "" : "s");
    if (!all.whole)
        add(&line, "cut short by the run's end");
    else
        add(&line, "%.1f candidates in each", (double)all.candidates / (double)all.whole);
    if (all.stayed + all.left)
        add(&line, "%.1f%% of them stay to the next",
            100.0 * (double)all.stayed / (double)(all.stayed + all.left));
    if (all.drops)
        add(&line, "%s found no room", sl_grouped(all.drops, number));
    *text = close_line(&line);
    return 0;
}

/* ---- both ----------------------------------------------------------------- */

int sl_measures_load(sqlite3 *database, const struct sl_told *told, size_t i,
                     struct sl_measures *measures, struct sl_failure *f)
{
    const struct sl_saved_profile *profile = &told->profiles.profile[i];
    *measures = (struct sl_measures){0};
    if (i + 1 < told->profiles.n && same_table(profile, profile + 1))
        return 0;
    int result = say_table(database, told, i, &measures->table, f);
    if (!result)
        result = say_intervals(database, profile, &measures->intervals, f);
    if (result)
        sl_measures_free(measures);
    return result;
}

void sl_measures_free(struct sl_measures *measures)
{
    free(measures->table);
    free(measures->intervals);
    *measures = (struct sl_measures){0};
}

size_t sl_measures_print(const struct sl_measures *measures, size_t width, FILE *out)
{
    const char *text[] = {measures->table, measures->intervals};
    size_t lines = 0;
    for (size_t i = 0; i < 2; i++) {
        char *clean = text[i] ? sl_utf8_printable(text[i]) : NULL;
        lines += clean ? sl_text_wrap(clean, "  ", width, out) : 0;
        free(clean);
    }
    return lines;
}
