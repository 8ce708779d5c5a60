/* SPDX-License-Identifier: MIT */
/* Unit tests of reading lines of source files (source_text.h), and of formatting paths through the
 * program's code as text (path_view.h). */
#include "source_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path_view.h"
#include "tap.h"

static bool is(char *text, const char *wanted)
{
    bool same = text ? wanted && !strcmp(text, wanted) : !wanted;
    if (!same)
        printf("# %s, not %s\n", text ? text : "(none)", wanted ? wanted : "(none)");
    free(text);
    return same;
}

static void test_files(const char *directory)
{
    struct sl_source_texts texts = {0};
    char path[128], fifo[128];
    snprintf(path, sizeof path, "%s/a.c", directory);
    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    FILE *out = fopen(path, "w");
    fputs("first\n\tx\ty\r\n\n\033[31mlast", out);
    fclose(out);
    ok(is(sl_source_text_line(&texts, path, 1), "first"), "the first line");
    ok(is(sl_source_text_line(&texts, path, 2), "        x       y"),
       "tabulators become blanks up to multiples of 8, carriage returns go");
    ok(is(sl_source_text_line(&texts, path, 3), ""), "an empty line");
    ok(is(sl_source_text_line(&texts, path, 4), "?[31mlast"),
       "a last line without an end, printable");
    ok(is(sl_source_text_line(&texts, path, 0), NULL) &&
           is(sl_source_text_line(&texts, path, 5), NULL),
       "there are no other lines");
    ok(is(sl_source_text_line(&texts, "/nonexistent/a.c", 1), NULL), "a missing file has no lines");
    ok(is(sl_source_text_line(&texts, directory, 1), NULL), "a directory has no lines");
    ok(!mkfifo(fifo, 0600) && is(sl_source_text_line(&texts, fifo, 1), NULL),
       "a pipe is not waited for");
    sl_source_texts_free(&texts);
    unlink(path);
    unlink(fifo);
}

static void test_paths(void)
{
    char *const line[] = {"primes.c:22", "primes.c:23", "list.h:7", "list.h:9"};
    char *const symbol[] = {"main+0x14", "main+0x20", "f"};
    char outcomes[SL_PATH_OUTCOMES_SIZE];
    ok(is(sl_join_lines(line, 4),
          "primes.c:22 \xe2\x86\x92 23 \xe2\x86\x92 list.h:7 \xe2\x86\x92 9"),
       "a file is named once");
    ok(is(sl_join_symbols(symbol, 3), "main+0x14 \xe2\x86\x92 +0x20 \xe2\x86\x92 f"),
       "a function is named once");
    ok(is(sl_symbol_span("main+0x14", "main+0x30"), "main+0x14..+0x30") &&
           is(sl_symbol_span("main+0x14", "f+0x3"), "main+0x14..f+0x3") &&
           is(sl_symbol_span("main+0x14", NULL), "main+0x14.."),
       "from one symbol to another");
    ok(!sl_path_outcomes(0, outcomes)[0], "a path without branches has no outcomes");
    ok(!sl_path_outcomes(UINT64_MAX, outcomes)[0], "nor has one of a damaged database");
}

int main(void)
{
    char directory[] = "/tmp/source_text.XXXXXX";
    if (!mkdtemp(directory))
        return 1;
    test_files(directory);
    test_paths();
    rmdir(directory);
    return done_testing();
}
