/* SPDX-License-Identifier: MIT */
/* Costs of modules (the program and its libraries): the sum of the costs of each module's functions
 * (modules.h). There are few modules, so they are found by linear search. */
#include "modules.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "format.h"

bool sl_is_own_object(const struct sl_db_program *program, const char *path)
{
    static const char *const of_system[] = {"/usr/", "/lib", "/nix/", "/gnu/", "/opt/", "/snap/"};
    if (!path || path[0] != '/')
        return path && program->path && !strcmp(path, program->path);
    if (program->path && !strcmp(path, program->path))
        return true;
    for (size_t i = 0; i < sizeof of_system / sizeof *of_system; i++)
        if (!strncmp(path, of_system[i], strlen(of_system[i])))
            return false;
    return true;
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
    const struct sl_db_program *program;
    struct sl_failure *f;
};

/* Functions know the printable name of their file; the path comes from the list of mappings. */
static int mark_own(void *context, const struct sl_db_object *object)
{
    struct marking *m = context;
    char *name = sl_utf8_printable(object->name);
    struct sl_module *module = name ? (struct sl_module *)sl_modules_find(m->modules, name) : NULL;
    if (module)
        module->own |= sl_is_own_object(m->program, object->path);
    free(name);
    return name ? 0 : sl_report_no_memory(m->f);
}

static int by_self(const void *a, const void *b)
{
    const struct sl_module *x = a, *y = b;
    return x->self != y->self ? (x->self > y->self ? -1 : 1) : strcmp(x->name, y->name);
}

int sl_modules_make(struct sl_modules *modules, const struct sl_source_functions *functions,
                    struct sl_database *database, struct sl_failure *f)
{
    *modules = (struct sl_modules){.total = functions->total};
    for (size_t i = 0; i < functions->n; i++) {
        const struct sl_source_function *function = &functions->function[i];
        struct sl_module *module = function->self ? add(modules, function->object) : NULL;
        if (module)
            module->self += function->self;
        else if (function->self)
            return sl_report_no_memory(f);
    }
    struct marking marking = {modules, &database->program, f};
    int result = sl_db_objects(database, mark_own, &marking, f);
    SL_SORT(modules->module, modules->n, by_self);
    return result;
}

void sl_modules_free(struct sl_modules *modules)
{
    for (size_t i = 0; i < modules->n; i++) {
        free(modules->module[i].name);
        free(modules->module[i].object);
    }
    free(modules->module);
    *modules = (struct sl_modules){0};
}
