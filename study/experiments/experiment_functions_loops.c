/* SPDX-License-Identifier: MIT */
/* Loops in the experiment `functions` of `sluice lab`: counts the loops that a program executes,
 * and measures the fraction of the program's cycles in loops and in the hottest loop. */
#include <math.h>
#include <stdlib.h>

#include "experiment_functions.h"
#include "failure.h"
#include "session.h"

enum { CYCLES, ITERATIONS, ENTRIES, PROFILES };

static bool is_loop(const struct sl_counted *entry)
{
    return entry->tuple.value; /* address of the loop's branch; 0: code outside of loops */
}

static double in_loops(const struct sl_profile_list *all)
{
    double sum = 0;
    for (size_t i = 0; i < all->n; i++)
        sum += is_loop(&all->entry[i]) ? (double)all->entry[i].count : 0;
    return sum;
}

/* For qsort(): loops before other code, and the most expensive loop first. */
static int loops_first(const void *a, const void *b)
{
    const struct sl_counted *x = a, *y = b;
    if (is_loop(x) != is_loop(y))
        return is_loop(x) ? -1 : 1;
    return (x->count < y->count) - (x->count > y->count);
}

/* Writes "function:line" of the loop's head, or what the symbols know of it. */
static void name_loop(struct sl_session *s, uint64_t head, char *name, size_t capacity)
{
    struct sl_db_location place;
    sl_symbols_place(s->symbols, head, &place);
    if (place.function && place.line)
        snprintf(name, capacity, "%s:%d", place.function, place.line);
    else
        sl_symbols_print(s->symbols, head, name, capacity);
}

static void add_figures(struct sl_session *s, struct sl_profile_list all[PROFILES],
                        struct sl_job_results *results)
{
    struct sl_profile_list *cycles = &all[CYCLES];
    double total = (double)sl_profile_weight(&s->profile[CYCLES]), sum = 0;
    size_t loops = 0, half = 0;
    char name[200];
    qsort(cycles->entry, cycles->n, sizeof *cycles->entry, loops_first);
    for (; loops < cycles->n && is_loop(&cycles->entry[loops]); loops++) {
        half += sum < total / 2;
        sum += (double)cycles->entry[loops].count;
    }
    lab_add_figure(results, "loops", "loops", NAN, (double)loops);
    lab_add_figure(results, "loops", "share", NAN, sum / total);
    lab_add_figure(results, "loops", "half", NAN, sum >= total / 2 ? (double)half : (double)NAN);
    lab_add_figure(results, "loops", "rounds", NAN,
                   1 + in_loops(&all[ITERATIONS]) / in_loops(&all[ENTRIES]));
    if (!loops)
        return;
    name_loop(s, cycles->entry[0].tuple.pc, name, sizeof name);
    lab_add_item_figure(results, "loops", "hottest", name, (double)cycles->entry[0].count / total);
}

static int read_loops(const struct lab_step *step, struct sl_session *s,
                      struct sl_job_results *results, struct sl_failure *f)
{
    struct sl_profile_list all[PROFILES] = {{0}};
    bool done = true;
    (void)step;
    for (size_t i = 0; i < PROFILES; i++)
        done = sl_profile_list(&s->profile[i], &all[i]) && done;
    if (done)
        add_figures(s, all, results);
    for (size_t i = 0; i < PROFILES; i++)
        sl_profile_list_free(&all[i]);
    return done ? 0 : sl_out_of_memory(f);
}

int lab_functions_loops(const struct lab_step *step, struct sl_job_results *results,
                        struct sl_failure *f)
{
    return lab_run_session(step, false, read_loops, results, f);
}
