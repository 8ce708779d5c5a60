/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faster lookup of the targets of indirect jumps and returns in QEMU.
 *
 * For a jump whose target is not known at translation, translated code looks up the translation of
 * the target block. Interpreters spend half of their time under QEMU on that. QEMU has a cache of
 * blocks by address, whose entries point to a block. QEMU compares fields of the block itself,
 * which are in cache lines that are rarely in the data cache. An entry therefore also has a copy of
 * these fields and the address of the code:
 *
 *     | block | address | base | flags, flags of translation | code |
 *
 * An entry is valid as long as it has a block. QEMU clears the block pointer in the caches of all
 * threads when a block is invalidated; only its own thread writes and reads the rest of an entry.
 */
#ifndef SLUICE_QUICK_JUMP_H
#define SLUICE_QUICK_JUMP_H

struct sluice_jump {
    uint64_t pc, cs_base;
    uint32_t flags, cflags;
    const void *code;
};

/* Fills the copy in an entry. Call it before the block pointer is written to the entry. */
static inline void sluice_jump_fill(struct sluice_jump *jump, const TranslationBlock *tb,
                                    uint64_t pc)
{
    *jump = (struct sluice_jump){pc, tb->cs_base, tb->flags, tb_cflags(tb), tb->tc.ptr};
}

#endif
