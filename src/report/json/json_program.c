/* SPDX-License-Identifier: MIT */
#include "json_program.h"

#include <sys/wait.h>

#include "json_value.h"

int sl_json_program(const struct sl_saved_program *program, FILE *out, struct sl_failure *f)
{
    json_t *argv = json_array();
    bool exited = program->ended && WIFEXITED(program->status);
    bool killed = program->ended && WIFSIGNALED(program->status);
    for (size_t i = 0; i < program->argc; i++)
        sl_json_append(&argv, sl_json_text(program->argv[i]));
    json_t *object = sl_json_object("path", sl_json_text(program->path), "argv", argv, "arch",
                                    sl_json_text(program->arch), NULL);
    sl_json_set(&object, "exit_status",
                exited ? json_integer(WEXITSTATUS(program->status)) : json_null());
    sl_json_set(&object, "signal", killed ? json_integer(WTERMSIG(program->status)) : json_null());
    if (program->skip)
        sl_json_set(&object, "skip", sl_json_number(program->skip));
    if (program->limit)
        sl_json_set(&object, "limit", sl_json_number(program->limit));
    if (program->stretches > 1)
        sl_json_set(&object, "stretches",
                    sl_json_object("of", sl_json_number(program->stretches), "blocks",
                                   sl_json_number(program->stretch_blocks), NULL));
    if (program->tap)
        sl_json_set(&object, "tap", sl_json_text(program->tap));
    sl_json_set(&object, "threads", sl_json_number(program->threads));
    sl_json_set(&object, "forks", sl_json_number(program->forks));
    sl_json_set(&object, "exec", json_boolean(program->exec));
    return sl_json_dump(object, out, f);
}
