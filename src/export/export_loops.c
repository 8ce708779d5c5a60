/* Loops, the costliest first: what they cost, how often they were entered, and iterations.
 *
 *     share        cost   trips  iterations  a trip  loop
 *     25.78%  6,170,065  213,656     397,337     1.9  msort_with_tmp+0x260..+0x296  msort.c:64-72
 *
 * From the first profile of loops that is not by count, and the first ones by count of
 * iterations and of trips, if there are such. What is in no loop is added up below. */
#include <stdlib.h>
#include <string.h>

#include "call_costs.h"
#include "entry_view.h"
#include "exporter.h"
#include "failure.h"
#include "grow.h"
#include "loop.h"
#include "text_head.h"
#include "text_table.h"
#include "utf8.h"

#define ROWS 30 /* unless a number is given */

enum figure { COST, TRIPS, ITERATIONS, N_FIGURES };

struct row {
    uint64_t figure[N_FIGURES];
    char *name, *lines; /* the second may be NULL */
};

struct loops {
    const struct sl_saved_profile *profile[N_FIGURES]; /* NULL: there is none */
    struct sl_index_map numbers;
    struct row *row; /* by number */
    size_t n, room;
    uint64_t outside;
    enum figure reading;
};

/* ---- reading --------------------------------------------------------------------- */

static void find_profiles(struct loops *l, const struct sl_saved_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++) {
        const struct sl_saved_profile *p = &profiles->profile[i];
        const struct sl_loop_config *config = p->config;
        if (p->detector != &sl_detector_loop || sl_saved_overlaps(p))
            continue;
        enum figure is = p->metric->weigh ? COST : config->trips ? TRIPS : ITERATIONS;
        if (!l->profile[is])
            l->profile[is] = p;
    }
}

static int add_entry(void *context, const struct sl_saved_entry *entry)
{
    struct loops *l = context;
    const struct sl_entry_view view = {.profile = l->profile[l->reading]};
    if (!entry->value) {
        l->outside += l->reading == COST ? entry->count : 0;
        return 0;
    }
    uint32_t n = sl_index_intern(&l->numbers, entry->at.address, entry->value);
    if (n == SL_NO_INDEX || !SL_GROW(l->row, l->room, (size_t)n + 1))
        return SL_ENOMEM;
    if (n == l->n) {
        l->n++;
        l->row[n].name = sl_entry_text(&view, entry);
        l->row[n].lines = sl_own_printable(sl_saved_lines(&entry->at, &entry->to));
    }
    l->row[n].figure[l->reading] = entry->count;
    return l->row[n].name ? 0 : SL_ENOMEM;
}

