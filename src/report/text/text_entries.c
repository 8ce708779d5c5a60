/* SPDX-License-Identifier: MIT */
/* Text report of a profile: its top entries, and the sum of their percentages:
 *
 *     70,000  ±2.1%  92.11%  is_prime+0x14  primes.c:11  0x2a (42)
 *      5,000   ±8%    6.58%  is_prime+0x14  primes.c:11  0x7
 *                    98.68%  of 76,000 events; 4 more values
 *
 * The second column exists if counts are estimates. A path has its number of branches and their
 * outcomes, T(aken) or N(ot taken), and below it its lines:
 *
 *     70,000  92.11%  is_prime+0x14..+0x30  primes.c:11  2  NT
 *                     primes.c:11 → 12 → 10
 *
 * and with -n also its blocks. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "entry_view.h"
#include "grow.h"
#include "utf8.h"

#define SEARCHED_MAX 1000 /* entries among which entries of the program itself are searched */

enum column { COUNT, BOUNDS, SHARE, SYMBOL, LINE, BRANCHES, SECOND, SECOND_LINE };

/* Text below a row. */
struct below {
    char *lines, *blocks;
};

struct listing {
    const struct sl_output *o;
    const struct sl_db_profile *profile;
    struct sl_text_table table;
    uint64_t n, shown, shown_weight;
    bool own; /* leave out entries of the dynamic loader and PLT stubs */
    struct sl_entry_view view;
    struct below *below; /* by row; NULL unless this is a path profile */
    size_t n_below, below_capacity;
};

/* The largest distance of the true count, relative to the estimate. */
static char *bounds_text(const struct sl_db_entry *entry)
{
    uint64_t below = entry->count > entry->low ? entry->count - entry->low : 0;
    uint64_t above = entry->high > entry->count ? entry->high - entry->count : 0;
    const char *sign = !below ? "+" : !above ? "-" : "\xc2\xb1";
    double percent = 100.0 * (double)(below > above ? below : above) / (double)entry->count;
    if (percent < 0.05)
        return strdup("<0.1%");
    if (percent >= 999.5)
        return sl_asprintf("%s>999%%", sign);
    return sl_asprintf("%s%.*f%%", sign, percent < 9.95 ? 1 : 0, percent);
}

/* Adds the text below the row of a path. */
static bool add_below(struct listing *listing)
{
    if (!listing->view.paths.walks)
        return true;
    if (!SL_GROW(listing->below, listing->below_capacity, listing->n_below + 1))
        return false;
    struct below *below = &listing->below[listing->n_below++];
    below->lines = sl_path_lines(&listing->view.paths);
    below->blocks = sl_path_blocks(&listing->view.paths);
    return below->lines && below->blocks;
}

/* True for the dynamic loader and PLT stubs: they are hot in every short program, and users
 * cannot change them. */
static bool is_linker_code(const struct sl_db_location *at)
{
    size_t length = at->function ? strlen(at->function) : 0;
    return (length > 4 && !strcmp(at->function + length - 4, "@plt")) ||
           (at->object && (!strncmp(at->object, "ld-", 3) || !strncmp(at->object, "ld.so", 5)));
}

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    struct listing *listing = context;
    const struct sl_db_profile *profile = listing->profile;
    struct sl_entry_strings strings;
    if (listing->shown == listing->n || (listing->own && is_linker_code(&entry->at)))
        return 0;
    int result = sl_entry_view_look(&listing->view, entry, listing->o->f);
    if (result)
        return result;
    struct sl_text_table *table = &listing->table;
    table->failed |= !sl_entry_format(&listing->view, &strings) || !add_below(listing);
    sl_text_row(table);
    sl_text_put_number(table, COUNT, entry->count);
    if (profile->status.bounds != SL_BOUNDS_NONE && entry->count &&
        (entry->low != entry->count || entry->high != entry->count))
        sl_text_put_own(table, BOUNDS, bounds_text(entry));
    sl_text_put_percentage(table, SHARE, entry->count, profile->weight);
    sl_text_put(table, SYMBOL, strings.where);
    sl_text_put(table, LINE, strings.line);
    sl_text_put(table, BRANCHES, strings.branches);
    sl_text_put(table, SECOND, strings.second);
    sl_text_put(table, SECOND_LINE, strings.second_line);
    sl_entry_strings_free(&strings);
    listing->shown++;
    listing->shown_weight += entry->count;
    return table->failed ? sl_report_no_memory(listing->o->f) : 0;
}

static void print_below(const struct listing *listing, size_t row)
{
    char first[96];
    const struct sl_output *o = listing->o;
    const struct below *below = &listing->below[row];
    size_t indent = sl_text_end(&listing->table, SHARE) + SL_TEXT_INDENT;
    snprintf(first, sizeof first, "%*s", (int)indent, "");
    if (o->config->n) {
        if (below->lines[0])
            sl_text_wrap(below->lines, first, o->width, o->out);
        if (below->blocks[0])
            sl_text_wrap(below->blocks, first, o->width, o->out);
        return;
    }
    /* A single name is left out: it is the start of the path, which is in the row. */
    char *text = below->lines[0] ? below->lines : below->blocks;
    sl_utf8_shorten(text, o->width > indent ? o->width - indent : 1);
    if (strchr(text, ' '))
        fprintf(o->out, "%s%s\n", first, text);
}

/* Prints the sum of the percentages, and the total. */
static void print_sum(const struct listing *listing)
{
    const struct sl_db_profile *profile = listing->profile;
    char dropped[128] = "";
    uint64_t more = profile->distinct > listing->shown ? profile->distinct - listing->shown : 0;
    if (profile->status.drops && !profile->shared)
        snprintf(dropped, sizeof dropped, "; %s %s dropped", SL_NUMBER(profile->status.drops),
                 sl_format_dropped(&profile->status));
    const struct sl_text_sum sum = {listing->shown_weight,
                                    profile->weight,
                                    profile->metric->units,
                                    more,
                                    sl_format_entries(profile, more),
                                    dropped};
    sl_text_print_sum(&sum, &listing->table, SHARE, listing->o->width, listing->o->out);
}

static void free_listing(struct listing *listing)
{
    for (size_t i = 0; i < listing->n_below; i++) {
        free(listing->below[i].lines);
        free(listing->below[i].blocks);
    }
    free(listing->below);
    sl_entry_view_close(&listing->view);
    sl_text_free(&listing->table);
}

int sl_text_entries(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n)
{
    enum sl_field_type second = profile->detector->second.type;
    struct listing listing = {
        .o = o,
        .profile = profile,
        .n = n,
        .own = !o->config->n && (second == SL_FIELD_NUMBER || second == SL_FIELD_VALUE ||
                                 second == SL_FIELD_TARGET || second == SL_FIELD_CALLEE),
        /* .narrow: leave out line columns rather than shorten names below this */
        .table = {.columns = "rrrsbrsb", .narrow = 24}};
    int result = sl_entry_view_open(&listing.view, o->database, profile, o->f);
    if (!result && listing.own)
        result = sl_db_entries(o->database, profile, SEARCHED_MAX, add_entry, &listing, o->f);
    if (!result && !listing.shown) { /* all entries belong to the loader */
        listing.own = false;
        result = sl_db_entries(o->database, profile, n, add_entry, &listing, o->f);
    }
    if (!result) {
        sl_text_fit(&listing.table, o->width);
        for (size_t row = 0; row < listing.shown; row++) {
            sl_text_print_row(&listing.table, row, o->width, o->out);
            if (row < listing.n_below)
                print_below(&listing, row);
        }
        print_sum(&listing);
    }
    free_listing(&listing);
    return result;
}
