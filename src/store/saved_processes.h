/* SPDX-License-Identifier: MIT */
/* Programs that the program of a database has started, and what they did. */
#ifndef SL_SAVED_PROCESSES_H
#define SL_SAVED_PROCESSES_H

#include "saved.h"

struct sl_saved_process {
    uint64_t number; /* 1, 2, ... */
    uint64_t pid;
    uint64_t
        parent;  /* the number of the one that has started it, smaller or larger; 0: the program */
    bool forked; /* as a copy of that; or else it is another program */
    char *program; /* its file; NULL if that is not known */
    bool profiled;
    bool counted; /* not profiled: only its instructions are known (about.instructions) */
    struct sl_saved_program about; /* of a profiled one */
};

struct sl_saved_processes {
    struct sl_saved_process *process;
    size_t n, room;
};

int sl_saved_processes(struct sl_saved_processes *processes, struct sl_database *database,
                       struct sl_failure *f);
void sl_saved_processes_free(struct sl_saved_processes *processes);

/* Like sl_database_open, what process `number` of the database at `path` did; its own if that is 0.
 * SL_EUSAGE if there is none, or it was not profiled. */
int sl_database_open_process(struct sl_database **database, const char *path, uint64_t number,
                             struct sl_failure *f);

#endif
