/* SPDX-License-Identifier: MIT */
/* The describer: builds the static records of a stream that comes without code (description.h).
 *
 * It gives instructions and blocks their ids as the stream is read, and holds the records of new
 * ones until sl_describer_tell() passes them on. */
#ifndef SL_DESCRIBER_H
#define SL_DESCRIBER_H

#include "description.h"
#include "source.h"

#define SL_DESCRIBED_INSNS 64u /* of a block, at most */

struct sl_describer {
    struct sl_index_map half, whole, insns; /* descriptions in two steps; instructions */
    struct sl_index_map paths; /* sequences of instructions: (one shorter, the last one) */
    uint32_t *block;           /* by path: the block that it is; 0: none, else 1 + its number */
    uint32_t n_blocks;
    size_t room_block;
    struct sl_described_insn {
        uint64_t pc;
        uint32_t number;
        uint8_t size;
        struct sl_description is;
    } insn[SL_DESCRIBED_INSNS]; /* of the block that is being made */
    uint32_t n, path;
    uint8_t *records;
    size_t n_records, room_records;
};

/* The record of the program, whose path and only argument is `name`. */
int sl_describer_program(struct sl_describer *d, struct sl_source *source, const char *name,
                         unsigned wants, struct sl_failure *f);

/* Adds an instruction to the block that is being made, which has less than SL_DESCRIBED_INSNS.
 * Returns its number, or SL_NO_INDEX when there is no room for more. */
uint32_t sl_describer_insn(struct sl_describer *d, uint64_t pc, uint8_t size,
                           const struct sl_description *is);

/* Ends the block, and returns its number; likewise. */
uint32_t sl_describer_block(struct sl_describer *d);

/* Tells the records that are new, in front of the events that need them. */
int sl_describer_tell(struct sl_describer *d, struct sl_source *source, struct sl_failure *f);
int sl_describer_end(struct sl_describer *d, struct sl_source *source, struct sl_failure *f);

void sl_describer_free(struct sl_describer *d);

#endif
