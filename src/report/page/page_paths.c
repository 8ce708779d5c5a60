/* SPDX-License-Identifier: MIT */
/* HTML report: writes the data of hot paths with their blocks (path_view.h), from the first path
 * profile:
 *
 *     {"units": "times", "total": N,
 *      "blocks": [["is_prime+0x14", "primes.c:22", "primes.c:23"], ...],
 *      "rows": [[count, low, high, "TNT", whole, [block, block, ...]], ...]}
 *
 * A block is its start, its line, and the line of the branch at its end; low and high are the
 * bounds of the count; they are null if the table has none. */
#include <stdlib.h>

#include "entry_view.h"
#include "page.h"
#include "utf8.h"

#define PATHS 150

struct paths {
    struct sl_page *page;
    const struct sl_db_profile *profile;
    struct sl_entry_view view;
    uint32_t *number; /* by block: 1 + its index in the list; 0: not in it */
    uint32_t *block;  /* the list */
    size_t n_blocks;
    uint64_t written;
};

static int add_path(void *context, const struct sl_db_entry *entry)
{
    struct paths *paths = context;
    struct sl_page *page = paths->page;
    const struct sl_path_walk *walk = &paths->view.paths.walk;
    char outcomes[SL_PATH_OUTCOMES_SIZE];
    bool bounded = paths->profile->status.bounds != SL_BOUNDS_NONE;
    if (!sl_page_has_space(page))
        return 0;
    int result = sl_entry_view_look(&paths->view, entry, page->f);
    if (result || !walk->n)
        return result;
    json_t *blocks = json_array();
    for (size_t i = 0; i < walk->n; i++) {
        uint32_t *number = &paths->number[walk->block[i]];
        if (!*number) {
            paths->block[paths->n_blocks++] = walk->block[i];
            *number = (uint32_t)paths->n_blocks;
        }
        sl_json_append(&blocks, sl_json_number(*number - 1));
    }
    sl_page_value(page, paths->written++ ? ",\n" : "",
                  json_pack("[I,o,o,s,b,o]", (json_int_t)entry->count,
                            sl_json_number_if(bounded, entry->low),
                            sl_json_number_if(bounded, entry->high),
                            sl_path_outcomes(entry->value, outcomes), walk->whole, blocks));
    return 0;
}

static void write_blocks(struct paths *paths)
{
    struct sl_page *page = paths->page;
    for (size_t i = 0; i < paths->n_blocks; i++) {
        const struct sl_path_block_names *names = &paths->view.paths.names[paths->block[i]];
        const struct sl_statics *statics = &paths->view.paths.code.statics;
        const char *inlined = sl_entry_inlined_at(&paths->view, statics->block[paths->block[i]].pc);
        char *where = inlined ? sl_asprintf("%s (%s)", names->symbol, inlined) : NULL;
        sl_page_value(page, i ? ",\n" : "",
                      json_pack("[o,o,o]", sl_page_string(where ? where : names->symbol),
                                sl_page_string(names->line), sl_page_string(names->end_line)));
        free(where);
    }
}

static int write_paths(struct paths *paths)
{
    struct sl_page *page = paths->page;
    const struct sl_db_profile *profile = paths->profile;
    size_t n = paths->view.paths.code.statics.n_blocks + 1;
    paths->number = calloc(n, sizeof *paths->number);
    paths->block = calloc(n, sizeof *paths->block);
    if (!paths->number || !paths->block)
        return sl_report_no_memory(page->f);
    sl_page_members(page, "{",
                    json_pack("{s:o,s:I}", "units", sl_page_string(profile->metric->units), "total",
                              (json_int_t)profile->weight));
    sl_page_put(page, ",\"rows\":[");
    int result = sl_db_entries(page->database, profile, PATHS, add_path, paths, page->f);
    sl_page_put(page, "],\n\"blocks\":[");
    write_blocks(paths);
    sl_page_put(page, "]}");
    if (paths->written < profile->saved)
        sl_page_left_out(page,
                         "Paths: the %s most frequent of %s paths; paths whose code is unknown are "
                         "left out.",
                         SL_NUMBER(paths->written), SL_NUMBER(profile->saved));
    return result;
}

void sl_page_paths(struct sl_page *page)
{
    const struct sl_db_profiles *profiles = &page->database->profiles;
    struct paths paths = {.page = page};
    for (size_t i = profiles->n; i-- > 0;)
        if (profiles->profile[i].detector->second.type == SL_FIELD_OUTCOMES)
            paths.profile = &profiles->profile[i];
    if (!paths.profile) {
        sl_page_put(page, "null");
        return;
    }
    int result = sl_entry_view_open(&paths.view, page->database, paths.profile, page->f);
    if (!result)
        result = write_paths(&paths);
    sl_page_fail(page, result);
    sl_entry_view_close(&paths.view);
    free(paths.number);
    free(paths.block);
}
