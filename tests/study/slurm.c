/* SPDX-License-Identifier: MIT */
/* Unit tests of the interface to Slurm, with shell scripts in place of Slurm's commands: the
 * arguments of sbatch, the list of tasks, and the reason why a task has ended. */
#include "slurm.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char directory[] = "/tmp/slurm.XXXXXX";

/* Makes a command, whose script is `body`; without one, removes it. */
static void make_command(const char *name, const char *body)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    unlink(path);
    FILE *out = body ? fopen(path, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "#!/bin/sh\n%s\n", body);
    fclose(out);
    chmod(path, 0700);
}

static bool file_has(const char *name, const char *text)
{
    char path[200], all[4000] = "";
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *in = fopen(path, "r");
    size_t n = in ? fread(all, 1, sizeof all - 1, in) : 0;
    all[n] = '\0';
    if (in)
        fclose(in);
    return strstr(all, text);
}

static void test_submit(void)
{
    struct sl_slurm_array array = {.name = "sweep",
                                   .command = "sweep",
                                   .directory = "/a dir/it's",
                                   .n = 20,
                                   .megabytes = 700,
                                   .minutes = 90};
    struct sl_failure f = {.text = ""};
    char job[64], script[300];
    make_command("sbatch", NULL);
    ok(sl_slurm_submit(&array, job, &f) == SL_EUSAGE && strstr(f.text, "sbatch not found"),
       "without sbatch: %s", f.text);
    snprintf(script, sizeof script, "echo \"$@\" >%s/args; cat >%s/script; echo '4711;cluster'",
             directory, directory);
    make_command("sbatch", script);
    ok(!sl_slurm_submit(&array, job, &f) && !strcmp(job, "4711"),
       "the id of the job is the number that sbatch prints");
    ok(file_has("args", "--parsable -J sweep --array=0-19 --mem=700 -t 90 -o /a dir/it's/log-%a\n"),
       "sbatch gets one task per job, the limits and the name of the logs");
    ok(file_has("script", "/sluice sweep work '/a dir/it'\\''s' \"$SLURM_ARRAY_TASK_ID\"\n"),
       "the script quotes the directory for the shell");
    array.at_once = 3;
    array.more = "-p long '--comment=a b'";
    ok(!sl_slurm_submit(&array, job, &f) && file_has("args", "--array=0-19%3 ") &&
           file_has("args", " -p long --comment=a b\n"),
       "a limit on running tasks and further arguments");
    make_command("sbatch", "echo 'invalid partition' >&2; echo again >&2; exit 1");
    ok(sl_slurm_submit(&array, job, &f) == SL_EIO &&
           strstr(f.text, "refused the jobs: invalid partition again"),
       "a refusal has sbatch's message, in one line");
    make_command("sbatch", "echo Submitted");
    ok(sl_slurm_submit(&array, job, &f) == SL_EIO, "output that is no number is a refusal");
}

static void test_queue(void)
{
    make_command("squeue", "[ \"$3\" = --name=sweep ] && printf '12_0 \\n12_1 \\n'");
    char *queue = sl_slurm_queue("sweep");
    ok(queue && !strcmp(queue, "\n12_0 \n12_1 \n"), "tasks of that name, each between a line end "
                                                    "and a blank");
    free(queue);
    make_command("squeue", "exit 1");
    queue = sl_slurm_queue("sweep");
    ok(!queue, "a cluster that does not answer");
    free(queue);
}

static void check_end(const char *scontrol, const char *sacct, enum sl_slurm_end wanted,
                      const char *part, const char *name)
{
    char why[500];
    make_command("scontrol", scontrol);
    make_command("sacct", sacct);
    enum sl_slurm_end end = sl_slurm_find_end("12", 3, directory, why, sizeof why);
    if (!ok(end == wanted && strstr(why, "job 12_3 ") && strstr(why, part), "%s: %s", name, why))
        printf("# limit %d, expected: %d, '%s'\n", end, wanted, part);
}

static void test_end(void)
{
    static const char fails[] = "exit 1";
    check_end(fails, fails, SL_SLURM_OTHER, "ended without results", "nothing is known");
    check_end("echo 'JobId=12 JobState=OUT_OF_MEMORY ExitCode=0:125 x=1'", fails, SL_SLURM_MEMORY,
              "OUT_OF_MEMORY 0:125", "scontrol: memory");
    check_end("echo 'JobState=TIMEOUT ExitCode=0:15'", fails, SL_SLURM_TIME, "ran out of time",
              "scontrol: time");
    check_end("echo 'JobState=FAILED ExitCode=1:0'", "echo 'TIMEOUT|0:15'", SL_SLURM_OTHER,
              "FAILED 1:0", "sacct is read only if scontrol knows nothing");
    check_end(fails, "echo 'OUT_OF_MEMORY|0:9'", SL_SLURM_MEMORY, "ran out of memory",
              "sacct: memory");
    check_end(fails, "echo 'CANCELLED by 1000|0:15'", SL_SLURM_OTHER, "CANCELLED 0:15",
              "sacct: the state is its first word");
    check_end(fails, "echo 'FAILED|0:9'", SL_SLURM_MEMORY, "ended without results",
              "a task that was killed gets more memory");
    check_end(fails, "echo 'slurm_load_jobs error'", SL_SLURM_OTHER, "ended without results",
              "an error message is no state");
    char path[200];
    snprintf(path, sizeof path, "%s/log-3", directory);
    FILE *log = fopen(path, "w");
    fputs("slurmstepd: error: CANCELLED DUE TO TIME LIMIT\n", log);
    fclose(log);
    check_end(fails, fails, SL_SLURM_TIME, "DUE TO TIME LIMIT", "the log names the limit");
}

int main(void)
{
    char search[4096], clean[100];
    if (!mkdtemp(directory))
        return 1;
    snprintf(search, sizeof search, "%s:/usr/bin:/bin", directory);
    setenv("PATH", search, 1);
    test_submit();
    test_queue();
    test_end();
    snprintf(clean, sizeof clean, "rm -rf %s", directory);
    if (system(clean))
        return 1;
    return done_testing();
}
