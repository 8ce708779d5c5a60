/* SPDX-License-Identifier: MIT */
/* Limits of the reader process (elf_reader.h): memory, processor time, files and system calls.
 *
 *     memory      RLIMIT_DATA counts private writable memory, which is all that libelf and libdw
 *                 use. It is set again for each file, relative to the memory in use. Sanitizers
 *                 reserve terabytes, so there it is not set.
 *     time        a timer, 10 times a second, compares processor time and wall-clock time with the
 *                 limits, and ends the process when sluice has ended. RLIMIT_CPU is for the case
 *                 that a file stops the timer.
 *     files       RLIMIT_FSIZE is 0, RLIMIT_NOFILE is 64.
 *     calls       a seccomp filter allows only the system calls that libelf and libdw need: no
 *                 network, no other process. libdw opens files without O_NONBLOCK, so that a FIFO
 *                 blocks it: the filter raises SIGSYS, whose handler opens regular files only.
 *
 * There is no filter if libdw may download debug files ($DEBUGINFOD_URLS), with sanitizers and
 * under valgrind, which need other calls, on kernels without seccomp and on other architectures
 * than x86-64 and AArch64. The other limits apply everywhere. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "elf_reader.h"
#include "sluice.h"

#define SOCKET 3
#define STATM 4
#define FILES_MAX 64u
#define MEMORY_BYTES ((size_t)160 << 20)
#define MEMORY_TIMES 8u
#define TIME_SECONDS 10u
#define TIME_BYTES ((size_t)10 << 20) /* for each of which there is another second */
#define SMALL_FILE ((size_t)4 << 20)  /* some file systems do not say what small files occupy */
#define TICK_US 100000
#define WAIT_SECONDS 20 /* of wall-clock time, for a disk or other programs */
#define WAIT_TIMES 10   /* and this multiple of the processor time */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1 /* sanitizers reserve memory, use other system calls, and take time */
#else
#define SANITIZED 0
#endif

size_t sl_elf_allocated(const struct stat *status)
{
    size_t size = (size_t)status->st_size, blocks = (size_t)status->st_blocks * 512;
    size_t least = size < SMALL_FILE ? size : SMALL_FILE;
    return blocks < least ? least : blocks < size ? blocks : size;
}

size_t sl_elf_memory_limit(size_t allocated)
{
    return MEMORY_BYTES + MEMORY_TIMES * allocated;
}

unsigned sl_elf_seconds_limit(size_t allocated)
{
    return (TIME_SECONDS + (unsigned)(allocated / TIME_BYTES)) * (SANITIZED ? 20 : 1);
}

/* ---- the work in progress; a signal handler reads it ---- */

static struct {
    pid_t parent;
    bool sending;
    struct sl_elf_use *volatile use; /* NULL: nothing is read */
    size_t data_before;
    double cpu_before;
    volatile int ticks;
    rlim_t cpu_limit, hard_data;
} now;

static double cpu_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

_Noreturn void sl_elf_sandbox_fail(enum sl_elf_status status)
{
    struct sl_elf_reply reply = {.status = status, .file = now.use ? now.use->file : SL_NO_INDEX};
    if (!now.sending)
        send(SOCKET, &reply, sizeof reply, MSG_NOSIGNAL);
    _exit(1);
}

/* Waiting in a system call takes wall-clock time only, which is counted in ticks: there are none
 * while the process is stopped. */
static void on_tick(int unused)
{
    int error = errno;
    struct sl_elf_use *use = now.use;
    (void)unused;
    if (getppid() != now.parent)
        _exit(0);
    double used = cpu_seconds() - now.cpu_before;
    if (use && (use->seconds + used > sl_elf_seconds_limit(use->allocated) ||
                ++now.ticks * (TICK_US * 1e-6) > WAIT_SECONDS + WAIT_TIMES * used))
        sl_elf_sandbox_fail(SL_ELF_TIME);
    errno = error;
}

/* Private writable memory of this process, in bytes. */
static size_t data_bytes(void)
{
    char text[200];
    size_t pages = 0;
    ssize_t n = pread(STATM, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%*s %*s %*s %*s %*s %zu", &pages) != 1)
        return 0;
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void set_soft(int resource, rlim_t most)
{
    struct rlimit limit;
    if (!getrlimit(resource, &limit) && limit.rlim_cur != most) {
        limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

static void limit_memory(void)
{
    size_t most = sl_elf_memory_limit(now.use->allocated), used = now.use->data_bytes;
    struct rlimit limit = {now.data_before + (used < most ? most - used : 0), now.hard_data};
    if (!SANITIZED && now.data_before && limit.rlim_cur < limit.rlim_max)
        setrlimit(RLIMIT_DATA, &limit);
}

static void set_timer(suseconds_t us)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, us}, {0, us}}, NULL);
}

