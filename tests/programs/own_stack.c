/* Start-up code that gives test programs without a C library (bare.h) a stack in their own data. If
 * a program is linked with -Wl,-e,own_stack, all its addresses are the same in every run, under
 * QEMU, under valgrind and natively, for all arguments and environments. */
__attribute__((used, aligned(4096))) char own_stack_bytes[1 << 18];

#if defined(__x86_64__)
__asm__(".text\n.globl own_stack\n.type own_stack, @function\nown_stack:\n\t"
        "lea own_stack_bytes + 0x3fff0(%rip), %rsp\n\tjmp _start\n\t"
        ".size own_stack, . - own_stack\n");
#endif
/* SPDX-License-Identifier: MIT */
