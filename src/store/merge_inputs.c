/* SPDX-License-Identifier: MIT */
/* Opens the databases that are merged, and assigns address ranges to the mappings of programs and
 * libraries that they list (database_merge.h). */
#include <stdlib.h>
#include <string.h>

#include "database_merge.h"
#include "grow.h"
#include "utf8.h"

#define DISTANCE ((uint64_t)1 << 20) /* bytes between mappings that had to move */

/* ---- opening ---- */

/* Adds an input, which owns the database and the name. */
static int add_input(struct sl_merge_inputs *inputs, struct sl_database *database, char *name,
                     struct sl_failure *f)
{
    if (name && SL_GROW(inputs->input, inputs->capacity, inputs->n + 1)) {
        inputs->input[inputs->n++] = (struct sl_merge_input){.database = database, .name = name};
        return 0;
    }
    sl_database_close(database);
    free(name);
    return sl_db_fail_memory(f);
}

/* Opens the child processes of input i. Their databases contain no processes, because the database
 * of the first process lists all of them. */
static int open_processes(struct sl_merge_inputs *inputs, size_t i, struct sl_failure *f)
{
    struct sl_database *within = inputs->input[i].database, *database;
    struct sl_rows rows = sl_rows_query(
        within, "SELECT id, database FROM process WHERE database NOT NULL ORDER BY id", NULL, 0);
    while (sl_rows_next(&rows, NULL)) {
        rows.result = sl_db_open_cell(&database, within, rows.row, 1, f);
        if (!rows.result)
            rows.result = add_input(inputs, database,
                                    sl_asprintf("process %llu of %s",
                                                (unsigned long long)sl_column_uint(rows.row, 0),
                                                inputs->input[i].name),
                                    f);
    }
    return sl_rows_end(&rows, f);
}

static int open_all(struct sl_merge_inputs *inputs, const char *const *path, size_t n,
                    struct sl_failure *f)
{
    int result = 0;
    for (size_t i = 0; i < n && !result; i++) {
        struct sl_database *database;
        result = sl_database_open(&database, path[i], f);
        if (!result)
            result = add_input(inputs, database, strdup(path[i]), f);
    }
    for (size_t i = 0; i < n && !result; i++)
        if (inputs->input[i].database->n_processes)
            result = open_processes(inputs, i, f);
    return result;
}

/* ---- address ranges ---- */

static bool is_free(const struct sl_merge_inputs *inputs, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < inputs->n_objects; i++)
        if (start < inputs->object[i].end && inputs->object[i].start < end)
            return false;
    return true;
}

/* Returns a start address above all mappings, except one at the end of the address space. */
static uint64_t above_all(const struct sl_merge_inputs *inputs, uint64_t size)
{
    uint64_t start = 0;
    for (size_t i = 0; i < inputs->n_objects; i++) {
        const struct sl_db_object *object = &inputs->object[i];
        if (object->end > start && object->end < UINT64_MAX - 2 * DISTANCE - size)
            start = object->end;
    }
    return (start + 2 * DISTANCE - 1) & ~(DISTANCE - 1);
}

static size_t find_object(const struct sl_merge_inputs *inputs, const struct sl_db_object *of)
{
    size_t i = 0;
    for (; i < inputs->n_objects; i++) {
        const struct sl_db_object *object = &inputs->object[i];
        if (object->end - object->start == of->end - of->start && object->offset == of->offset &&
            sl_same_text(object->path, of->path) && sl_same_text(object->build_id, of->build_id))
            break;
    }
    return i;
}

/* Adds a mapping of the input, and the address range of its file if that is new. */
static int assign_range(struct sl_merge_inputs *inputs, struct sl_merge_input *input,
                        const struct sl_db_object *of, struct sl_failure *f)
{
    if (of->end < of->start)
        return sl_db_fail_content(input->database, "a mapping ends before its start", f);
    size_t at = find_object(inputs, of);
    if (at == inputs->n_objects) {
        if (!SL_GROW(inputs->object, inputs->objects_capacity, at + 1))
            return sl_db_fail_memory(f);
        uint64_t size = of->end - of->start;
        uint64_t start = is_free(inputs, of->start, of->end) ? of->start : above_all(inputs, size);
        struct sl_db_object *object = &inputs->object[inputs->n_objects++];
        *object = *of;
        object->id = at;
        object->start = start;
        object->end = start + size;
        object->name = sl_file_name(of->path);
        if (!sl_sql_copy_texts(&sl_db_tables[SL_DB_OBJECT], object))
            return sl_db_fail_memory(f);
    }
    if (!SL_GROW(input->mapping, input->capacity, input->n_mappings + 1))
        return sl_db_fail_memory(f);
    input->mapping[input->n_mappings++] = (struct sl_merge_mapping){(int64_t)of->id, of->start,
                                                                    of->end, at};
    input->moved = input->moved || inputs->object[at].start != of->start;
    return 0;
}

int sl_merge_inputs_open(struct sl_merge_inputs *inputs, const char *const *path, size_t n,
                         struct sl_failure *f)
{
    *inputs = (struct sl_merge_inputs){0};
    int result = open_all(inputs, path, n, f);
    for (size_t i = 0; i < inputs->n && !result; i++) {
        struct sl_db_object object;
        struct sl_rows rows = sl_rows_select(inputs->input[i].database, SL_DB_OBJECT, "ORDER BY id",
                                             NULL, 0);
        while (sl_rows_next(&rows, &object))
            rows.result = assign_range(inputs, &inputs->input[i], &object, f);
        result = sl_rows_end(&rows, f);
    }
    return result;
}

void sl_merge_inputs_close(struct sl_merge_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n; i++) {
        sl_database_close(inputs->input[i].database);
        free(inputs->input[i].name);
        free(inputs->input[i].mapping);
    }
    for (size_t i = 0; i < inputs->n_objects; i++)
        sl_sql_free_texts(&sl_db_tables[SL_DB_OBJECT], &inputs->object[i]);
    free(inputs->input);
    free(inputs->object);
    *inputs = (struct sl_merge_inputs){0};
}

uint64_t sl_merge_address(const struct sl_merge_inputs *inputs, const struct sl_merge_input *input,
                          uint64_t address)
{
    for (size_t i = input->moved ? input->n_mappings : 0; i > 0; i--) {
        const struct sl_merge_mapping *mapping = &input->mapping[i - 1];
        if (address >= mapping->start && address < mapping->end)
            return address - mapping->start + inputs->object[mapping->object].start;
    }
    return address;
}

int64_t sl_merge_object(const struct sl_merge_input *input, int64_t id)
{
    for (size_t i = 0; i < input->n_mappings; i++)
        if (input->mapping[i].id == id)
            return (int64_t)input->mapping[i].object;
    return -1;
}
