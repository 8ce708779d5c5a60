/* SPDX-License-Identifier: MIT */
#include "effects.h"
    .macro each_general do
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    \do x\n, [x18, 8 * \n]
    .endr
    .endm
    .macro each_vector do
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \do q\n, [x18, VECTORS + 16 * \n]
    .endr
    .endm
    .macro address of
    adrp x18, \of
    add x18, x18, :lo12:\of
    .endm

effects_enter:
    address own
    each_general str
    mov x0, sp
    str x0, [x18, 8 * 31]
    address effects_in
    each_vector ldr
    ldr x0, [x18, 8 * 31]
    mov sp, x0
    ldr x0, [x18, 8 * FLAGS]
    msr nzcv, x0
    each_general ldr
    address come_back
    b effects_slot
effects_back:
    br x18
effects_back_end:

come_back:
    address effects_out
    each_general str
    each_vector str
    mov x0, sp
    str x0, [x18, 8 * 31]
    mrs x0, nzcv
    str x0, [x18, 8 * FLAGS]
    address own
    ldr x0, [x18, 8 * 31]
    mov sp, x0
    each_general ldr
    ret