static int costlier(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    for (int i = COST; i < N_FIGURES; i++)
        if (a->figure[i] != b->figure[i])
            return a->figure[i] > b->figure[i] ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int load(struct loops *l, struct sl_database *database, struct sl_failure *f)
{
    int result = 0;
    find_profiles(l, &database->profiles);
    if (!l->profile[COST])
        return sl_fail(f, SL_EUSAGE, "this format is made from profiles of loops, and the database "
                       "has none; run it with the profiles loop, loop:count and "
                       "loop(trips=1):count, or with this format");
    for (l->reading = COST; l->reading < N_FIGURES && !result; l->reading++)
        if (l->profile[l->reading])
            result = sl_saved_entries(database, l->profile[l->reading], 0, add_entry, l, f);
    if (result == SL_ENOMEM)
        return sl_report_no_memory(f);
    if (l->n)
        qsort(l->row, l->n, sizeof *l->row, costlier);
    return result;
}

/* ---- writing --------------------------------------------------------------------- */

enum column { SHARE, OWN, ENTERED, ITERATED, A_TRIP, NAME, LINES, N_COLUMNS };

static void add_head(struct sl_text_table *table, const struct loops *l)
{
    bool both = l->profile[TRIPS] && l->profile[ITERATIONS];
    sl_text_row(table);
    sl_text_put(table, SHARE, "share");
    sl_text_put(table, OWN, "cost");
    sl_text_put(table, ENTERED, l->profile[TRIPS] ? "trips" : NULL);
    sl_text_put(table, ITERATED, l->profile[ITERATIONS] ? "iterations" : NULL);
    sl_text_put(table, A_TRIP, both ? "a trip" : NULL);
    sl_text_put(table, NAME, "loop");
}

static void add_row(struct sl_text_table *table, const struct loops *l, const struct row *row)
{
    char average[SL_AVERAGE_ROOM];
    const uint64_t *figure = row->figure;
    sl_text_row(table);
    sl_text_put_share(table, SHARE, figure[COST], l->profile[COST]->weight);
    sl_text_put_number(table, OWN, figure[COST]);
    if (l->profile[TRIPS])
        sl_text_put_number(table, ENTERED, figure[TRIPS]);
    if (l->profile[ITERATIONS])
        sl_text_put_number(table, ITERATED, figure[ITERATIONS]);
    if (figure[TRIPS] && figure[ITERATIONS])
        sl_text_put(table, A_TRIP, sl_average(figure[ITERATIONS], figure[TRIPS], average));
    sl_text_put(table, NAME, row->name);
    sl_text_put(table, LINES, row->lines);
}

static bool print_rows(const struct loops *l, size_t n, size_t width, FILE *out)
{
    struct sl_text_table table = {
        .n_columns = N_COLUMNS,
        .column = {SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT,
                   SL_COLUMN_RIGHT, SL_COLUMN_SHRINKS, SL_COLUMN_SHRINKS | SL_COLUMN_GOES},
    };
    add_head(&table, l);
    for (size_t i = 0; i < n; i++)
        add_row(&table, l, &l->row[i]);
    return sl_text_finish(&table, width, out);
}

static int print(const struct loops *l, const struct sl_database *database,
                 const struct sl_report_config *config, FILE *out, struct sl_failure *f)
{
    const struct sl_saved_profile *cost = l->profile[COST];
    size_t width = sl_text_width(config), n = config->n ? config->n : ROWS;
    char line[256], a[SL_WORDING_ROOM], b[SL_WORDING_ROOM];
    n = n < l->n ? n : l->n;
    int printed = sl_text_head(database, width, out, f);
    if (printed < 0)
        return printed;
    fprintf(out, "\nLoops by %s\n", cost->metric->units);
    if (!print_rows(l, n, width, out))
        return sl_report_no_memory(f);
    size_t used = (size_t)snprintf(line, sizeof line, "of %s %s, %s (%.2f%%) in no loop",
                                   sl_wording_number(cost->weight, a), cost->metric->units,
                                   sl_wording_number(l->outside, b),
                                   cost->weight ? 100.0 * (double)l->outside / (double)cost->weight
                                                : 0.0);
    if (l->n > n)
        snprintf(line + used, sizeof line - used, "; %s more loops", sl_wording_number(l->n - n,
                                                                                       a));
    putc('\n', out);
    sl_text_wrap(line, "", width, out);
    return 0;
}

static int write_loops(struct sl_database *database, const struct sl_report_config *config,
                       FILE *out, struct sl_failure *f)
{
    struct loops l = {.n = 0};
    int result = load(&l, database, f);
    if (!result)
        result = print(&l, database, config, out, f);
    for (size_t i = 0; i < l.n; i++) {
        free(l.row[i].name);
        free(l.row[i].lines);
    }
    free(l.row);
    sl_index_free(&l.numbers);
    return result;
}

static const char *const plain[] = {"loop", "loop:count", "loop(trips=1):count", NULL};
static const char *const cycles[] = {"loop:cycles", "loop:count", "loop(trips=1):count", NULL};

const struct sl_exporter sl_loops_exporter = {
    .name = "loops",
    .summary = "loops: what they cost, how often they were entered, iterations",
    .usual = {plain, cycles},
    .write = write_loops,
};
