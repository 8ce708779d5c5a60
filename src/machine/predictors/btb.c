/* SPDX-License-Identifier: MIT */
/* A set is its entries in the order of their last use, so that the last is the one
 * to replace and no ages are kept:
 *
 *     set:  | newest: pc, target | pc, target | ... | oldest, or empty |
 *
 * As in SimpleScalar only taken branches enter, and only taken ones count as a use:
 * a branch that is never taken needs no target. Tags are whole addresses, so a hit
 * is never another branch's; hardware keeps part of the address and is at times
 * misled. */
#include "btb.h"

#include "failure.h"

struct entry {
    uint64_t pc, target;
};

#define EMPTY UINT64_MAX /* no branch fits in at the last byte of memory */

struct sl_btb {
    uint64_t set_mask;
    unsigned ways, shift; /* ways 0: there is no buffer */
    struct entry entry[];
};

const struct sl_option sl_btb_options[] = {
    SL_UNSIGNED(struct sl_btb_config, entries, "2Ki", 0, 1 << 20,
                "branches whose target is kept; 0: none"),
    SL_UNSIGNED(struct sl_btb_config, ways, "4", 1, 1024, "entries in a set"),
    SL_OPTIONS_END,
};

int sl_btb_check(const struct sl_btb_config *config, struct sl_failure *f)
{
    uint64_t sets = config->entries / config->ways;
    if (config->entries % config->ways || (sets & (sets - 1)))
        return sl_fail(f, SL_EUSAGE,
                       "btb.entries=%llu with btb.ways=%llu is no whole power of two "
                       "of sets: entries are ways times 1, 2, 4, 8, ...",
                       (unsigned long long)config->entries, (unsigned long long)config->ways);
    return 0;
}

size_t sl_btb_bytes(const struct sl_btb_config *config)
{
    return sizeof(struct sl_btb) + (size_t)config->entries * sizeof(struct entry);
}

void sl_btb_init(struct sl_btb *b, const struct sl_btb_config *config, unsigned shift)
{
    b->ways = config->entries ? (unsigned)config->ways : 0;
    b->set_mask = config->entries ? config->entries / config->ways - 1 : 0;
    b->shift = shift;
    for (uint64_t i = 0; i < config->entries; i++)
        b->entry[i] = (struct entry){EMPTY, 0};
}

/* Moves the branch to the front of its set, or enters it there. */
static bool reorder(struct entry *set, unsigned ways, uint64_t pc, uint64_t target)
{
    unsigned way = 1;
    while (way < ways && set[way].pc != pc)
        way++;
    bool held = way < ways && set[way].target == target;
    for (way -= way == ways; way; way--)
        set[way] = set[way - 1];
    set[0] = (struct entry){pc, target};
    return held;
}

bool sl_btb_step(struct sl_btb *b, uint64_t pc, uint64_t target)
{
    struct entry *set = b->entry + (pc >> b->shift & b->set_mask) * b->ways;
    if (!b->ways)
        return false;
    if (set[0].pc != pc)
        return reorder(set, b->ways, pc, target);
    bool held = set[0].target == target;
    set[0].target = target;
    return held;
}
