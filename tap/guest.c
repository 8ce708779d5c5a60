/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Table of the guest architectures that the tap (sluice's code inside QEMU) supports. For each
 * architecture, it contains system call numbers, the function that recognizes region markers, and
 * the function that finds an instruction's loads (guest.h). */
#include "guest.h"

#include <string.h>

#include "x86_encoding.h"
#include "loads.h"
#include "sluice-mark.h"
#include "statics.h"

static bool x86_whole(const uint8_t *bytes, size_t size)
{
    return x86_shape(bytes, size).length <= size;
}

/* `form` is the marker instruction with immediate 0, `shift` the position of the immediate. */
static int mark_of(uint32_t instruction, uint32_t form, unsigned shift)
{
    if (instruction == (form | (uint32_t)SLUICE_MARK_BEGIN << shift))
        return SL_MARK_BEGIN;
    if (instruction == (form | (uint32_t)SLUICE_MARK_END << shift))
        return SL_MARK_END;
    return SL_MARK_NONE;
}

static int x86_mark(const uint8_t *bytes, size_t size)
{
    static const uint8_t nopl[3] = {0x0f, 0x1f, 0x80};
    return size == 7 && memcmp(bytes, nopl, 3) == 0 ? mark_of(guest_little32(bytes + 3), 0, 0)
                                                    : SL_MARK_NONE;
}

static int aarch64_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(guest_little32(bytes), 0xd280001f, 5) : SL_MARK_NONE;
}

static int riscv_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(guest_little32(bytes), 0x00002013, 20) : SL_MARK_NONE;
}

static int mipsel_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(guest_little32(bytes), 0x34000000, 0) : SL_MARK_NONE;
}

static int mips_mark(const uint8_t *bytes, size_t size)
{
    return size == 4 ? mark_of(guest_big32(bytes), 0x34000000, 0) : SL_MARK_NONE;
}

/* mmap and mmap2, munmap, mremap; execve, execveat; exit_group; getrandom, read */
#define GENERIC_CALLS                                                                    \
    .map_calls = {222, -1}, .unmap_call = 215, .remap_call = 216, .map_anonymous = 0x20, \
    .exec_calls = {221, 281, -1}, .exit_call = 94, .random_call = 278, .read_call = 63
#define O32_CALLS                                                                              \
    .map_calls = {4090, 4210}, .unmap_call = 4091, .remap_call = 4167, .map_anonymous = 0x800, \
    .exec_calls = {4011, 4356, -1}, .exit_call = 4246, .random_call = 4353, .read_call = 4003

static const struct guest guests[] = {
    {.target_name = "x86_64",
     .map_calls = {9, -1},
     .unmap_call = 11,
     .remap_call = 25,
     .map_anonymous = 0x20,
     .exec_calls = {59, 322, -1},
     .exit_call = 231,
     .random_call = 318,
     .read_call = 0,
     .loads = loads_x86,
     .whole = x86_whole,
     .mark = x86_mark},
    {.target_name = "aarch64", GENERIC_CALLS, .loads = loads_aarch64, .mark = aarch64_mark},
    {.target_name = "riscv64", GENERIC_CALLS, .loads = loads_riscv64, .mark = riscv_mark},
    {.target_name = "riscv32",
     .narrow = true,
     GENERIC_CALLS,
     .loads = loads_riscv32,
     .mark = riscv_mark},
    {.target_name = "mipsel",
     .narrow = true,
     O32_CALLS,
     .loads = loads_mipsel,
     .mark = mipsel_mark},
    {.target_name = "mips",
     .big_endian = true,
     .narrow = true,
     O32_CALLS,
     .loads = loads_mips,
     .mark = mips_mark},
};

const struct guest *guest_find(const char *target_name)
{
    for (size_t i = 0; i < sizeof guests / sizeof *guests; i++)
        if (strcmp(guests[i].target_name, target_name) == 0)
            return &guests[i];
    return NULL;
}
