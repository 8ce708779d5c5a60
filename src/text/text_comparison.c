/* Profiles side by side for people: a line each, what the figures are, and where
 * there are curves a plot of them.
 *
 *     profile             storage  messages  overhead   error  below 5% from  M events/s
 *     value@R256              9 B     3,906    11.72%   4.31%        700,000       412.3
 *     value@H[P256]2048    2.0 KB     3,804    11.41%   1.02%         50,000       120.0 */
#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "text_comparison_plot.h"
#include "text_table.h"
#include "utf8.h"
#include "wording.h"

#define WIDTH 100
#define NOTHING "-" /* where a figure does not apply */

enum column {
    PROFILE, STORAGE, MESSAGES, OVERHEAD, ERROR, INTERVAL, OVERLAP, DYNAMIC, BELOW, SPEED, N_COLUMNS
};

static char *percent_text(double share)
{
    return isnan(share) ? strdup(NOTHING) : sl_own_format("%.2f%%", 100 * share);
}

/* Adds a row, in which only what not every table has may be empty. */
static bool add(struct sl_text_table *table, char **cell)
{
    bool whole = true;
    for (size_t i = 0; i < N_COLUMNS; i++)
        whole = whole && (cell[i] || (i >= INTERVAL && i <= BELOW));
    return sl_text_row(table, cell) && whole;
}

static bool has_intervals(const struct sl_comparisons *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (!isnan(all->row[i].interval_error))
            return true;
    return false;
}

/* The run was long enough for overlaps of windows: both kinds side by side. */
static bool has_windows(const struct sl_comparisons *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->row[i].windows > 0)
            return true;
    return false;
}

static bool add_heading(struct sl_text_table *table, const struct sl_comparisons *all)
{
    double limit = 100 * sl_comparisons_limit(all);
    char *cell[N_COLUMNS] = {
        [PROFILE] = strdup("profile"),
        [STORAGE] = strdup("storage"),
        [MESSAGES] = strdup("messages"),
        [OVERHEAD] = strdup("overhead"),
        [ERROR] = strdup("error"),
        [INTERVAL] = has_intervals(all) ? strdup("by interval") : NULL,
        [OVERLAP] = has_windows(all) ? strdup("overlap") : NULL,
        [DYNAMIC] = has_windows(all) ? strdup("dynamic") : NULL,
        [BELOW] = all->every ? sl_own_format("below %g%% from", limit) : NULL,
        [SPEED] = strdup("M events/s"),
    };
    return add(table, cell);
}

static char *profile_text(const struct sl_comparisons *all, size_t i)
{
    const struct sl_comparison *row = &all->row[i];
    char *name = sl_utf8_printable(row->given ? row->given : row->spec);
    if (!name || !sl_plot_wanted(all))
        return name;
    char *text = sl_own_format("%c %s", sl_plot_letter(i), name);
    free(name);
    return text;
}

static char *below_text(const struct sl_comparisons *all, const struct sl_comparison *row)
{
    char number[SL_GROUPED_ROOM];
    uint64_t below = sl_comparison_below(all, row);
    if (!row->curve->n)
        return strdup(NOTHING);
    return strdup(below == UINT64_MAX ? "never" : sl_grouped(below, number));
}

static bool add_profile(struct sl_text_table *table, const struct sl_comparisons *all, size_t i)
{
    const struct sl_comparison *row = &all->row[i];
    const struct sl_table_status *status = &row->status;
    char storage[SL_GROUPED_ROOM], messages[SL_GROUPED_ROOM];
    struct sl_overhead_whole whole = sl_overhead_whole(all->instructions, all->cycles);
    double speed = sl_comparison_speed(row);
    char *cell[N_COLUMNS] = {
        [PROFILE] = profile_text(all, i),
        [STORAGE] = strdup(sl_storage(status->storage_bits, storage)),
        [MESSAGES] = strdup(status->sends ? sl_grouped(status->messages, messages) : NOTHING),
        [OVERHEAD] = percent_text(row->waited_for ? row->profiler_overhead
                                                   : sl_overhead(status, whole)),
        [ERROR] = percent_text(row->measured ? row->error : (double)NAN),
        [INTERVAL] = has_intervals(all) ? percent_text(row->interval_error) : NULL,
        [OVERLAP] = has_windows(all) ? percent_text(row->overlap) : NULL,
        [DYNAMIC] = has_windows(all) ? percent_text(row->overlap_dynamic) : NULL,
        [BELOW] = all->every ? below_text(all, row) : NULL,
        [SPEED] = isnan(speed) ? strdup(NOTHING) : sl_own_format("%.1f", speed / 1e6),
    };
    return add(table, cell);
}

/* What the figures are. */
static void explain(const struct sl_comparisons *all, FILE *out)
{
    char number[SL_GROUPED_ROOM], line[256];
    bool sends = false, unmeasured = false, waits = false;
    for (size_t i = 0; i < all->n; i++) {
        waits = waits || all->row[i].waited_for;
        sends = sends || all->row[i].status.sends;
        unmeasured = unmeasured || !all->row[i].measured;
    }
    struct sl_overhead_whole whole = sl_overhead_whole(all->instructions, all->cycles);
    snprintf(line, sizeof line, "%u cycles of software for each message, as a share of the %s %s",
             SL_MESSAGE_CYCLES, sl_grouped(whole.n, number),
             all->cycles ? "cycles of the machine" : "instructions executed");
    if (sends && whole.n)
        sl_text_wrap(line, "overhead: ", WIDTH, out);
    if (waits)
        sl_text_wrap("what the machine takes longer, because it waits for the branch queue of the "
                     "profiler", sends ? "or " : "overhead: ", WIDTH, out);
    sl_text_wrap("of a tuple's share of its instruction's executions, on average over the frequent "
                 "ones", "error: ", WIDTH, out);
    if (has_intervals(all))
        sl_text_wrap("of the counts of an interval's candidates, on average over full intervals",
                     "by interval: ", WIDTH, out);
    if (has_windows(all))
        sl_text_wrap("what the profile and the exact one have in common, by the shares of their "
                     "tuples; dynamic: of the windows of the run, a table begun anew in each, on "
                     "average", "overlap: ", WIDTH, out);
    if (unmeasured)
        sl_text_wrap("no instruction was executed so often, with tuples so frequent, that there "
                     "would be an error; --error-of sets these limits", "! ", WIDTH, out);
}

int sl_comparisons_text(const struct sl_comparisons *all, FILE *out, struct sl_failure *f)
{
    struct sl_text_table table = {.n_columns = N_COLUMNS};
    struct sl_notes notes;
    int result = sl_comparisons_notes(all, &notes, f);
    if (result)
        return result;
    for (size_t i = 0; i < N_COLUMNS; i++)
        table.column[i] = i == PROFILE ? SL_COLUMN_SHRINKS : SL_COLUMN_RIGHT;
    bool good = add_heading(&table, all);
    for (size_t i = 0; i < all->n; i++)
        good = good && add_profile(&table, all, i);
    if (good) {
        if (sl_notes_print(&notes, WIDTH, out))
            putc('\n', out);
        sl_text_fit(&table, WIDTH);
        sl_text_print(&table, WIDTH, out);
        putc('\n', out);
        explain(all, out);
    }
    sl_text_free(&table);
    sl_notes_free(&notes);
    if (!good)
        return sl_report_no_memory(f);
    if (sl_plot_wanted(all)) {
        fprintf(out, "\nerror by events\n");
        sl_plot(all, out);
    }
    return sl_report_written(out, f);
}
