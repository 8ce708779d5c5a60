/* SPDX-License-Identifier: MIT */
/* Region markers: with --marked, sluice profiles only the code between SLUICE_BEGIN() and
 * SLUICE_END().
 *
 *     #include <sluice-mark.h>
 *
 *     read_input();
 *     SLUICE_BEGIN();
 *     work();
 *     SLUICE_END();
 *
 * A marker is a single instruction that does nothing, so a program with markers runs everywhere,
 * with or without sluice. No library is needed. The compiler moves no memory access across a
 * marker.
 *
 * Each marker is a no-op that the architecture's manual defines, in a form that compilers, C
 * libraries and just-in-time compilers do not produce:
 *
 *   x86-64   nopl N(%rax), the documented no-op with an operand (0F 1F /0):
 *            the address is never accessed. Alignment uses N = 0; HotSpot's
 *            numbered no-ops have another form (a SIB byte).
 *   AArch64  movz xzr, #N: a write to the zero register is discarded.
 *            (HotSpot uses movk.)
 *   RISC-V   slti x0, x0, N: a hint because its destination is x0, in the hint
 *            space that is reserved for custom use, so no extension will
 *            define it. It has no compressed form.
 *   MIPS     ori $0, $0, N: a write to register zero is discarded, in
 *            all releases of the architecture.
 *
 * Elsewhere (also for MIPS16 and microMIPS code, and for compilers without GNU
 * assembler statements), or with SLUICE_NO_MARKS defined, the macros are empty. */
#ifndef SLUICE_MARK_H
#define SLUICE_MARK_H

/* N in the list above. At most 11 bits: RISC-V has the shortest immediate. */
#define SLUICE_MARK_BEGIN 0x5cb
#define SLUICE_MARK_END 0x5ce

#define SLUICE_MARK_TEXT_(n) #n
#define SLUICE_MARK_TEXT(n) SLUICE_MARK_TEXT_(n)

#if defined(SLUICE_NO_MARKS) || !defined(__GNUC__)
#define SLUICE_MARK(n) ((void)0)
#elif defined(__x86_64__)
/* As bytes: an assembler may encode a mnemonic in a shorter form. */
#define SLUICE_MARK(n) \
    __asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long " SLUICE_MARK_TEXT(n)::: "memory")
#elif defined(__aarch64__)
#define SLUICE_MARK(n) __asm__ volatile("movz xzr, #" SLUICE_MARK_TEXT(n)::: "memory")
#elif defined(__riscv)
#define SLUICE_MARK(n) __asm__ volatile("slti x0, x0, " SLUICE_MARK_TEXT(n)::: "memory")
#elif defined(__mips__) && !defined(__mips16) && !defined(__mips_micromips)
#define SLUICE_MARK(n) __asm__ volatile("ori $0, $0, " SLUICE_MARK_TEXT(n)::: "memory")
#else
#define SLUICE_MARK(n) ((void)0)
#endif

#define SLUICE_BEGIN()                  \
    do {                                \
        SLUICE_MARK(SLUICE_MARK_BEGIN); \
    } while (0)
#define SLUICE_END()                  \
    do {                              \
        SLUICE_MARK(SLUICE_MARK_END); \
    } while (0)

#endif
