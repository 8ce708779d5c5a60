/* SPDX-License-Identifier: MIT */
/* Unit tests of printing text that comes from the profiled program: terminal control sequences in
 * it are replaced in text and in JSON, and unchanged in binary output. Also tests the wrapping of
 * lines, and errors on a full disk. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "shown.h"
#include "tap.h"

/* `text` through a stream, in pieces of this number of bytes. Free it. */
static char *through(const char *text, enum sl_shown_as as, size_t piece)
{
    struct sl_failure f;
    char *got = NULL;
    size_t size;
    FILE *to = open_memstream(&got, &size);
    FILE *shown = sl_shown_open(to, as, &f);
    for (size_t at = 0, n = strlen(text); at < n; at += piece) {
        fwrite(text + at, 1, n - at < piece ? n - at : piece, shown);
        fflush(shown);
    }
    ok(!sl_shown_close(shown, to, 0, "a text", &f), "it is written");
    fclose(to);
    return got;
}

static void fails_on_full(void)
{
    struct sl_failure f = {.text = ""};
    FILE *full = fopen("/dev/full", "w");
    FILE *shown = full ? sl_shown_open(full, SL_SHOWN_MARKED, &f) : NULL;
    if (shown) {
        fputs("text\n", shown);
        ok(sl_shown_close(shown, full, 0, "the list", &f) == SL_EIO &&
               strstr(f.text, "the list: No space"),
           "a full disk is reported: %s", f.text);
    }
    if (full)
        fclose(full);
}

/* Lines of sl_text_wrap(): joined again they are the text, and none could have held another word.
 */
static void wraps(void)
{
    static const char text[] =
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryvery"
        "longword eighteen nineteen twenty";
    char *got = NULL, joined[sizeof text + 16] = "";
    size_t size, longest = 0;
    bool indented = true, full = true;
    FILE *out = open_memstream(&got, &size);
    sl_text_wrap(text, "  name  ", 100, out);
    fclose(out);
    size_t before = 0;
    for (char *line = strtok(got, "\n"); line; line = strtok(NULL, "\n")) {
        size_t n = strlen(line);
        indented &= n > 8 && !strncmp(line, *joined ? "        " : "  name  ", 8);
        full &= !before || before + 1 + strcspn(line + 8, " ") > 100;
        if (strchr(line + 8, ' ') && n > longest)
            longest = n;
        strcat(strcat(joined, *joined ? " " : ""), line + 8);
        before = n;
    }
    ok(!strcmp(joined, text), "wrapped lines are the text");
    ok(indented, "all lines begin where the text begins");
    ok(longest <= 100 && full, "lines are as long as possible, up to 100 columns");
    free(got);
}

int main(void)
{
    static const struct {
        const char *text, *marked, *json;
    } cases[] = {
        {"plain\ttext\n", "plain\ttext\n", "plain\ttext\n"},
        {"\033[31mred\007", "?[31mred?", "\\u001b[31mred\\u0007"},
        {"a\rb\177", "a?b?", "a\\u000db\\u007f"},
        {"\302\233c1", "?c1", "\\u009bc1"},
        {"\342\200\256rtl\342\201\251", "?rtl?", "\\u202ertl\\u2069"},
        {"tag\363\240\200\201", "tag?", "tag\\udb40\\udc01"},
        {"gr\303\274n \360\237\230\200", "gr\303\274n \360\237\230\200",
         "gr\303\274n \360\237\230\200"},
        {"bad\377\300\200", "bad\357\277\275\357\277\275\357\277\275",
         "bad\357\277\275\357\277\275\357\277\275"},
        {"surrogate\355\240\200", "surrogate\357\277\275\357\277\275\357\277\275",
         "surrogate\357\277\275\357\277\275\357\277\275"},
        {"cut\342\200", "cut\357\277\275\357\277\275", "cut\357\277\275\357\277\275"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t piece = 1; piece <= 16; piece *= 4) {
            char *marked = through(cases[i].text, SL_SHOWN_MARKED, piece);
            char *json = through(cases[i].text, SL_SHOWN_AS_JSON, piece);
            char *bytes = through(cases[i].text, SL_SHOWN_BYTES, piece);
            ok(!strcmp(marked, cases[i].marked), "%zu: marked, in pieces of %zu", i, piece);
            ok(!strcmp(json, cases[i].json), "%zu: as JSON, in pieces of %zu", i, piece);
            ok(!strcmp(bytes, cases[i].text), "%zu: bytes, in pieces of %zu", i, piece);
            free(marked);
            free(json);
            free(bytes);
        }
    fails_on_full();
    wraps();
    return done_testing();
}
