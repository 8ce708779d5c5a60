/* SPDX-License-Identifier: MIT */
/* Sorts functions by cost, and adds up the functions of several processes
 * (source_functions.h). */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "source_calls.h"

static int by_caller(const void *a, const void *b)
{
    const struct sl_source_caller *x = a, *y = b;
    int order = sl_order(x->function, y->function, sl_order(x->inlined, y->inlined, 0));
    return sl_order(y->cost, x->cost, order);
}

static int by_self(const void *a, const void *b, void *context)
{
    const struct sl_source_functions *all = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct sl_source_function *x = &all->function[i], *y = &all->function[k];
    int order = strcmp(x->name, y->name);
    order = order ? order : sl_order(i, k, 0);
    return sl_order(y->self, x->self, sl_order(y->inclusive, x->inclusive, order));
}

bool sl_source_functions_order(struct sl_source_functions *all)
{
    all->by_self = calloc(all->n + 1, sizeof *all->by_self);
    if (!all->by_self)
        return false;
    for (uint32_t i = 0; i < all->n; i++) {
        struct sl_source_function *function = &all->function[i];
        SL_SORT(function->caller, function->n_callers, by_caller);
        if (function->inclusive > all->total)
            function->inclusive = all->total;
        all->by_self[i] = i;
    }
    qsort_r(all->by_self, all->n, sizeof *all->by_self, by_self, all);
    return true;
}

static void free_function(struct sl_source_function *function)
{
    free(function->name);
    free(function->line);
    free(function->file);
    free(function->object);
    free(function->caller);
}

static int by_identity(const void *a, const void *b)
{
    const struct sl_source_function *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    order = order ? order : sl_compare_texts(x->object, y->object);
    order = order ? order : sl_compare_texts(x->file, y->file);
    return order ? order : sl_compare_texts(x->line, y->line);
}

static void merge(void *into, void *function)
{
    struct sl_source_function *to = into, *from = function;
    to->self += from->self;
    to->inclusive += from->inclusive;
    to->calls += from->calls;
    to->shared |= from->shared;
    to->own |= from->own;
    free_function(from);
}

bool sl_source_functions_add(struct sl_source_functions *all, struct sl_source_functions *from)
{
    struct sl_source_functions both = {.total = all->total + from->total,
                                       .has_inclusive = all->has_inclusive || from->has_inclusive,
                                       .has_calls = all->has_calls || from->has_calls};
    bool good = SL_GROW(both.function, both.capacity, all->n + from->n + 1);
    for (size_t i = 0; good && i < all->n + from->n; i++) {
        struct sl_source_function *function = i < all->n ? &all->function[i]
                                                         : &from->function[i - all->n];
        both.function[both.n++] = *function;
        *function = (struct sl_source_function){0};
        both.function[i].n_callers = all->n ? 0 : both.function[i].n_callers;
    }
    if (all->n)
        both.n = SL_SORT_AND_MERGE(both.function, both.n, by_identity, merge);
    good = good && sl_source_functions_order(&both);
    sl_source_functions_free(all);
    sl_source_functions_free(from);
    *all = both;
    return good;
}

void sl_source_functions_free(struct sl_source_functions *functions)
{
    for (size_t i = 0; i < functions->n; i++)
        free_function(&functions->function[i]);
    free(functions->function);
    free(functions->by_self);
    sl_index_free(&functions->names);
    *functions = (struct sl_source_functions){0};
}
