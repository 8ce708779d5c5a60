/* SPDX-License-Identifier: MIT */
/* Stores the description of a shard (part) of a sweep as a job file, which another process reads in
 * order to run the shard. */
#include "shard_file.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "job_file.h"

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

int sl_shard_write(const char *directory, size_t number, const struct sl_shard_task *task,
                   struct sl_failure *f)
{
    const struct sl_shard *s = &task->shard;
    const struct sl_sweep_how *how = s->how;
    struct sl_job_text t;
    sl_job_begin(&t);
    sl_job_put(&t, "stream", s->stream);
    sl_job_put(&t, "what", task->what);
    sl_job_put(&t, "described", task->described);
    if (s->machine)
        sl_job_put(&t, "machine", s->machine);
    if (how->range)
        sl_job_put(&t, "range", how->range);
    if (how->only)
        sl_job_put(&t, "only", how->only);
    if (how->marked)
        sl_job_put(&t, "marked", "1");
    if (t.out) {
        fprintf(t.out, "skip %llu\nlimit %llu\n", (unsigned long long)how->skip,
                (unsigned long long)how->limit);
        fprintf(t.out, "executions %llu\n", (unsigned long long)how->error_executions);
        fprintf(t.out, "share %a\ncovered %a\n", how->error_share, how->error_covered);
    }
    for (size_t i = 0; i < s->n; i++)
        sl_job_put(&t, "spec", s->spec[i]);
    return sl_job_write(&t, directory, "job", number, f);
}

/* Returns a copy that lives as long as the task; NULL if out of memory. */
static const char *own_string(struct sl_shard_task *t, char *value)
{
    char *copy = SL_GROW(t->text, t->texts_capacity, t->n_texts + 1) ? strdup(value) : NULL;
    if (copy)
        t->text[t->n_texts++] = copy;
    return copy;
}

/* Parses one line; unknown keys are ignored. Returns false if out of memory. */
static bool take(struct sl_shard_task *t, const char *key, char *value)
{
    struct sl_shard *s = &t->shard;
    const char **spec = (const char **)s->spec;
    uint64_t number = strtoull(value, NULL, 10);
    if (!strcmp(key, "stream"))
        return (s->stream = own_string(t, value));
    if (!strcmp(key, "what"))
        return (t->what = own_string(t, value));
    if (!strcmp(key, "described"))
        return (t->described = own_string(t, value));
    if (!strcmp(key, "machine"))
        return (s->machine = own_string(t, value));
    if (!strcmp(key, "range"))
        return (t->how.range = own_string(t, value));
    if (!strcmp(key, "only"))
        return (t->how.only = own_string(t, value));
    if (!strcmp(key, "spec")) {
        if (!SL_GROW(spec, t->specs_capacity, s->n + 1))
            return false;
        s->spec = spec;
        return (spec[s->n++] = own_string(t, value));
    }
    if (!strcmp(key, "marked"))
        t->how.marked = true;
    else if (!strcmp(key, "skip"))
        t->how.skip = number;
    else if (!strcmp(key, "limit"))
        t->how.limit = number;
    else if (!strcmp(key, "executions"))
        t->how.error_executions = number;
    else if (!strcmp(key, "share"))
        t->how.error_share = strtod(value, NULL);
    else if (!strcmp(key, "covered"))
        t->how.error_covered = strtod(value, NULL);
    return true;
}

int sl_shard_read(const char *directory, size_t number, struct sl_shard_task *t,
                  struct sl_failure *f)
{
    struct sl_job_lines lines;
    char *key, *value;
    bool ended = false, capacity = true;
    *t = (struct sl_shard_task){0};
    int error = sl_job_open(&lines, directory, "job", number, f);
    while (error >= 0 && capacity && !ended && sl_job_next(&lines, &key, &value)) {
        ended = !strcmp(key, "end");
        capacity = take(t, key, value);
    }
    sl_job_close(&lines);
    if (error < 0)
        return error;
    t->shard.how = &t->how;
    if (!capacity)
        return no_memory(f);
    return ended && t->shard.n && t->shard.stream && t->what && t->described
               ? 0
               : sl_fail(f, SL_EFORMAT, "%s/job-%zu is incomplete", directory, number);
}

void sl_shard_task_free(struct sl_shard_task *t)
{
    for (size_t i = 0; i < t->n_texts; i++)
        free(t->text[i]);
    free(t->text);
    free((void *)t->shard.spec);
}

static int work(void *context, struct sl_job_results *out, struct sl_failure *f)
{
    return sl_shard_run(context, out, f);
}

int sl_shard_work(const char *directory, size_t number, struct sl_failure *f)
{
    struct sl_shard_task task;
    int error = sl_shard_read(directory, number, &task, f);
    if (error >= 0)
        error = sl_job_work(directory, number, work, &task.shard, f);
    sl_shard_task_free(&task);
    return error;
}
