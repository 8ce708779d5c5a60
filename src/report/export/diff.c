/* SPDX-License-Identifier: MIT */
/* Two databases side by side: what became dearer or cheaper. */
#include <string.h>

#include "failure.h"
#include "json_difference.h"
#include "page_difference.h"
#include "shown.h"
#include "text_difference.h"
#include "text_head.h"

#define ROWS 10 /* of each part in text, unless a number is given */

static bool is(const char *format, const char *name)
{
    return !strcmp(format ? format : "text", name);
}

int sl_diff(const char *before, const char *after, const struct sl_diff_config *config, FILE *out,
            double *dearer, struct sl_failure *f)
{
    bool json = is(config->format, "json"), html = is(config->format, "html");
    struct sl_difference difference = {0};
    const struct sl_report_config page = {.width = config->width};
    *dearer = 0;
    if (!json && !html && !is(config->format, "text"))
        return sl_fail(f, SL_EUSAGE, "a difference is said as text, json or html, not %s",
                       config->format);
    FILE *shown = sl_shown_open(out, json ? SL_SHOWN_AS_JSON : SL_SHOWN_MARKED, f);
    if (!shown)
        return SL_ENOMEM;
    int result = sl_difference_make(&difference, before, after, f);
    if (!result)
        result = json   ? sl_json_difference(&difference, config->n, shown, f)
                 : html ? sl_page_difference(&difference, config->n, shown, f)
                        : sl_text_difference(&difference, config->n ? config->n : ROWS,
                                             sl_text_width(&page), shown, f);
    if (!result)
        *dearer = sl_difference_dearer(&difference);
    sl_difference_free(&difference);
    return sl_shown_close(shown, out, result, "the report", f);
}
