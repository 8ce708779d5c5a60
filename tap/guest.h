/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tap has to know of each guest architecture, and no more. */
#ifndef SL_TAP_GUEST_H
#define SL_TAP_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an instruction certainly loads, so that the stream need not say it:
 * 0: nothing. 1, 2, 4, 8: exactly one load of that many bytes, in any case; with
 * LOADS_THEN_STORES it stores after that, without it stores nothing.
 * LOADS_UNKNOWN: anything else, and whenever in doubt. */
#define LOADS_UNKNOWN (-1)
#define LOADS_THEN_STORES 16

struct guest {
    const char *target_name; /* as QEMU calls it: "x86_64", "riscv64", ... */
    bool big_endian;
    bool narrow; /* addresses of 32 bits: as arguments of calls they come with a sign */
    /* System calls that change mappings; -1: there is no second one. */
    int64_t map_calls[2], unmap_call, remap_call;
    uint64_t map_anonymous; /* the flag of a mapping that is of no file */
    /* Those that replace the program, -1 at the end. */
    int64_t exec_calls[3];
    int64_t exit_call; /* that which ends it, with all its threads */
    int64_t random_call, read_call;
    /* What the instruction loads, as above: loads_x86.c, loads_risc.c. */
    int (*loads)(const uint8_t *bytes, size_t size);
    /* NULL, or: false if the bytes end before the instruction does. On x86, QEMU
     * before 8.2 gives a block one instruction too many where the next one crosses
     * a page: the piece of it on the first page, which is not in the block. */
    bool (*whole)(const uint8_t *bytes, size_t size);
    /* SL_MARK_NONE, SL_MARK_BEGIN or SL_MARK_END (include/sluice-mark.h). */
    int (*mark)(const uint8_t *bytes, size_t size);
};

/* NULL for a guest that we do not know. */
const struct guest *guest_find(const char *target_name);

static inline uint32_t guest_little32(const uint8_t *b)
{
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

static inline uint32_t guest_big32(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

#endif
