/* Test program with MIPS branches that are the last instruction of a page, with their delay slot on
 * the next page: in a loop, a call and a return. The program prints "calls FUNCTION n" for each
 * function and "taken n", the number of taken branches. It uses no C library. */
#include "bare.h"

unsigned loop(unsigned n);
unsigned caller(unsigned n);
unsigned callee(unsigned n);
unsigned returner(unsigned n);

#define BEGIN(name) ".balign 4096\n.globl " #name "\n.type " #name ", @function\n.ent " #name "\n" #name ":\n\t"
#define END(name) ".end " #name "\n\t.size " #name ", . - " #name "\n\t"
__asm__(".text\n\t.set noreorder\n\t.set nomacro\n"
        /* 3n */
        BEGIN(loop)
        "b 1f\n\tmove $2, $0\n\t.space 4096 - 20\n"
        "1:\taddiu $2, $2, 1\n\taddiu $4, $4, -1\n\tbnez $4, 1b\n\t"
        "addiu $2, $2, 2\n\tjr $31\n\tnop\n\t" END(loop)
        /* callee(n) + 1 */
        BEGIN(caller)
        "b 1f\n\taddiu $29, $29, -32\n\t.space 4096 - 16\n"
        "1:\tsw $31, 28($29)\n\tjal callee\n\t"
        "addiu $4, $4, 5\n\tlw $31, 28($29)\n\taddiu $2, $2, 1\n\tjr $31\n\taddiu $29, $29, 32\n\t" END(caller)
        BEGIN(callee)
        "jr $31\n\tsll $2, $4, 1\n\t" END(callee)
        BEGIN(returner)
        "b 1f\n\tmove $2, $4\n\t.space 4096 - 12\n"
        "1:\tjr $31\n\taddiu $2, $2, 9\n\t" END(returner)
        ".set reorder\n");

int bare_main(void)
{
    unsigned sum = 0, taken = 0;
    for (unsigned i = 1; i <= 50; i++) {
        sum += loop(i) != 3 * i;
        taken += i - 1;
        sum += caller(i) != 2 * (i + 5) + 1;
        if (i % 2)
            sum += returner(i) != i + 9;
    }
    bare_print("calls loop", 50);
    bare_print("calls caller", 50);
    bare_print("calls callee", 50);
    bare_print("calls returner", 25);
    bare_print("taken", taken);
    return (int)sum;
}
/* SPDX-License-Identifier: MIT */
