/* SPDX-License-Identifier: MIT */
/* How second words read: a row for each enum sl_reads. */
#ifndef SL_WORD_FORMS_H
#define SL_WORD_FORMS_H

#include "entry_view.h"

/* Where facts go. */
struct sl_telling {
    void (*tell)(void *context, const char *name, const struct sl_fact *fact);
    void *context;
};

/* All that there is to a way of reading; what is NULL adds nothing. The view has looked at the
 * entry. */
struct sl_word_form {
    const char *more; /* heading of a second column */
    void (*say)(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                struct sl_entry_said *said);
    void (*cells)(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                  char *cell[SL_ENTRY_CELLS]);
    /* `name` is the word's. */
    void (*facts)(const struct sl_entry_view *view, const struct sl_saved_entry *entry,
                  const char *name, const struct sl_telling *t);
    void (*word)(uint64_t value, char room[SL_ENTRY_WORD_ROOM]); /* NULL: hexadecimal */
};

extern const struct sl_word_form sl_word_forms[SL_READS];

#endif
