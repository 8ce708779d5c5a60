/* SPDX-License-Identifier: MIT */
/* Unit tests of the files in which jobs of a sweep and their results are stored: any text is the
 * same after writing and reading, and a job is not reported as finished before its results are
 * complete. */
#include "job_file.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"
#include "tap.h"

static char directory[] = "/tmp/job_file.XXXXXX";

static int give_results(void *context, struct sl_job_results *out, struct sl_failure *f)
{
    (void)context, (void)f;
    sl_job_add(out, 0, "error", 1.0 / 3);
    sl_job_add(out, 1, "nothing", NAN);
    sl_job_add_at(out, 1, "recall", "top\n100%", 0.125, 1e-300);
    sl_job_add_failure(out, 2, "the stream has no values:\nrecord them");
    return 0;
}

static int run_out_of_memory(void *context, struct sl_job_results *out, struct sl_failure *f)
{
    (void)context, (void)out;
    snprintf(f->text, sizeof f->text, "out of memory");
    return f->code = SL_ENOMEM;
}

static int fail(void *context, struct sl_job_results *out, struct sl_failure *f)
{
    (void)context, (void)out;
    snprintf(f->text, sizeof f->text, "a message\nof two lines, 100%%0a");
    return f->code = SL_EIO;
}

static void test_lines(void)
{
    struct sl_job_text text;
    struct sl_job_lines lines;
    struct sl_failure f = {.text = ""};
    char value[100][20], *key, *read;
    uint64_t seed = 1;
    sl_job_begin(&text);
    for (int i = 0; i < 100; i++) {
        size_t n = sl_random_below(&seed, sizeof *value);
        for (size_t c = 0; c < n; c++)
            value[i][c] = (char)(1 + sl_random_below(&seed, 255));
        value[i][n] = '\0';
        sl_job_put(&text, "key", value[i]);
    }
    bool same = !sl_job_write(&text, directory, "job", 7, &f) &&
                !sl_job_open(&lines, directory, "job", 7, &f);
    for (int i = 0; i < 100 && same; i++)
        same = sl_job_next(&lines, &key, &read) && !strcmp(key, "key") && !strcmp(read, value[i]);
    ok(same, "any text is read as it was written");
    ok(sl_job_next(&lines, &key, &read) && !strcmp(key, "end") && !sl_job_next(&lines, &key, &read),
       "the last line marks the end");
    sl_job_close(&lines);
}

static void test_results(void)
{
    struct sl_job_results figures = {0};
    struct sl_failure f = {.text = ""};
    char why[200];
    bool memory;
    ok(sl_job_state_of(directory, 1, why, sizeof why, &memory) == SL_JOB_NOTHING,
       "a job that was not started has no state");
    ok(!sl_job_work(directory, 1, give_results, NULL, &f) &&
           sl_job_state_of(directory, 1, why, sizeof why, &memory) == SL_JOB_FOUND,
       "a job that ran has results");
    bool read = !sl_job_collect(directory, 1, &figures, &f) && figures.n == 2 &&
                figures.n_failures == 1;
    ok(read && figures.figure[0].of == 0 && !strcmp(figures.figure[0].measure, "error") &&
           figures.figure[0].value == 1.0 / 3 && isnan(figures.figure[0].x),
       "a measurement is read to the bit, and NAN is left out");
    ok(read && figures.figure[1].of == 1 && !strcmp(figures.figure[1].item, "top\n100%") &&
           figures.figure[1].x == 0.125 && figures.figure[1].value == 1e-300,
       "so are item and position");
    const char *reason = read ? sl_job_why(&figures, 2) : NULL;
    ok(reason && !strcmp(reason, "the stream has no values:\nrecord them") &&
           !sl_job_why(&figures, 0),
       "the reason for a missing measurement is read");
    sl_job_results_free(&figures);
}

static void test_failures(void)
{
    struct sl_job_results figures = {0};
    struct sl_failure f = {.text = ""};
    char why[200], path[100];
    bool memory = false;
    ok(sl_job_work(directory, 2, run_out_of_memory, NULL, &f) == SL_ENOMEM &&
           sl_job_state_of(directory, 2, why, sizeof why, &memory) == SL_JOB_FAILED && memory,
       "a job that ran out of memory says so");
    ok(sl_job_work(directory, 3, fail, NULL, &f) == SL_EIO &&
           sl_job_state_of(directory, 3, why, sizeof why, &memory) == SL_JOB_FAILED && !memory &&
           strstr(why, "a message"),
       "another failure has its message");
    ok(sl_job_collect(directory, 3, &figures, &f) == SL_EIO, "a failed job has no results");
    sl_job_results_free(&figures);
    /* Results that end too early, as after a full disk. */
    snprintf(path, sizeof path, "%s/figures-1", directory);
    bool refused = true;
    FILE *file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    for (long at = size - (long)strlen("end 1\n") - 1; at > 0; at--) {
        figures = (struct sl_job_results){0};
        refused &= !truncate(path, at) && sl_job_collect(directory, 1, &figures, &f) < 0;
        sl_job_results_free(&figures);
    }
    ok(refused, "results are refused if any number of bytes is missing at their end");
}

/* A file without line ends, as from a full disk, is not read as one line. */
static void test_long_line(void)
{
    struct sl_job_lines lines;
    struct sl_failure f = {.text = ""};
    struct rusage before, after;
    char path[100], *key, *value;
    snprintf(path, sizeof path, "%s/job-8", directory);
    FILE *file = fopen(path, "w");
    fprintf(file, "sluice job 1 " SL_VERSION "\n");
    fclose(file);
    getrusage(RUSAGE_SELF, &before);
    ok(!truncate(path, 1 << 29) && !sl_job_open(&lines, directory, "job", 8, &f) &&
           !sl_job_next(&lines, &key, &value),
       "a line of 512 MiB is refused");
    getrusage(RUSAGE_SELF, &after);
    sl_job_close(&lines);
    ok(after.ru_maxrss - before.ru_maxrss < 32 << 10, "and takes less than 32 MiB");
    snprintf(path, sizeof path, "%s/job-9", directory);
    ok(!mkfifo(path, 0600) && sl_job_open(&lines, directory, "job", 9, &f) == SL_EIO,
       "a pipe in place of a job file is not waited for");
    sl_job_close(&lines);
}

int main(void)
{
    char remove[100];
    if (!mkdtemp(directory))
        return 1;
    test_lines();
    test_results();
    test_failures();
    test_long_line();
    snprintf(remove, sizeof remove, "rm -r %s", directory);
    return system(remove) ? 1 : done_testing();
}
