/* SPDX-License-Identifier: MIT */
/* Functions, modules and contexts that several views of the HTML report show. */
#ifndef SL_PAGE_CODE_H
#define SL_PAGE_CODE_H

#include "modules.h"
#include "page.h"

struct sl_page_code {
    /* Profiles of the functions: [0] by a cost. With contexts, the others count the same contexts
     * by other metrics. */
    const struct sl_db_profile *profile[SL_CONTEXT_COSTS];
    size_t n_profiles; /* 0: nothing is known about functions */
    bool has_contexts;
    struct sl_source_functions functions;
    struct sl_context_tree tree; /* of `functions` */
    struct sl_modules modules;
    uint32_t *number; /* by function: its row on the page; SL_NO_INDEX: it has none */
};

/* Returns 0, SL_EFORMAT if the database is damaged, or SL_ENOMEM. Call sl_page_code_free() in
 * either case. */
int sl_page_code_load(struct sl_page_code *code, struct sl_database *database,
                      struct sl_failure *f);
void sl_page_code_free(struct sl_page_code *code);

/* The row of a function, and the index of the module with this file name; -1 if there is none. */
int64_t sl_page_function(const struct sl_page_code *code, uint32_t function);
int64_t sl_page_module(const struct sl_page_code *code, const char *object);

#endif
