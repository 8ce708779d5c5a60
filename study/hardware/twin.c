/* SPDX-License-Identifier: MIT */
#include "twin.h"

extern const struct sl_twin sl_twin_compressor, sl_twin_singlehash, sl_twin_multihash, sl_twin_hpt,
    sl_twin_leap, sl_twin_snoopp, sl_twin_morris, sl_twin_fpc, sl_twin_multiplexed,
    sl_twin_spacesaving, sl_twin_misragries, sl_twin_countmin, sl_twin_countsketch,
    sl_twin_heavykeeper, sl_twin_elastic, sl_twin_cocosketch;

static const struct sl_twin *const twins[] = {
    &sl_twin_compressor,
    &sl_twin_singlehash,
    &sl_twin_multihash,
    &sl_twin_hpt,
    &sl_twin_leap,
    &sl_twin_snoopp,
    &sl_twin_morris,
    &sl_twin_fpc,
    &sl_twin_multiplexed,
    &sl_twin_spacesaving,
    &sl_twin_misragries,
    &sl_twin_countmin,
    &sl_twin_countsketch,
    &sl_twin_heavykeeper,
    &sl_twin_elastic,
    &sl_twin_cocosketch,
    NULL,
};

const struct sl_twin *sl_twin_of(const struct sl_table_kind *table)
{
    size_t i = 0;
    while (twins[i] && twins[i]->table != table)
        i++;
    return twins[i];
}
