/* SPDX-License-Identifier: MIT */
/* Unit tests of spools, lists that overflow to a file. Records are read back as they were added,
 * from memory and from the file. If there is no file, all records stay in memory. A forked child
 * process does not disturb its parent. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "intervals.h"
#include "tap.h"

struct record {
    uint64_t number, square, rest[5]; /* no divisor of a page */
};

static struct record record_of(uint64_t i)
{
    return (struct record){i, i * i, {i, 1, 2, 3, ~i}};
}

static bool add(struct sl_spool *s, uint64_t from, uint64_t to)
{
    bool good = true;
    for (uint64_t i = from; i < to; i++) {
        struct record record = record_of(i);
        good &= sl_spool_add(s, &record, sizeof record);
    }
    return good;
}

static bool holds(const struct sl_spool *s, uint64_t n)
{
    struct record *all = sl_spool_read(s);
    bool same = all && s->n == n;
    for (uint64_t i = 0; same && i < n; i++) {
        struct record record = record_of(i);
        same = !memcmp(&all[i], &record, sizeof record);
    }
    free(all);
    return same;
}

#define FEW 1000u
#define MANY 100000u /* 5.6 MB */

static void test_forked(void)
{
    struct sl_spool s = {0};
    int status = 0;
    add(&s, 0, MANY / 2);
    pid_t child = fork();
    if (!child)
        _exit(!(add(&s, MANY / 2, 2 * MANY) && holds(&s, 2 * MANY)));
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && !WEXITSTATUS(status), "who was forked adds to what was there");
    ok(add(&s, MANY / 2, MANY) && holds(&s, MANY), "and the parent has its own");
    sl_spool_free(&s);
}

/* The file cannot be made, or stops growing in the middle of a write. */
static void test_refused(void)
{
    struct sl_spool nowhere = {.directory = "/nonexistent"}, full = {0};
    ok(add(&nowhere, 0, MANY) && holds(&nowhere, MANY) && !nowhere.file_bytes,
       "no file: all is in memory");
    struct rlimit before, little = {3 << 20, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &little);
    ok(add(&full, 0, MANY) && holds(&full, MANY) && full.file_bytes <= little.rlim_cur,
       "a file that may not grow: the rest is in memory");
    setrlimit(RLIMIT_FSIZE, &before);
    sl_spool_free(&nowhere);
    sl_spool_free(&full);
}

int main(void)
{
    struct sl_spool s = {0};
    ok(holds(&s, 0), "nothing is an empty list");
    ok(add(&s, 0, FEW) && holds(&s, FEW) && !s.file_bytes, "a short one is in memory");
    ok(add(&s, FEW, MANY) && holds(&s, MANY) && s.file_bytes, "a long one is in a file");
    struct stat status;
    ok(!fstat(s.file, &status) && !status.st_nlink && (status.st_mode & 0777) == 0600,
       "which has no name");
    ok(s.capacity <= SL_SPOOL_BYTES, "and little of it is in memory");
    sl_spool_free(&s);
    ok(add(&s, 0, 3) && holds(&s, 3), "it can be used again");
    sl_spool_free(&s);
    test_forked();
    test_refused();
    return done_testing();
}
