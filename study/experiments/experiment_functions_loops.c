/* SPDX-License-Identifier: MIT */
/* Loops of a program: what of it they are, and which is the hottest. */
#include <math.h>
#include <stdlib.h>

#include "experiment_functions.h"
#include "failure.h"
#include "outcome.h"

enum { CYCLES, ITERATIONS, ENTRIES, PROFILES };

static bool is_loop(const struct sl_counted *entry)
{
    return entry->tuple.value; /* of its branch; 0 for what is in none */
}

static double in_loops(const struct sl_profile_list *all)
{
    double sum = 0;
    for (size_t i = 0; i < all->n; i++)
        sum += is_loop(&all->entry[i]) ? (double)all->entry[i].count : 0;
    return sum;
}

/* Loops first, and the heaviest of them first. */
static int loops_first(const void *a, const void *b)
{
    const struct sl_counted *x = a, *y = b;
    if (is_loop(x) != is_loop(y))
        return is_loop(x) ? -1 : 1;
    return (x->count < y->count) - (x->count > y->count);
}

/* "function:line" of its head, or as much of that as is known. */
static void name_loop(struct sl_session *s, uint64_t head, char *name, size_t capacity)
{
    struct sl_place place;
    sl_symbols_place(sl_session_symbols(s), head, &place);
    if (place.function && place.line)
        snprintf(name, capacity, "%s:%d", place.function, place.line);
    else
        sl_symbols_print(sl_session_symbols(s), head, name, capacity);
}

static void tell(struct sl_session *s, struct sl_profile_list all[PROFILES],
                 struct sl_job_figures *results)
{
    struct sl_profile_list *cycles = &all[CYCLES];
    double total = (double)sl_profile_weight(sl_session_profile(s, CYCLES)), sum = 0;
    size_t loops = 0, half = 0;
    char name[200];
    qsort(cycles->entry, cycles->n, sizeof *cycles->entry, loops_first);
    for (; loops < cycles->n && is_loop(&cycles->entry[loops]); loops++) {
        half += sum < total / 2;
        sum += (double)cycles->entry[loops].count;
    }
    lab_figure(results, "loops", "loops", NAN, (double)loops);
    lab_figure(results, "loops", "share", NAN, sum / total);
    lab_figure(results, "loops", "half", NAN, sum >= total / 2 ? (double)half : (double)NAN);
    lab_figure(results, "loops", "rounds", NAN,
               1 + in_loops(&all[ITERATIONS]) / in_loops(&all[ENTRIES]));
    if (!loops)
        return;
    name_loop(s, cycles->entry[0].tuple.pc, name, sizeof name);
    lab_figure_of(results, "loops", "hottest", name, (double)cycles->entry[0].count / total);
}

static int list_and_tell(const struct lab_step *step, struct sl_session *s,
                         struct sl_job_figures *results, struct sl_failure *f)
{
    struct sl_profile_list all[PROFILES] = {{0}};
    bool capacity = true;
    (void)step;
    for (size_t i = 0; i < PROFILES; i++)
        capacity = sl_profile_list(sl_session_profile(s, i), &all[i]) && capacity;
    if (capacity)
        tell(s, all, results);
    for (size_t i = 0; i < PROFILES; i++)
        sl_profile_list_free(&all[i]);
    return capacity ? 0 : sl_out_of_memory(f);
}

int lab_functions_loops(const struct lab_step *step, struct sl_job_figures *results,
                        struct sl_failure *f)
{
    return lab_look_at(step, false, list_and_tell, results, f);
}
