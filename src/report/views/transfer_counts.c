/* SPDX-License-Identifier: MIT */
/* Sorted lists of transfers (from, to, count), loaded from a profile (transfer_counts.h). */
#include "transfer_counts.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"

bool sl_transfer_counts_add(struct sl_transfer_counts *list, uint64_t from, uint64_t to,
                            uint64_t count)
{
    if (!SL_GROW(list->transfer, list->capacity, list->n + 1))
        return false;
    list->transfer[list->n++] = (struct sl_transfer_count){from, to, count};
    return true;
}

const struct sl_db_profile *sl_transfer_counts_profile(const struct sl_db_profiles *profiles,
                                                       enum sl_field_type second, bool exact)
{
    for (size_t i = 0; i < profiles->n; i++) {
        const struct sl_db_profile *profile = &profiles->profile[i];
        if (profile->detector->second.type == second && !profile->metric->weigh &&
            !(exact && strcmp(profile->table, "exact")))
            return profile;
    }
    return NULL;
}

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    return sl_transfer_counts_add(context, entry->at.address, entry->value, entry->count)
               ? 0
               : SL_ENOMEM;
}

int sl_transfer_counts_load(struct sl_transfer_counts *list, struct sl_database *database,
                            const struct sl_db_profile *profile, uint64_t n, struct sl_failure *f)
{
    int result = sl_db_entries(database, profile, n, add_entry, list, f);
    return result == SL_ENOMEM ? sl_db_fail_memory(f) : result;
}

int sl_transfer_counts_load_first(struct sl_transfer_counts *list, struct sl_database *database,
                                  enum sl_field_type second, bool exact, uint64_t n,
                                  struct sl_failure *f)
{
    const struct sl_db_profile *profile = sl_transfer_counts_profile(&database->profiles, second,
                                                                     exact);
    int result = profile ? sl_transfer_counts_load(list, database, profile, n, f) : 0;
    sl_transfer_counts_sort(list);
    return result;
}

static int by_addresses(const void *a, const void *b)
{
    const struct sl_transfer_count *x = a, *y = b;
    return sl_order(x->from, y->from, sl_order(x->to, y->to, 0));
}

static void add_count(void *to, void *from)
{
    ((struct sl_transfer_count *)to)->count += ((struct sl_transfer_count *)from)->count;
}

void sl_transfer_counts_sort(struct sl_transfer_counts *list)
{
    list->n = SL_SORT_AND_MERGE(list->transfer, list->n, by_addresses, add_count);
}

size_t sl_transfer_counts_from(const struct sl_transfer_counts *list, uint64_t from)
{
    return SL_LOWER_BOUND(list->transfer, list->n, struct sl_transfer_count, from, from);
}

uint64_t sl_transfer_counts_sum(const struct sl_transfer_counts *list, uint64_t from)
{
    uint64_t sum = 0;
    for (size_t i = sl_transfer_counts_from(list, from);
         i < list->n && list->transfer[i].from == from; i++)
        sum += list->transfer[i].count;
    return sum;
}

bool sl_transfer_counts_leave(const struct sl_transfer_counts *list, uint64_t from)
{
    size_t i = sl_transfer_counts_from(list, from);
    return i < list->n && list->transfer[i].from == from;
}

size_t sl_transfer_counts_most(const struct sl_transfer_counts *list, uint64_t address, size_t most,
                               struct sl_transfer_count *out)
{
    size_t n = 0, kept = 0;
    for (size_t i = sl_transfer_counts_from(list, address);
         i < list->n && list->transfer[i].from == address; i++, n++) {
        size_t at = kept < most ? kept++ : most;
        for (; at && out[at - 1].count < list->transfer[i].count; at--)
            if (at < most)
                out[at] = out[at - 1];
        if (at < most)
            out[at] = list->transfer[i];
    }
    return n;
}

void sl_transfer_counts_free(struct sl_transfer_counts *list)
{
    free(list->transfer);
    *list = (struct sl_transfer_counts){0};
}
