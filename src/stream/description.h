/* Instructions of streams that come without code: SL_DESCRIPTION_SIZE bytes that say what a decoder
 * would have found, where other programs have the instruction itself.
 *
 *     0  class      enum sl_class           4  two registers that are written
 *     1  branch     enum sl_branch          6  four that are read
 *     2  flags      enum sl_insn_flags     10  zeroes
 *     3  width      bytes of an access     16  target of a direct branch; 0: not known
 *
 * A register is 0: none, 1 to 64: one of sl_regs.general, 65 to 128: of .vector; numbers are
 * little-endian.
 *
 * The table of such a stream is made as it is read: a *describer* gives instructions and blocks
 * their numbers, and keeps the records of those that are new until they are told. */
#ifndef SL_DESCRIPTION_H
#define SL_DESCRIPTION_H

#include "source.h"

struct sl_description {
    uint8_t kind, branch, flags, width; /* kind: the class */
    uint8_t writes[2], reads[4];
    uint64_t target;
};

struct sl_insn_info;
void sl_description_decode(const uint8_t *bytes, size_t size, struct sl_insn_info *info);

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

/* Adds an instruction to the block that is being made, which has less than SL_DESCRIBED_INSNS. Returns
 * its number, or SL_NO_INDEX when there is no room for more. */
uint32_t sl_describer_insn(struct sl_describer *d, uint64_t pc, uint8_t size,
                           const struct sl_description *is);

/* Ends the block, and returns its number; likewise. */
uint32_t sl_describer_block(struct sl_describer *d);

/* Tells the records that are new, in front of the events that need them. */
int sl_describer_tell(struct sl_describer *d, struct sl_source *source, struct sl_failure *f);
int sl_describer_end(struct sl_describer *d, struct sl_source *source, struct sl_failure *f);

void sl_describer_free(struct sl_describer *d);

#endif
