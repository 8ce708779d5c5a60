#include "effects.h"
#if WORD == 8
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif
    .macro each_general do, base
    .irp n, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    \do x\n, WORD * \n(\base)
    .endr
    .endm
    .macro each_vector do, base
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \do f\n, VECTORS + 16 * \n(\base)
    .endr
    .endm
    .bss
    .balign 16
own: .skip WORDS * WORD
    .text
    .globl effects_enter, effects_return
effects_enter:
    la t6, own
    each_general STORE, t6
    la t6, effects_in
    each_vector fld, t6
    each_general LOAD, t6
    lui t6, %hi(effects_return_pointer)
    LOAD t6, %lo(effects_return_pointer)(t6)
    tail_slot:
    j effects_slot_jump
effects_return:
    la t6, effects_out
    each_general STORE, t6
    each_vector fsd, t6
    la t6, own
    each_general LOAD, t6
    ret
