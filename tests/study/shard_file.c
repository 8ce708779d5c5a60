/* SPDX-License-Identifier: MIT */
/* Unit tests of shards, the parts of a sweep, that are stored as job files: a shard is the same
 * after writing and reading, an incomplete file is refused, and a shard that is run from its file
 * produces results. */
#include "shard_file.h"

#include <string.h>
#include <unistd.h>

#include "job_file.h"
#include "tap.h"

static char directory[] = "/tmp/shard_file.XXXXXX";
static const char *const specs[] = {"value@exact", "edge@morris(bits=4, seed=1)", "path\n@exact"};

static const struct sl_sweep_how all_set = {.range = "0x10-0x20",
                                            .only = "main",
                                            .marked = true,
                                            .skip = UINT64_MAX,
                                            .limit = 1000,
                                            .error_executions = 7,
                                            .error_share = 0.1,
                                            .error_covered = 1.0 / 3};

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_how(const struct sl_sweep_how *a, const struct sl_sweep_how *b)
{
    return same_text(a->range, b->range) && same_text(a->only, b->only) && a->marked == b->marked &&
           a->skip == b->skip && a->limit == b->limit &&
           a->error_executions == b->error_executions && a->error_share == b->error_share &&
           a->error_covered == b->error_covered;
}

static void test_round_trip(size_t number, const struct sl_sweep_how *how, const char *machine,
                            const char *name)
{
    struct sl_shard_task task = {.shard = {"a stream.slt", machine, specs, 3, how},
                                 .what = "hash of the stream",
                                 .described = ""};
    struct sl_shard_task read;
    struct sl_failure f = {.text = ""};
    bool same = !sl_shard_write(directory, number, &task, &f) &&
                !sl_shard_read(directory, number, &read, &f);
    if (!ok(same, "%s: the shard is written and read", name)) {
        printf("# %s\n", f.text);
        return;
    }
    same = read.shard.n == 3 && same_text(read.shard.stream, task.shard.stream) &&
           same_text(read.shard.machine, machine) && same_text(read.what, task.what) &&
           same_text(read.described, task.described);
    for (size_t i = 0; i < 3 && same; i++)
        same = same_text(read.shard.spec[i], specs[i]);
    ok(same, "%s: stream, CPU model and profiles are the same", name);
    ok(read.shard.how == &read.how && same_how(&read.how, how),
       "%s: settings are the same to the bit", name);
    sl_shard_task_free(&read);
}

static void write_text(size_t number, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/job-%zu", directory, number);
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
}

/* Every prefix of a job file that ends with a line end. */
static void test_incomplete(void)
{
    char path[200], all[2000] = "";
    struct sl_shard_task read;
    struct sl_failure f;
    size_t refused = 0, n = 0;
    snprintf(path, sizeof path, "%s/job-1", directory);
    FILE *in = fopen(path, "r");
    size_t size = in ? fread(all, 1, sizeof all - 1, in) : 0;
    if (in)
        fclose(in);
    for (size_t end = 0; end < size; end++) {
        if (end && all[end - 1] != '\n')
            continue;
        char cut = all[end];
        all[end] = '\0';
        write_text(5, all);
        all[end] = cut;
        n++;
        refused += sl_shard_read(directory, 5, &read, &f) == SL_EFORMAT;
        sl_shard_task_free(&read);
    }
    ok(n > 10 && refused == n, "each of %zu files that lack lines at the end is refused", n);
    ok(sl_shard_read(directory, 99, &read, &f) == SL_EIO, "so is a missing file");
    sl_shard_task_free(&read);
}

static void test_work(void)
{
    static const char *const runs[] = {"value@exact", "value@hpt(64x4)"};
    struct sl_sweep_how how = {.error_executions = 1, .error_share = 0.01, .error_covered = 1};
    struct sl_shard_task task = {
        .shard = {"synth:zipf(events=20000)", NULL, runs, 2, &how}, .what = "w", .described = ""};
    struct sl_failure f = {.text = ""};
    struct sl_job_results results = {0};
    if (sl_shard_write(directory, 3, &task, &f) || sl_shard_work(directory, 3, &f))
        printf("# %s\n", f.text);
    int error = sl_job_collect(directory, 3, &results, &f);
    size_t of[2] = {0, 0};
    for (size_t i = 0; i < results.n; i++)
        of[results.figure[i].of & 1]++;
    ok(!error && of[0] && of[1] && !results.n_failures,
       "a job that is run from its file leaves results of each profile: %s", f.text);
    sl_job_results_free(&results);
    ok(sl_shard_work(directory, 98, &f) == SL_EIO, "a job without a file is an error");
}

int main(void)
{
    char clean[100];
    static const struct sl_sweep_how none;
    if (!mkdtemp(directory))
        return 1;
    test_round_trip(1, &all_set, "rocket,l1d=8K", "all settings");
    test_round_trip(2, &none, NULL, "no settings, no CPU model");
    test_incomplete();
    test_work();
    snprintf(clean, sizeof clean, "rm -rf %s", directory);
    if (system(clean))
        return 1;
    return done_testing();
}