void sl_elf_sandbox_start(struct sl_elf_use *use)
{
    now.use = use;
    if (!now.data_before)
        now.data_before = data_bytes();
    now.cpu_before = cpu_seconds();
    now.ticks = 0;
    limit_memory();
    rlim_t cpu_limit = (rlim_t)now.cpu_before + sl_elf_seconds_limit(use->allocated) + 2;
    if (cpu_limit != now.cpu_limit) /* changes once per second */
        set_soft(RLIMIT_CPU, now.cpu_limit = cpu_limit);
    set_timer(TICK_US);
}

void sl_elf_sandbox_stop(struct sl_elf_use *use)
{
    set_timer(0);
    now.use = NULL;
    size_t after = data_bytes();
    use->data_bytes += after > now.data_before ? after - now.data_before : 0;
    now.data_before = after;
    use->seconds += cpu_seconds() - now.cpu_before;
}

void sl_elf_sandbox_allow(int fd)
{
    struct stat status;
    if (now.use && !fstat(fd, &status)) {
        now.use->allocated += sl_elf_allocated(&status);
        limit_memory();
    }
}

void sl_elf_sandbox_send(const struct sl_elf_reply *reply, const struct sl_elf_array *array,
                         const uint8_t *element)
{
    struct iovec part[1 + SL_ELF_ARRAYS] = {{(void *)(uintptr_t)reply, sizeof *reply}};
    struct msghdr message = {.msg_iov = part, .msg_iovlen = 1};
    for (; message.msg_iovlen <= SL_ELF_ARRAYS; message.msg_iovlen++) {
        size_t i = message.msg_iovlen - 1;
        part[i + 1] = (struct iovec){array[i].at, array[i].n * element[i]};
    }
    now.sending = true;
    while (message.msg_iovlen) {
        ssize_t n = sendmsg(SOCKET, &message, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            _exit(0);
        for (size_t sent = n > 0 ? (size_t)n : 0; message.msg_iovlen;) {
            size_t here = message.msg_iov->iov_len < sent ? message.msg_iov->iov_len : sent;
            message.msg_iov->iov_base = (char *)message.msg_iov->iov_base + here;
            message.msg_iov->iov_len -= here;
            sent -= here;
            if (message.msg_iov->iov_len)
                break;
            message.msg_iov++;
            message.msg_iovlen--;
        }
    }
    now.sending = false;
}

/* ---- system calls ---- */

#if defined __x86_64__
#define FILTER_ARCH AUDIT_ARCH_X86_64
#define RESULT(context) (context)->uc_mcontext.gregs[REG_RAX]
#define ARGUMENT(context, i) (context)->uc_mcontext.gregs[(i) == 1 ? REG_RSI : REG_RDX]
#elif defined __aarch64__
#define FILTER_ARCH AUDIT_ARCH_AARCH64
#define RESULT(context) (context)->uc_mcontext.regs[0]
#define ARGUMENT(context, i) (context)->uc_mcontext.regs[i]
#endif

#ifdef FILTER_ARCH
/* Opens the file that libdw wanted to open, if that is a regular file. */
static void open_instead(int unused, siginfo_t *info, void *state)
{
    ucontext_t *context = state;
    struct stat status;
    int error = errno;
    (void)unused;
    if (info->si_syscall != SYS_openat)
        _exit(1);
    const char *path = (const char *)(uintptr_t)ARGUMENT(context, 1);
    int fd = -1, cloexec = (int)ARGUMENT(context, 2) & O_CLOEXEC;
    if (!stat(path, &status) && S_ISREG(status.st_mode))
        fd = open(path, O_RDONLY | O_NONBLOCK | cloexec);
    if (fd >= 0 && (fstat(fd, &status) || !S_ISREG(status.st_mode))) {
        close(fd);
        fd = -1;
    }
    RESULT(context) = (typeof(RESULT(context)))(fd >= 0 ? fd : -ENOENT);
    errno = error;
}

#define STATEMENT(code, k) ((struct sock_filter)BPF_STMT(code, k))
#define SKIP_UNLESS(value, n) ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n))
#define LOAD(field) \
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, field))
#define RETURN(action) STATEMENT(BPF_RET | BPF_K, action)

