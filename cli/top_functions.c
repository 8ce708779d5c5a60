/* SPDX-License-Identifier: MIT */
/* Costs of functions by interval, for the screen of `sluice top`. An interval is about one second
 * long. Its costs are the differences of the session's costs at its end and at its beginning, so
 * that the own costs of all functions add up to the interval. Intervals in which the program
 * executed nothing are left out. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "top.h"

#define FIRST_SECONDS 0.2 /* the first interval is shorter, for programs that end soon */
#define SECONDS 1.0

/* A function, by its index in the session. */
struct function {
    uint64_t self, total;         /* at the beginning of the interval */
    uint64_t own_self, own_total; /* of the interval */
    float history[TOP_HISTORY];   /* a ring, by number of the interval */
    char *name, *module, *where;  /* NULL: not looked up */
    uint64_t row_of;              /* number of the last interval in which it has a row */
};

struct cli_function_costs {
    struct sl_session *session;
    struct timespec began; /* the interval */
    uint64_t number, weight;
    struct function *function;
    size_t n, capacity;
    const struct function **order; /* functions of the interval */
};

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static int by_self(const void *left, const void *right)
{
    const struct function *a = *(const struct function *const *)left;
    const struct function *b = *(const struct function *const *)right;
    return a->own_self != b->own_self ? (a->own_self > b->own_self ? -1 : 1) : a < b ? -1 : a > b;
}

static int by_total(const void *left, const void *right)
{
    const struct function *a = *(const struct function *const *)left;
    const struct function *b = *(const struct function *const *)right;
    return a->own_total != b->own_total ? (a->own_total > b->own_total ? -1 : 1)
                                        : by_self(left, right);
}

/* Returns false if out of memory. */
static bool grow(struct cli_function_costs *c, size_t n)
{
    if (n <= c->capacity)
        return true;
    size_t capacity = 2 * n;
    struct function *function = realloc(c->function, capacity * sizeof *function);
    if (function)
        c->function = function;
    const struct function **order = realloc(c->order, capacity * sizeof *order);
    if (order)
        c->order = order;
    if (!function || !order)
        return false;
    memset(function + c->capacity, 0, (capacity - c->capacity) * sizeof *function);
    c->capacity = capacity;
    return true;
}

static void look_up(struct cli_function_costs *c, struct function *function, uint64_t address)
{
    struct sl_function_place place;
    char name[TOP_TEXT] = "", where[TOP_TEXT] = "";
    if (function->name)
        return;
    sl_session_function_place(c->session, address, &place);
    if (place.name)
        cli_top_copy_name(name, place.name);
    if (place.file && place.line) {
        const char *slash = strrchr(place.file, '/');
        snprintf(where, sizeof where, "%s:%d", slash ? slash + 1 : place.file, place.line);
    }
    function->name = cli_top_printable(name);
    function->module = cli_top_printable(place.module ? place.module : "");
    function->where = cli_top_printable(where);
    free(place.name);
}

/* Adds the first functions in `order` that have no row yet. */
static void add_rows(struct cli_function_costs *c, const struct sl_live_functions *now,
                     struct cli_top_functions *out)
{
    for (size_t i = 0; i < out->n && i < TOP_ROWS; i++) {
        size_t at = (size_t)(c->order[i] - c->function);
        struct function *function = &c->function[at];
        if (function->row_of == c->number)
            continue;
        function->row_of = c->number;
        look_up(c, function, now->function[at].address);
        struct cli_top_function *row = &out->row[out->n_rows++];
        *row = (struct cli_top_function){.self = function->own_self,
                                         .total = function->own_total,
                                         .name = function->name ? function->name : "",
                                         .module = function->module ? function->module : "",
                                         .where = function->where ? function->where : ""};
        for (size_t k = 0; k < TOP_HISTORY; k++)
            row->history[k] = function->history[(c->number + 1 + k) % TOP_HISTORY];
    }
}

static void end_interval(struct cli_function_costs *c, const struct sl_live_functions *now,
                         struct cli_top_functions *out)
{
    *out = (struct cli_top_functions){.number = ++c->number,
                                      .weight = now->weight - c->weight,
                                      .seconds = seconds_since(&c->began),
                                      .has_callers = now->has_callers,
                                      .unit = now->unit};
    for (size_t i = 0; i < now->n; i++) {
        struct function *function = &c->function[i];
        function->own_self = now->function[i].self - function->self;
        function->own_total = now->function[i].total - function->total;
        function->self = now->function[i].self;
        function->total = now->function[i].total;
        function->history[c->number % TOP_HISTORY] = (float)function->own_self / (float)out->weight;
        if (function->own_total)
            c->order[out->n++] = function;
    }
    c->weight = now->weight;
    qsort(c->order, out->n, sizeof *c->order, by_self);
    add_rows(c, now, out);
    qsort(c->order, out->n, sizeof *c->order, by_total);
    add_rows(c, now, out);
}

bool cli_function_costs_poll(struct cli_function_costs *c, struct cli_top_functions *out)
{
    struct sl_live_functions now;
    struct sl_failure f;
    if (seconds_since(&c->began) < (c->number ? SECONDS : FIRST_SECONDS) ||
        sl_session_functions(c->session, &now, &f) < 0 || !grow(c, now.n))
        return false;
    bool executed = now.weight != c->weight;
    if (executed)
        end_interval(c, &now, out);
    clock_gettime(CLOCK_MONOTONIC, &c->began);
    return executed;
}

struct cli_function_costs *cli_function_costs_open(struct sl_session *session)
{
    struct sl_live_functions none;
    struct sl_failure f;
    struct cli_function_costs *c = NULL;
    if (sl_session_functions(session, &none, &f) < 0 || !(c = calloc(1, sizeof *c)))
        return NULL;
    c->session = session;
    clock_gettime(CLOCK_MONOTONIC, &c->began);
    return c;
}

void cli_function_costs_close(struct cli_function_costs *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->capacity; i++) {
        free(c->function[i].name);
        free(c->function[i].module);
        free(c->function[i].where);
    }
    free(c->function);
    free(c->order);
    free(c);
}
