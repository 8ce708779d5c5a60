/* SPDX-License-Identifier: MIT */
/* x86-64 and AArch64, with Capstone's help. Private to src/code/isa: the rest of the
 * program asks sl_decode. */
#ifndef SL_CAPSTONE_DECODE_H
#define SL_CAPSTONE_DECODE_H

#include <capstone/capstone.h>

#include "isa.h"

struct sl_capstone;

/* NULL when memory ran out or Capstone was built without the architecture. */
struct sl_capstone *sl_capstone_open(enum sl_arch arch);
void sl_capstone_decode(struct sl_capstone *capstone, uint64_t pc, const uint8_t *bytes,
                        size_t size, struct sl_insn_info *info);
void sl_capstone_close(struct sl_capstone *capstone);

/* From what Capstone says of an instruction (`name` is its mnemonic without
 * prefixes and conditions) to what we say; `info` is zeroed but for its size. */
void sl_x86_info(const cs_insn *insn, const char *name, struct sl_insn_info *info);
void sl_aarch64_info(const cs_insn *insn, const char *name, struct sl_insn_info *info);

/* Is it one of these names? They are separated by blanks; * stands for anything,
 * ? for a letter. Rules about hundreds of mnemonics get short so. */
bool sl_name_among(const char *patterns, const char *name);

/* Is the instruction that these 16 bytes begin with one that only some versions of Capstone know?
 * What a version knows is to change nothing. */
bool sl_x86_newer(const uint8_t *bytes);

/* Comparisons of SSE and AVX with a predicate, which versions of Capstone name in many ways. */
struct sl_x86_compare {
    bool is, vex, scalar;
    uint8_t width; /* bytes compared */
};
struct sl_x86_compare sl_x86_compare(const uint8_t *bytes);

/* Branches, traps, loads and stores of AArch64 are told by their encoding;
 * false if the word is none of them. */
bool sl_aarch64_word(uint64_t pc, uint32_t word, struct sl_insn_info *info);

#endif
