/* SPDX-License-Identifier: MIT */
/* Formats of second fields: a row for each field type (enum sl_field_type). */
#ifndef SL_FIELD_FORMS_H
#define SL_FIELD_FORMS_H

#include "entry_view.h"

/* Receiver of facts (sl_entry_facts()). */
struct sl_telling {
    void (*tell)(void *context, const char *name, const struct sl_fact *fact);
    void *context;
};

/* How a field type is formatted; NULL members add nothing. The view must have looked at the
 * entry. */
struct sl_field_form {
    const char *more; /* heading of the second column; NULL: one column */
    void (*say)(const struct sl_entry_view *view, const struct sl_db_entry *entry,
                struct sl_entry_strings *said);
    void (*cells)(const struct sl_entry_view *view, const struct sl_db_entry *entry,
                  char *cell[SL_ENTRY_CELLS]);
    /* `name` is the field's name. */
    void (*facts)(const struct sl_entry_view *view, const struct sl_db_entry *entry,
                  const char *name, const struct sl_telling *t);
    void (*word)(uint64_t value,
                 char capacity[SL_ENTRY_WORD_ROOM]); /* the field alone; NULL: hexadecimal */
};

extern const struct sl_field_form sl_field_forms[SL_READS];

#endif
