/* SPDX-License-Identifier: MIT */
#include "json_processes.h"

#include "json_value.h"
#include "saved.h"

static json_t *about(const struct sl_saved_process *process)
{
    json_t *argv = process->profiled ? json_array() : json_null();
    for (size_t i = 0; i < process->about.argc; i++)
        sl_json_append(&argv, sl_json_text(process->about.argv[i]));
    return sl_json_object(
        "number", sl_json_number(process->number), "pid", sl_json_number(process->pid), "parent",
        sl_json_number(process->parent), "forked", json_boolean(process->forked), "program",
        sl_json_text(process->program), "argv", argv, "instructions",
        process->profiled || process->counted ? sl_json_number(process->about.instructions)
                                              : json_null(),
        NULL);
}

int sl_json_processes(struct sl_database *database, FILE *out, struct sl_failure *f)
{
    struct sl_saved_processes all;
    if (!database->n_processes)
        return 0;
    int result = sl_saved_processes(&all, database, f);
    if (result)
        return result;
    for (size_t i = 0; i < all.n && !result; i++) {
        fputs(i ? ",\n  " : ",\n \"processes\": [\n  ", out);
        result = sl_json_dump(about(&all.process[i]), out, f);
    }
    fputs(all.n ? "]" : "", out);
    sl_saved_processes_free(&all);
    return result;
}
