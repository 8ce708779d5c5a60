/* SPDX-License-Identifier: MIT */
/* Conversion of options between a configuration struct and the form in which option values are
 * stored, for example in databases (struct sl_option_stored). */
#include <string.h>

#include "options.h"

void sl_option_get(const struct sl_option *o, const void *config, struct sl_option_stored *stored)
{
    const void *field = (const char *)config + o->offset;
    *stored = (struct sl_option_stored){.is = SL_STORED_NUMBER};
    switch (o->kind) {
    case SL_OPTION_UNSIGNED:
        stored->number = *(const uint64_t *)field;
        break;
    case SL_OPTION_BOOL:
        stored->number = *(const bool *)field;
        break;
    case SL_OPTION_REAL:
    case SL_OPTION_PERCENT:
        stored->is = SL_STORED_REAL;
        stored->real = *(const double *)field;
        break;
    case SL_OPTION_CHOICE:
    case SL_OPTION_TEXT:
        stored->is = SL_STORED_TEXT;
        stored->text = o->kind == SL_OPTION_TEXT ? field : o->choices[*(const unsigned *)field];
        break;
    }
}

bool sl_option_put(const struct sl_option *o, const struct sl_option_stored *stored, void *config)
{
    void *field = (char *)config + o->offset;
    bool is_real = o->kind == SL_OPTION_REAL || o->kind == SL_OPTION_PERCENT;
    bool is_text = o->kind == SL_OPTION_CHOICE || o->kind == SL_OPTION_TEXT;
    if (stored->is != (is_real ? SL_STORED_REAL : is_text ? SL_STORED_TEXT : SL_STORED_NUMBER))
        return false;
    if (is_text)
        return stored->text && sl_option_set(o, stored->text, strlen(stored->text), config);
    if (is_real) {
        *(double *)field = stored->real;
        return stored->real >= o->real_low && stored->real <= o->real_high;
    }
    if (o->kind == SL_OPTION_BOOL) {
        *(bool *)field = stored->number;
        return stored->number <= 1;
    }
    *(uint64_t *)field = stored->number;
    return sl_option_allows(o, stored->number);
}
