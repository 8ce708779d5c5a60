/* SPDX-License-Identifier: MIT */
/* Converts Capstone's description of an instruction to struct sl_insn_info. (Capstone is a
 * disassembler library.) Only src/code/isa uses this header. Other folders call sl_decode(). */
#ifndef SL_CAPSTONE_DECODE_H
#define SL_CAPSTONE_DECODE_H

#include <capstone/capstone.h>

#include "isa.h"

/* Fill `info`, which is zeroed except for its size, from Capstone's result. `name` is the mnemonic
 * without prefixes and conditions. */
void sl_x86_info(const cs_insn *insn, const char *name, struct sl_insn_info *info);
void sl_aarch64_info(const cs_insn *insn, const char *name, struct sl_insn_info *info);

/* Returns whether one of the patterns, separated by blanks, matches the name. `*` matches any text,
 * `?` one letter. */
bool sl_find_name(const char *patterns, const char *name);

/* Returns whether only some versions of Capstone know the instruction at the start of these 16
 * bytes. It is then not decoded, so that results do not depend on the version. */
bool sl_x86_newer(const uint8_t *bytes);

/* SSE and AVX comparisons with a predicate, whose mnemonics differ between versions of Capstone. */
struct sl_x86_compare {
    bool is, vex, scalar;
    uint8_t width; /* bytes compared */
};
struct sl_x86_compare sl_x86_compare(const uint8_t *bytes);

/* Returns whether Capstone 4 lacks the instruction and 5 knows it in part. Its class is then
 * `other` with every version. */
bool sl_aarch64_newer(uint32_t word);

#endif
