/* Test program that is interrupted by a timer signal every millisecond while it repeatedly calls
 * work(). The signals do not change the computation, and the program prints its last result. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile unsigned alarms;
static unsigned table[256];

static void on_alarm(int number)
{
    alarms += (unsigned)number;
}

__attribute__((noinline, noclone)) static unsigned work(unsigned i, unsigned sum)
{
    unsigned *slot = &table[(i * 7 + sum) % 256];
    *slot += i ^ table[sum % 256];
    return i % 3 ? sum * 31 + *slot : sum;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    unsigned sum = 0;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (unsigned i = 0; i < 200000; i++)
        sum = work(i, sum);
    while (!alarms)
        ;
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%u\n", sum);
    return 0;
}
/* SPDX-License-Identifier: MIT */
