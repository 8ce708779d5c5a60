/* SPDX-License-Identifier: MIT */
/* Function table of an ELF file (function_table.h): sorts symbols, removes duplicates, and finds
 * the function at an address. Code that a compiler split off from a function f (the symbol f.cold)
 * is assigned to f if there is exactly one function f. */
#include "function_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "grow.h"

bool sl_function_add(struct sl_function_table *table, uint64_t start, uint64_t size,
                     const char *name, unsigned rank)
{
    size_t length = name ? strnlen(name, SL_NAME_MAX) : 0;
    if (length == SL_NAME_MAX || (table->name_bytes > SL_NAMES_MAX && length > SL_SHORT_NAME))
        return true;
    table->name_bytes += length;
    /* Spans have 32-bit indices. */
    if (table->n >= SL_NO_INDEX - 1 || !SL_GROW(table->function, table->capacity, table->n + 1))
        return false;
    table->function[table->n++] = (struct sl_function){
        .start = start,
        .end = size > UINT64_MAX - start ? UINT64_MAX : start + size,
        .name = name,
        .rank = (uint8_t)rank,
    };
    return true;
}

static int compare_names(const char *a, const char *b)
{
    size_t a_underscores = strspn(a, "_"), b_underscores = strspn(b, "_");
    if (a_underscores != b_underscores)
        return a_underscores < b_underscores ? -1 : 1;
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    return strcmp(a, b);
}

static int by_start_then_quality(const void *a, const void *b)
{
    const struct sl_function *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (!x->name || !y->name)
        return (x->name == NULL) - (y->name == NULL);
    if ((x->end == x->start) != (y->end == y->start))
        return x->end == x->start ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int names = compare_names(x->name, y->name);
    return names ? names : x->end > y->end ? -1 : x->end < y->end;
}

static uint64_t next_start(const struct sl_function_table *table, size_t i)
{
    uint64_t start = table->function[i].start;
    while (i < table->n && table->function[i].start == start)
        i++;
    return i < table->n ? table->function[i].start : UINT64_MAX;
}

/* ---- code split off from functions ---- */

/* Length of the name without the suffix of split code (f.cold, f.cold.3); 0: no such suffix. */
static size_t whole_length(const char *name)
{
    const char *cold = name ? strstr(name, ".cold") : NULL;
    return cold && cold > name && (!cold[5] || cold[5] == '.') ? (size_t)(cold - name) : 0;
}

static int by_name(const void *a, const void *b)
{
    const struct sl_function *x = *(struct sl_function *const *)a,
                             *y = *(struct sl_function *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->start > y->start) - (x->start < y->start);
}

/* Index of the first name that is not less than `name`, comparing `length` bytes. */
static size_t find_name(struct sl_function *const *named, size_t n, const char *name, size_t length)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(named[middle]->name, name, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Split code belongs to the function with its name, if there is exactly one. */
static bool join_pieces(struct sl_function_table *table)
{
    struct sl_function **named = malloc((table->n + 1) * sizeof *named);
    size_t n = 0;
    for (size_t i = 0; i < table->n; i++) {
        table->function[i].whole = table->function[i].start;
        if (named && table->function[i].name)
            named[n++] = &table->function[i];
    }
    SL_SORT(named, n, by_name);
    for (size_t i = 0; i < n; i++) {
        size_t length = whole_length(named[i]->name);
        size_t at = length ? find_name(named, n, named[i]->name, length) : n;
        bool found = at < n && !strncmp(named[at]->name, named[i]->name, length) &&
                     !named[at]->name[length];
        bool alone = at + 1 >= n || strcmp(named[at]->name, named[at + 1]->name) ||
                     named[at]->start == named[at + 1]->start;
        if (found && alone)
            named[i]->whole = named[at]->start;
    }
    bool good = named;
    free(named);
    return good;
}

bool sl_functions_finish(struct sl_function_table *table)
{
    /* .dynsym repeats symbols of .symtab. */
    table->n = SL_SORT_AND_MERGE(table->function, table->n, by_start_then_quality, NULL);
    if (!join_pieces(table))
        return false;
    struct sl_address_range *interval = malloc((table->n ? table->n : 1) * sizeof *interval);
    if (!interval)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < table->n; i++) {
        const struct sl_function *function = &table->function[i];
        bool sized = function->end > function->start;
        if (!function->name)
            continue;
        if (!sized && i && table->function[i - 1].start == function->start)
            continue; /* there is a better name; this also bounds the time of next_start() */
        interval[n++] = (struct sl_address_range){
            .start = function->start,
            .end = sized ? function->end : next_start(table, i),
            .priority = sized ? function->start + 1
                              : 0, /* the inner of nested functions starts later */
            .what = (uint32_t)i,
        };
    }
    bool good = sl_spans_build(&table->spans, interval, n);
    free(interval);
    return good;
}

