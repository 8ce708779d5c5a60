/* SPDX-License-Identifier: MIT */
/* Unit tests of helper functions of `sluice sweep`: splitting a command line into words, running a
 * command without a shell, and computing the hash of a file's content. */
#include "command.h"

#include <string.h>
#include <unistd.h>

#include "file_hash.h"
#include "split_words.h"
#include "tap.h"

/* The words, each between < and >. */
static const char *joined(const char *text)
{
    static char all[1000];
    char **word = sl_words_split(text);
    *all = '\0';
    for (char **w = word; w && *w; w++) {
        size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "<%s>", *w);
    }
    sl_words_free(word);
    return all;
}

static void test_words(void)
{
    ok(!strcmp(joined("a  b\tc "), "<a><b><c>"), "words are separated by blanks");
    ok(!strcmp(joined("echo 'a b' \"c d\""), "<echo><a b><c d>"), "quotes keep blanks in a word");
    ok(!strcmp(joined("x\"it's\"y"), "<xit'sy>"), "one quote may contain the other");
    ok(!strcmp(joined(""), "") && !strcmp(joined("   "), ""), "blanks alone are no word");
}

static void test_run(void)
{
    struct sl_command command;
    struct sl_failure f = {.text = ""};
    const char *cat[] = {"cat", NULL},
               *fails[] = {"sh", "-c", "echo out; echo err >&2; exit 3", NULL},
               *dies[] = {"sh", "-c", "kill -9 $$", NULL}, *missing[] = {"/no/such/program", NULL},
               *literal[] = {"echo", "$HOME; *", NULL};
    ok(!sl_command_run(&command, cat, "some input", &f) && !command.status &&
           !strcmp(command.out, "some input"),
       "standard input is passed on, and the output is returned");
    free(command.out);
    ok(!sl_command_run(&command, fails, NULL, &f) && command.status == 3 &&
           strstr(command.out, "out\n") && strstr(command.out, "err\n"),
       "standard error and the exit status are returned, too");
    free(command.out);
    ok(!sl_command_run(&command, dies, NULL, &f) && command.status == 128 + 9,
       "the status of a killed command is 128 plus the signal");
    free(command.out);
    ok(!sl_command_run(&command, missing, NULL, &f) && command.status == 127,
       "the status of a command that does not exist is 127");
    free(command.out);
    ok(!sl_command_run(&command, literal, NULL, &f) && !strcmp(command.out, "$HOME; *\n"),
       "arguments are not interpreted by a shell");
    free(command.out);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
}

static void test_hash(void)
{
    char path[] = "/tmp/file_hash.XXXXXX";
    uint64_t first = 1, same = 2, other = 3;
    struct sl_failure f = {.text = ""};
    int fd = mkstemp(path);
    if (fd < 0 || close(fd))
        abort();
    write_text(path, "content");
    bool hashed = !sl_hash_file(path, &first, &f) && !sl_hash_file(path, &same, &f);
    write_text(path, "Content");
    hashed = hashed && !sl_hash_file(path, &other, &f);
    ok(hashed && first == same && first != other, "the hash depends on the content");
    unlink(path);
    ok(sl_hash_file(path, &same, &f) == SL_EIO && strstr(f.text, path),
       "a missing file is named: %s", f.text);
}

int main(void)
{
    test_words();
    test_run();
    test_hash();
    return done_testing();
}
