/* SPDX-License-Identifier: MIT */
/* Writers of the data of the HTML report (export_html.c): one JSON object with a key for
 * each view. Each page_*.c file writes one key, and the script of the same name in page/assets
 * shows it. A value is null if the database has no data for the view.
 *
 * The size of a page is limited, so that it can be sent by mail: each view has a limit
 * (export_html.c). Rows that do not fit are left out, those with the smallest cost first, and
 * `left_out` reports how many. */
#ifndef SL_PAGE_H
#define SL_PAGE_H

#include "json.h"

struct sl_page {
    struct sl_database *database;
    const struct sl_report_config *config;
    FILE *out, *to; /* `out` escapes '<' (page_stream.c) and writes to `to` */
    struct sl_failure *f;
    int result;              /* the first error */
    uint64_t written, limit; /* bytes of data so far; `written` at which the view has to end */
    struct sl_warnings left_out;
};

/* A text as a JSON value: printable, and shortened if it has more than 300 characters. NULL becomes
 * null. Returns NULL if out of memory. */
json_t *sl_page_string(const char *text);

/* As sl_page_string(), and frees the text. */
json_t *sl_page_own_string(char *text);

/* Write `before`, and then a value, or the members of an object or list without brackets. They free
 * the value. A value of NULL means out of memory. */
void sl_page_value(struct sl_page *page, const char *before, json_t *value);
void sl_page_members(struct sl_page *page, const char *before, json_t *value);

/* Writes JSON as it is: brackets, commas. */
void sl_page_put(struct sl_page *page, const char *json);

/* True if the view's data are below the limit, and no error has occurred. */
bool sl_page_has_space(struct sl_page *page);

/* Adds a message to `left_out`, formatted as by printf(3). */
void sl_page_left_out(struct sl_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports "WHAT 12 of 34." if fewer rows were written than there are. */
void sl_page_left_out_rest(struct sl_page *page, const char *what, uint64_t written, uint64_t n);

/* Sets page->result unless it is set already. 0 is no error. */
void sl_page_fail(struct sl_page *page, int result);

/* Handles an error of loading a view: writes null if the database has no profile for it
 * (SL_EUSAGE), otherwise as sl_page_fail(). */
void sl_page_nothing(struct sl_page *page, int result);

/* Writes a whole page: `write` writes the data to page->out. Frees page->left_out. Returns
 * page->result. */
int sl_page_write(struct sl_page *page, FILE *out,
                  void (*write)(struct sl_page *page, const void *data), const void *data);

/* Each writes the value of its view. */
void sl_page_functions(struct sl_page *page);
void sl_page_flame(struct sl_page *page);
void sl_page_source(struct sl_page *page);
void sl_page_loops(struct sl_page *page);
void sl_page_paths(struct sl_page *page);
void sl_page_values(struct sl_page *page);
void sl_page_phases(struct sl_page *page);
void sl_page_tables(struct sl_page *page);

/* The page without its data: the bytes before and after the data. mk/page.sh generates them from
 * src/report/page/assets. */
extern const unsigned char sl_page_text_before[], sl_page_text_after[];
extern const size_t sl_page_text_before_size, sl_page_text_after_size;

/* Writes a difference of two databases as a whole page, with at most n rows of each part (0: 300).
 * Returns 0 or an error. */
int sl_page_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f);

#endif
