/* SPDX-License-Identifier: MIT */
/* Instruction descriptions, which imported traces have instead of machine code. A description of
 * SL_DESCRIPTION_SIZE bytes contains the properties of an instruction that a decoder would
 * determine.
 *
 *     0  class      enum sl_class           4  two registers that are written
 *     1  branch     enum sl_branch          6  four that are read
 *     2  flags      enum sl_insn_flags     10  zeros
 *     3  width      bytes of an access     16  target of a direct branch; 0: unknown
 *
 * A register is 0: none, 1 to 64: one of sl_regs.general, 65 to 128: of .vector. Numbers are
 * little-endian. */
#ifndef SL_DESCRIPTION_H
#define SL_DESCRIPTION_H

#include <stddef.h>
#include <stdint.h>

struct sl_description {
    uint8_t kind, branch, flags, width; /* kind: the class */
    uint8_t writes[2], reads[4];
    uint64_t target;
};

/* Decodes a description from an untrusted file: unknown values become "none". */
struct sl_insn_info;
void sl_description_decode(const uint8_t *bytes, size_t size, struct sl_insn_info *info);

#endif
