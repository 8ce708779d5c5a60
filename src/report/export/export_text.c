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
#define NEXT_LINES 3    /* with which `run` ends after the default profiles: further commands */
#define LEAST_ENTRIES 3
#define PATH_LINES 2     /* of a path; other entries have one line */
#define AROUND_ENTRIES 3 /* further lines of a profile: empty line, heading, sum */

/* State of the report. */
struct page {
    const struct sl_output *o;
    const struct sl_db_profiles *profiles;
    struct sl_measures *measures; /* by profile */
    struct section {
        struct sl_db_sequence sequence;
        uint64_t n;    /* number of entries to print */
        bool replaced; /* `text` replaces the entries and statistics */
        char *text;    /* otherwise, statistics */
    } * section;       /* by profile */
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
    const struct sl_output *o = page->o;
    const struct section *s = &page->section[i];
    const struct sl_db_profile *profile = &page->profiles->profile[i];
    int result = 0;
    print_heading(page->profiles, i, o->width, o->out);
    if (profile->saved && sl_text_is_lines(page->profiles, i))
        result = sl_text_lines(o, profile, s->n);
    else if (profile->saved && sl_text_is_functions(page->profiles, i))
        result = sl_text_functions(o, profile, s->n);
    else if (profile->saved)
        result = sl_text_entries(o, profile, s->n);
    else
        fprintf(o->out, "  none\n");
    fputs(s->text, o->out);
    if (!result)
        result = sl_text_phases(o, profile, s->n);
    if (!result && s->sequence.found)
        result = sl_text_subpaths(o, profile, &s->sequence, s->n);
    return result;
}

/* Chooses the number of entries of each profile, and of its subpaths: `given`, or as many as fill a
 * screen. Profiles take turns, so that one with few entries leaves its lines to the others. */
static void choose(struct page *page, size_t used)
{
    const struct sl_db_profiles *profiles = page->profiles;
    uint64_t given = page->o->config->n;
    bool has_next = page->o->database->program.default_profiles;
    long left = SCREEN_LINES - (has_next ? NEXT_LINES : 0) - (long)used;
    bool progress = true;
    for (size_t i = 0; i < profiles->n; i++) {
        left -= page->section[i].replaced ? 0 : AROUND_ENTRIES;
        left -= page->section[i].sequence.found ? SL_TEXT_SUBPATHS_AROUND : 0;
        page->section[i].n = given;
    }
    for (uint64_t round = 0; !given && progress; round++) {
        progress = false;
        for (size_t i = 0; i < profiles->n; i++) {
            struct section *s = &page->section[i];
            if (!s->replaced && profiles->profile[i].saved > s->n &&
                (left > 0 || round < LEAST_ENTRIES)) {
                left -= profiles->profile[i].detector->second.type == SL_FIELD_OUTCOMES ? PATH_LINES
                                                                                        : 1;
                left -= s->n++ < s->sequence.subpaths ? SL_TEXT_SUBPATH_LINES : 0;
                progress = true;
            }
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

/* The statistics of a profile. */
struct statistics {
    const struct sl_db_profile *profile;
    const struct sl_measures *measures; /* NULL: another text replaces them */
};

static int print_measures(const struct sl_output *o, const void *context)
{
    const struct statistics *s = context;
    if (s->measures)
        sl_measures_print(s->profile, s->measures, o->width, o->out);
    return 0;
}

/* Loads all but the entries. Adds the number of their lines to *lines. */
static int load_measures(struct page *page, size_t *lines)
{
    const struct sl_output *o = page->o;
    const struct sl_db_profiles *profiles = page->profiles;
    int result = 0;
    for (size_t i = 0; !result && i < profiles->n; i++) {
        result = sl_db_sequence(o->database, &profiles->profile[i], &page->section[i].sequence,
                                o->f);
        if (!result)
            result = sl_measures_load(o->database, i, &page->measures[i], o->f);
    }
    for (size_t i = 0; !result && i < profiles->n; i++) {
        struct section *s = &page->section[i];
        result = sl_text_events(o, page->measures, i, &s->text);
        s->replaced = s->text || sl_text_is_in_functions(profiles, i) ||
                      is_for_annotate(profiles, i, o->config->n);
        const struct statistics of = {&profiles->profile[i],
                                      s->replaced ? NULL : &page->measures[i]};
        if (!result && !s->text)
            result = sl_text_print_to(o, print_measures, &of, &s->text);
        *lines += sl_text_count_lines(s->text);
    }
    return result;
}

/* Prints what is above the profiles. If a profile lists all machine events, totals are not
 * needed. */
static int print_top(const struct sl_output *o, const void *context)
{
    const struct page *page = context;
    bool all = false;
    for (size_t i = 0; i < page->profiles->n; i++)
        all |= page->measures[i].runs.events.n == SL_FABRIC_COUNTERS;
    int result = sl_text_head(o);
    if (!result && !all)
        result = sl_text_machine(&o->database->machine, o->width, o->out, o->f);
    return result ? result : sl_text_machines(o);
}

static int print_page(struct page *page)
{
    const struct sl_output *o = page->o;
    char *top = NULL, *hints = NULL;
    size_t lines = 0;
    int result = load_measures(page, &lines);
    if (!result)
        result = sl_text_print_to(o, print_top, page, &top);
    fputs(top ? top : "", o->out);
    if (!result && !o->config->n)
        result = sl_text_hints(o, &hints);
    if (!result)
        choose(page, lines + sl_text_count_lines(top) + sl_text_count_lines(hints));
    for (size_t i = 0; !result && i < page->profiles->n; i++)
        if (page->section[i].replaced)
            fputs(page->section[i].text, o->out);
        else
            result = print_profile(page, i);
    fputs(!result && hints ? hints : "", o->out);
    free(top);
    free(hints);
    return result ? result : sl_text_processes(o);
}

/* With the default profiles, the first screen is an overview. With config->n, all profiles are
 * listed. */
static int print_report(struct page *page)
{
    const struct sl_output *o = page->o;
    const struct sl_db_profile *functions = o->database->program.default_profiles
                                                ? sl_text_functions_profile(page->profiles)
                                                : NULL;
    return functions && !o->config->n ? sl_text_overview(o, functions) : print_page(page);
}

static int write_text(const struct sl_output *o)
{
    size_t n = o->database->profiles.n;
    struct page page = {.o = o,
                        .profiles = &o->database->profiles,
                        .measures = calloc(n + 1, sizeof *page.measures),
                        .section = calloc(n + 1, sizeof *page.section)};
    bool whole = page.measures && page.section;
    int result = whole ? print_report(&page) : sl_report_no_memory(o->f);
    for (size_t i = 0; whole && i < n; i++) {
        sl_measures_free(&page.measures[i]);
        free(page.section[i].text);
    }
    free(page.measures);
    free(page.section);
    return result;
}

const struct sl_exporter sl_text_exporter = {
    .name = "text",
    .summary = "readable summary of one screen (the default)",
    .write = write_text,
};
