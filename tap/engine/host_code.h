/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numeric codes of the host's floating-point instructions. QEMU's code generator (TCG) treats each
 * code as an operation: host_float.c.inc emits these operations for x86-64 guests, and
 * host_code.c.inc writes their machine code. */
#ifndef SLUICE_HOST_CODE_H
#define SLUICE_HOST_CODE_H

/* Code of a host instruction: its opcode in the low byte, its VEX prefix (PS, PD, SS, SD), and
 * flags. WIDE: VEX.W is set. ONE: there is no first source operand. BYTE: an immediate byte
 * follows. */
enum {
    HOST_PS = 0x000,
    HOST_PD = 0x100,
    HOST_SS = 0x200,
    HOST_SD = 0x300,
    HOST_WIDE = 0x1000,
    HOST_ONE = 0x2000,
    HOST_BYTE = 0x4000,
    HOST_BYTE_SHIFT = 16
};
enum {
    HOST_SQRT = 0x51,
    HOST_MOVD_TO = 0x6e,
    HOST_MOVD_FROM = 0x7e,
    HOST_COMPARE = 0xc2
}; /* opcodes */

/* True if the host has AVX: QEMU emits the VEX encoding. */
bool sluice_float_on_host(void);

#endif
