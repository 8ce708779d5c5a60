#include "json_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_value.h"
#include "utf8.h"

static int set_totals(json_t *object, const struct sl_saved_machine *machine, size_t first,
                      size_t last)
{
    int error = 0;
    for (size_t i = first; i <= last; i++)
        error |= json_object_set_new(object, sl_happening_names[i].name,
                                     sl_json_number(machine->total[i]));
    return error;
}

/* All that is neither the number of cycles nor a part of it. */
static json_t *events(const struct sl_saved_machine *machine)
{
    json_t *object = json_object();
    int error = set_totals(object, machine, SL_H_CYCLES + 1, SL_H_BASE - 1);
    error |= set_totals(object, machine, SL_H_LOST_LAST + 1, SL_HAPPENINGS - 1);
    if (!error)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *stack(const struct sl_saved_machine *machine)
{
    json_t *object = json_object();
    if (!set_totals(object, machine, SL_H_BASE, SL_H_LOST_LAST))
        return object;
    json_decref(object);
    return NULL;
}

/* Its lines, `key = value`; one that is not such a line is passed over. */
static json_t *description(const char *text)
{
    json_t *object = json_object();
    char *copy = sl_utf8_clean(text), *rest = copy, *line;
    int error = !copy;
    while (!error && (line = strsep(&rest, "\n"))) {
        char *value = strstr(line, " = ");
        if (!value)
            continue;
        *value = '\0';
        error = json_object_set_new(object, line, sl_json_text(value + 3));
    }
    free(copy);
    if (!error)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *correction(const struct sl_saved_machine *machine)
{
    if (isnan(machine->energy_factor))
        return json_null();
    json_t *object = json_object();
    double energy = machine->energy_factor * (double)machine->total[SL_H_ENERGY];
    int error = json_object_set_new(object, "factor", sl_json_real(machine->energy_factor));
    error |= json_object_set_new(object, "energy", sl_json_number((uint64_t)(energy + 0.5)));
    error |= json_object_set_new(object, "extrapolated",
                                 json_boolean(machine->energy_extrapolated));
    if (!error)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *profiler_object(const struct sl_saved_machine *machine)
{
    const struct sl_result_profiler *profiler = &machine->profiler;
    const struct {
        const char *name;
        uint64_t value;
    } number[] = {
        {"profile", profiler->profile},   {"queue", profiler->queue},
        {"branches", profiler->branches}, {"work", profiler->work},
        {"cycles_without", profiler->cycles_without},
    };
    double overhead = sl_profiler_overhead(profiler, machine->total[SL_H_CYCLES]);
    if (!machine->has_profiler)
        return json_null();
    json_t *object = json_object();
    int error = 0;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        error |= json_object_set_new(object, number[i].name, sl_json_number(number[i].value));
    error |= json_object_set_new(object, "overhead", sl_json_real(overhead));
    if (!error)
        return object;
    json_decref(object);
    return NULL;
}

int sl_json_machine(const struct sl_saved_machine *machine, FILE *out, struct sl_failure *f)
{
    if (!machine->name)
        return sl_json_dump(json_null(), 0, out, f);
    double instructions = (double)machine->total[SL_H_INSTRUCTIONS];
    double cpi = (double)machine->total[SL_H_CYCLES] / instructions;
    json_t *object = json_object();
    int error = json_object_set_new(object, "name", sl_json_text(machine->name));
    error |= set_totals(object, machine, SL_H_CYCLES, SL_H_CYCLES);
    error |= json_object_set_new(object, "cpi", sl_json_real(instructions > 0 ? cpi : (double)NAN));
    error |= json_object_set_new(object, "stack", stack(machine));
    error |= json_object_set_new(object, "events", events(machine));
    error |= json_object_set_new(object, "correction", correction(machine));
    error |= json_object_set_new(object, "profiler", profiler_object(machine));
    error |= json_object_set_new(object, "description", description(machine->description));
    return sl_json_dump(object, error, out, f);
}
