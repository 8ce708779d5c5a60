/* SPDX-License-Identifier: MIT */
/* HTML report: writes the intervals of profiles over time. Each interval has its number of heavy
 * hitters (candidates), the number of new ones, and the number of those that are gone since the
 * previous interval.
 *
 *     [{"spec": "edge@multihash", "of": "edges", "each": 1,
 *       "rows": [[first event, events, candidates, entered, left, error], ...]}, ...]
 *
 * `each` is the number of intervals per row; if it is over 1, `entered` and `left` are sums,
 * candidates and error are means. */
#include <inttypes.h>
#include <math.h>

#include "page.h"

#define ROWS 500

struct phases {
    struct sl_page *page;
    uint64_t each, in, written;
    struct sl_interval_row sum;
    double error; /* sum of known errors */
    uint64_t n_errors;
};

static int count(void *context, const struct sl_interval_row *interval)
{
    (void)interval;
    ++*(uint64_t *)context;
    return 0;
}

static void write_row(struct phases *phases)
{
    struct sl_page *page = phases->page;
    const struct sl_interval_row *sum = &phases->sum;
    const uint64_t figure[] = {sum->events, (sum->candidates + phases->in / 2) / phases->in,
                               sum->entered, sum->left};
    fprintf(page->out, "%s[%" PRIu64, phases->written++ ? ",\n" : "", sum->first_event);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        fprintf(page->out, ",%" PRIu64, figure[i]);
    if (phases->n_errors)
        fprintf(page->out, ",%.6g]", phases->error / (double)phases->n_errors);
    else
        sl_page_put(page, ",null]");
    phases->sum = (struct sl_interval_row){0};
    phases->error = 0;
    phases->n_errors = phases->in = 0;
}

static int add_interval(void *context, const struct sl_interval_row *interval)
{
    struct phases *phases = context;
    struct sl_interval_row *sum = &phases->sum;
    if (!phases->in++)
        sum->first_event = interval->first_event;
    sum->events += interval->events;
    sum->candidates += interval->candidates;
    sum->entered += interval->entered;
    sum->left += interval->left;
    if (isfinite(interval->error)) {
        phases->error += interval->error;
        phases->n_errors++;
    }
    if (phases->in == phases->each)
        write_row(phases);
    return 0;
}

static bool write_profile(struct sl_page *page, const struct sl_db_profile *profile, bool first)
{
    uint64_t n = 0;
    struct phases phases = {.page = page};
    int result = sl_db_intervals(page->database, profile, count, &n, page->f);
    sl_page_fail(page, result);
    if (result || !n)
        return false;
    phases.each = (n + ROWS - 1) / ROWS;
    sl_page_members(page, first ? "{" : ",\n{",
                    json_pack("{s:o,s:o,s:I}", "spec", sl_page_string(profile->given), "of",
                              sl_page_string(sl_format_entries(profile, 2)), "each",
                              (json_int_t)phases.each));
    sl_page_put(page, ",\"rows\":[");
    sl_page_fail(page, sl_db_intervals(page->database, profile, add_interval, &phases, page->f));
    if (phases.in)
        write_row(&phases);
    sl_page_put(page, "]}");
    if (phases.each > 1)
        sl_page_left_out(page, "Phases of %s: each bar is the mean of %s intervals.",
                         profile->given, SL_NUMBER(phases.each));
    return true;
}

void sl_page_phases(struct sl_page *page)
{
    const struct sl_db_profiles *profiles = &page->database->profiles;
    bool begun = false;
    sl_page_put(page, "[");
    for (size_t i = 0; i < profiles->n && sl_page_has_space(page); i++)
        begun = write_profile(page, &profiles->profile[i], !begun) || begun;
    sl_page_put(page, "]");
}
