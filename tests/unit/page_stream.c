/* SPDX-License-Identifier: MIT */
/* Unit tests of the JSON data inside the HTML page (page.h). Names and source text of the profiled
 * program can never end the script element that contains the data. The data can be parsed again,
 * and the reported size is the number of bytes of the data. */
#include "page.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "tap.h"

#define TEXTS 40

struct made {
    char text[TEXTS][64];
    uint64_t written; /* bytes of the data */
};

static void write_texts(struct sl_page *page, const void *data)
{
    struct made *made = (struct made *)data;
    sl_page_members(page, "{",
                    json_pack("{s:i,s:o,s:I}", "first", 7, "none", sl_page_string(NULL), "most",
                              (json_int_t)(UINT64_MAX >> 1)));
    sl_page_put(page, ",\"texts\":[\"\"");
    for (size_t i = 0; i < TEXTS; i++)
        sl_page_value(page, ",", sl_page_string(made->text[i]));
    sl_page_put(page, ",1,2,3]}");
    page->limit = UINT64_MAX;
    if (!sl_page_has_space(page))
        sl_page_fail(page, SL_EUSAGE);
    made->written = page->written;
    page->limit = page->written;
    if (sl_page_has_space(page))
        sl_page_fail(page, SL_EUSAGE);
    sl_page_left_out_rest(page, "Rows:", 2, 2);
    sl_page_left_out_rest(page, "Rows:", 2, 3);
    if (page->left_out.n != 1 || strcmp(page->left_out.text[0], "Rows: 2 of 3."))
        sl_page_fail(page, SL_EUSAGE);
}

/* The data of a page, to be freed; NULL if the page around them is not as it was built. */
static char *data_of(const char *page, size_t size)
{
    size_t around = sl_page_text_before_size + sl_page_text_after_size;
    if (size < around || memcmp(page, sl_page_text_before, sl_page_text_before_size) ||
        memcmp(page + size - sl_page_text_after_size, sl_page_text_after, sl_page_text_after_size))
        return NULL;
    return strndup(page + sl_page_text_before_size, size - around);
}

static bool holds(uint64_t *seed)
{
    static const char *const piece[] = {"<",  "</script>", "<!--", "\"", "\\",
                                        "\n", "a",         "\xff", "&",  "\xc3\xa9"};
    static struct made made;
    struct sl_failure f;
    struct sl_page page = {.f = &f};
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < TEXTS; i++) {
        made.text[i][0] = '\0';
        for (uint64_t n = sl_random_below(seed, 6); n; n--)
            strcat(made.text[i], piece[sl_random_below(seed, sizeof piece / sizeof *piece)]);
    }
    FILE *out = open_memstream(&text, &size);
    bool good = !sl_page_write(&page, out, write_texts, &made);
    fclose(out);
    char *data = data_of(text, size);
    json_t *read = data ? json_loads(data, 0, NULL) : NULL;
    good = good && data && !strchr(data, '<') && made.written == strlen(data) &&
           json_array_size(json_object_get(read, "texts")) == 1 + TEXTS + 3 &&
           json_is_null(json_object_get(read, "none"));
    json_decref(read);
    free(data);
    free(text);
    return good;
}

int main(void)
{
    uint64_t seed = 23;
    unsigned n = tap_rounds(300, 20), good = 0;
    for (unsigned i = 0; i < n; i++)
        good += holds(&seed);
    ok(good == n, "whatever texts there are, the data are JSON without '<', and are counted");
    return done_testing();
}