struct sl_function *sl_function_at(const struct sl_function_table *table, uint64_t address)
{
    uint32_t found = sl_spans_find(&table->spans, address);
    return found == SL_NO_INDEX ? NULL : &table->function[found];
}

uint64_t sl_function_reach(const struct sl_function_table *table,
                           const struct sl_function *function)
{
    return function->end > function->start
               ? function->end
               : next_start(table, (size_t)(function - table->function));
}

/* ---- as a list ---- */

/* Starts of the functions that have a span, and the index in `start` of each function. Functions
 * with the same start share one. */
static size_t list_starts(const struct sl_function_table *table, uint64_t bias, uint64_t *start,
                          size_t *start_index)
{
    size_t n = 0;
    for (size_t i = 0; i < table->spans.n; i++)
        if (table->spans.span[i].what != SL_NO_INDEX)
            start_index[table->spans.span[i].what] = 1;
    for (size_t i = 0; i < table->n; i++)
        if (start_index[i]) {
            uint64_t guest = table->function[i].start + bias;
            if (!n || start[n - 1] != guest)
                start[n++] = guest;
            start_index[i] = n - 1;
        }
    return n;
}

bool sl_functions_list(const struct sl_function_table *table, uint64_t bias,
                       struct sl_function_list *list)
{
    uint64_t *start = malloc((table->n + 1) * sizeof *start);
    struct sl_function_piece *piece = malloc((table->spans.n + 1) * sizeof *piece);
    size_t *start_index = calloc(table->n + 1, sizeof *start_index);
    *list = (struct sl_function_list){.start = start, .piece = piece};
    bool good = start && piece && start_index;
    if (good)
        list->n = list_starts(table, bias, start, start_index);
    for (size_t i = 0; good && i + 1 < table->spans.n; i++) {
        const struct sl_span *span = &table->spans.span[i];
        uint64_t end = span[1].start; /* UINT64_MAX: a label without a symbol after it */
        if (span->what != SL_NO_INDEX)
            piece[list->n_pieces++] = (struct sl_function_piece){
                span->start + bias, end == UINT64_MAX ? end : end + bias, start_index[span->what]};
    }
    free(start_index);
    return good;
}

void sl_function_list_free(struct sl_function_list *list)
{
    free((uint64_t *)list->start);
    free((struct sl_function_piece *)list->piece);
    *list = (struct sl_function_list){0};
}

/* ---- names ---- */

const char *sl_function_name(struct sl_function *function, size_t *capacity)
{
    if (function->shown || !*capacity)
        return function->shown ? function->shown : function->name;
    const char *version = strchr(function->name, '@');
    if (version == function->name)
        version = NULL;
    char *plain = version ? strndup(function->name, (size_t)(version - function->name))
                          : strdup(function->name);
    char *readable = plain ? sl_demangle(plain, capacity) : NULL;
    if (readable) {
        free(plain);
        plain = readable;
    }
    if (plain && function->rank == SL_RANK_STUB) {
        char *longer;
        if (asprintf(&longer, "%s@plt", plain) < 0)
            longer = NULL;
        free(plain);
        plain = longer;
    }
    size_t taken = plain ? strlen(plain) + 1 : 0;
    *capacity -= taken < *capacity ? taken : *capacity;
    function->shown = plain;
    return plain ? plain : function->name;
}

void sl_functions_free(struct sl_function_table *table)
{
    for (size_t i = 0; i < table->n; i++)
        free(table->function[i].shown);
    free(table->function);
    sl_spans_free(&table->spans);
    *table = (struct sl_function_table){0};
}
