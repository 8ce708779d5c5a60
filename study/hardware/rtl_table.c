/* SPDX-License-Identifier: MIT */
#include "rtl_table.h"

extern const struct sl_rtl_table sl_rtl_compressor, sl_rtl_singlehash, sl_rtl_multihash, sl_rtl_hpt,
    sl_rtl_leap, sl_rtl_snoopp, sl_rtl_morris, sl_rtl_fpc, sl_rtl_multiplexed, sl_rtl_spacesaving,
    sl_rtl_misragries, sl_rtl_countmin, sl_rtl_countsketch, sl_rtl_heavykeeper, sl_rtl_elastic,
    sl_rtl_cocosketch;

static const struct sl_rtl_table *const twins[] = {
    &sl_rtl_compressor,
    &sl_rtl_singlehash,
    &sl_rtl_multihash,
    &sl_rtl_hpt,
    &sl_rtl_leap,
    &sl_rtl_snoopp,
    &sl_rtl_morris,
    &sl_rtl_fpc,
    &sl_rtl_multiplexed,
    &sl_rtl_spacesaving,
    &sl_rtl_misragries,
    &sl_rtl_countmin,
    &sl_rtl_countsketch,
    &sl_rtl_heavykeeper,
    &sl_rtl_elastic,
    &sl_rtl_cocosketch,
    NULL,
};

const struct sl_rtl_table *sl_rtl_table_of(const struct sl_table_kind *table)
{
    size_t i = 0;
    while (twins[i] && twins[i]->table != table)
        i++;
    return twins[i];
}
