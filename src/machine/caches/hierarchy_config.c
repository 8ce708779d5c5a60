/* SPDX-License-Identifier: MIT */
/* Options of the memory hierarchy model, and checks of their combinations. */

#include "failure.h"
#include "hierarchy.h"

#define LATENCY_MAX 1000000u

#define T struct sl_tlb_config
const struct sl_option sl_tlb_options[] = {
    SL_UNSIGNED(T, entries, "0", 0, 65536,
                "number of pages in the TLB: ways * a power of 2; 0: no TLB"),
    SL_UNSIGNED(
        T, ways, "1", 1, 65536,
        "number of pages per set; if ways is equal to entries, the TLB is fully associative"),
    SL_UNSIGNED_FLAGS(T, page, "4Ki", 1024, UINT64_C(1) << 30,
                      SL_OPTION_POWER_OF_2 | SL_OPTION_BYTES, "bytes per page"),
    SL_UNSIGNED(T, latency, "20", 0, LATENCY_MAX, "cycles of the page walk after a TLB miss"),
    SL_CHOICE(T, replacement, "lru", sl_cache_replacements,
              "replacement policy: which page of a full set is evicted"),
    SL_UNSIGNED(T, seed, "1", 0, UINT64_MAX, "seed of random replacement"),
    SL_OPTIONS_END,
};
#undef T

const struct sl_option sl_memory_options[] = {
    SL_UNSIGNED(struct sl_memory_config, latency, "100", 0, LATENCY_MAX, "cycles to read a line"),
    SL_OPTIONS_END,
};

#define PART(field, options)                                         \
    {                                                                \
#field, options, offsetof(struct sl_hierarchy_config, field) \
    }
const struct sl_hierarchy_part sl_hierarchy_parts[] = {
    PART(l1i, sl_cache_options),     PART(l1d, sl_cache_options),
    PART(l2, sl_cache_options),      PART(l3, sl_cache_options),
    PART(itlb, sl_tlb_options),      PART(dtlb, sl_tlb_options),
    PART(memory, sl_memory_options), {.name = NULL},
};

static int check_tlb(const struct sl_tlb_config *tlb, const char *name, struct sl_failure *f)
{
    if (tlb->entries % tlb->ways || __builtin_popcountll(tlb->entries / tlb->ways) != 1)
        return sl_fail(f, SL_EUSAGE,
                       "%s.entries=%llu is not %s.ways=%llu times a power of 2: change one of "
                       "them; for a fully associative TLB, set ways to the number of entries",
                       name, (unsigned long long)tlb->entries, name, (unsigned long long)tlb->ways);
    return 0;
}

/* Checks line sizes: lines of `above` are read from lines of `below`, if both exist. */
static int check_lines(const struct sl_cache_config *above, const char *above_name,
                       const struct sl_cache_config *below, const char *below_name,
                       struct sl_failure *f)
{
    if (!above->size || !below->size || below->line >= above->line)
        return 0;
    return sl_fail(f, SL_EUSAGE,
                   "%s.line=%llu is shorter than the lines of %s (%llu bytes), which are filled "
                   "from it: increase %s.line",
                   below_name, (unsigned long long)below->line, above_name,
                   (unsigned long long)above->line, below_name);
}

/* Checks one side: the TLB, L1, and their sizes relative to each other and to the levels below. */
static int check_port(const struct sl_hierarchy_config *c, const struct sl_tlb_config *tlb,
                      const char *tlb_name, const struct sl_cache_config *l1, const char *l1_name,
                      struct sl_failure *f)
{
    int error = tlb->entries ? check_tlb(tlb, tlb_name, f) : 0;
    if (!error && l1->size)
        error = sl_cache_check(l1, l1_name, f);
    if (error)
        return error;
    if (tlb->entries && l1->size && tlb->page < l1->line)
        return sl_fail(f, SL_EUSAGE,
                       "%s.page=%llu is shorter than a line of %s (%llu bytes), which must be in "
                       "one page: increase the page or reduce the line",
                       tlb_name, (unsigned long long)tlb->page, l1_name,
                       (unsigned long long)l1->line);
    error = check_lines(l1, l1_name, &c->l2, "l2", f);
    return error ? error : check_lines(l1, l1_name, &c->l3, "l3", f);
}

int sl_hierarchy_check(const struct sl_hierarchy_config *c, struct sl_failure *f)
{
    int error = c->l2.size ? sl_cache_check(&c->l2, "l2", f) : 0;
    if (!error && c->l3.size)
        error = sl_cache_check(&c->l3, "l3", f);
    if (!error)
        error = check_lines(&c->l2, "l2", &c->l3, "l3", f);
    if (!error && c->l1i.size && c->l1i.prefetch == SL_CACHE_STRIDE)
        error = sl_fail(f, SL_EUSAGE,
                        "l1i.prefetch=stride is not possible, because only loads and stores have "
                        "strides: use next-line or best-offset");
    if (!error)
        error = check_port(c, &c->itlb, "itlb", &c->l1i, "l1i", f);
    return error ? error : check_port(c, &c->dtlb, "dtlb", &c->l1d, "l1d", f);
}
