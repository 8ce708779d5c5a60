/* SPDX-License-Identifier: MIT */
/* Unit tests of tables and paragraphs in text reports (text_table.h). No line exceeds the requested
 * width, whatever the cells contain, and if there is enough space for all cells, no cell is
 * shortened. */
#include "text_table.h"

#include <string.h>

#include "random.h"
#include "tap.h"
#include "text.h"
#include "utf8.h"

static const char *const words[] = {"main",        "a",
                                    "primes.c:12", "\xc3\xa9t\xc3\xa9",
                                    "1,234,567",   "std::vector<int>::push_back(int const&)",
                                    "->"};
#define WORDS (sizeof words / sizeof *words)

/* Counts the lines of a text; SIZE_MAX if one is longer than `width`. Cuts it into lines. */
static size_t lines_of(char *text, size_t width)
{
    size_t n = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, n++) {
        *end = '\0';
        if (sl_utf8_length(line) > width)
            return SIZE_MAX;
    }
    return n;
}

static bool table_holds(uint64_t *seed)
{
    struct sl_text_table table = {.columns = ""};
    size_t n_columns = 1 + sl_random_below(seed, 6);
    size_t rows = sl_random_below(seed, 6), width = 40 + sl_random_below(seed, 80), size;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < n_columns; i++)
        table.columns[i] = "lrsSoObB"[sl_random_below(seed, 8)];
    for (size_t i = 0; i < rows; i++) {
        sl_text_row(&table);
        for (size_t c = 0; c < n_columns; c++)
            if (sl_random_below(seed, 4))
                sl_text_put(&table, c, words[sl_random_below(seed, WORDS)]);
    }
    bool good = sl_text_finish(&table, width, out);
    fclose(out);
    good = good && lines_of(text, width) == rows;
    free(text);
    return good;
}

/* The words come in order; a line could not take the next word; the count is that of the lines. */
static bool wrap_holds(uint64_t *seed)
{
    char paragraph[512] = "", joined[1024] = "", *text = NULL;
    size_t n = 1 + sl_random_below(seed, 10), width = 44 + sl_random_below(seed, 40), size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < n; i++) {
        strcat(paragraph, i ? " " : "");
        strcat(paragraph, words[sl_random_below(seed, WORDS)]);
    }
    size_t counted = sl_text_wrap(paragraph, "! ", width, NULL);
    size_t printed = sl_text_wrap(paragraph, "! ", width, out);
    fclose(out);
    bool good = counted == printed && lines_of(text, width) == counted;
    char *line = text;
    for (size_t i = 0; good && i < counted; i++, line += strlen(line) + 1) {
        good = !strncmp(line, i ? "  " : "! ", 2);
        strcat(joined, i ? " " : "");
        strcat(joined, line + 2);
        const char *rest = paragraph + strlen(joined);
        size_t next = *rest ? sl_utf8_length(rest) : 0;
        if (i + 1 < counted) {
            char word[128];
            snprintf(word, sizeof word, "%.*s", (int)strcspn(rest + 1, " "), rest + 1);
            next = sl_utf8_length(word);
            good = good && sl_utf8_length(line) + 1 + next > width;
        }
    }
    good = good && !strcmp(joined, paragraph);
    free(text);
    return good;
}

static char *printed(void (*print)(FILE *out))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print(out);
    fclose(out);
    return text;
}

static void print_aligned(FILE *out)
{
    struct sl_text_table table = {.columns = "rrs"};
    sl_text_row(&table);
    sl_text_put_number(&table, 0, 200000);
    sl_text_put_percentage(&table, 1, 1, 3);
    sl_text_put_format(&table, 2, "%s+0x%x", "main", 28);
    sl_text_row(&table);
    sl_text_put_number(&table, 0, 7);
    sl_text_put(&table, 2, "f");
    sl_text_finish(&table, 80, out);
}

static void print_sums(FILE *out)
{
    const struct sl_text_table table = {.columns = "r", .width = {8}};
    struct sl_text_sum sum = {.shown = 1, .whole = 4, .units = "events"};
    sl_text_print_sum(&sum, &table, 0, 80, out);
    sum.more = 1200;
    sum.more_of = "lines";
    sum.extra = "; 3 were not kept";
    sl_text_print_sum(&sum, &table, 0, 80, out);
}

static void prints(void (*print)(FILE *out), const char *wanted, const char *name)
{
    char *text = printed(print);
    if (!ok(!strcmp(text, wanted), "%s", name))
        printf("# %s\n", text);
    free(text);
}

int main(void)
{
    uint64_t seed = 11;
    unsigned n = tap_rounds(5000, 50), tables = 0, paragraphs = 0;
    for (unsigned i = 0; i < n; i++) {
        tables += table_holds(&seed);
        paragraphs += wrap_holds(&seed);
    }
    ok(tables == n, "a table has a line for each row, none longer than asked");
    ok(paragraphs == n, "a paragraph is broken at spaces, as late as possible");
    prints(print_aligned, "  200,000  33.33%  main+0x1c\n        7          f\n",
           "columns are aligned, empty cells are blank");
    prints(print_sums,
           "    25.00%  of 4 events\n"
           "    25.00%  of 4 events; 1,200 more lines; 3 were not kept\n",
           "the sum of a listing");
    ok(sl_text_width(&(struct sl_report_config){.width = 0}) == 100 &&
           sl_text_width(&(struct sl_report_config){.width = 7}) == 40 &&
           sl_text_width(&(struct sl_report_config){.width = 250}) == 250,
       "lines have 100 columns by default, and never fewer than 40");
    struct sl_text_line line = {0};
    ok(!sl_text_line_close(&line), "a list without items is NULL");
    sl_text_line_add(&line, "%d entries", 3);
    sl_text_line_add(&line, "none");
    char *text = sl_text_line_close(&line);
    ok(text && !strcmp(text, "3 entries, none"), "a list has commas between its items");
    free(text);
    return done_testing();
}
