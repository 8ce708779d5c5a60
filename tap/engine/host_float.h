/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Floating point of x86-64 guests on x86-64 hosts: translated code executes an SSE instruction of
 * the guest as the same instruction of the host.
 *
 * If the host's MXCSR is the guest's, a host instruction does all that the guest's does: it rounds,
 * treats subnormal numbers as zero if requested, selects among NaN operands, and sets exception
 * flags. So
 *
 *     translated code is entered       host's MXCSR = guest's, with all exceptions masked (QEMU
 *                                      raises none)
 *     it is left or interrupted        guest's exception flags |= host's; host's = the default
 *     the guest reads its MXCSR        guest's exception flags |= host's
 *     the guest writes its MXCSR       host's = guest's
 *
 * C functions that translated code calls run with the guest's MXCSR, too. Helper functions for SSE
 * instructions that are not translated this way use the host's FPU only for what the guest's
 * instruction computes, with the guest's rounding, so the exception flags are right. Functions that
 * compute something else restore the default MXCSR (SLUICE_FLOAT_DEFAULT). C code outside
 * translated code runs with the default MXCSR, and its exception flags are discarded: libraries may
 * compute at any time.
 *
 * When a guest access faults, QEMU continues from a signal handler, for which the kernel has set
 * the default MXCSR: the exception flags are read from the signal context. */
#ifndef SLUICE_HOST_FLOAT_H
#define SLUICE_HOST_FLOAT_H

#if defined(__x86_64__)
#include <ucontext.h>

enum {
    SLUICE_FLOAT_EXCEPTIONS = 0x3f,
    SLUICE_FLOAT_MASKS = 0x1f80, /* also the default MXCSR */
    SLUICE_FLOAT_GUEST_BITS = 0xffff & ~SLUICE_FLOAT_MASKS
};

/* True while the thread runs translated code or a function that it calls. */
extern __thread bool sluice_float_live;

static inline void sluice_float_interrupted(const void *context)
{
    const ucontext_t *at = context;
    __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS |
                           (at->uc_mcontext.fpregs->mxcsr & SLUICE_FLOAT_EXCEPTIONS));
}

static inline void sluice_float_restore(const uint32_t *mxcsr)
{
    __builtin_ia32_ldmxcsr(*mxcsr);
}

static inline uint32_t sluice_float_set_default(void)
{
    uint32_t mxcsr = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS);
    return mxcsr;
}

/* The default MXCSR, up to the end of the function. */
#define SLUICE_FLOAT_DEFAULT                       \
    __attribute__((cleanup(sluice_float_restore))) \
    const uint32_t sluice_mxcsr_before = sluice_float_set_default()

#else
#define SLUICE_FLOAT_DEFAULT
#define sluice_float_interrupted(context) ((void)0)
#endif

#if defined(__x86_64__) && defined(TARGET_X86_64)
static inline void sluice_float_read_flags(CPUX86State *env)
{
    if (sluice_float_live) {
        env->mxcsr |= __builtin_ia32_stmxcsr() & SLUICE_FLOAT_EXCEPTIONS;
    }
}

static inline void sluice_float_set(CPUX86State *env)
{
    if (sluice_float_live) {
        __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS | (env->mxcsr & SLUICE_FLOAT_GUEST_BITS));
    }
}

static inline void sluice_float_enter(CPUX86State *env)
{
    sluice_float_live = true;
    sluice_float_set(env);
}

static inline void sluice_float_leave(CPUX86State *env)
{
    sluice_float_read_flags(env);
    sluice_float_live = false;
    __builtin_ia32_ldmxcsr(SLUICE_FLOAT_MASKS);
}
#else
#define sluice_float_read_flags(env) ((void)(env))
#define sluice_float_set(env) ((void)(env))
#define sluice_float_enter(env) ((void)(env))
#define sluice_float_leave(env) ((void)(env))
#endif

#endif
