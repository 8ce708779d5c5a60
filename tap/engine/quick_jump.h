/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Indirect jumps, returns among them, quicker than QEMU's.
 *
 * Where a jump goes that is not known when code is translated, translated code asks for the
 * translation of the block there: interpreters spend half of their time under QEMU with that. QEMU
 * has a cache of blocks by address, whose entries lead to a block, and asks the block itself
 * whether it is the one that is wanted. The block is among the code, in front of its own, where
 * lines are rarely in the cache of data. So an entry has all that is asked, and the code's address,
 * beside it:
 *
 *     | block | address | base | flags, flags of translation | code |
 *
 * An entry is good as long as it has a block. QEMU takes that away when the block is no more, in
 * the caches of all threads; the rest of an entry is written and read by its own thread alone. */
#ifndef SLUICE_QUICK_JUMP_H
#define SLUICE_QUICK_JUMP_H

struct sluice_jump {
    uint64_t pc, cs_base;
    uint32_t flags, cflags;
    const void *code;
};

/* To be called before the entry gets the block. */
static inline void sluice_jump_keep(struct sluice_jump *jump, const TranslationBlock *tb,
                                    uint64_t pc)
{
    *jump = (struct sluice_jump){pc, tb->cs_base, tb->flags, tb_cflags(tb), tb->tc.ptr};
}

#endif
