/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "describer.h"
#include "failure.h"
#include "grow.h"

#define NO_PATH UINT32_MAX

static bool put(struct sl_describer *d, uint64_t value, unsigned n_bytes)
{
    if (!SL_GROW(d->records, d->room_records, d->n_records + n_bytes))
        return false;
    for (unsigned i = 0; i < n_bytes; i++)
        d->records[d->n_records++] = (uint8_t)(value >> 8 * i);
    return true;
}

static bool put_head(struct sl_describer *d, uint64_t length, enum sl_record type)
{
    return put(d, length, 4) && put(d, type, 4);
}

static bool put_text(struct sl_describer *d, const char *text)
{
    bool room = put(d, strlen(text), 4);
    for (; *text && room; text++)
        room = put(d, (uint8_t)*text, 1);
    return room;
}

int sl_describer_tell(struct sl_describer *d, struct sl_source *source, struct sl_failure *f)
{
    int64_t used = sl_source_records(source, d->records, d->n_records, f);
    d->n_records = 0;
    return used < 0 ? (int)used : 0;
}

int sl_describer_program(struct sl_describer *d, struct sl_source *source, const char *name,
                         unsigned wants, struct sl_failure *f)
{
    bool room = put_head(d, 12 + 2 * (4 + strlen(name)), SL_RECORD_PROGRAM) &&
                put(d, SL_ARCH_DESCRIBED, 4) && put(d, wants, 4) && put(d, 2, 4) &&
                put_text(d, name) && put_text(d, name);
    d->path = NO_PATH;
    return room ? sl_describer_tell(d, source, f) : sl_out_of_memory(f);
}

int sl_describer_end(struct sl_describer *d, struct sl_source *source, struct sl_failure *f)
{
    bool room = put_head(d, 32, SL_RECORD_END) && put(d, 0, 8) && put(d, 0, 4) && put(d, 1, 4) &&
                put(d, 0, 8) && put(d, 0, 8);
    return room ? sl_describer_tell(d, source, f) : sl_out_of_memory(f);
}

static uint64_t packed(const uint8_t *bytes, unsigned n)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < n; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

uint32_t sl_describer_insn(struct sl_describer *d, uint64_t pc, uint8_t size,
                           const struct sl_description *is)
{
    uint8_t head[8] = {is->kind, is->branch, is->flags,     is->width,
                       size,     0,          is->writes[0], is->writes[1]};
    uint32_t half = sl_index_intern(&d->half, packed(head, 8), packed(is->reads, 4));
    uint32_t whole = half == SL_NO_INDEX ? half : sl_index_intern(&d->whole, half, is->target);
    uint32_t number = whole == SL_NO_INDEX ? whole : sl_index_intern(&d->insns, pc, whole);
    if (number == SL_NO_INDEX || number > SL_INSN_MAX)
        return SL_NO_INDEX;
    d->path = sl_index_intern(&d->paths, d->path, number);
    if (d->path == SL_NO_INDEX)
        return SL_NO_INDEX;
    d->insn[d->n++] = (struct sl_described_insn){pc, number, size, *is};
    return number;
}

static bool put_description(struct sl_describer *d, const struct sl_description *is)
{
    return put(d, is->kind, 1) && put(d, is->branch, 1) && put(d, is->flags, 1) &&
           put(d, is->width, 1) && put(d, packed(is->writes, 2), 2) &&
           put(d, packed(is->reads, 4), 4) && put(d, 0, 6) && put(d, is->target, 8);
}

static bool put_block(struct sl_describer *d)
{
    bool room = put_head(d, 15 + d->n * (5 + SL_DESCRIPTION_SIZE), SL_RECORD_BLOCK) &&
                put(d, d->insn[0].pc, 8) && put(d, d->n_blocks, 4) && put(d, SL_MARK_NONE, 1) &&
                put(d, d->n, 2);
    for (uint32_t i = 0; i < d->n && room; i++)
        room = put(d, d->insn[i].number, 4) && put(d, d->insn[i].size, 1);
    for (uint32_t i = 0; i < d->n && room; i++)
        room = put_description(d, &d->insn[i].is);
    return room;
}

uint32_t sl_describer_block(struct sl_describer *d)
{
    uint32_t path = d->path, number = SL_NO_INDEX;
    if (!SL_GROW(d->block, d->room_block, (size_t)path + 1))
        return SL_NO_INDEX;
    if (d->block[path])
        number = d->block[path] - 1;
    else if (put_block(d))
        d->block[path] = 1 + (number = d->n_blocks++);
    d->n = 0;
    d->path = NO_PATH;
    return number;
}

void sl_describer_free(struct sl_describer *d)
{
    sl_index_free(&d->half);
    sl_index_free(&d->whole);
    sl_index_free(&d->insns);
    sl_index_free(&d->paths);
    free(d->block);
    free(d->records);
    *d = (struct sl_describer){0};
}
