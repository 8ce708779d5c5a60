/* SPDX-License-Identifier: MIT */
/* One file of those that a program had mapped, and where its code was: from addresses in
 * the program to those that the file itself has for them. */
#ifndef SL_CODE_OBJECT_H
#define SL_CODE_OBJECT_H

#include "sluice.h"

struct sl_database;

struct sl_code_object {
    char *path;
    struct sl_code_mapping {
        uint64_t start, end; /* addresses in the program */
        uint64_t offset;     /* in the file, of `start` */
        uint64_t bias;       /* distance from the file's own addresses */
        bool known;          /* the bias is */
    } * mapping;
    size_t n, room;
};

/* The file with this path or this last part of it; NULL: the program's own.
 *
 * SL_EUSAGE  there is none; the message names those that there are
 * SL_EFORMAT the database is damaged
 * SL_ENOMEM */
int sl_code_object_find(struct sl_code_object *object, struct sl_database *database,
                        const char *name, struct sl_failure *f);
void sl_code_object_free(struct sl_code_object *object);

/* The mapping that an address is in, or NULL. */
const struct sl_code_mapping *sl_code_object_at(const struct sl_code_object *object,
                                                uint64_t address);

#endif
