/* SPDX-License-Identifier: MIT */
/* Text report of costs by function of the source code: code that was inlined elsewhere counts for
 * the function that it was written in (views/source_functions.h).
 *
 *     instructions    self   total
 *        7,380,000  39.52%  39.52%  mix             in.c:5   inlined in weigh 98%, main 2%
 *        1,062,136   5.69%  34.20%  msort_with_tmp  msort.c  < qsort_r
 *                   45.21%  of 18,672,416 instructions; 240 more functions
 *
 * The column `total`, inclusive cost, exists only with a context profile. ~ marks an estimate. */
#include "text.h"

#include <string.h>

#include "activation.h"

enum column { COST, SHARE, TOTAL, FUNCTION, LINE, CALLERS_TEXT };
#define CALLERS 2 /* maximum number of callers that are printed */
#define WORTH 0.1 /* minimum share of the second caller */

/* True for self costs of functions, with tail=1. */
static bool has_functions(const struct sl_db_profile *profile)
{
    return sl_detector_counts_functions(profile->detector) && !sl_cost_is_inclusive(profile) &&
           profile->config && ((const struct sl_activation_config *)profile->config)->tail;
}

static bool has_contexts(const struct sl_db_profile *profile)
{
    return profile->detector->second.type == SL_FIELD_CALLERS && sl_context_has(profile, "nested");
}

static bool has_blocks(const struct sl_db_profile *profile)
{
    return profile->detector->second.type == SL_FIELD_END;
}

/* The first exact profile by the metric that has this data; NULL if there is none. */
static const struct sl_db_profile *first_by(const struct sl_db_profiles *profiles,
                                            const struct sl_metric *metric,
                                            bool (*has)(const struct sl_db_profile *profile))
{
    for (const struct sl_db_profile *p = profiles->profile; p < profiles->profile + profiles->n;
         p++)
        if (p->metric == metric && metric->weigh && !p->shared && !strcmp(p->table, "exact") &&
            has(p))
            return p;
    return NULL;
}

bool sl_text_is_functions(const struct sl_db_profiles *profiles, size_t i)
{
    const struct sl_metric *metric = profiles->profile[i].metric;
    return first_by(profiles, metric, has_functions) == &profiles->profile[i] &&
           (first_by(profiles, metric, has_blocks) || first_by(profiles, metric, has_contexts));
}

bool sl_text_is_in_functions(const struct sl_db_profiles *profiles, size_t i)
{
    const struct sl_metric *metric = profiles->profile[i].metric;
    return first_by(profiles, metric, has_functions) &&
           first_by(profiles, metric, has_contexts) == &profiles->profile[i];
}

char *sl_text_callers(const struct sl_source_functions *all,
                      const struct sl_source_function *function)
{
    char *text = NULL;
    size_t size;
    uint64_t whole = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < function->n_callers; i++)
        whole += function->caller[i].cost;
    for (size_t i = 0; i < function->n_callers && i < CALLERS; i++) {
        const struct sl_source_caller *caller = &function->caller[i];
        double part = (double)caller->cost / (double)whole;
        if (i && part < WORTH)
            break;
        bool repeated = i && caller->inlined == function->caller[i - 1].inlined;
        fprintf(out, "%s%s%s", i ? ", " : "",
                repeated          ? ""
                : caller->inlined ? "inlined in "
                                  : "< ",
                all->function[caller->function].name);
        if (part < 0.995)
            fprintf(out, " %.0f%%", 100 * part);
    }
    fclose(out);
    return text;
}

static void add_row(struct sl_text_table *table, const struct sl_source_functions *all,
                    const struct sl_source_function *function)
{
    sl_text_row(table);
    sl_text_put_number(table, COST, function->self);
    sl_text_put_percentage(table, SHARE, function->self, all->total);
    if (all->has_inclusive)
        sl_text_put_format(table, TOTAL, "%s%.2f%%", function->shared ? "~" : "",
                           sl_percent(function->inclusive, all->total));
    sl_text_put(table, FUNCTION, function->name);
    sl_text_put(table, LINE, function->line);
    sl_text_put_own(table, CALLERS_TEXT, sl_text_callers(all, function));
}

static int print(const struct sl_output *o, const struct sl_source_functions *all,
                 const struct sl_db_profile *profile, size_t n)
{
    struct sl_text_table table = {.columns = "rrrsbb"};
    uint64_t shown = 0;
    size_t found = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct sl_source_function *function = &all->function[all->by_self[i]];
        found += function->self > 0;
        if (i >= n || !function->self)
            continue;
        add_row(&table, all, function);
        shown += function->self;
    }
    sl_text_fit(&table, o->width);
    size_t rows = sl_text_n_rows(&table);
    if (all->has_inclusive && rows)
        fprintf(o->out, "%*s  %*s\n", (int)sl_text_end(&table, SHARE), "self",
                (int)table.width[TOTAL], "total");
    const struct sl_text_sum sum = {shown,
                                    profile->weight,
                                    profile->metric->units,
                                    found - rows,
                                    found - rows == 1 ? "function" : "functions",
                                    NULL};
    return sl_text_finish_sum(&table, &sum, SHARE, o->width, o->out) ? 0
                                                                     : sl_report_no_memory(o->f);
}

const struct sl_db_profile *sl_text_functions_profile(const struct sl_db_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++)
        if (sl_text_is_functions(profiles, i) && profiles->profile[i].saved)
            return &profiles->profile[i];
    return NULL;
}

int sl_text_functions_load(const struct sl_output *o, const struct sl_db_profile *profile,
                           struct sl_source_functions *functions)
{
    const struct sl_db_profile *contexts = first_by(&o->database->profiles, profile->metric,
                                                    has_contexts);
    return sl_source_functions_load(functions, o->database, contexts ? contexts : profile,
                                    o->config->symbols, o->f);
}

int sl_text_functions(const struct sl_output *o, const struct sl_db_profile *profile, uint64_t n)
{
    struct sl_source_functions all;
    int result = sl_text_functions_load(o, profile, &all);
    if (!result)
        result = print(o, &all, profile, n ? n : all.n);
    sl_source_functions_free(&all);
    return result;
}