/* Calls that are not in the list return EPERM. */
static void filter_calls(void)
{
    static const unsigned short allowed[] = {
#ifdef SYS_poll
        SYS_poll,      SYS_access,        SYS_readlink,       SYS_time,
#endif
        SYS_ppoll,     SYS_faccessat,     SYS_readlinkat,     SYS_recvmsg,      SYS_sendmsg,
        SYS_sendto,    SYS_recvfrom,      SYS_read,           SYS_pread64,      SYS_lseek,
        SYS_close,     SYS_fcntl,         SYS_fstat,          SYS_newfstatat,   SYS_statx,
        SYS_fadvise64, SYS_brk,           SYS_mmap,           SYS_munmap,       SYS_mremap,
        SYS_mprotect,  SYS_madvise,       SYS_futex,          SYS_getppid,      SYS_getpid,
        SYS_gettid,    SYS_clock_gettime, SYS_setitimer,      SYS_prlimit64,    SYS_getrandom,
        SYS_sysinfo,   SYS_rt_sigreturn,  SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_exit_group,
    };
    struct sock_filter rule[2 * sizeof allowed / sizeof *allowed + 12];
    unsigned short n = 0;
    rule[n++] = LOAD(arch);
    rule[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FILTER_ARCH, 1, 0);
    rule[n++] = RETURN(SECCOMP_RET_KILL);
    rule[n++] = LOAD(nr);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        rule[n++] = SKIP_UNLESS(allowed[i], 1);
        rule[n++] = RETURN(SECCOMP_RET_ALLOW);
    }
    rule[n++] = SKIP_UNLESS(SYS_openat, 4);
    rule[n++] = LOAD(args[2]);
    rule[n++] = STATEMENT(BPF_ALU | BPF_AND | BPF_K, ~(unsigned)(O_CLOEXEC | O_LARGEFILE));
    rule[n++] = SKIP_UNLESS(O_RDONLY | O_NONBLOCK, 2); /* our own */
    rule[n++] = RETURN(SECCOMP_RET_ALLOW);
    rule[n++] = RETURN(SECCOMP_RET_ERRNO | EPERM);
    rule[n++] = RETURN(SECCOMP_RET_TRAP);
    struct sigaction action = {.sa_sigaction = open_instead, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){n, rule});
}
#else
static void filter_calls(void)
{
}
#endif

/* ---- all of it ---- */

/* libdw downloads debug files, into a cache of the user. */
static bool downloads(void)
{
    const char *servers = getenv("DEBUGINFOD_URLS");
    return servers && *servers;
}

static bool is_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded && strstr(preloaded, "vgpreload");
}

/* No signal of the terminal or of a user is for this process. */
static void reset_signals(void)
{
    static const int needed[] = {SIGALRM, SIGBUS, SIGSEGV, SIGABRT, SIGILL,
                                 SIGFPE,  SIGSYS, SIGXCPU, SIGXFSZ};
    struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!SANITIZED) /* which report errors */
            signal(needed[i], SIG_DFL);
        sigdelset(&blocked, needed[i]);
    }
    sl_survive_truncated_files();
    sigaction(SIGALRM, &tick, NULL);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

int sl_elf_sandbox_enter(int socket, pid_t parent)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_DATA, &limit);
    now.hard_data = limit.rlim_max;
    now.parent = parent;
    reset_signals();
    dup2(socket, SOCKET);
    int nothing = open("/dev/null", O_RDWR), statm = open("/proc/self/statm", O_RDONLY);
    for (int fd = 0; fd <= (SANITIZED ? 1 : 2); fd++)
        dup2(nothing, fd);
    if (statm >= 0 && statm != STATM)
        dup2(statm, STATM);
    close_range(statm >= 0 ? STATM + 1 : STATM, ~0u, 0);
    prctl(PR_SET_DUMPABLE, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    set_soft(RLIMIT_NOFILE, FILES_MAX + STATM);
    if (!downloads() && !SANITIZED)
        set_soft(RLIMIT_FSIZE, 0);
    if (!downloads() && !SANITIZED && !is_valgrind())
        filter_calls();
    return SOCKET;
}
