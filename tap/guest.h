/* What the tap has to know of each guest architecture, and no more.
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SL_TAP_GUEST_H
#define SL_TAP_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest {
    const char *target_name; /* as QEMU calls it: "x86_64", "riscv64", ... */
    bool big_endian;
    /* System call numbers after which mappings may have changed, -1 at the end. */
    int64_t mapping_calls[6];
    /* Those that replace the program, -1 at the end. */
    int64_t exec_calls[3];
    /* True only if the instruction certainly loads nothing, so that its memory
     * callback can be spared: stores without a load, and what QEMU does in a helper
     * function without memory (floating point). Other arithmetic does not matter. */
    bool (*never_loads)(const uint8_t *bytes, size_t size);
    /* NULL, or: false if the bytes end before the instruction does. On x86, QEMU
     * before 8.2 gives a block one instruction too many where the next one crosses
     * a page: the piece of it on the first page, which is not in the block. */
    bool (*whole)(const uint8_t *bytes, size_t size);
    /* SL_MARK_NONE, SL_MARK_BEGIN or SL_MARK_END (include/sluice-mark.h). */
    int (*mark)(const uint8_t *bytes, size_t size);
};

/* NULL for a guest that we do not know. */
const struct guest *guest_find(const char *target_name);

#endif
