/* SPDX-License-Identifier: MIT */
/* Builds the static records (statics.h) that describe the code of imported traces and synthetic
 * streams. (For a running program, the tap, the part of sluice in QEMU, sends these records.)
 *
 * The record buffer holds records until they are applied to a source. The describer, on top of it,
 * serves streams that come without machine code (isa.h). It assigns ids to instructions and
 * blocks as the stream is read, and makes the records of new ones. */
#ifndef SL_DESCRIBER_H
#define SL_DESCRIBER_H

#include "isa.h"
#include "source.h"

/* ---- records ---- */

/* All zero: empty. */
struct sl_record_buffer {
    uint8_t *data;
    size_t n, capacity;
    bool failed; /* out of memory; sl_records_apply() reports it */
};

/* Append the lowest `n_bytes` bytes of a value, little-endian; the head of a record. */
void sl_record_put(struct sl_record_buffer *b, uint64_t value, unsigned n_bytes);
void sl_record_head(struct sl_record_buffer *b, uint64_t length, enum sl_record type);

/* Append a PROGRAM record, with `name` as path and only argument; an END record of a program with
 * one thread and exit status 0. */
void sl_record_program(struct sl_record_buffer *b, enum sl_arch arch, unsigned needs,
                       const char *name);
void sl_record_end(struct sl_record_buffer *b);

/* Applies the records to the source and empties the buffer. Returns 0, SL_ENOMEM, or an error of
 * sl_source_records(). Call free(b->data) at the end. */
int sl_records_apply(struct sl_record_buffer *b, struct sl_source *source, struct sl_failure *f);

/* ---- described instructions ---- */

#define SL_DESCRIBED_INSNS 64u               /* instructions of a block, at most */
#define SL_DESCRIBED_MAX (UINT32_C(1) << 24) /* different instructions of a stream */

/* All zero before sl_describer_program(). */
struct sl_describer {
    struct sl_index_map half, whole, insns; /* ids of descriptions, in two steps; of instructions */
    struct sl_index_map
        paths;       /* instruction sequences: (the sequence without its last, the last) */
    uint32_t *block; /* by sequence: 1 + the block's id; 0: no block */
    uint32_t n_blocks;
    size_t block_capacity;
    struct sl_described_insn {
        uint64_t pc;
        uint32_t id;
        uint8_t size;
        struct sl_description is;
    } insn[SL_DESCRIBED_INSNS]; /* of the current block */
    uint32_t n, path;
    struct sl_record_buffer records; /* of new blocks; apply them before the events that use them */
    bool ended;                      /* the END record was applied */
};

/* Applies the PROGRAM record. Returns 0 or an error. */
int sl_describer_program(struct sl_describer *d, struct sl_source *source, const char *name,
                         unsigned needs, struct sl_failure *f);

/* Adds an instruction to the current block, which must have fewer than SL_DESCRIBED_INSNS. Returns
 * its id, or SL_NO_INDEX if out of memory or ids. */
uint32_t sl_describer_insn(struct sl_describer *d, uint64_t pc, uint8_t size,
                           const struct sl_description *is);

/* Ends the current block, which must have an instruction. Returns its id, or SL_NO_INDEX if out of
 * memory. */
uint32_t sl_describer_block(struct sl_describer *d);

/* True if the stream has more different code than any program, so that it must be damaged. */
bool sl_describer_full(const struct sl_describer *d);

/* Applies the END record, once. Returns 0 or an error. */
int sl_describer_end(struct sl_describer *d, struct sl_source *source, struct sl_failure *f);

void sl_describer_free(struct sl_describer *d);

#endif
