/* Test program that prints the floating-point control and status register MXCSR of x86-64 after an
 * event between two floating-point instructions: a system call, a fault, a signal, the start of a
 * thread, a fork, saving and restoring the state, instructions that raise no flags, or code that
 * runs for the first time. Most lines have the case and the value of MXCSR; the others have the
 * result of a computation that depends on MXCSR. */
#include <immintrin.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { INVALID = 1, BY_ZERO = 4, UNDERFLOW = 0x10, INEXACT = 0x20, UPWARD = 0x4000, FLUSH = 0x8040, USUAL = 0x1f80 };

static volatile double one = 1, three = 3, zero, tiny = 0x1p-1000, result;

static void say(const char *where)
{
    printf("%s: %04x\n", where, _mm_getcsr());
}

static void set(unsigned mxcsr)
{
    _mm_setcsr(USUAL | mxcsr);
}

static double *page;
static unsigned seen_in_frame;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    seen_in_frame = ((ucontext_t *)context)->uc_mcontext.fpregs->mxcsr;
    result = one / zero; /* its flag is discarded when the handler returns */
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void faults(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 3;
    mprotect(page, 4096, PROT_NONE);
    double x = 1;
    set(UPWARD);
    __asm__ volatile("mulsd %1, %1\n divsd %2, %0" : "+x"(x) : "x"(tiny), "m"(*page));
    say("a fault of an operand");
    printf("in its frame: %04x, result %a\n", seen_in_frame, x);
    set(FLUSH);
    result = tiny * tiny;
    raise(SIGUSR1);
    say("a signal");
    printf("in its frame: %04x\n", seen_in_frame);
}

static void *thread(void *unused)
{
    say("a thread begins as the one that made it");
    result = one / zero;
    set(FLUSH);
    say("and has its own");
    return unused;
}

static void threads_and_forks(void)
{
    pthread_t id;
    set(UPWARD);
    result = one / three;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    say("a thread has run");
    result = one / three;
    printf("rounded upward: %a\n", result);
    fflush(stdout);
    if (fork() == 0) {
        say("a child begins as its parent");
        result = one / zero;
        fflush(stdout);
        _exit(0);
    }
    wait(NULL);
    say("a child has run");
}

static void saves(void)
{
    static _Alignas(64) uint8_t area[8192];
    uint32_t kept;
    set(0);
    result = one / three;
    __asm__ volatile("fxsave %0" : "=m"(area));
    memcpy(&kept, area + 24, sizeof kept);
    printf("saved by fxsave: %04x\n", kept);
    kept = USUAL | UPWARD | UNDERFLOW;
    memcpy(area + 24, &kept, sizeof kept);
    __asm__ volatile("fxrstor %0" : : "m"(area));
    say("restored by fxrstor");
    result = one / zero;
    printf("rounded upward: %a\n", one / three);
    if (__builtin_cpu_supports("avx")) {
        __asm__ volatile("xsave %0" : "=m"(area) : "a"(2), "d"(0));
        set(0);
        result = zero / zero;
        __asm__ volatile("xrstor %0" : : "m"(area), "a"(2), "d"(0));
        say("restored by xrstor");
    }
}

static void quiet_instructions(void)
{
    __m128 x = _mm_set1_ps(3);
    long double y = 3;
    set(0);
    for (int i = 0; i < 3; i++) {
        x = _mm_rcp_ps(_mm_rsqrt_ss(_mm_rsqrt_ps(_mm_rcp_ss(x))));
        __asm__ volatile("fsin\nfcos\nfsincos\nfaddp\nfptan\nfaddp\nfldl2e\nfmulp" : "+t"(y));
    }
    say("approximations, and the other unit's functions, note nothing");
    result = (double)y + _mm_cvtss_f32(x);
}

/* Each division is separate code, after a test of the flags that were raised so far. */
#define DIVIDE                                                            \
    set(0);                                                               \
    result = one / one;                                                   \
    if (_mm_getcsr() != USUAL)                                            \
        say("something was noted of dividing by one, the first time");
#define FOUR(what) what what what what

static void new_code(void)
{
    FOUR(FOUR(FOUR(FOUR(DIVIDE))))
    say("new code");
}

int main(void)
{
    set(UPWARD | UNDERFLOW);
    result = zero / zero;
    syscall(SYS_getppid);
    say("a system call");
    faults();
    threads_and_forks();
    saves();
    quiet_instructions();
    new_code();
    return 0;
}
/* SPDX-License-Identifier: MIT */
