/* SPDX-License-Identifier: MIT */
/* Describes the instructions and blocks of a stream without machine code, for example an imported
 * trace (describer.h). Equal instructions get the same id, and equal sequences of instructions are
 * the same block. A sequence is identified by its last instruction and the id of the sequence
 * before it. */
#include <stdlib.h>
#include <string.h>

#include "describer.h"
#include "failure.h"
#include "grow.h"

#define NO_PATH UINT32_MAX
#define PATHS_MAX (UINT32_C(1) << 26) /* different prefixes of blocks */

/* ---- records ---- */

void sl_record_put(struct sl_record_buffer *b, uint64_t value, unsigned n_bytes)
{
    if (!SL_GROW(b->data, b->capacity, b->n + n_bytes)) {
        b->failed = true;
        return;
    }
    for (unsigned i = 0; i < n_bytes; i++)
        b->data[b->n++] = (uint8_t)(value >> 8 * i);
}

void sl_record_head(struct sl_record_buffer *b, uint64_t length, enum sl_record type)
{
    sl_record_put(b, length, 4);
    sl_record_put(b, type, 4);
}

void sl_record_program(struct sl_record_buffer *b, enum sl_arch arch, unsigned needs,
                       const char *name)
{
    char *argv[] = {(char *)name, NULL};
    struct sl_statics about = {.program = {arch, needs, .path = (char *)name, .argv = argv}};
    size_t size = SL_RECORD_HEAD + 12 + 2 * (4 + strlen(name));
    b->failed = b->failed || !SL_GROW(b->data, b->capacity, b->n + size);
    if (!b->failed)
        b->n += sl_statics_program_record(&about, b->data + b->n, size);
}

void sl_record_end(struct sl_record_buffer *b)
{
    sl_record_head(b, 32, SL_RECORD_END);
    sl_record_put(b, 0, 8);
    sl_record_put(b, 0, 4);
    sl_record_put(b, 1, 4); /* threads */
    sl_record_put(b, 0, 8);
    sl_record_put(b, 0, 8);
}

int sl_records_apply(struct sl_record_buffer *b, struct sl_source *source, struct sl_failure *f)
{
    int64_t used = b->failed ? sl_out_of_memory(f) : sl_source_records(source, b->data, b->n, f);
    b->n = 0;
    return used < 0 ? (int)used : 0;
}

/* ---- described instructions ---- */

int sl_describer_program(struct sl_describer *d, struct sl_source *source, const char *name,
                         unsigned needs, struct sl_failure *f)
{
    d->path = NO_PATH;
    sl_record_program(&d->records, SL_ARCH_DESCRIBED, needs, name);
    return sl_records_apply(&d->records, source, f);
}

int sl_describer_end(struct sl_describer *d, struct sl_source *source, struct sl_failure *f)
{
    if (!d->ended)
        sl_record_end(&d->records);
    d->ended = true;
    return sl_records_apply(&d->records, source, f);
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
    uint32_t half = sl_index_add(&d->half, packed(head, 8), packed(is->reads, 4));
    uint32_t whole = half == SL_NO_INDEX ? half : sl_index_add(&d->whole, half, is->target);
    uint32_t id = whole == SL_NO_INDEX ? whole : sl_index_add(&d->insns, pc, whole);
    if (id == SL_NO_INDEX || id > SL_INSN_MAX)
        return SL_NO_INDEX;
    d->path = sl_index_add(&d->paths, d->path, id);
    if (d->path == SL_NO_INDEX)
        return SL_NO_INDEX;
    d->insn[d->n++] = (struct sl_described_insn){pc, id, size, *is};
    return id;
}

bool sl_describer_full(const struct sl_describer *d)
{
    return d->insns.n_keys > SL_DESCRIBED_MAX || d->paths.n_keys > PATHS_MAX;
}

static void put_description(struct sl_record_buffer *b, const struct sl_description *is)
{
    sl_record_put(b, is->kind, 1);
    sl_record_put(b, is->branch, 1);
    sl_record_put(b, is->flags, 1);
    sl_record_put(b, is->width, 1);
    sl_record_put(b, packed(is->writes, 2), 2);
    sl_record_put(b, packed(is->reads, 4), 4);
    sl_record_put(b, 0, 6);
    sl_record_put(b, is->target, 8);
}

static bool put_block(struct sl_describer *d)
{
    struct sl_record_buffer *b = &d->records;
    sl_record_head(b, 15 + d->n * (5 + SL_DESCRIPTION_SIZE), SL_RECORD_BLOCK);
    sl_record_put(b, d->insn[0].pc, 8);
    sl_record_put(b, d->n_blocks, 4);
    sl_record_put(b, SL_MARK_NONE, 1);
    sl_record_put(b, d->n, 2);
    for (uint32_t i = 0; i < d->n; i++) {
        sl_record_put(b, d->insn[i].id, 4);
        sl_record_put(b, d->insn[i].size, 1);
    }
    for (uint32_t i = 0; i < d->n; i++)
        put_description(b, &d->insn[i].is);
    return !b->failed;
}

uint32_t sl_describer_block(struct sl_describer *d)
{
    uint32_t path = d->path, id = SL_NO_INDEX;
    if (!SL_GROW(d->block, d->block_capacity, (size_t)path + 1))
        return SL_NO_INDEX;
    if (d->block[path])
        id = d->block[path] - 1;
    else if (put_block(d))
        d->block[path] = 1 + (id = d->n_blocks++);
    d->n = 0;
    d->path = NO_PATH;
    return id;
}

void sl_describer_free(struct sl_describer *d)
{
    sl_index_free(&d->half);
    sl_index_free(&d->whole);
    sl_index_free(&d->insns);
    sl_index_free(&d->paths);
    free(d->block);
    free(d->records.data);
    *d = (struct sl_describer){0};
}
