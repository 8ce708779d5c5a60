/* SPDX-License-Identifier: MIT */
/* What of a program's code is saved with a run: database_code.c. */
#ifndef SL_DATABASE_CODE_H
#define SL_DATABASE_CODE_H

#include <pthread.h>
#include <sqlite3.h>

#include "code_addresses.h"
#include "symbol.h"

struct sl_named_code {
    const struct sl_results *results;
    struct sl_symbols *symbols;
    struct sl_code_addresses addresses, events;
    struct sl_place *place; /* of addresses */
    uint32_t *block;        /* those that are saved */
    size_t n_blocks;
    bool *is_saved; /* by block */
    bool found;     /* false: memory ran out */
    pthread_t thread;
    bool apart; /* it is found in that thread */
};

/* Begins to find it. Until it is filled in, nobody else may change the symbols. */
void sl_named_code_find(struct sl_named_code *code, const struct sl_results *results,
                        struct sl_symbols *symbols);

/* Writes it; returns SQLite's code. */
int sl_database_fill_code(sqlite3 *database, struct sl_named_code *code);

void sl_named_code_free(struct sl_named_code *code);

#endif
