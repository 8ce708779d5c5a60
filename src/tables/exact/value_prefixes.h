/* SPDX-License-Identifier: MIT */
/* Numbers for what many tuples <instruction, value> have in common: the instruction, and the upper
 * half of the value. A load's values are mostly small, or addresses of one region, so that there
 * are few of these *prefixes* where there are very many tuples.
 *
 *     prefix[number]   | instruction (32) | upper half (32) |    in the order in which they came
 *     slot[hash]       | number |                                0: empty; half of them at most
 *
 * Values are the program's choice: so where a prefix is, depends on a key that no program knows. */
#ifndef SL_VALUE_PREFIXES_H
#define SL_VALUE_PREFIXES_H

#include <stddef.h>
#include <stdint.h>

#define SL_PREFIX_BITS 24
#define SL_PREFIXES_MAX ((UINT32_C(1) << SL_PREFIX_BITS) - 1)

struct sl_prefixes {
    uint64_t key;
    uint64_t *prefix; /* from number 1 on */
    uint32_t *slot;
    uint32_t n;
    size_t room, n_slots;
};

static inline uint64_t sl_prefix_of(uint32_t insn, uint64_t value)
{
    return (uint64_t)insn << 32 | value >> 32;
}

/* Its number; 0: it has none. */
uint32_t sl_prefixes_find(const struct sl_prefixes *all, uint64_t prefix);

/* A number for one that has none; 0 if it gets none for want of memory or numbers. */
uint32_t sl_prefixes_add(struct sl_prefixes *all, uint64_t prefix);

uint64_t sl_prefixes_bytes(const struct sl_prefixes *all);
void sl_prefixes_free(struct sl_prefixes *all);

#endif
