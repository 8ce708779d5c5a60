/* SPDX-License-Identifier: MIT */
/* A file that the program had mapped, with the mappings: converts addresses in the program to the
 * file's own. */
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

/* Finds the file with this path or last path component; NULL: the program itself.
 *
 * SL_EUSAGE  there is no such file; the message lists the files
 * SL_EFORMAT the database is damaged
 * SL_ENOMEM */
int sl_code_object_find(struct sl_code_object *object, struct sl_database *database,
                        const char *name, struct sl_failure *f);
void sl_code_object_free(struct sl_code_object *object);

/* The mapping that contains an address, or NULL. */
const struct sl_code_mapping *sl_code_object_at(const struct sl_code_object *object,
                                                uint64_t address);

#endif
