/* SPDX-License-Identifier: MIT */
/* Executable file or library that was mapped into the program. Its mappings convert addresses in
 * the program to addresses in the file. */
#ifndef SL_CODE_OBJECT_H
#define SL_CODE_OBJECT_H

#include "sluice.h"

struct sl_database;

struct sl_code_object {
    char *path;
    struct sl_code_mapping {
        uint64_t start, end; /* addresses in the program */
        uint64_t offset;     /* in the file, of `start` */
        uint64_t bias;       /* address in the program minus address in the file's numbering */
        bool known;          /* the bias is known */
    } * mapping;
    size_t n, capacity;
};

/* Finds the file with this path or, if there is none, the first file with the same last path
 * component. If `name` is NULL, finds the program itself.
 *
 * SL_EUSAGE  there is no such file; the message lists the files
 * SL_EFORMAT the database is damaged
 * SL_ENOMEM */
int sl_code_object_find(struct sl_code_object *object, struct sl_database *database,
                        const char *name, struct sl_failure *f);
void sl_code_object_free(struct sl_code_object *object);

/* Returns the mapping that contains an address, or NULL. */
const struct sl_code_mapping *sl_code_object_at(const struct sl_code_object *object,
                                                uint64_t address);

#endif
