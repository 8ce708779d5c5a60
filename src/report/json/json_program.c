/* SPDX-License-Identifier: MIT */
/* Writer of the keys "program" and "processes" of JSON reports. */
#include "json.h"

#include <sys/wait.h>

static json_t *argv_list(const struct sl_db_program *program)
{
    json_t *argv = json_array();
    for (size_t i = 0; i < program->argc; i++)
        sl_json_append(&argv, sl_json_text(program->argv[i]));
    return argv;
}

int sl_json_program(const struct sl_db_program *program, FILE *out, struct sl_failure *f)
{
    bool exited = program->ended && WIFEXITED(program->status);
    bool killed = program->ended && WIFSIGNALED(program->status);
    json_t *object = sl_json_object("path", sl_json_text(program->path), "argv", argv_list(program),
                                    "arch", sl_json_text(program->arch), NULL);
    sl_json_set(&object, "exit_status",
                exited ? json_integer(WEXITSTATUS(program->status)) : json_null());
    sl_json_set(&object, "signal", killed ? json_integer(WTERMSIG(program->status)) : json_null());
    if (program->skip)
        sl_json_set(&object, "skip", sl_json_number(program->skip));
    if (program->limit)
        sl_json_set(&object, "limit", sl_json_number(program->limit));
    if (program->load_sampling_period > 1)
        sl_json_set(&object, "load_sampling",
                    sl_json_object("period", sl_json_number(program->load_sampling_period),
                                   "window_blocks", sl_json_number(program->load_sampling_blocks),
                                   NULL));
    if (program->tap)
        sl_json_set(&object, "tap", sl_json_text(program->tap));
    sl_json_set(&object, "threads", sl_json_number(program->threads));
    sl_json_set(&object, "forks", sl_json_number(program->forks));
    sl_json_set(&object, "exec", json_boolean(program->exec));
    return sl_json_dump(object, out, f);
}

static json_t *process_object(const struct sl_db_process *process)
{
    json_t *argv = process->profiled ? argv_list(&process->about) : json_null();
    return sl_json_object(
        "id", sl_json_number(process->number), "pid", sl_json_number(process->pid), "parent",
        sl_json_number(process->parent), "forked", json_boolean(process->forked), "program",
        sl_json_text(process->program), "argv", argv, "instructions",
        process->profiled || process->counted ? sl_json_number(process->about.instructions)
                                              : json_null(),
        NULL);
}

int sl_json_processes(const struct sl_output *o)
{
    struct sl_db_processes all;
    if (!o->database->n_processes)
        return 0;
    int result = sl_db_processes(&all, o->database, o->f);
    if (result)
        return result;
    for (size_t i = 0; i < all.n && !result; i++) {
        fputs(i ? ",\n  " : ",\n \"processes\": [\n  ", o->out);
        result = sl_json_dump(process_object(&all.process[i]), o->out, o->f);
    }
    fputs(all.n ? "]" : "", o->out);
    sl_db_processes_free(&all);
    return result;
}
