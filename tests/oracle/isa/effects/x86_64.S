/* SPDX-License-Identifier: MIT */
#include "effects.h"
    .intel_syntax noprefix
    .macro each_general do
    \do rax, 0
    \do rcx, 1
    \do rdx, 2
    \do rbx, 3
    \do rsp, 4
    \do rbp, 5
    \do rsi, 6
    \do rdi, 7
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15
    \do r\n, \n
    .endr
    .endm
    .macro take reg, n
    mov \reg, effects_in[8 * \n]
    .endm
    .macro give reg, n
    mov effects_out[8 * \n], \reg
    .endm
    .macro keep reg, n
    mov own[8 * \n], \reg
    .endm
    .macro restore reg, n
    mov \reg, own[8 * \n]
    .endm

effects_enter:
    each_general keep
    push effects_in[8 * FLAGS]
    popfq
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movups xmm\n, effects_in[VECTORS + 16 * \n]
    .endr
    each_general take
    jmp effects_slot
effects_back:
    jmp [rip + 0] /* the address is after it */
    .quad come_back
effects_back_end:

come_back:
    each_general give
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movups effects_out[VECTORS + 16 * \n], xmm\n
    .endr
    mov rsp, own[8 * 4]
    pushfq
    pop effects_out[8 * FLAGS]
    each_general restore
    cld
    ret
