/* SPDX-License-Identifier: MIT */
/* HTML report of `sluice diff`: the same page as for one database, with the differences between two
 * databases as its data. */
#include "page.h"

#include "json.h"

#define ROWS 300

struct selection {
    const struct sl_difference *difference;
    size_t n;
};

static void write_difference(struct sl_page *page, const void *data)
{
    const struct selection *selected = data;
    sl_page_put(page, "{\"version\":\"" SL_VERSION "\",\"difference\":");
    sl_page_fail(page, sl_json_difference(selected->difference, selected->n, page->out, page->f));
    for (size_t i = 0; i < selected->difference->n; i++) {
        const struct sl_difference_part *part = &selected->difference->part[i];
        if (part->n > selected->n)
            sl_page_left_out(page, "%s: %zu of %zu changes.", part->heading, selected->n, part->n);
    }
    sl_page_put(page, ",\"left_out\":");
    sl_page_fail(page, sl_json_dump(sl_json_warnings(&page->left_out), page->out, page->f));
    sl_page_put(page, "}\n");
}

int sl_page_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f)
{
    struct selection selected = {difference, n ? n : ROWS};
    struct sl_page page = {.f = f};
    return sl_page_write(&page, out, write_difference, &selected);
}
