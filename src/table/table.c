#include "table.h"

extern const struct sl_table_kind sl_table_exact;

const struct sl_table_kind *const sl_tables[] = {&sl_table_exact, NULL};

const struct sl_table_kind *sl_table_find(const struct sl_spec *spec)
{
    for (size_t i = 0; sl_tables[i]; i++)
        if (sl_spec_is(spec, sl_tables[i]->name))
            return sl_tables[i];
    return NULL;
}
