/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks in the tap: collects the instructions of a block that QEMU translates, gives the block an
 * id, and describes each new block to sluice in a record (blocks.h). */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>

#include "maps.h"
#include "code_ids.h"
#include "writer.h"

uint32_t block_add(struct block_text *text, uint64_t pc, const uint8_t *bytes, size_t size)
{
    uint32_t id = code_ids_insn(pc, bytes, size);
    if (id > SL_INSN_MAX)
        abort(); /* 134 million instructions: out of memory long before */
    if (!text->n_insns)
        text->pc = pc;
    unsigned i = text->n_insns++;
    text->insn[i].id = id;
    text->insn[i].size = (uint8_t)size;
    memcpy(text->bytes + text->n_bytes, bytes, size);
    text->n_bytes += (unsigned)size;
    return id;
}

bool block_goes_on(const struct block_text *text, uint64_t pc)
{
    return pc == text->pc + text->n_bytes;
}

uint32_t block_id(const struct block_text *text, int mark, uint64_t guest_base, bool *is_new)
{
    static uint8_t head[15 + 5 * SL_BLOCK_INSNS_MAX];
    uint32_t id = code_ids_block(text->insn[0].id, text->pc, text->bytes, text->n_bytes, is_new);
    uint16_t n = (uint16_t)text->n_insns;
    uint8_t *at = head;
    if (id >= SL_WORD_IDS - 1)
        abort(); /* 33 million blocks: out of memory long before */
    if (!*is_new)
        return id;
    memcpy(at, &text->pc, 8);
    memcpy(at + 8, &id, 4);
    at[12] = (uint8_t)mark;
    memcpy(at + 13, &n, 2);
    at += 15;
    for (unsigned i = 0; i < n; i++, at += 5) {
        memcpy(at, &text->insn[i].id, 4);
        at[4] = text->insn[i].size;
    }
    maps_send(text->pc, guest_base);
    writer_record(SL_RECORD_BLOCK, head, (size_t)(at - head), text->bytes, text->n_bytes);
    return id;
}
