/* SPDX-License-Identifier: MIT */
/* Unit tests of the clocks: wall-clock time passes while a thread sleeps, and CPU time does not go
 * back. */
#include "clocks.h"

#include <time.h>

#include "resources.h"
#include "tap.h"

int main(void)
{
    double clock = sl_clock_seconds(), thread = sl_thread_seconds(), process = sl_process_seconds();
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    ok(sl_clock_seconds() - clock >= 0.02, "the clock runs while a thread sleeps");
    volatile unsigned work = 0;
    while (sl_thread_seconds() - thread < 0.02)
        work++;
    ok(sl_process_seconds() >= process && sl_children_seconds() >= 0,
       "a process's CPU time does not go back");
    ok(sl_thread_seconds() <= sl_clock_seconds() - clock + thread + 0.02,
       "a thread's CPU time is not more than wall-clock time");
    return done_testing();
}
