/* SPDX-License-Identifier: MIT */
/* Modules: the files that the executed code comes from (the program and its libraries), with the
 * self cost of their functions. A module is the user's own if it is the program itself, or if its
 * file is not in a directory of the system (/usr, /lib and similar). */
#ifndef SL_MODULES_H
#define SL_MODULES_H

#include "source_functions.h"

struct sl_module {
    char *name;   /* short and printable: "libc" for libc.so.6 */
    char *object; /* file name; NULL: code in no file, for example of a JIT compiler */
    uint64_t self;
    bool own;
};

struct sl_modules {
    struct sl_module *module; /* the costliest first */
    size_t n, capacity;
    uint64_t total;
};

/* True if the file of this path is the user's own code; NULL is not. */
bool sl_is_own_object(const struct sl_db_program *program, const char *path);

/* Adds up the functions of each module. Returns 0, SL_EFORMAT if the database is damaged, or
 * SL_ENOMEM. Call sl_modules_free() in either case. */
int sl_modules_make(struct sl_modules *modules, const struct sl_source_functions *functions,
                    struct sl_database *database, struct sl_failure *f);
void sl_modules_free(struct sl_modules *modules);

/* The module of a file name (NULL: of code in no file); NULL if there is none. */
const struct sl_module *sl_modules_find(const struct sl_modules *modules, const char *object);

#endif
