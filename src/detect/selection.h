/* SPDX-License-Identifier: MIT */
/* Which instructions count: by address and by class. The answer for an
 * instruction is found once and kept. */
#ifndef SL_SELECTION_H
#define SL_SELECTION_H

#include "code.h"
#include "symbol.h"

#define SL_SELECTION_SPANS 64u

struct sl_selection {
    bool by_range, by_class;
    struct {
        uint64_t low, high; /* addresses low <= pc < high */
    } span[SL_SELECTION_SPANS];
    size_t n_spans;
    const char *symbol; /* the only span is this function's, once it is loaded; and wherever it
                         * was inlined */
    bool found;         /* it, or inlined code of it */
    uint32_t classes;   /* bit for each enum sl_class */
    uint32_t branches;  /* bit for each enum sl_branch */
    uint8_t *chosen;    /* by instruction number */
    size_t n_chosen, room_chosen;
    size_t n_objects_seen;
};

/* `range` is a symbol, or LO-HI in hexadecimal, or the address of one instruction, or several of
 * these with commas between them; `only` names of classes and
 * branch kinds separated by commas; NULL: no such limit. Both must stay. */
int sl_selection_init(struct sl_selection *selection, const char *range, const char *only,
                      struct sl_failure *f);

/* Answers for the instructions that have come since the last time. */
int sl_selection_sync(struct sl_selection *selection, const struct sl_code *code,
                      struct sl_symbols *symbols, struct sl_failure *f);

/* SL_EUSAGE if a symbol was given and the program never loaded one. */
int sl_selection_check(const struct sl_selection *selection, struct sl_failure *f);

void sl_selection_free(struct sl_selection *selection);

#endif
