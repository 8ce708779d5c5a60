/* SPDX-License-Identifier: MIT */
/* Output stream that writes '<' as \u003c, for the JSON data of the HTML report. The data are
 * inside a <script> element: a name that contains "</script" would end the element, and "<!--"
 * would hide its end. JSON has '<' only in strings, where \u003c denotes the same character. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "failure.h"
#include "page.h"
#include "utf8.h"

#define TEXT_MAX 300 /* maximum length of a text: C++ has names of many thousand characters */

static ssize_t write_escaped(void *cookie, const char *text, size_t n)
{
    struct sl_page *page = cookie;
    for (size_t at = 0, next; at < n; at = next) {
        const char *found = memchr(text + at, '<', n - at);
        next = found ? (size_t)(found - text) + 1 : n;
        size_t plain = next - at - !!found;
        fwrite(text + at, 1, plain, page->to);
        if (found)
            fputs("\\u003c", page->to);
        page->written += plain + (found ? 6 : 0);
    }
    return ferror(page->to) ? 0 : (ssize_t)n;
}

void sl_page_fail(struct sl_page *page, int result)
{
    if (!page->result)
        page->result = result;
}

void sl_page_nothing(struct sl_page *page, int result)
{
    if (result == SL_EUSAGE)
        sl_page_put(page, "null");
    else
        sl_page_fail(page, result);
}

json_t *sl_page_string(const char *text)
{
    char *clean = text ? sl_utf8_printable(text) : NULL;
    if (clean)
        sl_utf8_shorten(clean, TEXT_MAX);
    json_t *value = text && !clean ? NULL : sl_json_text(clean);
    free(clean);
    return value;
}

json_t *sl_page_own_string(char *text)
{
    json_t *value = sl_page_string(text);
    free(text);
    return value;
}

static void write_value(struct sl_page *page, const char *before, json_t *value, size_t flags)
{
    fputs(before, page->out);
    if (!value)
        sl_page_fail(page, sl_report_no_memory(page->f));
    else if (json_dumpf(value, page->out, flags | JSON_COMPACT | JSON_ENCODE_ANY))
        sl_page_fail(page, sl_fail_errno(page->f, SL_EIO, "cannot write the report"));
    json_decref(value);
}

void sl_page_value(struct sl_page *page, const char *before, json_t *value)
{
    write_value(page, before, value, 0);
}

void sl_page_members(struct sl_page *page, const char *before, json_t *value)
{
    write_value(page, before, value, JSON_EMBED);
}

void sl_page_put(struct sl_page *page, const char *json)
{
    fputs(json, page->out);
}

bool sl_page_has_space(struct sl_page *page)
{
    fflush(page->out);
    return !page->result && page->written < page->limit;
}

void sl_page_left_out(struct sl_page *page, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0 || !sl_warnings_add(&page->left_out, "%s", text))
        sl_page_fail(page, sl_report_no_memory(page->f));
    if (length >= 0)
        free(text);
}

void sl_page_left_out_rest(struct sl_page *page, const char *what, uint64_t written, uint64_t n)
{
    if (written < n)
        sl_page_left_out(page, "%s %s of %s.", what, SL_NUMBER(written), SL_NUMBER(n));
}

int sl_page_write(struct sl_page *page, FILE *out,
                  void (*write)(struct sl_page *page, const void *data), const void *data)
{
    fwrite(sl_page_text_before, 1, sl_page_text_before_size, out);
    page->to = out;
    page->out = fopencookie(page, "w", (cookie_io_functions_t){.write = write_escaped});
    if (page->out) {
        write(page, data);
        fclose(page->out);
    } else {
        sl_page_fail(page, sl_report_no_memory(page->f));
    }
    fwrite(sl_page_text_after, 1, sl_page_text_after_size, out);
    sl_warnings_free(&page->left_out);
    return page->result;
}
