/* SPDX-License-Identifier: MIT */
/* Text report of profiles that count machine events: one row per event, with its exact count and,
 * for each profile, the estimate and its relative error. The last two rows have the mean absolute
 * error of each profile and the bits of storage per event:
 *
 *     Events by count, exact and estimated
 *       event             exact   a morris   error      b fpc   error
 *       cycles        1,317,671    838,860  -36.3%  1,130,432  -14.2%
 *       instructions    333,887    209,714  -37.2%    331,712  -0.65%
 *       mean error                           36.7%              7.43%
 *       bits per event       64         30                 12
 *
 * If that is too wide, estimates are left out; if it still is, profiles are divided among several
 * tables. Events that did not occur are left out. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "utf8.h"

#define FIRST_COLUMNS 2 /* event and exact count */
#define EXACT_BITS 64

/* The profiles of one listing. */
struct event_listing {
    const struct sl_db_profiles *profiles;
    const struct sl_measures *measures;
    size_t *in; /* indices of the profiles */
    size_t n;
    uint64_t least; /* exact counts below this are not shown */
    size_t left_out;
};

static const struct sl_db_profile *profile_of(const struct event_listing *b, size_t k)
{
    return &b->profiles->profile[b->in[k]];
}

static const struct sl_db_runs *runs_of(const struct event_listing *b, size_t k)
{
    return &b->measures[b->in[k]].runs;
}

static const struct sl_db_samples *events_of(const struct event_listing *b, size_t k)
{
    return &runs_of(b, k)->events;
}

/* ---- choice of profiles ---- */

static bool same_events(const struct sl_db_profile *a, const struct sl_db_profile *b)
{
    return a->source == b->source && a->detector == b->detector;
}

static bool is_exact(const struct sl_db_profile *profile)
{
    return !strcmp(profile->table, "exact");
}

/* Fills `in`. Returns true if profile i is in it, or is the exact profile of the same events. */
static bool gather(struct event_listing *b, size_t i)
{
    const struct sl_db_profile *profile = &b->profiles->profile[i];
    for (size_t k = 0; k < b->profiles->n; k++)
        if (b->measures[k].runs.events.n && same_events(profile, &b->profiles->profile[k]))
            b->in[b->n++] = k;
    return b->n && (b->measures[i].runs.events.n || is_exact(profile));
}

static bool is_first(const struct event_listing *b, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_events(&b->profiles->profile[i], &b->profiles->profile[k]) &&
            (b->measures[k].runs.events.n || is_exact(&b->profiles->profile[k])))
            return false;
    return true;
}

/* ---- choice of events ---- */

static int downwards(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a < b) - (a > b);
}

/* Chooses the n most frequent events. */
static bool choose(struct event_listing *b, uint64_t n)
{
    const struct sl_db_samples *events = events_of(b, 0);
    uint64_t *exact = malloc(events->n * sizeof *exact);
    if (!exact)
        return false;
    for (size_t i = 0; i < events->n; i++)
        exact[i] = events->sample[i].exact;
    SL_SORT(exact, events->n, downwards);
    b->least = n && n < events->n && exact[n - 1] ? exact[n - 1] : 1;
    for (size_t i = 0; i < events->n; i++)
        b->left_out += exact[i] && exact[i] < b->least;
    free(exact);
    return true;
}

/* ---- rows ---- */

/* n of the profiles, from index `from` on; with or without estimates. */
struct part {
    const struct event_listing *block;
    size_t from, n;
    bool counts;
};

static size_t error_column(const struct part *p, size_t k)
{
    return FIRST_COLUMNS + (p->counts ? 2 * k + 1 : k);
}

static char letter_of(size_t k)
{
    return (char)('a' + k % 26);
}

static void add_header(struct sl_text_table *table, const struct part *p)
{
    sl_text_row(table);
    sl_text_put(table, 0, "event");
    sl_text_put(table, 1, "exact");
    for (size_t k = 0; k < p->n; k++) {
        size_t error = error_column(p, k);
        if (p->counts)
            sl_text_put(table, error, "error");
        /* the name of the table, with its letter if there are several */
        const char *name = profile_of(p->block, p->from + k)->notation;
        char *title = p->block->n > 1 ? sl_asprintf("%c %s", letter_of(p->from + k), name)
                                      : strdup(name);
        sl_text_put_own(table, p->counts ? error - 1 : error, sl_own_printable(title));
    }
}

static void add_event(struct sl_text_table *table, const struct part *p, size_t event)
{
    char percent[SL_FORMAT_SIZE];
    const struct event_listing *b = p->block;
    const struct sl_db_sample *first = &events_of(b, 0)->sample[event];
    sl_text_row(table);
    sl_text_put_own(table, 0, sl_utf8_printable(first->name));
    sl_text_put_number(table, 1, first->exact);
    for (size_t k = 0; k < p->n; k++) {
        const struct sl_db_samples *events = events_of(b, p->from + k);
        size_t error = error_column(p, k);
        if (event >= events->n)
            continue;
        const struct sl_db_sample *sample = &events->sample[event];
        sl_text_put(table, error, sl_format_percent(sample->value[0], true, percent));
        if (p->counts)
            sl_text_put_number(table, error - 1, sample->count);
    }
}

