/* SPDX-License-Identifier: MIT */
/* Unit tests of the cache of source files: which files it reads, how much memory they take, and
 * that lines are those of the file. */
#include "source_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__ /* keeps what was freed */
#define MEMORY_MAX 400
#else
#define MEMORY_MAX 150
#endif

static char directory[] = "/tmp/source_text.XXXXXX", outside[] = "/tmp/source_text.XXXXXX";

static void write_file(const char *path, const char *text, size_t times)
{
    FILE *file = fopen(path, "w");
    for (size_t i = 0; file && i < times; i++)
        fputs(text, file);
    if (!file || fclose(file))
        exit(1);
}

/* Only its length is needed. */
static void write_holes(const char *path, off_t size)
{
    write_file(path, "first line\n", 1);
    if (truncate(path, size))
        exit(1);
}

static long peak(void) /* KiB */
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static bool has_text(struct sl_source_texts *texts, const char *path)
{
    char *line = sl_source_text_line(texts, path, 1);
    bool is = line && !sl_source_text_missing(texts, path);
    free(line);
    return is;
}

static bool is_refused(struct sl_source_texts *texts, const char *path, const char *why)
{
    char *line = sl_source_text_line(texts, path, 1);
    const char *missing = sl_source_text_missing(texts, path);
    bool is = !line && missing && strstr(missing, why);
    free(line);
    return is;
}

/* Every line of a random file, in random order. */
static void test_lines(void)
{
    struct sl_source_texts texts = {0};
    uint64_t seed = 3;
    size_t length[500];
    bool same = true;
    FILE *file = fopen("lines.c", "w");
    for (size_t i = 0; i < 500; i++) {
        length[i] = sl_random_below(&seed, 90);
        for (size_t k = 0; k < length[i]; k++)
            putc('a' + (int)((i + k) % 26), file);
        if (i < 499)
            putc('\n', file);
    }
    fclose(file);
    for (int n = 0; n < 2000; n++) {
        size_t i = sl_random_below(&seed, 500);
        char *line = sl_source_text_line(&texts, "lines.c", (int)i + 1);
        same &= line && strlen(line) == length[i] &&
                (!length[i] || line[0] == 'a' + (char)(i % 26));
        free(line);
    }
    char *after = sl_source_text_line(&texts, "lines.c", length[499] ? 501 : 500);
    ok(same && !after, "every line is that of the file");
    ok(!sl_source_text_line(&texts, "lines.c", 0) &&
           !sl_source_text_line(&texts, "lines.c", INT_MIN) &&
           !sl_source_text_line(&texts, "lines.c", INT_MAX),
       "other numbers are no lines");
    sl_source_texts_free(&texts);
}

static void test_memory(void)
{
    static char path[200][3 * 200 + 20];
    struct sl_source_texts texts = {0};
    bool all = true;
    write_holes("big.c", 31 << 20);
    long before = peak();
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < i; k++)
            strcat(path[i], "./");
        strcat(path[i], "big.c");
        all &= has_text(&texts, path[i]);
    }
    ok(all && texts.n_texts == 1, "200 spellings of a file of 31 MB are one file");
    write_holes("big2.c", 31 << 20);
    write_holes("big3.c", 31 << 20);
    ok(has_text(&texts, "big2.c") && is_refused(&texts, "big3.c", "64 MiB"),
       "all files together have at most 64 MiB");
    sl_source_texts_free(&texts);
    write_file("tabs.c", "\t\t\t\t\t\t\t\t", 8 << 20);
    char *line = sl_source_text_line(&texts, "tabs.c", 1);
    ok(line && strlen(line) == 4096 * 8, "a line is cut before its tabs are expanded");
    free(line);
    sl_source_texts_free(&texts);
    write_file("empty.c", "\n", 60 << 20);
    line = sl_source_text_line(&texts, "empty.c", 60 << 20);
    ok(line && !*line, "empty lines take little memory");
    free(line);
    sl_source_texts_free(&texts);
    ok(peak() - before < MEMORY_MAX << 10, "all of them take less than %d MiB", MEMORY_MAX);
    printf("# %ld MiB\n", (peak() - before) >> 10);
}

static void test_rule(void)
{
    struct sl_source_texts texts = {0};
    char secret[100], link[200], below[200];
    const char *given[] = {outside};
    snprintf(secret, sizeof secret, "%s/secret", outside);
    write_file(secret, "secret\n", 1);
    snprintf(link, sizeof link, "%s/link.c", directory);
    snprintf(below, sizeof below, "%s/../%s/secret", directory, strrchr(outside, '/') + 1);
    if (symlink(secret, "link.c") || mkdir(".git", 0700) || mkdir("sub", 0700) ||
        mkfifo("pipe.c", 0600))
        exit(1);
    write_file(".git/config", "password\n", 1);
    write_file(".hidden.c", "hidden\n", 1);
    write_file("sub/main.c", "int main\n", 1);
    ok(has_text(&texts, "sub/main.c"), "a file of the project is read");
    ok(is_refused(&texts, secret, "outside") && is_refused(&texts, below, "outside"),
       "a file outside of it is not");
    ok(is_refused(&texts, "link.c", "outside") && is_refused(&texts, link, "outside"),
       "nor by a link");
    ok(is_refused(&texts, ".git/config", "outside") && is_refused(&texts, ".hidden.c", "outside"),
       "nor is a hidden file");
    ok(is_refused(&texts, "pipe.c", "not found") && is_refused(&texts, "/dev/zero", "not found") &&
           is_refused(&texts, "sub", "not found") && is_refused(&texts, "", "not found"),
       "nor anything else than a file");
    ok(is_refused(&texts, "/etc/passwd", "outside") &&
           is_refused(&texts, "/proc/self/environ", "outside"),
       "nor files of the system");
    ok(has_text(&texts, "/usr/include/stdio.h"), "sources of libraries are read");
    sl_source_texts_free(&texts);
    if (chdir("sub"))
        exit(1);
    write_file("../header.h", "header\n", 1);
    ok(has_text(&texts, "../header.h"), "the project has the directories of the same user above");
    sl_source_texts_free(&texts);
    if (chdir("/"))
        exit(1);
    ok(is_refused(&texts, link, "outside") && is_refused(&texts, "etc/passwd", "outside"),
       "the root directory is no project");
    sl_source_texts_free(&texts);
    texts = (struct sl_source_texts){.directory = given, .n_directories = 1};
    ok(has_text(&texts, secret) && has_text(&texts, link), "directories that are given are read");
    sl_source_texts_free(&texts);
    texts = (struct sl_source_texts){.directory = given, .n_directories = 1, .none = true};
    ok(is_refused(&texts, secret, "not read"), "with `none`, nothing is read");
    sl_source_texts_free(&texts);
}

int main(void)
{
    char command[200];
    if (!mkdtemp(directory) || !mkdtemp(outside) || chdir(directory))
        return 1;
    test_lines();
    test_memory();
    test_rule();
    snprintf(command, sizeof command, "rm -r %s %s", directory, outside);
    return system(command) ? 1 : done_testing();
}
