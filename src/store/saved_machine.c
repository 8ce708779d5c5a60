/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "saved.h"
#include "saved_row.h"

struct reading {
    struct sl_database *database;
    struct sl_saved_machine *machine;
    struct sl_failure *f;
};

static int read_machine(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_machine *machine = reading->machine;
    const char *name = sl_text_at(row, 0), *description = sl_text_at(row, 1);
    if (!name || !description || machine->name)
        return sl_saved_fail_content(reading->database, "its machine is not one with a name",
                                     reading->f);
    machine->name = strdup(name);
    machine->description = strdup(description);
    machine->energy_factor = sl_real_at(row, 2);
    machine->energy_extrapolated = sl_number_at(row, 3);
    machine->energy_calibrated = strstr(description, "\npower.calibrated = 1\n") != NULL;
    return machine->name && machine->description ? 0 : sl_saved_fail_memory(reading->f);
}

static int read_happening(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    const char *name = sl_text_at(row, 0);
    size_t i = 0;
    while (i < SL_HAPPENINGS && name && strcmp(sl_happening_names[i].name, name))
        i++;
    if (!name || i == SL_HAPPENINGS)
        return sl_saved_fail_content(reading->database, "something unknown happened in its machine",
                                     reading->f);
    reading->machine->total[i] = sl_number_at(row, 1);
    return 0;
}

static int read_profiler(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    reading->machine->has_profiler = true;
    reading->machine->profiler = (struct sl_result_profiler){
        .profile = sl_number_at(row, 0),
        .queue = sl_number_at(row, 1),
        .branches = sl_number_at(row, 2),
        .work = sl_number_at(row, 3),
        .cycles_without = sl_number_at(row, 4),
    };
    return 0;
}

/* The next of those beside. */
static int read_beside(void *context, sqlite3_stmt *row)
{
    struct reading *reading = context;
    struct sl_database *database = reading->database;
    if (database->n_beside == SL_RESULT_BESIDE_MAX)
        return sl_saved_fail_content(database, "it has more machines than can be", reading->f);
    if (!SL_GROW(database->beside, database->room_beside, database->n_beside + 1))
        return sl_saved_fail_memory(reading->f);
    reading->machine = &database->beside[database->n_beside++];
    *reading->machine = (struct sl_saved_machine){0};
    return read_machine(context, row);
}

/* Of which machine is in the third column. */
static int read_beside_happening(void *context, sqlite3_stmt *row)
{
    struct reading *reading = context;
    uint64_t which = (uint64_t)sl_number_at(row, 2);
    if (which >= reading->database->n_beside)
        return sl_saved_fail_content(
            reading->database, "something happened in a machine that is not there", reading->f);
    reading->machine = &reading->database->beside[which];
    return read_happening(context, row);
}

static int read_all_beside(struct sl_database *database, struct sl_failure *f)
{
    struct reading reading = {database, NULL, f};
    int result = sl_saved_rows(database,
                               "SELECT name, description, energy_factor, energy_extrapolated"
                               " FROM beside ORDER BY id",
                               NULL, 0, read_beside, &reading, f);
    if (!result)
        result = sl_saved_rows(database, "SELECT name, count, machine FROM beside_happening", NULL,
                               0, read_beside_happening, &reading, f);
    return result;
}

int sl_saved_machine(struct sl_database *database, struct sl_failure *f)
{
    struct reading reading = {database, &database->machine, f};
    int result = sl_saved_rows(database,
                               "SELECT name, description, energy_factor,"
                               " energy_extrapolated FROM machine",
                               NULL, 0, read_machine, &reading, f);
    if (!result)
        result = sl_saved_rows(database, "SELECT name, count FROM happening", NULL, 0,
                               read_happening, &reading, f);
    if (!result)
        result = sl_saved_rows(database,
                               "SELECT profile, queue, branches, work, cycles_without"
                               " FROM profiler",
                               NULL, 0, read_profiler, &reading, f);
    return result ? result : read_all_beside(database, f);
}

void sl_saved_machine_free(struct sl_saved_machine *machine)
{
    free(machine->name);
    free(machine->description);
}

uint64_t sl_saved_corrected_energy(const struct sl_saved_machine *machine)
{
    double energy = machine->energy_factor * (double)machine->total[SL_H_ENERGY] + 0.5;
    return !(energy > 0) ? 0 : energy < 0x1p64 ? (uint64_t)energy : UINT64_MAX;
}
