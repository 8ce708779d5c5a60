/* SPDX-License-Identifier: MIT */
/* Demangles C++ and Rust names with libiberty (demangle.h). libiberty limits neither its time nor
 * its memory, so this file limits both for each call.
 *
 * Mangled names refer to parts of themselves, so that 60 bytes can denote a text without end, and
 * they come from untrusted files. A name that exceeds one of these bounds is abandoned:
 *
 *     input     C++: 1,024 bytes, libiberty's own limit (2,048 components), which also bounds its
 *               recursion. Rust: RUST_MAX bytes; libiberty bounds the recursion (1,024 levels).
 *     output    SL_DEMANGLED_MAX bytes and CALLS_MAX calls of the callback: longjmp() out of it.
 *     stack     libiberty reserves stack for (templates in the name) x (references to template
 *               parameters); the product is bounded before the call.
 *     time      Some C++ names take exponential time before they print anything: nested conversion
 *               operators (the parser backtracks), pack expansions (d_find_pack() visits shared
 *               subtrees repeatedly), and empty packs. A timer of the thread's CPU time ends them.
 *               It is not needed for names without such parts (is_risky()), because every branch of
 *               their tree prints something. Rust: a binder contains its number of lifetimes, which
 *               an impl's path does not print; binders with more than 3,843 are rejected.
 *
 * Leaving by longjmp() leaks nothing: the C++ demangler allocates on the stack only. The Rust
 * demangler allocates memory only to pass identifiers in Punycode, the only text with bytes above
 * 0x7f, to the callback, which therefore does not leave during such a call but at the next one. The
 * timer is used for C++ only, and its handler never leaves from our own callback, which allocates.
 *
 * The handler is installed at the first risky name, for the highest real-time signal that has none.
 * Without such a signal or a timer, risky names are not demangled. */
#include "demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grow.h"

#define CPLUS_MAX 1024u
#define RUST_MAX (1u << 14)
#define CALLS_MAX (1u << 16)
#define STACK_PRODUCT_MAX (1u << 14) /* 16 bytes each, counted up to four times: 1 MiB of stack */
#define TIME_LIMIT_NS 100000000      /* of CPU time; a name of a compiler takes some microseconds */
#define TIMEOUT_BYTES ((size_t)8 << 20) /* what a timeout takes from the budget */
#define OPTIONS (DMGL_PARAMS | DMGL_ANSI)

struct demangling {
    char *text;
    size_t length, capacity;
    unsigned calls;
    bool failed;                         /* a bound was exceeded, or out of memory */
    volatile sig_atomic_t interruptible; /* the timer's handler may leave */
    volatile sig_atomic_t expired;
    sigjmp_buf leave;
};

static void leave(struct demangling *d)
{
    d->failed = true;
    siglongjmp(d->leave, 1);
}

static bool has_non_ascii(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] > 0x7f)
            return true;
    return false;
}

static bool append(struct demangling *d, const char *text, size_t size)
{
    if (size >= SL_DEMANGLED_MAX - d->length ||
        !SL_GROW(d->text, d->capacity, d->length + size + 1))
        return false;
    if (size)
        memcpy(d->text + d->length, text, size);
    d->length += size;
    d->text[d->length] = '\0';
    return true;
}

/* libiberty's callback. */
static void on_text(const char *text, size_t size, void *context)
{
    struct demangling *d = context;
    sig_atomic_t interruptible = d->interruptible;
    d->interruptible = false;
    if (d->failed || ++d->calls > CALLS_MAX || d->expired || !append(d, text, size))
        d->failed = true;
    if (d->failed && !has_non_ascii(text, size))
        leave(d);
    d->interruptible = interruptible;
}

/* ---- time ---- */

static _Thread_local struct demangling *volatile timed; /* of this thread; NULL: none */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int timer_signal; /* 0: there is none */

static void on_timer(int unused)
{
    struct demangling *d = timed;
    (void)unused;
    if (!d)
        return;
    d->expired = true;
    if (d->interruptible)
        leave(d);
}

static void install_handler(void)
{
    struct sigaction before, action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    for (int number = SIGRTMAX; number >= SIGRTMIN && !timer_signal; number--)
        if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_DFL &&
            !sigaction(number, &action, NULL))
            timer_signal = number;
}

