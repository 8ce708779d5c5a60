/* SPDX-License-Identifier: MIT */
/* Made-up streams: `synth:KIND(options)`. The kinds are in synth_kinds.c, how they become
 * events in synth.c; sl_synth_source is in source.h. */
#ifndef SL_SYNTH_H
#define SL_SYNTH_H

#include "describer.h"
#include "options.h"

#define SL_SYNTH_FIRST_PC UINT64_C(0x400000)
#define SL_SYNTH_INSN_SIZE 4u

struct sl_synth; /* one stream */

struct sl_synth_kind {
    const char *name;
    const char *summary; /* one line for `sluice list streams` */
    const struct sl_option *options;
    /* What draw needs, beyond what every stream has. NULL where that is nothing. */
    int (*prepare)(struct sl_synth *synth, struct sl_failure *f);
    /* Writes the numbers of the next n tuples. */
    void (*draw)(struct sl_synth *synth, uint64_t *tuple, size_t n);
};

extern const struct sl_synth_kind sl_synth_kinds[]; /* name NULL at the end */

struct sl_synth_config {
    uint64_t events, tuples, pcs, seed;
    double s;
    double share;
    uint64_t hot, length, phases;
    unsigned rest;
    uint64_t bits, hash_seed;
};

struct sl_synth_alias { /* of the alias method */
    uint64_t threshold; /* below it the slot's own tuple, of 2^64 */
    uint32_t other;
};

struct sl_synth {
    struct sl_source source;
    const struct sl_synth_kind *kind;
    struct sl_synth_config config;
    struct sl_record_buffer records;
    uint64_t random;
    uint64_t left;     /* events to give out */
    bool begun, ended; /* records told */
    struct sl_synth_alias *alias;
    uint64_t *tree; /* of the events left in n_categories, a power of two */
    uint64_t n_categories, left_in_all, fresh;
    uint64_t *value; /* of each tuple; NULL: made from its number */
    uint64_t tuple[SL_CHUNK_BLOCKS];
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint64_t mem_value[SL_CHUNK_MEMS];
};

#endif
