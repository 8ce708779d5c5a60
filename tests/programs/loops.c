/* Test program with loops whose backward branches can be counted by hand. It is x86-64 assembly, so
 * that no compiler inverts the loops. The comment of each function states how often its loops are
 * entered and how many iterations they have. An iteration is a taken backward branch. */
#include "bare.h"

#if !defined(__x86_64__)
#error "for x86-64"
#endif

/* Inner: 10 entries, 60 iterations; outer: 1 entry, 9 iterations. Of the 172 instructions,
 * 120 are in the inner loop, 12 per entry, since the first of 7 rounds does not yet show that
 * there is a loop; 45 are in the outer loop, 5 in each of 9 rounds; 7 are in neither. */
__asm__(".globl nested\n.type nested, @function\nnested:\n"
        "    movl $10, %ecx\n"
        "1:\n"
        "    movl $7, %edx\n"
        "2:\n"
        "    decl %edx\n"
        "    jnz 2b\n"
        "    decl %ecx\n"
        "    jnz 1b\n"
        "    ret\n.size nested, . - nested\n");

/* Left in the middle of its 30th round: 1 entry, 29 iterations. */
__asm__(".globl early\n.type early, @function\nearly:\n"
        "    movl $100, %ecx\n"
        "1:\n"
        "    cmpl $71, %ecx\n"
        "    je 2f\n"
        "    decl %ecx\n"
        "    jnz 1b\n"
        "    nop\n"
        "2:\n"
        "    ret\n.size early, . - early\n");

/* Entered after its head: 1 entry, 4 iterations. */
__asm__(".globl middle\n.type middle, @function\nmiddle:\n"
        "    movl $5, %ecx\n"
        "    jmp 2f\n"
        "1:\n"
        "    nop\n"
        "    nop\n"
        "2:\n"
        "    decl %ecx\n"
        "    jnz 1b\n"
        "    ret\n.size middle, . - middle\n");

/* Two branches back to one head: of 12 rounds, 6 end with the first, 5 with the second. The second
 * loop contains the first and has 1 entry. The first has 6 entries, as it is left each time. */
__asm__(".globl twice\n.type twice, @function\ntwice:\n"
        "    movl $12, %ecx\n"
        "1:\n"
        "    decl %ecx\n"
        "    testl $1, %ecx\n"
        "    jnz 1b\n"
        "    testl %ecx, %ecx\n"
        "    jnz 1b\n"
        "    ret\n.size twice, . - twice\n");

/* Calls itself in each of its 3 rounds, down to 0: 1 + 3 + 9 activations with
 * a loop of 1 entry and 2 iterations each, and 27 activations without. */
__asm__(".globl deep\n.type deep, @function\ndeep:\n"
        "    testl %edi, %edi\n"
        "    jz 2f\n"
        "    pushq %rbx\n"
        "    movl $3, %ebx\n"
        "1:\n"
        "    decl %edi\n"
        "    call deep\n"
        "    incl %edi\n"
        "    decl %ebx\n"
        "    jnz 1b\n"
        "    popq %rbx\n"
        "2:\n"
        "    ret\n.size deep, . - deep\n");

/* Calls `nested` in each of 4 rounds: 1 entry, 3 iterations. Its loop has 3
 * * 3 instructions of its own, and 3 * 172 in the function that it calls. */
__asm__(".globl calls\n.type calls, @function\ncalls:\n"
        "    pushq %rbx\n"
        "    movl $4, %ebx\n"
        "1:\n"
        "    call nested\n"
        "    decl %ebx\n"
        "    jnz 1b\n"
        "    popq %rbx\n"
        "    ret\n.size calls, . - calls\n");

/* A loop over 200 bytes: 1 entry, 7 iterations, if the span allows it. */
__asm__(".globl far_back\n.type far_back, @function\nfar_back:\n"
        "    movl $8, %ecx\n"
        "1:\n"
        "    .skip 200, 0x90\n"
        "    decl %ecx\n"
        "    jnz 1b\n"
        "    ret\n.size far_back, . - far_back\n");

void nested(void), early(void), middle(void), twice(void), deep(int), calls(void), far_back(void);

int bare_main(void)
{
    nested();
    early();
    middle();
    twice();
    deep(3);
    calls();
    far_back();
    return 0;
}
/* SPDX-License-Identifier: MIT */
