/* A stack in the program's own data, for programs of bare.h linked with
 * -Wl,-e,own_stack: every address that they use is the same in each run, under QEMU,
 * under valgrind and natively, whatever the arguments and the environment are. */
__attribute__((used, aligned(4096))) char own_stack_bytes[1 << 18];

#if defined(__x86_64__)
__asm__(".text\n.globl own_stack\n.type own_stack, @function\nown_stack:\n\t"
        "lea own_stack_bytes + 0x3fff0(%rip), %rsp\n\tjmp _start\n\t"
        ".size own_stack, . - own_stack\n");
#endif
/* SPDX-License-Identifier: MIT */
