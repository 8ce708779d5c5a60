/* SPDX-License-Identifier: MIT */
/* A page of a mapping whose file has become shorter raises SIGBUS. The handler puts a page of zeros
 * in its place and lets the thread read on: what it makes of zeros is what it would make of such a
 * file, and readers here believe no file.
 *
 * Other errors of the bus (broken memory, a signal that somebody has sent) end the process as ever.
 * So does a handler that was blocked: threads that read mapped files leave SIGBUS alone
 * (images_ahead.c). */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sluice.h"

static uintptr_t page_bytes;

static void fill_in(int number, siginfo_t *info, void *unused)
{
    int error = errno;
    uintptr_t page = (uintptr_t)info->si_addr & ~(page_bytes - 1);
    (void)unused;
    if (info->si_code != BUS_ADRERR ||
        mmap((void *)page, page_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = error;
}

void sl_survive_cut_files(void)
{
    struct sigaction action = {.sa_sigaction = fill_in, .sa_flags = SA_SIGINFO | SA_RESTART};
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, NULL);
}
