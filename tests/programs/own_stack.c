/* To be linked to a program of bare.h, with -Wl,-e,own_stack: its stack is in its own
 * data, so that every address it uses is the same in each run, under QEMU, under
 * valgrind and by itself, whatever the arguments and the environment. */
__attribute__((used, aligned(4096))) char own_stack_bytes[1 << 18];

#if defined(__x86_64__)
__asm__(".text\n.globl own_stack\n.type own_stack, @function\nown_stack:\n\t"
        "lea own_stack_bytes + 0x3fff0(%rip), %rsp\n\tjmp _start\n\t"
        ".size own_stack, . - own_stack\n");
#endif
/* SPDX-License-Identifier: MIT */
