/* SPDX-License-Identifier: MIT */
/* Report format `text`: one screen with the command, warnings, totals of the CPU model if there is
 * one, and the top entries of each profile.
 *
 *     ./primes 10000 (x86-64)
 *     2,837,443 instructions, 553,612 blocks, 1 thread
 *
 *     Functions by instructions
 *       2,500,000   88.11%  is_prime  primes.c:6
 *         300,000   10.57%  main      primes.c:14
 *                   98.68%  of 2,837,443 instructions; 412 more functions */
#include <stdlib.h>
#include <string.h>

#include "event_set.h"
#include "exporter.h"
#include "text.h"
#include "utf8.h"

#define SCREEN_LINES 38 /* of 40, less the command and the next prompt */
#define LEAST_ENTRIES 3
#define AROUND_ENTRIES 3 /* further lines of a profile: empty line, heading, sum */

/* ---- profiles ---- */

/* State of the report. */
struct page {
    struct sl_text text;
    const struct sl_db_profiles *profiles;
    struct sl_measures *measures; /* by profile */
    struct sl_db_sequence *sequence;
    struct sl_hints hints; /* empty if config->n is set */
    uint64_t *n;           /* number of entries to print, by profile */
    char **replacement;    /* by profile: text that replaces entries and statistics; NULL: none */
};

/* Prints the heading, with the spec if the table is not exact or if another profile has the same
 * heading. */
static void print_heading(const struct sl_db_profiles *profiles, size_t i, size_t width, FILE *out)
{
    const struct sl_db_profile *profile = &profiles->profile[i];
    char heading[128], other[128];
    bool alone = !strcmp(profile->table, "exact");
    sl_format_heading(profile, heading, sizeof heading);
    if (sl_text_is_lines(profiles, i))
        snprintf(heading, sizeof heading, "Lines by %s", profile->metric->by);
    for (size_t k = 0; k < profiles->n; k++) {
        sl_format_heading(&profiles->profile[k], other, sizeof other);
        alone = alone && (k == i || strcmp(heading, other));
    }
    sl_utf8_shorten(heading, width);
    fprintf(out, "\n%s", heading);
    size_t left = width - strlen(heading);
    const char *shown = strlen(profile->spec) + 2 > left ? profile->given : profile->spec;
    char *spec = alone || left < 16 ? NULL : sl_utf8_printable(shown);
    if (spec) {
        sl_utf8_shorten(spec, left - 2);
        fprintf(out, "  %s", spec);
    }
    free(spec);
    putc('\n', out);
}

static int print_profile(const struct page *page, size_t i)
{
    const struct sl_text *t = &page->text;
    const struct sl_db_profile *profile = &page->profiles->profile[i];
    int result = 0;
    print_heading(page->profiles, i, t->width, t->out);
    if (profile->saved && sl_text_is_lines(page->profiles, i))
        result = sl_text_lines(t, profile, page->n[i]);
    else if (profile->saved && sl_text_is_functions(page->profiles, i))
        result = sl_text_functions(t, profile, page->n[i]);
    else if (profile->saved)
        result = sl_text_entries(t, profile, page->n[i]);
    else
        fprintf(t->out, "  none\n");
    sl_measures_print(profile, &page->measures[i], t->width, t->out);
    return result;
}

/* Chooses the number of entries of each profile, and of its subpaths: `given`, or as many as fill a
 * screen. Profiles take turns, so that one with few entries leaves its lines to the others. */
static void choose(struct page *page, size_t used)
{
    const struct sl_db_profiles *profiles = page->profiles;
    const struct sl_db_sequence *sequence = page->sequence;
    uint64_t *n = page->n, given = page->text.config->n;
    long left = SCREEN_LINES - (long)used;
    bool progress = true;
    for (size_t i = 0; i < profiles->n; i++) {
        left -= page->replacement[i] ? 0 : AROUND_ENTRIES;
        left -= sequence[i].found ? SL_TEXT_SUBPATHS_AROUND : 0;
        n[i] = given;
    }
    for (uint64_t round = 0; !given && progress; round++) {
        progress = false;
        for (size_t i = 0; i < profiles->n; i++)
            if (!page->replacement[i] && profiles->profile[i].saved > n[i] &&
                (left > 0 || round < LEAST_ENTRIES)) {
                left -= (long)sl_text_entry_lines(&profiles->profile[i]);
                left -= n[i]++ < sequence[i].subpaths ? SL_TEXT_SUBPATH_LINES : 0;
                progress = true;
            }
    }
}

/* True for profiles that `annotate` shows: they are left out if functions by a machine event are on
 * the screen. */
