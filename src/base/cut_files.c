/* SPDX-License-Identifier: MIT */
/* Handler for truncated mapped files: a thread can continue if another process truncates a file
 * that the thread has mapped. Reading a page beyond the end of the file raises SIGBUS. The handler
 * maps a page of zeros at this address, and the thread continues. Zeros are safe, because readers
 * of mapped files do not trust their contents.
 *
 * Other bus errors (defective memory, a signal sent by a process) end the process as usual. So does
 * a SIGBUS that is blocked: threads and processes that read mapped files must not block it
 * (elf_sandbox.c). */
#include <errno.h>
#include <signal.h>
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

void sl_survive_truncated_files(void)
{
    struct sigaction action = {.sa_sigaction = fill_in, .sa_flags = SA_SIGINFO | SA_RESTART};
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, NULL);
}
