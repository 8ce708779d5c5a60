/* SPDX-License-Identifier: MIT */
/* Checks whether the profile of an instruction has converged, and filters out the events of
 * converged instructions in a stream compressor. software.h describes the checks and the filter. */
#include "software.h"

#include <stdlib.h>

#include "grow.h"

/* The state of an instruction. NULL if out of memory: the instruction then never converges. */
static struct sl_filter_site *site_of(struct sl_filter *filter, uint64_t pc)
{
    uint32_t at = sl_index_find(&filter->map, pc, 0);
    if (at == SL_NO_INDEX) {
        size_t n = filter->map.n_keys + 1;
        if (n > filter->memory_bytes / (4 * sizeof *filter->site) ||
            !SL_GROW(filter->site, filter->sites_capacity, n))
            return NULL;
        at = sl_index_add(&filter->map, pc, 0);
    }
    return at == SL_NO_INDEX ? NULL : &filter->site[at];
}

static void check(struct sl_filter *filter, struct sl_filter_site *site)
{
    uint64_t before = site->fraction, fraction = 0;
    if (site->count)
        fraction = (uint64_t)(((unsigned __int128)site->largest << 32) / site->count);
    bool unchanged = (fraction > before ? fraction - before : before - fraction) <=
                     filter->tolerance;
    site->fraction = fraction;
    site->converged = site->checked && unchanged;
    site->checked = true;
    if (!site->converged)
        return;
    filter->n_converged++;
    if (filter->n_filtered < filter->capacity) {
        site->filtered = true;
        filter->n_filtered++;
    }
}

void sl_filter_record(struct sl_filter *filter, uint64_t pc, uint64_t count, uint64_t of_tuple)
{
    struct sl_filter_site *site = site_of(filter, pc);
    if (!site)
        return;
    site->count += count;
    site->largest = of_tuple > site->largest ? of_tuple : site->largest;
    if (++site->messages % filter->check == 0 && !site->converged)
        check(filter, site);
}

bool sl_filter_pass(struct sl_filter *filter, uint64_t pc, uint64_t weight)
{
    uint32_t at = filter->n_filtered ? sl_index_find(&filter->map, pc, 0) : SL_NO_INDEX;
    if (at == SL_NO_INDEX || !filter->site[at].filtered)
        return false;
    filter->site[at].passed += weight;
    filter->passed++;
    filter->passed_weight += weight;
    return true;
}

uint64_t sl_filter_part(const struct sl_filter *filter, uint64_t pc, uint64_t count)
{
    uint32_t at = filter->n_filtered ? sl_index_find(&filter->map, pc, 0) : SL_NO_INDEX;
    if (at == SL_NO_INDEX || !filter->site[at].passed)
        return 0;
    const struct sl_filter_site *site = &filter->site[at];
    return (uint64_t)((unsigned __int128)site->passed * count / site->count);
}

void sl_filter_free(struct sl_filter *filter)
{
    sl_index_free(&filter->map);
    free(filter->site);
}
