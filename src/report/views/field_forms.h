/* SPDX-License-Identifier: MIT */
/* Formats of the second field of a tuple, one row per field type (enum sl_field_type). */
#ifndef SL_FIELD_FORMS_H
#define SL_FIELD_FORMS_H

#include "entry_view.h"

/* How a field type is formatted; NULL members add nothing. The view must have looked at the
 * entry. */
struct sl_field_format {
    const char *more; /* heading of the second column; NULL: one column */
    void (*strings)(const struct sl_entry_view *view, struct sl_entry_strings *strings);
    void (*cells)(const struct sl_entry_view *view, char *cell[SL_ENTRY_CELLS]);
    /* Sets keys of `object`; `name` is the field's name. */
    void (*json)(const struct sl_entry_view *view, const char *name, json_t **object);
    void (*text)(uint64_t value,
                 char buffer[SL_ENTRY_FIELD_SIZE]); /* the field alone; NULL: hexadecimal */
};

extern const struct sl_field_format sl_field_formats[SL_FIELD_TYPES];

#endif
