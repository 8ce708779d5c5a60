/* SPDX-License-Identifier: MIT */
/* What stands above and below both views of calls. */
#include "call_costs.h"
#include "text_head.h"
#include "text_table.h"

int sl_call_costs_head(const struct sl_call_costs *costs, struct sl_database *database,
                       const char *what, const struct sl_report_config *config, FILE *out,
                       struct sl_failure *f)
{
    int result = sl_text_head(database, sl_text_width(config), out, f);
    if (result < 0)
        return result;
    fprintf(out, "\n%s by %s\n", what, costs->units);
    return 0;
}

void sl_call_costs_foot(const struct sl_call_costs *costs, size_t shown, size_t width, FILE *out)
{
    char line[256], number[SL_WORDING_ROOM];
    size_t more = costs->tree.n_functions - shown;
    size_t used = (size_t)snprintf(line, sizeof line, "of %s %s",
                                   sl_wording_number(costs->total, number), costs->units);
    if (more)
        snprintf(line + used, sizeof line - used, "; %s more function%s",
                 sl_wording_number(more, number), more == 1 ? "" : "s");
    putc('\n', out);
    sl_text_wrap(line, "", width, out);
    if (costs->tree.orphans) {
        snprintf(line, sizeof line, "the callers of %s contexts are not known, and lack their cost",
                 sl_wording_number(costs->tree.orphans, number));
        sl_text_wrap(line, "! ", width, out);
    }
}