static bool is_for_annotate(const struct sl_db_profiles *profiles, size_t i, uint64_t given)
{
    bool costs = false, functions = false;
    for (size_t k = 0; k < profiles->n; k++) {
        costs |= profiles->profile[k].detector->second.type == SL_FIELD_CAUSE;
        functions |= sl_detector_counts_functions(profiles->profile[k].detector) &&
                     profiles->profile[k].metric->machine_events;
    }
    return !given && costs && functions &&
           (profiles->profile[i].detector->second.type == SL_FIELD_CAUSE ||
            sl_text_is_lines(profiles, i));
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

/* Loads all but the entries. Adds the number of their lines to *lines. */
static int load_measures(struct page *page, size_t *lines)
{
    const struct sl_text *t = &page->text;
    const struct sl_db_profiles *profiles = page->profiles;
    int result = 0;
    for (size_t i = 0; !result && i < profiles->n; i++) {
        result = sl_db_sequence(t->database, &profiles->profile[i], &page->sequence[i], t->f);
        if (!result)
            result = sl_measures_load(t->database, i, &page->measures[i], t->f);
    }
    for (size_t i = 0; !result && i < profiles->n; i++) {
        result = sl_text_events(t, page->measures, i, &page->replacement[i]);
        if (!result &&
            (sl_text_is_in_functions(profiles, i) || is_for_annotate(profiles, i, t->config->n)) &&
            !page->replacement[i] && !(page->replacement[i] = strdup("")))
            result = sl_report_no_memory(t->f);
        *lines += result                 ? 0
                  : page->replacement[i] ? lines_of(page->replacement[i])
                                         : sl_measures_print(&profiles->profile[i],
                                                             &page->measures[i], t->width, NULL);
    }
    return result;
}

/* True if a profile lists all machine events, so that totals are not needed. */
static bool lists_all_events(const struct page *page)
{
    bool all = false;
    for (size_t i = 0; i < page->profiles->n; i++)
        all |= page->measures[i].runs.events.n == SL_FABRIC_COUNTERS;
    return all;
}

static int print_page(struct page *page)
{
    const struct sl_text *t = &page->text;
    const struct sl_db_profile *profile = page->profiles->profile;
    size_t lines = 0;
    int result = load_measures(page, &lines);
    int printed = result ? result : sl_text_head(t);
    if (printed < 0)
        return printed;
    lines += (size_t)printed;
    printed = lists_all_events(page)
                  ? 0
                  : sl_text_machine(&t->database->machine, t->width, t->out, t->f);
    if (printed < 0)
        return printed;
    lines += (size_t)printed;
    if ((printed = sl_text_machines(t)) < 0)
        return printed;
    lines += (size_t)printed;
    if (!t->config->n) {
        result = sl_hints_make(&page->hints, t->database, t->f);
        lines += sl_text_hints(&page->hints, t->width, NULL);
    }
    choose(page, lines);
    for (size_t i = 0; !result && i < page->profiles->n; i++) {
        if (page->replacement[i]) {
            fputs(page->replacement[i], t->out);
            continue;
        }
        result = print_profile(page, i);
        if (!result)
            result = sl_text_phases(t, &profile[i], page->n[i]);
        if (!result && page->sequence[i].found)
            result = sl_text_subpaths(t, &profile[i], &page->sequence[i], page->n[i]);
    }
    if (!result)
        sl_text_hints(&page->hints, t->width, t->out);
    return result;
}

/* With the default profiles, the first screen is an overview. With config->n, all profiles follow.
 */
static int print_report(struct page *page)
{
    const struct sl_text *t = &page->text;
    const struct sl_db_profile *functions = t->database->program.default_profiles
                                                ? sl_text_functions_profile(page->profiles)
                                                : NULL;
    return functions && !t->config->n ? sl_text_overview(t, functions) : print_page(page);
}

static int write_text(struct sl_database *database, const struct sl_report_config *config,
                      FILE *out, struct sl_failure *f)
{
    size_t n = database->profiles.n;
    struct page page = {.text = {database, config, sl_text_width(config), out, f},
                        .profiles = &database->profiles,
                        .measures = calloc(n + 1, sizeof *page.measures),
                        .sequence = calloc(n + 1, sizeof *page.sequence),
                        .n = calloc(n + 1, sizeof *page.n),
                        .replacement = calloc(n + 1, sizeof *page.replacement)};
    bool whole = page.measures && page.n && page.sequence && page.replacement;
    int result = whole ? print_report(&page) : sl_report_no_memory(f);
    for (size_t i = 0; page.measures && i < n; i++)
        sl_measures_free(&page.measures[i]);
    for (size_t i = 0; page.replacement && i < n; i++)
        free(page.replacement[i]);
    sl_hints_free(&page.hints);
    free(page.replacement);
    free(page.measures);
    free(page.n);
    free(page.sequence);
    return result ? result : sl_text_processes(&page.text);
}

const struct sl_exporter sl_text_exporter = {
    .name = "text",
    .summary = "readable summary of one screen (the default)",
    .write = write_text,
};
