/* SPDX-License-Identifier: MIT */
/* Writer of the keys "machine" and "other_machines" of JSON reports: totals of the CPU models. */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static void set_totals(json_t **object, const struct sl_db_machine *machine, size_t first,
                       size_t last)
{
    for (size_t i = first; i <= last; i++)
        sl_json_set(object, sl_machine_event_names[i].name, sl_json_number(machine->total[i]));
}

/* Returns an object of the description's lines `key = value`; other lines are skipped. */
static json_t *description(const char *text)
{
    json_t *object = json_object();
    char *copy = strdup(text), *rest = copy, *line;
    while (copy && (line = strsep(&rest, "\n"))) {
        char *value = strstr(line, " = ");
        if (!value)
            continue;
        *value = '\0';
        char *key = sl_utf8_clean(line);
        sl_json_set(&object, key ? key : "", key ? sl_json_text(value + 3) : NULL);
        free(key);
    }
    if (!copy)
        json_decref(object);
    free(copy);
    return copy ? object : NULL;
}

static json_t *correction(const struct sl_db_machine *machine)
{
    if (isnan(machine->energy_factor))
        return json_null();
    return sl_json_object("factor", sl_json_real(machine->energy_factor), "energy",
                          sl_json_number(sl_db_corrected_energy(machine)), "extrapolated",
                          json_boolean(machine->energy_extrapolated), NULL);
}

static json_t *profiler_object(const struct sl_db_machine *machine)
{
    const struct sl_result_profiler *p = &machine->profiler;
    if (!machine->has_profiler)
        return json_null();
    return sl_json_object(
        "profile", sl_json_number(p->profile), "queue_entries", sl_json_number(p->queue),
        "branches", sl_json_number(p->branches), "busy_cycles", sl_json_number(p->work),
        "cycles_without", sl_json_number(p->cycles_without), "overhead",
        sl_json_real(sl_profiler_overhead(p, machine->total[SL_MACHINE_CYCLES])), NULL);
}

int sl_json_machine(const struct sl_db_machine *machine, FILE *out, struct sl_failure *f)
{
    if (!machine->name)
        return sl_json_dump(json_null(), out, f);
    double instructions = (double)machine->total[SL_MACHINE_INSTRUCTIONS];
    double cpi = (double)machine->total[SL_MACHINE_CYCLES] / instructions;
    json_t *object = sl_json_object("name", sl_json_text(machine->name), NULL);
    json_t *stack = json_object(), *events = json_object();
    set_totals(&object, machine, SL_MACHINE_CYCLES, SL_MACHINE_CYCLES);
    set_totals(&stack, machine, SL_MACHINE_BASE, SL_MACHINE_STALL_LAST);
    /* All totals except cycles and their causes. */
    set_totals(&events, machine, SL_MACHINE_CYCLES + 1, SL_MACHINE_BASE - 1);
    set_totals(&events, machine, SL_MACHINE_STALL_LAST + 1, SL_MACHINE_TOTALS - 1);
    sl_json_set(&object, "cpi", sl_json_real(instructions > 0 ? cpi : (double)NAN));
    sl_json_set(&object, "cycle_stack", stack);
    sl_json_set(&object, "events", events);
    sl_json_set(&object, "energy_calibrated", json_boolean(machine->energy_calibrated));
    sl_json_set(&object, "energy_correction", correction(machine));
    sl_json_set(&object, "profiler", profiler_object(machine));
    sl_json_set(&object, "description", description(machine->description));
    return sl_json_dump(object, out, f);
}

int sl_json_other_machines(const struct sl_output *o)
{
    const struct sl_database *database = o->database;
    int result = 0;
    if (!database->n_other_machines)
        return 0;
    fputs(",\n \"other_machines\": [", o->out);
    for (size_t i = 0; i < database->n_other_machines && !result; i++) {
        fputs(i ? ",\n  " : "\n  ", o->out);
        result = sl_json_machine(&database->other_machine[i], o->out, o->f);
    }
    putc(']', o->out);
    return result;
}
