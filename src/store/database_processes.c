/* SPDX-License-Identifier: MIT */
/* Processes that the program has started: the database of each, whole, in a row of its own. */
#include <stdio.h>
#include <stdlib.h>

#include "database.h"
#include "database_row.h"
#include "utf8.h"

/* The file's bytes; NULL if there are none. */
static void *read_file(const char *path, size_t *size)
{
    char *bytes = NULL;
    size_t room = 0;
    FILE *in = path ? fopen(path, "re") : NULL;
    *size = 0;
    while (in && !feof(in) && !ferror(in)) {
        if (*size == room) {
            room = room ? 2 * room : 1 << 16;
            char *more = realloc(bytes, room);
            if (!more)
                break;
            bytes = more;
        }
        *size += fread(bytes + *size, 1, room - *size, in);
    }
    bool whole = in && feof(in) && *size > 0;
    if (in)
        fclose(in);
    if (whole)
        return bytes;
    free(bytes);
    return NULL;
}

int sl_database_fill_processes(sqlite3 *database, const struct sl_results *results)
{
    struct sl_row row = sl_row_prepare(database, "INSERT INTO process VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; i < results->n_processes && row.rc == SQLITE_OK; i++) {
        const struct sl_process *process = &results->process[i];
        size_t size;
        void *bytes = read_file(process->database, &size);
        char *clean = sl_utf8_clean(process->program);
        sl_row_number(&row, i + 1);
        sl_row_number(&row, process->pid);
        sl_row_text(&row, clean);
        sl_row_number(&row, process->parent);
        sl_row_number(&row, process->forked);
        if (process->counted)
            sl_row_number(&row, process->instructions);
        else
            sl_row_null(&row);
        if (bytes)
            sl_row_bytes(&row, bytes, size);
        else
            sl_row_null(&row);
        sl_row_put(&row);
        free(clean);
        free(bytes);
    }
    return sl_row_finish(&row);
}
