/* SPDX-License-Identifier: MIT */
/* Runs the commands of the cluster scheduler Slurm, for example sbatch and squeue, and parses their
 * output. */
#include "slurm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "failure.h"
#include "job_file.h"
#include "data_path.h"
#include "utf8.h"
#include "split_words.h"

#define LOG_SHOWN 300 /* bytes from the end of a log */
#define ARGUMENTS 64

/* ---- submitting ---- */

/* Quotes a text for the shell. */
static void put_quoted(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(*text, out);
    putc('\'', out);
}

static char *script_of(const struct sl_slurm_array *a)
{
    char *script = NULL, *own = sl_install_directory();
    size_t size;
    FILE *out = own ? open_memstream(&script, &size) : NULL;
    if (out) {
        fputs("#!/bin/sh\nexec ", out);
        put_quoted(out, own);
        fprintf(out, "/sluice %s work ", a->command);
        put_quoted(out, a->directory);
        fputs(" \"$SLURM_ARRAY_TASK_ID\"\n", out);
        script = fclose(out) ? (free(script), NULL) : script;
    }
    free(own);
    return script;
}

/* Removes line ends at the end of the text and replaces control characters. */
static const char *one_line(char *text)
{
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return text;
}

static int read_job(struct sl_command *said, char job[64], struct sl_failure *f)
{
    size_t n = said->out ? strspn(said->out, "0123456789") : 0;
    if (said->status == 127)
        return sl_fail_setting(f, "on", "sbatch not found: install Slurm or add it to PATH");
    if (said->status || !n || n >= 64)
        return sl_fail(f, SL_EIO, "sbatch refused the jobs: %.600s",
                       said->out ? one_line(said->out) : "");
    snprintf(job, 64, "%.*s", (int)n, said->out);
    return 0;
}

int sl_slurm_submit(const struct sl_slurm_array *a, char job[64], struct sl_failure *f)
{
    const char *argv[ARGUMENTS] = {"sbatch", "--parsable", "-J", a->name};
    size_t n = 4;
    char array[64], memory[40], minutes[24], limit[24] = "";
    char *log = sl_asprintf("%s/log-%%a", a->directory), *script = script_of(a);
    char **more = sl_words_split(a->more ? a->more : "");
    if (a->at_once)
        snprintf(limit, sizeof limit, "%%%u", a->at_once);
    snprintf(array, sizeof array, "--array=0-%zu%s", a->n - 1, limit);
    snprintf(memory, sizeof memory, "--mem=%llu", (unsigned long long)a->megabytes);
    snprintf(minutes, sizeof minutes, "%llu", (unsigned long long)a->minutes);
    argv[n++] = array;
    argv[n++] = memory;
    argv[n++] = "-t";
    argv[n++] = minutes;
    argv[n++] = "-o";
    argv[n++] = log;
    for (size_t i = 0; more && more[i] && n < ARGUMENTS - 1; i++)
        argv[n++] = more[i];
    struct sl_command said = {0};
    int error = log && script && more ? sl_command_run(&said, argv, script, f)
                                      : sl_out_of_memory(f);
    if (error >= 0)
        error = read_job(&said, job, f);
    free(said.out);
    free(log);
    free(script);
    sl_words_free(more);
    return error;
}

/* ---- queries ---- */

char *sl_slurm_queue(const char *name)
{
    char *its_name = sl_asprintf("--name=%s", name);
    const char *argv[] = {"squeue", "-h", "-r", its_name, "-o", "%F_%K ", NULL};
    struct sl_command said = {0};
    char *all = NULL;
    if (its_name && sl_command_run(&said, argv, NULL, NULL) >= 0 && !said.status && said.out)
        all = sl_asprintf("\n%s", said.out);
    free(said.out);
    free(its_name);
    return all;
}

/* Copies the word after "KEY=" in the output of scontrol. */
static bool word_after(const char *text, const char *key, char *out, size_t capacity)
{
    const char *at = text ? strstr(text, key) : NULL;
    if (at)
        snprintf(out, capacity, "%.*s", (int)strcspn(at + strlen(key), " \n+"), at + strlen(key));
    return at;
}

static void find_state(const char *task, char *state, size_t capacity, char *code,
                       size_t code_capacity)
{
    const char *show[] = {"scontrol", "-o", "show", "job", task, NULL};
    const char *account[] = {"sacct", "-n", "-X", "-P", "-j", task, "-o", "State,ExitCode", NULL};
    struct sl_command said = {0};
    *state = *code = '\0';
    if (sl_command_run(&said, show, NULL, NULL) >= 0 && !said.status &&
        word_after(said.out, "JobState=", state, capacity))
        word_after(said.out, "ExitCode=", code, code_capacity);
    free(said.out);
    if (*state)
        return;
    said = (struct sl_command){0};
    if (sl_command_run(&said, account, NULL, NULL) >= 0 && !said.status && said.out)
        if (isupper((unsigned char)said.out[0])) {
            snprintf(state, capacity, "%.*s", (int)strcspn(said.out, "| \n"), said.out);
            if (strchr(said.out, '|'))
                snprintf(code, code_capacity, "%.*s",
                         (int)strcspn(strchr(said.out, '|') + 1, " \n"), strchr(said.out, '|') + 1);
        }
    free(said.out);
}

enum sl_slurm_end sl_slurm_find_end(const char *job, size_t task, const char *directory, char *why,
                                    size_t capacity)
{
    char name[96], state[40], code[40], log[LOG_SHOWN];
    snprintf(name, sizeof name, "%s_%zu", job, task);
    find_state(name, state, sizeof state, code, sizeof code);
    sl_job_log(directory, task, log, sizeof log);
    bool memory = !strcmp(state, "OUT_OF_MEMORY") || strstr(log, "memory limit") ||
                  strstr(log, "oom");
    bool time = !strcmp(state, "TIMEOUT") || strstr(log, "TIME LIMIT");
    bool killed = strlen(code) > 2 && !strcmp(code + strlen(code) - 2, ":9");
    snprintf(why, capacity, "job %s %s%s%s%s%s%s", name,
             memory ? "ran out of memory"
             : time ? "ran out of time"
                    : "ended without results",
             *state ? "; Slurm says " : "", state, *code ? " " : "", code, "");
    if (*log && strlen(why) + 20 < capacity)
        snprintf(why + strlen(why), capacity - strlen(why), "; it said: %s", log);
    return time ? SL_SLURM_TIME : memory || killed ? SL_SLURM_MEMORY : SL_SLURM_OTHER;
}
