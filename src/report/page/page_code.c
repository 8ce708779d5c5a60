/* SPDX-License-Identifier: MIT */
/* HTML report: loads the functions, modules and contexts that several views show, so that a
 * function has the same costs in all views, and in the text report. */
#include "page_code.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Other profiles of functions by a cost: any of contexts, or of functions without their callees. */
static const struct sl_db_profile *any_functions(const struct sl_db_profiles *profiles)
{
    const struct sl_db_profile *contexts = sl_context_profile(profiles, NULL, false);
    for (size_t i = 0; i < profiles->n && !contexts; i++) {
        const struct sl_db_profile *p = &profiles->profile[i];
        if (p->detector->first == SL_FIELD_FUNCTION && p->metric->weigh && !sl_db_overlaps(p) &&
            p->detector->second.type == SL_FIELD_NOTHING)
            return p;
    }
    return contexts;
}

/* Adds the profiles of the same contexts by other metrics, the one by `count` first. */
static void add_metrics(struct sl_page_code *code, const struct sl_db_profiles *profiles)
{
    const struct sl_db_profile *first = code->profile[0];
    for (size_t i = 0; i < 2 * profiles->n && code->n_profiles < SL_CONTEXT_COSTS; i++) {
        const struct sl_db_profile *p = &profiles->profile[i % profiles->n];
        bool known = p->detector != first->detector ||
                     (p->metric->weigh != NULL) != (i >= profiles->n) ||
                     memcmp(p->config, first->config, p->detector->config_size);
        for (size_t k = 0; k < code->n_profiles; k++)
            known = known || code->profile[k]->metric == p->metric;
        if (!known)
            code->profile[code->n_profiles++] = p;
    }
}

int sl_page_code_load(struct sl_page_code *code, struct sl_database *database, struct sl_failure *f)
{
    const struct sl_db_profiles *profiles = &database->profiles;
    const struct sl_db_profile *first = sl_text_functions_profile(profiles);
    first = first ? sl_text_functions_source(profiles, first) : any_functions(profiles);
    *code = (struct sl_page_code){.profile = {first}, .n_profiles = first != NULL};
    if (!first)
        return 0;
    code->has_contexts = first->detector->second.type == SL_FIELD_CALLERS;
    if (code->has_contexts)
        add_metrics(code, profiles);
    int result = code->has_contexts
                     ? sl_source_tree_load(&code->functions, &code->tree, database, code->profile,
                                           code->n_profiles, f)
                     : sl_source_functions_load(&code->functions, database, first, false, f);
    if (!result)
        result = sl_modules_add(&code->modules, &code->functions, database, f);
    code->number = malloc((code->functions.n + 1) * sizeof *code->number);
    for (size_t i = 0; code->number && i < code->functions.n; i++)
        code->number[i] = SL_NO_INDEX;
    return result || code->number ? result : sl_report_no_memory(f);
}

int64_t sl_page_function(const struct sl_page_code *code, uint32_t function)
{
    uint32_t number = function == SL_NO_INDEX ? SL_NO_INDEX : code->number[function];
    return number == SL_NO_INDEX ? -1 : (int64_t)number;
}

int64_t sl_page_module(const struct sl_page_code *code, const char *object)
{
    const struct sl_module *module = sl_modules_find(&code->modules, object);
    return module ? module - code->modules.module : -1;
}

void sl_page_code_free(struct sl_page_code *code)
{
    sl_source_functions_free(&code->functions);
    sl_context_tree_free(&code->tree);
    sl_modules_free(&code->modules);
    free(code->number);
}
