/* SPDX-License-Identifier: MIT */
/* Synthetic stream of tuples <pc, value>, for experiments in which the true counts must be known.
 *
 * There is one block for each pc, with one 4-byte load instruction (bytes zero). Each event is that
 * block and one mem event with the value. The architecture is SL_ARCH_NONE. Tuple t has pc number
 * t mod pcs, and a value that no other tuple of the stream has.
 *
 * The same spec gives the same stream on every machine, except for rounding of pow() in zipf. */
#include "synth.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "hash.h"

static int apply_blocks(struct sl_synth *y, struct sl_failure *f)
{
    struct sl_record_buffer *b = &y->records;
    for (uint32_t i = 0; i < y->config.pcs; i++) {
        sl_record_head(b, 15 + 5 + SL_SYNTH_INSN_SIZE, SL_RECORD_BLOCK);
        sl_record_put(b, SL_SYNTH_FIRST_PC + SL_SYNTH_INSN_SIZE * i, 8);
        sl_record_put(b, i, 4);
        sl_record_put(b, SL_MARK_NONE, 1);
        sl_record_put(b, 1, 2);
        sl_record_put(b, i, 4);
        sl_record_put(b, SL_SYNTH_INSN_SIZE, 1);
        sl_record_put(b, 0, SL_SYNTH_INSN_SIZE);
    }
    int error = sl_records_apply(b, &y->source, f);
    free(b->data);
    *b = (struct sl_record_buffer){0};
    return error;
}

static int synth_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_synth *y = (struct sl_synth *)source;
    bool first = !y->begun;
    if (first) {
        int error = apply_blocks(y, f);
        if (error < 0)
            return error;
        y->begun = true;
    }
    if (!y->left) {
        if (!y->ended)
            sl_record_end(&y->records);
        y->ended = true;
        return sl_records_apply(&y->records, &y->source, f);
    }
    uint32_t n = y->left < SL_CHUNK_BLOCKS ? (uint32_t)y->left : SL_CHUNK_BLOCKS;
    y->left -= n;
    y->kind->draw(y, y->tuple, n);
    uint32_t *block = source->into ? source->into->block : y->block;
    uint64_t *value = source->into ? source->into->mem_value : y->mem_value;
    const uint64_t pcs = y->config.pcs, salt = sl_mix(y->config.seed);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t t = y->tuple[i];
        block[i] = (uint32_t)(t % pcs);
        /* sl_mix() is a bijection. */
        value[i] = y->value ? y->value[t] : sl_mix(t + salt);
    }
    *chunk = (struct sl_chunk){
        .flags = first ? SL_CHUNK_START : 0,
        .n_blocks = n,
        .n_mems = n,
        .block = block,
        .block_mem = y->block_mem,
        .mem_insn = block, /* block and instruction have the same number */
        .mem_value = value,
    };
    return 1;
}

static void synth_close(struct sl_source *source)
{
    struct sl_synth *y = (struct sl_synth *)source;
    free(y->alias);
    free(y->tree);
    free(y->value);
    free(y->records.data);
}

void sl_synth_list(FILE *out)
{
    for (const struct sl_synth_kind *k = sl_synth_kinds; k->name; k++) {
        fprintf(out, "synth:%-8s %s\n", k->name, k->summary);
        sl_options_list(k->options, out);
    }
}

static const struct sl_synth_kind *find_kind(const struct sl_spec *spec, struct sl_failure *f)
{
    char known[128] = "";
    for (const struct sl_synth_kind *k = sl_synth_kinds; k->name; k++) {
        if (sl_spec_is(spec, k->name))
            return k;
        strcat(strcat(known, k == sl_synth_kinds ? "" : ", "), k->name);
    }
    sl_fail(f, SL_EUSAGE, "unknown synthetic stream \"%.*s\": use %s",
            (int)(spec->name_end - spec->name), spec->text + spec->name, known);
    return NULL;
}

static int synth_open(struct sl_source *source, struct sl_failure *f)
{
    struct sl_synth *y = (struct sl_synth *)source;
    struct sl_spec spec;
    int error = sl_spec_split(&spec, source->name, 0, f);
    if (error < 0)
        return error;
    y->kind = find_kind(&spec, f);
    if (!y->kind)
        return SL_EUSAGE;
    if (source->name[spec.end])
        return sl_fail(f, SL_EUSAGE, "unexpected text after \"%.*s\"", (int)spec.end, source->name);
    for (uint32_t i = 0; i < SL_CHUNK_BLOCKS; i++)
        y->block_mem[i] = i;
    error = sl_options_parse(y->kind->options, &spec, &y->config, f);
    y->random = sl_mix(y->config.seed);
    y->left = y->config.events;
    if (!error && y->kind->prepare)
        error = y->kind->prepare(y, f);
    if (error < 0)
        return error;
    /* The resolved spec is the program's path: it specifies the whole stream. */
    char resolved[512] = "synth:";
    sl_options_print(y->kind->options, y->kind->name, &y->config, resolved + 6,
                     sizeof resolved - 6);
    sl_record_program(&y->records, SL_ARCH_NONE, SL_NEED_VALUES, resolved);
    return sl_records_apply(&y->records, &y->source, f);
}

const struct sl_source_ops sl_synth_ops = {
    .size = sizeof(struct sl_synth),
    .open = synth_open,
    .next = synth_next,
    .close = synth_close,
};
