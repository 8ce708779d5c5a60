/* SPDX-License-Identifier: MIT */
#include "effects.h"
    .macro each_general do
    .irp n, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    \do x\n, 8 * \n(x31)
    .endr
    .endm
    .macro each_vector do
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \do f\n, VECTORS + 16 * \n(x31)
    .endr
    .endm

effects_enter:
    la x31, own
    each_general sd
    la x31, effects_in
    each_vector fld
    each_general ld
    la x31, come_back
    j effects_slot
effects_back:
    jr x31
effects_back_end:

come_back:
    la x31, effects_out
    each_general sd
    each_vector fsd
    la x31, own
    each_general ld
    ret
