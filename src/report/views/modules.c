/* SPDX-License-Identifier: MIT */
/* Costs of modules (the program and its libraries): the sum of the costs of each module's functions
 * (modules.h). There are few modules, so they are found by linear search. */
#include "modules.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "format.h"

/* True if a path, or its last component, matches one of the patterns "A,B". */
static bool matches(const char *patterns, const char *path)
{
    char pattern[256];
    const char *slash = path ? strrchr(path, '/') : NULL;
    for (const char *at = patterns; path && *at; at += strcspn(at, ","), at += *at == ',') {
        snprintf(pattern, sizeof pattern, "%.*s", (int)strcspn(at, ","), at);
        if (!fnmatch(pattern, path, 0) || (slash && !fnmatch(pattern, slash + 1, 0)))
            return true;
    }
    return false;
}

static bool is_of_system(const char *path)
{
    static const char *const start[] = {"/usr/", "/lib",   "/nix/",   "/gnu/",
                                        "/opt/", "/snap/", "/rustc/", "../sysdeps/"};
    static const char *const part[] = {"/.cargo/registry/", "/rustlib/", "/rust/deps/",
                                       "/go/pkg/mod/"};
    bool found = false;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        found |= !strncmp(path, start[i], strlen(start[i]));
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        found |= strstr(path, part[i]) != NULL;
    return found;
}

static bool is_own_object(const struct sl_db_program *program, const char *path)
{
    bool same = path && program->path && !program->is_child && !strcmp(path, program->path);
    return same || (path && path[0] == '/' && !is_of_system(path));
}

bool sl_is_own_code(const struct sl_db_program *program, const char *path, const char *file)
{
    if (program->own)
        return matches(program->own, path) || matches(program->own, file);
    return is_own_object(program, path) && (!file || !is_of_system(file));
}

const struct sl_module *sl_modules_find(const struct sl_modules *modules, const char *object)
{
    for (size_t i = 0; i < modules->n; i++) {
        const char *other = modules->module[i].object;
        if (object && other ? !strcmp(other, object) : object == other)
            return &modules->module[i];
    }
    return NULL;
}

/* "libc" for "libc.so.6"; a copy of other names. NULL if out of memory. */
static char *short_name(const char *object)
{
    const char *end = object ? strstr(object, ".so") : NULL;
    bool library = end && end > object && (!end[3] || end[3] == '.');
    return !object   ? strdup("no file")
           : library ? strndup(object, (size_t)(end - object))
                     : strdup(object);
}

static struct sl_module *add(struct sl_modules *modules, const char *object)
{
    struct sl_module *known = (struct sl_module *)sl_modules_find(modules, object);
    if (known || !SL_GROW(modules->module, modules->capacity, modules->n + 1))
        return known;
    struct sl_module *module = &modules->module[modules->n];
    *module = (struct sl_module){.name = short_name(object),
                                 .object = object ? strdup(object) : NULL};
    modules->n++; /* sl_modules_free() frees it, also if it is incomplete */
    return module->name && (module->object || !object) ? module : NULL;
}

struct marking {
    struct sl_modules *modules;
    struct sl_failure *f;
};

/* Functions know the printable name of their file; the path comes from the list of mappings. */
static int add_path(void *context, const struct sl_db_object *object)
{
    struct marking *m = context;
    char *name = sl_utf8_printable(object->name);
    struct sl_module *module = name ? (struct sl_module *)sl_modules_find(m->modules, name) : NULL;
    if (module && !module->path)
        module->path = strdup(object->path);
    bool good = name && (!module || module->path);
    free(name);
    return good ? 0 : sl_report_no_memory(m->f);
}

static int by_self(const void *a, const void *b)
{
    const struct sl_module *x = a, *y = b;
    return x->self != y->self ? (x->self > y->self ? -1 : 1) : strcmp(x->name, y->name);
}

/* In a file with debug information, functions without source lines were linked from libraries. */
static bool is_own(const struct sl_module *module, const struct sl_source_function *function,
                   const struct sl_db_program *program)
{
    return sl_is_own_code(program, module->path, function->file) &&
           (function->file || program->own || !module->has_source);
}

int sl_modules_add(struct sl_modules *modules, struct sl_source_functions *functions,
                   struct sl_database *database, struct sl_failure *f)
{
    modules->total += functions->total;
    for (size_t i = 0; i < functions->n; i++) {
        const struct sl_source_function *function = &functions->function[i];
        struct sl_module *module = add(modules, function->object);
        if (!module)
            return sl_report_no_memory(f);
        module->self += function->self;
        module->has_source |= function->file != NULL;
    }
    struct marking marking = {modules, f};
    int result = sl_db_objects(database, add_path, &marking, f);
    for (size_t i = 0; i < functions->n; i++) {
        struct sl_source_function *function = &functions->function[i];
        struct sl_module *module = add(modules, function->object);
        function->own = is_own(module, function, &database->program);
        module->own += function->own ? function->self : 0;
        modules->own += function->own ? function->self : 0;
    }
    SL_SORT(modules->module, modules->n, by_self);
    return result;
}

void sl_modules_free(struct sl_modules *modules)
{
    for (size_t i = 0; i < modules->n; i++) {
        free(modules->module[i].name);
        free(modules->module[i].object);
        free(modules->module[i].path);
    }
    free(modules->module);
    *modules = (struct sl_modules){0};
}