static bool start_timer(timer_t *timer)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID};
    struct itimerspec limit = {.it_value.tv_nsec = TIME_LIMIT_NS};
    pthread_once(&once, install_handler);
    event.sigev_signo = timer_signal;
    event._sigev_un._tid = gettid();
    if (!timer_signal || timer_create(CLOCK_THREAD_CPUTIME_ID, &event, timer))
        return false;
    if (timer_settime(*timer, 0, &limit, NULL)) {
        timer_delete(*timer);
        return false;
    }
    return true;
}

/* Calls the C++ demangler. Returns whether it accepted the name. */
static bool call_cplus(struct demangling *d, const char *name)
{
    if (sigsetjmp(d->leave, 1))
        return false;
    d->interruptible = timed != NULL;
    bool good = cplus_demangle_v3_callback(name, OPTIONS, on_text, d);
    d->interruptible = false;
    return good;
}

static bool call_timed(struct demangling *d, const char *name)
{
    timer_t timer;
    sigset_t set, before;
    if (!start_timer(&timer))
        return false;
    sigemptyset(&set);
    sigaddset(&set, timer_signal);
    pthread_sigmask(SIG_UNBLOCK, &set, &before);
    timed = d;
    bool good = call_cplus(d, name);
    timed = NULL;
    timer_delete(timer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* ---- C++ ---- */

static size_t count(const char *name, const char *part)
{
    size_t n = 0;
    for (const char *at = name; (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* Whether the name may take long without printing anything. Identifiers may contain these letters,
 * too, so it is true for one C++ name in seven. */
static bool is_risky(const char *name)
{
    static const char *const part[] = {"cv", "Dp", "sp", "sZ", "sP", "fl", "fr", "fL", "fR", "J"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (strstr(name, part[i]))
            return true;
    return count(name, "Z") > 2;
}

static bool demangle_cplus(struct demangling *d, const char *name)
{
    if (strncmp(name, "_Z", 2) && strncmp(name, "_GLOBAL_", 8))
        return false;
    if (strnlen(name, CPLUS_MAX + 1) > CPLUS_MAX ||
        count(name, "I") * (count(name, "RT") + count(name, "OT")) > STACK_PRODUCT_MAX)
        return false;
    return is_risky(name) ? call_timed(d, name) : call_cplus(d, name);
}

/* ---- Rust ---- */

/* A binder is F (a function) or D (a trait object), G, a number in base 62, _. */
static bool has_long_binder(const char *name)
{
    for (const char *at = name; (at = strchr(at, 'G')); at++) {
        size_t digits = 0;
        while (isalnum((unsigned char)at[1 + digits]))
            digits++;
        if (at > name && (at[-1] == 'F' || at[-1] == 'D') && digits > 2 && at[1 + digits] == '_')
            return true;
    }
    return false;
}

/* libiberty ignores what LLVM appends: the part from the first dot on, or from the last one after
 * an E if it is a name in the older form (_ZN...E). */
static const char *rust_suffix(const char *name)
{
    const char *suffix = name[1] == 'R' ? strchr(name, '.') : NULL;
    if (name[1] == 'Z' && name[strlen(name) - 1] != 'E')
        for (const char *at = name; (at = strstr(at, "E.")); at++)
            suffix = at + 1;
    return suffix ? suffix : "";
}

static bool demangle_rust(struct demangling *d, const char *name)
{
    if (strncmp(name, "_R", 2) && strncmp(name, "_ZN", 3))
        return false;
    if (strnlen(name, RUST_MAX + 1) > RUST_MAX || has_long_binder(name))
        return false;
    if (sigsetjmp(d->leave, 0))
        return false;
    if (!rust_demangle_callback(name, OPTIONS, on_text, d) || d->failed)
        return false;
    const char *suffix = rust_suffix(name);
    return append(d, suffix, strlen(suffix));
}

char *sl_demangle(const char *name, size_t *budget)
{
    struct demangling d = {0};
    if (budget && !*budget)
        return NULL;
    bool good = demangle_rust(&d, name);
    if (!good && !d.failed) {
        d.length = 0;
        good = demangle_cplus(&d, name);
    }
    if (d.expired && budget)
        *budget -= *budget < TIMEOUT_BYTES ? *budget : TIMEOUT_BYTES;
    if (good && d.text && !d.failed) {
        char *exact = realloc(d.text, d.length + 1);
        return exact ? exact : d.text;
    }
    free(d.text);
    return NULL;
}
