#include "twin.h"

extern const struct sl_twin sl_twin_compressor, sl_twin_singlehash, sl_twin_multihash;

static const struct sl_twin *const twins[] = {
    &sl_twin_compressor, &sl_twin_singlehash, &sl_twin_multihash, NULL,
};

const struct sl_twin *sl_twin_of(const struct sl_table_kind *table)
{
    size_t i = 0;
    while (twins[i] && twins[i]->table != table)
        i++;
    return twins[i];
}
