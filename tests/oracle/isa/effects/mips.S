/* SPDX-License-Identifier: MIT */
#include "effects.h"
    .set noat
    .set noreorder
    .macro each_general do
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 29, 30, 31
    \do $\n, 4 * \n($26)
    .endr
    .endm
    .macro each_vector do
    .irp n, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
    \do $f\n, VECTORS + 16 * \n($26)
    .endr
    .endm
    .macro address of
    lui $26, %hi(\of)
    addiu $26, $26, %lo(\of)
    .endm

effects_enter:
    address own
    each_general sw
    address effects_in
    each_vector ldc1
    lw $8, 4 * HI($26)
    lw $9, 4 * LO($26)
    mthi $8
    mtlo $9
    each_general lw
    address come_back
    j effects_slot
    nop
effects_back:
    jr $26
    nop
effects_back_end:

come_back:
    address effects_out
    each_general sw
    each_vector sdc1
    mfhi $8
    mflo $9
    sw $8, 4 * HI($26)
    sw $9, 4 * LO($26)
    address own
    each_general lw
    jr $31
    nop
