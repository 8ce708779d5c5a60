/* SPDX-License-Identifier: MIT */
/* HTML report: writes the hot source lines and the hints of the summary, those of the text report:
 *
 *     {"lines": [["/src/primes.c", 25, "is_prime", null, 16775798, true, "  if (n % p == 0)"],
 * ...], "hints": [["primes.c:23", "branch in is_prime is taken 99.6% of ...", 1197378], ...]}
 *
 * A line is file, line, function, the function that it was inlined in, cost, whether it is the
 * user's own, and its text. The last number of a hint is the number of instructions
 * that it concerns. */
#include <stdlib.h>
#include <string.h>

#include "hints.h"
#include "hot_lines.h"
#include "page_code.h"
#include "source_text.h"

#define LINES 24
#define HINTS 8

static void write_lines(struct sl_page *page, const struct sl_hot_lines *lines)
{
    struct sl_source_texts texts = sl_source_texts_of(page->config);
    for (size_t i = 0; i < lines->n; i++) {
        const struct sl_hot_line *line = &lines->line[i];
        char *text = sl_source_text_line(&texts, line->path, line->line);
        sl_page_value(page, i ? ",\n" : "",
                      json_pack("[o,i,o,o,I,b,o]", sl_page_string(line->path), line->line,
                                sl_page_string(line->function), sl_page_string(line->host),
                                (json_int_t)line->cost, line->own, sl_page_own_string(text)));
    }
    sl_source_texts_free(&texts);
}

static bool by_instructions(const struct sl_page_code *code)
{
    return code->n_profiles && !strcmp(code->profile[0]->metric->name, "instructions");
}

void sl_page_summary(struct sl_page *page)
{
    const struct sl_page_code *code = page->code;
    struct sl_hot_lines lines = {0};
    struct sl_hints hints = {0};
    if (code->n_profiles)
        sl_page_fail(page, sl_hot_lines_load(&lines, page->database, code->profile[0]->metric->name,
                                             false, page->f));
    sl_hot_lines_select(&lines, code->functions.total, LINES);
    if (!page->result)
        sl_page_fail(page, sl_hints_add(&hints, page->database,
                                        by_instructions(code) ? &code->functions : NULL, page->f));
    sl_page_put(page, "{\"lines\":[");
    write_lines(page, &lines);
    sl_page_put(page, "],\n\"hints\":[");
    for (size_t i = 0; i < hints.n && i < HINTS; i++)
        sl_page_value(page, i ? ",\n" : "",
                      json_pack("[o,o,I]", sl_page_string(hints.hint[i].where),
                                sl_page_string(hints.hint[i].text),
                                (json_int_t)hints.hint[i].weight));
    sl_page_put(page, "]}");
    sl_hot_lines_free(&lines);
    sl_hints_free(&hints);
}
