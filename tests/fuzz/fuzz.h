/* SPDX-License-Identifier: MIT */
/* Common code of all fuzzers: it runs a fuzzer on stored inputs, on random changes of the stored
 * inputs, and on random inputs. An input, called a tape, is an array of bytes.
 *
 * An input is a *tape*: bytes from which a fuzzer reads its decisions in order. Any sequence of
 * bytes is therefore an input, and changing a byte changes one decision. After its end a tape
 * continues with zeros or, where a fuzzer draws random numbers, with numbers derived from the whole
 * tape.
 *
 * A fuzzer defines fuzz_one(). On its own it runs the tapes of tests/fuzz/corpus/NAME, then
 * mutations of them and random tapes, for FUZZ_SECONDS (or its first argument): NAME.t. Linked with
 * clang's libFuzzer, for which SL_LIBFUZZER is defined, it is guided by coverage: `make
 * guided-fuzz`. */
#ifndef SL_TESTS_FUZZ_H
#define SL_TESTS_FUZZ_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "hash.h"
#include "random.h"
#include "tap.h"

struct tape {
    const uint8_t *at, *end;
    uint64_t beyond; /* what draw() goes on with */
};

static inline struct tape tape_of(const uint8_t *data, size_t size)
{
    return (struct tape){data, data + size, 0};
}

static inline uint64_t take(struct tape *t, unsigned n_bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n_bytes && t->at < t->end; i++)
        value |= (uint64_t)*t->at++ << 8 * i;
    return value;
}

/* 0 ... n - 1 */
static inline unsigned pick(struct tape *t, unsigned n)
{
    return (unsigned)(take(t, n > 256 ? 2 : 1) % n);
}

/* A tape that goes on after its end. */
static inline struct tape endless_tape(const uint8_t *data, size_t size)
{
    struct tape t = {data, data + size, size};
    for (size_t i = 0; i < size; i++)
        t.beyond = sl_mix(t.beyond + data[i] + 1);
    return t;
}

/* 0 ... n - 1, of any n, with a byte or as many as it takes. */
static inline uint64_t draw(struct tape *t, uint64_t n)
{
    if (n < 2)
        return 0;
    if (t->at == t->end)
        return sl_random_below(&t->beyond, n);
    return take(t, n > 1 << 16 ? 8 : n > 256 ? 2 : 1) % n;
}

/* A number of any size: small ones, extremes and bit patterns are all likely. */
static inline uint64_t number(struct tape *t)
{
    unsigned kind = pick(t, 8);
    switch (kind) {
    case 0:
        return 0 - (uint64_t)pick(t, 4);
    case 1:
        return UINT64_C(1) << pick(t, 64);
    case 2:
        return (UINT64_C(1) << pick(t, 64)) - 1;
    case 3:
        return take(t, 8);
    default:
        return take(t, kind == 4 ? 4 : 1);
    }
}

/* What a fuzzer is: its name, how it begins, what it does with one input, and what it has to say at
 * the end, where it can also test what must hold of many inputs together. Whatever it finds wrong
 * with one, without a sanitizer, it says with fuzz_wrong(). */
extern const char fuzz_name[];
void fuzz_begin(void);
void fuzz_one(const uint8_t *data, size_t size);
void fuzz_figures(void);

static unsigned long fuzz_faults;
static __attribute__((unused)) bool fuzz_many; /* inputs were tried, not just a given one */

static inline void fuzz_wrong(const char *what)
{
    fprintf(stderr, "# wrong: %s\n", what);
    fuzz_faults++;
#ifdef SL_LIBFUZZER
    abort();
#endif
}

/* An array of more bytes than anything here needs stops the fuzzer; the rest is for speed. */
#ifndef ARRAY_MAX_MB
#define ARRAY_MAX_MB "512"
#endif
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "max_allocation_size_mb=" ARRAY_MAX_MB
           ":allocator_may_return_null=0:quarantine_size_mb=1:"
           "thread_local_quarantine_size_kb=64:max_malloc_fill_size=0:malloc_context_size=5:detect_"
           "leaks=1";
}

#ifdef SL_LIBFUZZER

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_one(data, size);
    return 0;
}

#else

#include "seconds.h"

#ifndef TAPE_MAX /* bytes; a fuzzer whose inputs are short says so */
#define TAPE_MAX 4096u
#endif
#define KEPT_MAX 512u
#define HANGS_AFTER_OWN 60 /* seconds of its own processor time */
#define HANGS_AFTER 30     /* or this number of ticks in which it only waits, say for a lock */
#define TICK 10            /* seconds */

static struct {
    uint8_t *at;
    size_t size;
} kept[KEPT_MAX];
static unsigned n_kept;

