/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the translation of floating-point instructions (host_float.c.inc) tells the code generator
 * (host_code.c.inc), which knows no guest. */
#ifndef SLUICE_HOST_CODE_H
#define SLUICE_HOST_CODE_H

/* An instruction of the host's: its opcode, its prefix as VEX has it, VEX.W, whether it has no
 * first operand where others do, and whether a byte comes behind it. */
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

/* Whether the processor has AVX, the form in which QEMU writes such code. */
bool sluice_float_on_host(void);

#endif
