/* SPDX-License-Identifier: MIT */
/* Modules: the files that the executed code comes from (the program and its libraries), with the
 * self cost of their functions, and the part of it that is the user's own code.
 *
 * Own code is in the program itself or in a file outside the directories of the system (/usr, /lib
 * and similar), and its source file is not in one of these directories either: inlined templates of
 * C++ and the statically linked libraries of Rust and Go are not own code. The option --own
 * replaces this rule by patterns for names of files. */
#ifndef SL_MODULES_H
#define SL_MODULES_H

#include "source_functions.h"

struct sl_module {
    char *name;         /* short and printable: "libc" for libc.so.6 */
    char *object;       /* file name; NULL: code in no file, for example of a JIT compiler */
    char *path;         /* of that file; NULL */
    uint64_t self, own; /* `own`: of the user's own code */
    bool has_source;    /* the source files of some functions are known */
};

struct sl_modules {
    struct sl_module *module; /* the costliest first */
    size_t n, capacity;
    uint64_t total, own;
};

/* True if code of this object and source file is the user's own; both paths may be NULL. */
bool sl_is_own_code(const struct sl_db_program *program, const char *path, const char *file);

/* Adds the functions of each module to `modules`, which is zeroed before the first process of a
 * run, and marks own functions. Returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM.
 * Call sl_modules_free() in either case. */
int sl_modules_add(struct sl_modules *modules, struct sl_source_functions *functions,
                   struct sl_database *database, struct sl_failure *f);
void sl_modules_free(struct sl_modules *modules);

/* The module of a file name (NULL: of code in no file); NULL if there is none. */
const struct sl_module *sl_modules_find(const struct sl_modules *modules, const char *object);

#endif
