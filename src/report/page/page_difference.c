/* SPDX-License-Identifier: MIT */
/* `diff` as an HTML page: the page of reports with other data. */
#include "page.h"

#include "json.h"
#include "json_value.h"

#define ROWS 300

struct wanted {
    const struct sl_difference *difference;
    size_t n;
};

static void write_difference(struct sl_page *page, const void *data)
{
    const struct wanted *wanted = data;
    sl_page_put(page, "{\"version\":\"" SL_VERSION "\",\"difference\":");
    sl_page_fail(page, sl_json_difference(wanted->difference, wanted->n, page->out, page->f));
    for (size_t i = 0; i < wanted->difference->n; i++) {
        const struct sl_difference_part *part = &wanted->difference->part[i];
        if (part->n > wanted->n)
            sl_page_leave(page, "%s: %zu of %zu changes.", part->heading, wanted->n, part->n);
    }
    sl_page_put(page, ",\"left_out\":");
    sl_page_fail(page, sl_json_dump(sl_json_notes(&page->left_out), page->out, page->f));
    sl_page_put(page, "}\n");
}

int sl_page_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f)
{
    struct wanted wanted = {difference, n ? n : ROWS};
    struct sl_page page = {.f = f};
    return sl_page_write(&page, out, write_difference, &wanted);
}