static void keep_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || n_kept == KEPT_MAX)
        return;
    kept[n_kept].at = malloc(TAPE_MAX);
    kept[n_kept].size = fread(kept[n_kept].at, 1, TAPE_MAX, file);
    n_kept += kept[n_kept].size > 0;
    fclose(file);
}

static void read_corpus(void)
{
    char folder[256], path[600];
    struct dirent **entry;
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", fuzz_name);
    /* In an order of their own: what is made from them is then the same on all machines. */
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.')
            keep_file(path);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

/* A tape of random bytes, or one of the corpus with some of it changed. */
static size_t make_tape(uint8_t *tape, uint64_t *random)
{
    size_t size = 1 + sl_random_below(random, sl_random_below(random, 2) ? 64 : TAPE_MAX);
    if (!n_kept || !sl_random_below(random, 8)) {
        for (size_t i = 0; i < size; i++)
            tape[i] = (uint8_t)sl_random_next(random);
        return size;
    }
    unsigned from = (unsigned)sl_random_below(random, n_kept);
    memcpy(tape, kept[from].at, size = kept[from].size);
    for (uint64_t n = 1 + sl_random_below(random, 6); n; n--) {
        size_t at = sl_random_below(random, size), length = 1 + sl_random_below(random, 32);
        length = length < size - at ? length : size - at;
        unsigned other = (unsigned)sl_random_below(random, n_kept);
        size_t there = sl_random_below(random, kept[other].size);
        switch (sl_random_below(random, 4)) {
        case 0:
            tape[at] = (uint8_t)sl_random_next(random);
            break;
        case 1:
            tape[at] = (uint8_t)(tape[at] + (sl_random_below(random, 2) ? 1 : 255));
            break;
        case 2:
            memmove(tape + at, tape + sl_random_below(random, size - length + 1), length);
            break;
        default:
            length = length < kept[other].size - there ? length : kept[other].size - there;
            memcpy(tape + at, kept[other].at + there, length);
        }
    }
    return size;
}

/* An input that kills the fuzzer is left next to it, to be run again and to be kept. */
static char crash_path[300];
static uint8_t current[TAPE_MAX];
static size_t current_size;

static void leave_input(int number)
{
    FILE *file = fopen(crash_path, "wb");
    if (file) {
        fwrite(current, 1, current_size, file);
        fclose(file);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* A process that was stopped gets one tick for all that it missed. */
static volatile sig_atomic_t ticks;

static void tick(int number)
{
    if (++ticks >= HANGS_AFTER)
        leave_input(number);
}

void __asan_on_error(void);
void __asan_on_error(void)
{
    FILE *file = fopen(crash_path, "wb");
    if (file) {
        fwrite(current, 1, current_size, file);
        fclose(file);
    }
}

/* For the inputs that begin within one second: asking the system each time would cost more than
 * many inputs. */
static void limit_time(const struct fuzz_time *time)
{
    static time_t limited;
    if (time->now.tv_sec == limited)
        return;
    limited = time->now.tv_sec;
    ticks = 0;
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = HANGS_AFTER_OWN}}, NULL);
}

int main(int argc, char **argv)
{
    struct fuzz_time time = fuzz_start(argc, argv);
    uint64_t random = time.seed;
    unsigned long executions = 0;
    snprintf(crash_path, sizeof crash_path, "%s-crash-%llu", argv[0], (unsigned long long)random);
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL,
              &(struct itimerval){.it_value = {.tv_sec = TICK}, .it_interval = {.tv_sec = TICK}},
              NULL);
    signal(SIGPROF, leave_input);
    signal(SIGABRT, leave_input);
    fuzz_begin();
    if (argc > 1 && !access(argv[1], R_OK)) { /* one input */
        keep_file(argv[1]);
    } else {
        read_corpus();
        fuzz_many = true;
    }
    for (unsigned i = 0; i < n_kept; i++, executions++) {
        fuzz_goes_on(&time);
        limit_time(&time);
        memcpy(current, kept[i].at, current_size = kept[i].size);
        fuzz_one(current, current_size);
    }
    for (; fuzz_many && fuzz_goes_on(&time); executions++) {
        limit_time(&time);
        current_size = make_tape(current, &random);
        fuzz_one(current, current_size);
    }
    printf("# %lu executions, %u of them of the corpus\n", executions, n_kept);
    fuzz_figures();
    ok(1, "no input crashed or hung");
    ok(!fuzz_faults, "what came out kept its promises");
    for (unsigned i = 0; i < n_kept; i++)
        free(kept[i].at);
    return done_testing();
}

#endif
#endif
