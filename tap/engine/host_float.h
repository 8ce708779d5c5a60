/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floating-point arithmetic of guests of x86-64 on a processor of the same kind: its instructions
 * for theirs, in translated code.
 *
 * An instruction of the host's does all that the guest's does: it rounds, takes subnormal numbers
 * as zero, chooses among operands that are no numbers, and notes exceptions, if the host's MXCSR is
 * the guest's. So
 *
 *     translated code is entered       host's = guest's, but that no exception is a trap (QEMU has
 *                                      none)
 *     it is left, or cut short         exceptions of the guest's |= host's; host's = the usual
 *     the guest looks at its own       exceptions of the guest's |= host's
 *     the guest sets its own           host's = guest's
 *
 * C functions that translated code calls run with it, too. Those that compute are helper functions
 * for SSE instructions that are not translated like this: they let the processor compute only what
 * the guest's instruction computes, in the guest's way, so what it notes of that is right. Those
 * that compute for something else step aside (SLUICE_FLOAT_ASIDE). C code outside of translated
 * code has the usual MXCSR, and what it notes there is forgotten: libraries compute when they
 * please.
 *
 * When an access of the guest's faults, QEMU goes on from within a handler of the signal, for which
 * the kernel has set the usual one: exceptions are taken from where it has kept the other. */
#ifndef SLUICE_HOST_FLOAT_H
#define SLUICE_HOST_FLOAT_H

#if defined(__x86_64__)
#include <ucontext.h>

enum {
    SLUICE_FLOAT_EXCEPTIONS = 0x3f,
    SLUICE_FLOAT_MASKS = 0x1f80, /* and the usual MXCSR */
    SLUICE_FLOAT_MINE = 0xffff & ~SLUICE_FLOAT_MASKS
};

/* Whether this thread is in translated code, or in what that calls. */
extern __thread bool sluice_float_live;

static inline void sluice_float_interrupted(const void *context)
{
    const ucontext_t *at = context;
    __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS |
                           (at->uc_mcontext.fpregs->mxcsr & SLUICE_FLOAT_EXCEPTIONS));
}

static inline void sluice_float_back(const uint32_t *mxcsr)
{
    __builtin_ia32_ldmxcsr(*mxcsr);
}

static inline uint32_t sluice_float_aside(void)
{
    uint32_t mxcsr = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS);
    return mxcsr;
}

/* From here to the end of the function. */
#define SLUICE_FLOAT_ASIDE \
    __attribute__((cleanup(sluice_float_back))) const uint32_t sluice_aside = sluice_float_aside()

#else
#define SLUICE_FLOAT_ASIDE
#define sluice_float_interrupted(context) ((void)0)
#endif

#if defined(__x86_64__) && defined(TARGET_X86_64)
static inline void sluice_float_look(CPUX86State *env)
{
    if (sluice_float_live) {
        env->mxcsr |= __builtin_ia32_stmxcsr() & SLUICE_FLOAT_EXCEPTIONS;
    }
}

static inline void sluice_float_set(CPUX86State *env)
{
    if (sluice_float_live) {
        __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS | (env->mxcsr & SLUICE_FLOAT_MINE));
    }
}

static inline void sluice_float_enter(CPUX86State *env)
{
    sluice_float_live = true;
    sluice_float_set(env);
}

static inline void sluice_float_leave(CPUX86State *env)
{
    sluice_float_look(env);
    sluice_float_live = false;
    __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS);
}
#else
#define sluice_float_look(env) ((void)(env))
#define sluice_float_set(env) ((void)(env))
#define sluice_float_enter(env) ((void)(env))
#define sluice_float_leave(env) ((void)(env))
#endif

#endif