static double mean_error(const struct sl_db_samples *events)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < events->n; i++)
        if (!isnan(events->sample[i].value[0])) {
            sum += fabs(events->sample[i].value[0]);
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

static void add_sums(struct sl_text_table *table, const struct part *p)
{
    char percent[SL_FORMAT_SIZE];
    const struct event_listing *b = p->block;
    sl_text_row(table);
    sl_text_put(table, 0, "mean error");
    for (size_t k = 0; k < p->n; k++)
        sl_text_put(table, error_column(p, k),
                    sl_format_percent(mean_error(events_of(b, p->from + k)), false, percent));
    sl_text_row(table);
    sl_text_put(table, 0, "bits per event");
    sl_text_put_format(table, 1, "%d", EXACT_BITS);
    for (size_t k = 0; k < p->n; k++)
        sl_text_put_format(table, error_column(p, k) - p->counts, "%.4g",
                           sl_db_event_bits(profile_of(b, p->from + k), runs_of(b, p->from + k)));
}

static bool fill(struct sl_text_table *table, const struct part *p)
{
    const struct sl_db_samples *events = events_of(p->block, 0);
    *table = (struct sl_text_table){.columns = "l"};
    memset(table->columns + 1, 'r', FIRST_COLUMNS - 1 + (p->counts ? 2 : 1) * p->n);
    add_header(table, p);
    for (size_t i = 0; i < events->n; i++)
        if (events->sample[i].exact >= p->block->least)
            add_event(table, p, i);
    add_sums(table, p);
    return !table->failed;
}

/* ---- tables ---- */

/* Prints the part, unless it is too wide and not `force`. Returns false if out of memory. */
static bool print_part(const struct part *p, size_t width, bool force, FILE *out, bool *printed)
{
    struct sl_text_table table;
    bool whole = fill(&table, p);
    sl_text_fit(&table, width);
    *printed = whole && (force || sl_text_end(&table, strlen(table.columns) - 1) <= width);
    if (*printed)
        sl_text_print(&table, width, out);
    sl_text_free(&table);
    return whole;
}

/* Prints as many profiles as fit, and sets *n to their number. */
static bool print_some(const struct event_listing *b, size_t from, size_t width, FILE *out,
                       size_t *n)
{
    const size_t most = SL_TEXT_COLUMNS_MAX - FIRST_COLUMNS;
    struct part p = {.block = b, .from = from, .n = b->n - from < most ? b->n - from : most};
    bool printed = false, whole = true;
    for (; whole && !printed; p.n -= !printed) {
        p.counts = p.n <= most / 2;
        if (p.counts)
            whole = print_part(&p, width, false, out, &printed);
        p.counts = false;
        if (whole && !printed)
            whole = print_part(&p, width, p.n == 1, out, &printed);
    }
    *n = p.n;
    return whole;
}

/* Prints the profile of each letter, unless the table's name identifies it. */
static void print_letters(const struct event_listing *b, size_t width, FILE *out)
{
    for (size_t k = 0; k < b->n; k++) {
        const struct sl_db_profile *profile = profile_of(b, k);
        size_t length = strlen(profile->given), name = strlen(profile->notation);
        bool says_all = length > name && !strcmp(profile->given + length - name, profile->notation);
        char first[8];
        snprintf(first, sizeof first, "  %c  ", letter_of(k));
        if (!says_all)
            sl_text_paragraph(out, width, b->n > 1 ? first : "  ", "%s", profile->given);
    }
}

static bool print(struct event_listing *b, uint64_t n, size_t width, FILE *out)
{
    char heading[128];
    if (!choose(b, n))
        return false;
    sl_format_heading(profile_of(b, 0), heading, sizeof heading);
    fprintf(out, "\n%s, exact and estimated\n", heading);
    bool whole = true;
    for (size_t from = 0, done = 0; from < b->n && whole; from += done)
        whole = print_some(b, from, width, out, &done);
    if (b->left_out)
        fprintf(out, "  %zu more event%s, included in the mean error\n", b->left_out,
                b->left_out == 1 ? "" : "s");
    print_letters(b, width, out);
    for (size_t k = 0; k < b->n; k++)
        sl_text_run_events(profile_of(b, k), runs_of(b, k), b->least, width, out);
    return whole;
}

int sl_text_events(const struct sl_output *o, const struct sl_measures *measures, size_t i,
                   char **text)
{
    const struct sl_db_profiles *profiles = &o->database->profiles;
    struct event_listing b = {
        .profiles = profiles, .measures = measures, .in = calloc(profiles->n, sizeof *b.in)};
    size_t size;
    bool whole = b.in;
    *text = NULL;
    if (b.in && gather(&b, i)) {
        FILE *out = open_memstream(text, &size);
        whole = out && (!is_first(&b, i) || print(&b, o->config->n, o->width, out));
        whole = out && !fclose(out) && whole;
    }
    free(b.in);
    if (whole)
        return 0;
    free(*text);
    *text = NULL;
    return sl_report_no_memory(o->f);
}
