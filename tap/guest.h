/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Description of a guest architecture for the tap, sluice's code inside QEMU: system call numbers,
 * and functions that find an instruction's loads and recognize region markers. */
#ifndef SL_TAP_GUEST_H
#define SL_TAP_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The loads that every execution of an instruction makes. 0: none. 1, 2, 4, 8: exactly one load of
 * that many bytes; with LOADS_THEN_STORES the instruction stores after that, without it stores
 * nothing. LOADS_UNKNOWN: all other cases, and whenever in doubt. */
#define LOADS_UNKNOWN (-1)
#define LOADS_THEN_STORES 16

struct guest {
    const char *target_name; /* QEMU's name: "x86_64", "riscv64", ... */
    bool big_endian;
    bool narrow; /* 32-bit addresses: sign-extended as arguments of system calls */
    /* System calls that change mappings; map_calls[1] may be -1. */
    int64_t map_calls[2], unmap_call, remap_call;
    uint64_t map_anonymous; /* the value of MAP_ANONYMOUS */
    /* The exec calls; -1 at the end. */
    int64_t exec_calls[3];
    int64_t exit_call;              /* exit_group */
    int64_t random_call, read_call; /* getrandom, read */
    /* The loads of an instruction, as above (loads_x86.c, loads_risc.c). */
    int (*loads)(const uint8_t *bytes, size_t size);
    /* False if the bytes end before the instruction does; NULL: never. On x86, QEMU before 8.2
     * appends the first bytes of the next instruction to a block if that one crosses a page; it is
     * not part of the block. */
    bool (*whole)(const uint8_t *bytes, size_t size);
    /* SL_MARK_NONE, SL_MARK_BEGIN or SL_MARK_END (include/sluice-mark.h). */
    int (*mark)(const uint8_t *bytes, size_t size);
};

/* NULL for an unknown guest. */
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
