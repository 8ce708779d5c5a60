/* SPDX-License-Identifier: MIT */
/* Selection of the instructions that are counted, by address (--range) and by class (--only). */
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
    const char *symbol;    /* the range is this function, once it is loaded, and its inlined
                            * copies */
    bool found;            /* the symbol, or inlined code of it, was found */
    uint32_t classes;      /* bits 1 << enum sl_class */
    uint32_t branches;     /* bits 1 << enum sl_branch */
    uint8_t *chosen;       /* by instruction */
    uint8_t *chosen_block; /* by block: its first instruction is selected */
    size_t n_chosen, chosen_capacity, n_blocks, blocks_capacity;
    size_t n_objects_seen;
};

/* `range`: a symbol, LO-HI in hexadecimal, the address of one instruction, or several of these
 * separated by commas. `only`: names of classes and kinds of branches, separated by commas. NULL:
 * no limit. Both must outlive the selection. Returns 0 or SL_EUSAGE. */
int sl_selection_init(struct sl_selection *selection, const char *range, const char *only,
                      struct sl_failure *f);

/* Decides for the instructions that are new since the last call. Returns 0 or SL_ENOMEM. */
int sl_selection_sync(struct sl_selection *selection, const struct sl_code *code,
                      struct sl_symbols *symbols, struct sl_failure *f);

/* Call after the run. Returns SL_EUSAGE if the selected function was not found in the run. */
int sl_selection_check(const struct sl_selection *selection, struct sl_failure *f);

void sl_selection_free(struct sl_selection *selection);

#endif
