/* SPDX-License-Identifier: MIT */
/* Format of the traces of the ChampSim simulator (github.com/ChampSim/ChampSim,
 * inc/trace_instruction.h). A trace has no header and one record of 64 bytes for each executed
 * instruction. Numbers are little-endian. Files are usually compressed. A record has these members:
 *
 *      0  u64  address                          12  u8 x 4   registers that are read
 *      8  u8   1: a branch                      16  u64 x 2  addresses that are written
 *      9  u8   1: it was taken                  32  u64 x 4  addresses that are read
 *     10  u8 x 2  registers that are written
 *
 * Register 0 and address 0 mean none. Three registers have a meaning: 6 is the stack pointer, 25
 * the flags, 26 the instruction pointer. The simulator derives the kind of a branch from which of
 * them it reads and writes, and whether it reads others:
 *
 *                      reads                              writes
 *     jump             neither sp, flags nor others       ip
 *     indirect jump    others; neither sp, ip nor flags   ip
 *     conditional      ip, and flags or others; no sp     ip, not sp
 *     call             sp, ip                             sp, ip
 *     indirect call    sp, ip, others                     sp, ip
 *     return           sp, not ip                         sp, ip
 *
 * The format has no values. sluice writes them to a second file, NAME.values: the 16 bytes
 * "sluice-values 1\n", then a u64 for each address that is read, in the order of the records. */
#ifndef SL_CHAMPSIM_H
#define SL_CHAMPSIM_H

#include "sluice.h"

#define SL_CHAMPSIM_RECORD 64u
#define SL_CHAMPSIM_SP 6u
#define SL_CHAMPSIM_FLAGS 25u
#define SL_CHAMPSIM_IP 26u
#define SL_CHAMPSIM_VALUES "sluice-values 1\n"
#define SL_CHAMPSIM_VALUES_SUFFIX ".values"
#define SL_CHAMPSIM_AT_BRANCH 8u
#define SL_CHAMPSIM_AT_TAKEN 9u
#define SL_CHAMPSIM_AT_WRITTEN 10u
#define SL_CHAMPSIM_AT_READ 12u
#define SL_CHAMPSIM_AT_STORES 16u
#define SL_CHAMPSIM_AT_LOADS 32u

/* The register of a description (isa.h) for a ChampSim register: 1 + its number, 65 + that
 * of a vector register, 0 for none. ChampSim has 256 registers; those from 64 on share 64 vector
 * registers here. The flags trade numbers with register 32. */
static inline uint8_t sl_champsim_register(uint8_t id)
{
    if (!id || id == SL_CHAMPSIM_IP)
        return 0;
    if (id >= 64)
        return (uint8_t)(65 + (id & 63));
    return (uint8_t)(1 + (id == SL_CHAMPSIM_FLAGS ? 32 : id == 32 ? SL_CHAMPSIM_FLAGS : id));
}

#endif
