/* SPDX-License-Identifier: MIT */
/* Lookup of the RTL implementation of a table in the list SL_RTL_TABLES. */
#include "rtl_table.h"

#define POINTER(name) &sl_rtl_##name,
static const struct sl_rtl_table *const implementations[] = {SL_RTL_TABLES(POINTER) NULL};
#undef POINTER

const struct sl_rtl_table *sl_rtl_table_of(const struct sl_table_kind *table)
{
    size_t i = 0;
    while (implementations[i] && implementations[i]->table != table)
        i++;
    return implementations[i];
}
