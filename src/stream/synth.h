/* SPDX-License-Identifier: MIT */
/* Synthetic streams, named `synth:KIND(options)`: synth_kinds.c draws random tuples <pc, value>,
 * and synth.c makes a stream of events from them. */
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
    /* Prepares what `draw` needs. Returns 0, SL_EUSAGE or SL_ENOMEM. NULL: nothing to prepare. */
    int (*prepare)(struct sl_synth *synth, struct sl_failure *f);
    /* Draws the numbers of the next n tuples. */
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

struct sl_synth_alias { /* slot of the alias method */
    uint64_t threshold; /* 2^64 times the probability of the slot's own tuple */
    uint32_t other;
};

struct sl_synth {
    struct sl_source source;
    const struct sl_synth_kind *kind;
    struct sl_synth_config config;
    struct sl_record_buffer records;
    uint64_t random;
    uint64_t left;     /* events to return */
    bool begun, ended; /* BLOCK records, and the END record, were applied */
    struct sl_synth_alias *alias;
    uint64_t *tree; /* events left in n_categories, a power of two */
    uint64_t n_categories, left_in_all, fresh;
    uint64_t *value; /* of each tuple; NULL: a hash of its number */
    uint64_t tuple[SL_CHUNK_BLOCKS];
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint64_t mem_value[SL_CHUNK_MEMS];
};

#endif
