/* Test program in which calls and returns do not match, for example because of signals or longjmp.
 * `odd_flow KIND N` executes N repetitions of one kind of control flow.
 *
 *   signals    N rounds of a loop that a timer's signals interrupt: after
 *              conditional branches, calls, returns, indirect calls and jumps
 *   nested     N signals that the program sends itself from handlers of others
 *   faults     N faults, each handled and the instruction executed again
 *   longjmp    N jumps out of three calls
 *   recursion  one recursion N deep
 *   escape     one jump out of a recursion N deep, and more work after it
 *   contexts   N switches between two contexts in user space
 *
 * Prints the expected profile: "calls FUNCTION n", and "line LINE fewer more". */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#define FUNCTION __attribute__((noinline, noclone))

static volatile unsigned long handled, worked, deep, sum;

static FUNCTION void on_signal(int number)
{
    (void)number;
    handled++;
}

FUNCTION unsigned long work(unsigned long x)
{
    __asm__ volatile("");
    return x + 1;
}
static unsigned long (*volatile pointer)(unsigned long) = work;

static unsigned long condition[2];
enum { CONDITION_LINE = __LINE__ + 4 };
FUNCTION void loop(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        if (sum % 3) {
            __asm__ volatile("" ::: "memory");
            condition[1]++;
        } else {
            __asm__ volatile("");
            condition[0]++;
        }
        switch (i % 6) {
        case 0: sum += 1; break;
        case 1: sum ^= 2; break;
        case 2: sum += i; break;
        case 3: sum *= 3; break;
        case 4: sum -= 7; break;
        default: sum += 5; break;
        }
        sum = work(sum) + pointer(i);
        worked += 2;
    }
}

static void say(const char *name, unsigned long n)
{
    printf("calls %s %lu\n", name, n);
}

static void signals(unsigned long n)
{
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, on_signal);
    setitimer(ITIMER_REAL, &often, NULL);
    loop(n);
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
    say("on_signal", handled);
    say("work", worked);
    printf("line %d %lu %lu\n", CONDITION_LINE, condition[0] < condition[1] ? condition[0] : condition[1],
           condition[0] < condition[1] ? condition[1] : condition[0]);
}

static FUNCTION void inner(int number)
{
    (void)number;
    sum = work(sum);
}
static FUNCTION void outer(int number)
{
    (void)number;
    sum = work(sum);
    raise(SIGUSR2);
    sum = work(sum);
}

static void nested(unsigned long n)
{
    signal(SIGUSR1, outer);
    signal(SIGUSR2, inner);
    for (unsigned long i = 0; i < n; i++)
        raise(SIGUSR1);
    say("outer", n);
    say("inner", n);
    say("work", 3 * n);
}

static char *page;
static FUNCTION void on_fault(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    handled++;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static FUNCTION void touch(volatile char *at)
{
    sum = work(sum);
    *at = 1;
    sum = work(sum);
}

static void faults(unsigned long n)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, NULL);
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned long i = 0; i < n; i++) {
        touch(page);
        mprotect(page, 4096, PROT_READ);
    }
    say("on_fault", handled);
    say("touch", n);
    say("work", 2 * n);
}

static jmp_buf out;
FUNCTION void third(unsigned long i)
{
    sum = work(sum);
    if (i % 2)
        longjmp(out, 1);
}
FUNCTION void second(unsigned long i) { third(i); __asm__ volatile(""); }
FUNCTION void first(unsigned long i) { second(i); __asm__ volatile(""); }
FUNCTION void jumper(unsigned long i)
{
    if (!setjmp(out))
        first(i);
}

static void jumps(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        jumper(i);
    say("jumper", n);
    say("first", n);
    say("second", n);
    say("third", n);
    say("work", n);
}

FUNCTION unsigned long down(unsigned long n)
{
    deep++;
    return n ? down(n - 1) + 1 : work(0);
}

static void recursion(unsigned long n)
{
    down(n);
    sum = work(sum);
    say("down", n + 1);
    say("work", 2);
}

static ucontext_t here, there;
static volatile int finished;
static FUNCTION void other(void)
{
    while (!finished) {
        sum = work(sum);
        swapcontext(&there, &here);
    }
}

FUNCTION unsigned long dive(unsigned long n)
{
    if (!n)
        longjmp(out, 1);
    return dive(n - 1) + 1;
}

FUNCTION void after(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        sum = work(sum);
}

FUNCTION void escaper(unsigned long n)
{
    if (!setjmp(out))
        dive(n);
    after(n);
}

static void escape(unsigned long n)
{
    escaper(n);
    say("escaper", 1);
    say("dive", n + 1);
    say("after", 1);
    say("work", n);
}

static void contexts(unsigned long n)
{
    static char stack[65536];
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, other, 0);
    for (unsigned long i = 0; i < n; i++)
        swapcontext(&here, &there);
    say("other", 1);
    say("work", n);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *kind;
        void (*run)(unsigned long n);
    } kinds[] = {{"signals", signals}, {"nested", nested}, {"faults", faults}, {"longjmp", jumps},
                 {"recursion", recursion}, {"escape", escape}, {"contexts", contexts}};
    for (size_t i = 0; argc > 2 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(argv[1], kinds[i].kind))
            return kinds[i].run(strtoul(argv[2], NULL, 0)), 0;
    return 1;
}
/* SPDX-License-Identifier: MIT */
