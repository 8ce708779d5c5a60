/* SPDX-License-Identifier: MIT */
/* Finds a mapped file and its mappings in a database by the name of the file (code_object.h). Each
 * mapping has a bias: the difference between an address in the program and the same address in the
 * file. The bias is computed from a stored address in the mapping or, if there is none, copied from
 * another mapping of the file. */
#include "code_object.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "db_row.h"
#include "utf8.h"

struct search {
    struct sl_code_object *object;
    const char *wanted;
    bool by_name;    /* compare the last components of the paths, not the paths */
    char names[512]; /* names of all objects, for the message */
};

/* True if a mapping belongs to the searched file, which is the first one with the name. */
static bool matches(const struct search *search, const char *path, const char *name)
{
    if (search->object->path)
        return !strcmp(search->object->path, path);
    return search->by_name ? !strcmp(name, sl_file_name(search->wanted))
                           : !strcmp(path, search->wanted);
}

static int add_mapping(struct search *search, sqlite3_stmt *row, struct sl_failure *f)
{
    struct sl_code_object *object = search->object;
    const char *path = sl_column_text(row, 0), *name = sl_column_text(row, 1);
    if (!path || !name || !matches(search, path, name)) {
        size_t used = strlen(search->names);
        if (name && !sqlite3_column_int(row, 7))
            snprintf(search->names + used, sizeof search->names - used, "%s%s", used ? ", " : "",
                     name);
        return 0;
    }
    if ((!object->path && !(object->path = strdup(path))) ||
        !SL_GROW(object->mapping, object->capacity, object->n + 1))
        return sl_db_fail_memory(f);
    object->mapping[object->n++] = (struct sl_code_mapping){
        .start = sl_column_uint(row, 2),
        .end = sl_column_uint(row, 3),
        .offset = sl_column_uint(row, 4),
        .bias = sl_column_uint(row, 5) - sl_column_uint(row, 6),
        .known = !sl_is_null(row, 5),
    };
    return 0;
}

/* A mapping without a known address gets the bias of another mapping of the same file. */
static void fill_biases(struct sl_code_object *object)
{
    for (size_t i = 0; i < object->n; i++)
        for (size_t k = 0; k < object->n && !object->mapping[i].known; k++)
            if (object->mapping[k].known)
                object->mapping[i].bias = object->mapping[k].bias;
}

/* Reads all mappings of the file. */
static int find(struct search *search, struct sl_database *database, struct sl_failure *f)
{
    /* An address of the mapping with its address in the file's numbering; and whether the file has
     * an earlier mapping. */
    struct sl_rows rows = sl_rows_query(
        database,
        "SELECT o.path, o.name, o.start, o.\"end\", o.offset, p.address, p.object_address,"
        " EXISTS (SELECT 1 FROM object e WHERE e.path = o.path AND e.id < o.id)"
        " FROM object o LEFT JOIN location p ON p.address = (SELECT min(address) FROM location"
        " WHERE address >= o.start AND address < o.\"end\" AND object = o.id) ORDER BY o.id",
        NULL, 0);
    while (sl_rows_next(&rows, NULL))
        rows.result = add_mapping(search, rows.row, f);
    return sl_rows_end(&rows, f);
}

int sl_code_object_find(struct sl_code_object *object, struct sl_database *database,
                        const char *name, struct sl_failure *f)
{
    struct search search = {.object = object};
    *object = (struct sl_code_object){0};
    search.wanted = name ? name : database->program.path ? database->program.path : "";
    int result = find(&search, database, f);
    if (!result && !object->n) {
        search.by_name = true;
        search.names[0] = '\0';
        result = find(&search, database, f);
    }
    if (!result && !object->n)
        result = sl_fail_setting(f, "object", "no code of %s was executed: choose one of %s",
                                 search.wanted[0] ? search.wanted : "a program",
                                 search.names[0] ? search.names : "(no files)");
    fill_biases(object);
    if (result)
        sl_code_object_free(object);
    return result;
}

void sl_code_object_free(struct sl_code_object *object)
{
    free(object->path);
    free(object->mapping);
    *object = (struct sl_code_object){0};
}

const struct sl_code_mapping *sl_code_object_at(const struct sl_code_object *object,
                                                uint64_t address)
{
    for (size_t i = object->n; i-- > 0;) /* where two overlap, the later one is valid */
        if (address - object->mapping[i].start < object->mapping[i].end - object->mapping[i].start)
            return &object->mapping[i];
    return NULL;
}
