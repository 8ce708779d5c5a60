/* Test program with faults in the middle of basic blocks: in the first load of a block, a later
 * load, a store or a division. The signal handler either jumps out of the block, or makes the page
 * accessible and returns. The program prints the number of faults. Each fault interrupts a block
 * before its last instruction. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int faults, repair;
static char *bad;
static size_t page;

static void on_fault(int number)
{
    (void)number;
    faults++;
    if (!repair)
        siglongjmp(back, 1);
    mprotect(bad, page, PROT_READ | PROT_WRITE);
}

__attribute__((noipa)) static int three(const int *a, const int *b, const int *c)
{
    return *a + *b * 3 + *c * 5;
}

__attribute__((noipa)) static int load_and_store(const int *a, int *b, int x)
{
    int sum = *a;
    *b = x;
    return sum + a[1];
}

__attribute__((noipa)) static void store_first(int *b, const int *a, int *to)
{
    *b = 1;
    *to = a[0] + a[1];
}

__attribute__((noipa)) static int quotient(const int *a, const int *b)
{
    return a[0] + a[1] / b[0];
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
    static int good[4] = {1, 2, 3, 4}, zero[2];
    static volatile unsigned sum;
    page = (size_t)sysconf(_SC_PAGESIZE);
    bad = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    int *volatile nothing = (int *)(void *)bad;
    for (volatile int round = 0; round < 7 * 40; round++) {
        repair = 0;
        if (sigsetjmp(back, 0))
            continue;
        switch (round % 7) {
        case 0: sum += (unsigned)three(nothing, good, good + 1); break;
        case 1: sum += (unsigned)three(good, nothing, good + 1); break;
        case 2: sum += (unsigned)three(good, good + 1, nothing); break;
        case 3: sum += (unsigned)load_and_store(good, nothing, 3); break;
        case 4: store_first(nothing, good, good + 3); break;
        case 5: sum += (unsigned)quotient(good, zero); break;
        case 6:
            repair = 1;
            sum += (unsigned)three(good, nothing, good + 2);
            mprotect(bad, page, PROT_NONE);
            break;
        }
    }
    printf("%d\n", faults);
    return 0;
}
/* SPDX-License-Identifier: MIT */
