/* SPDX-License-Identifier: MIT */
/* Measures the slowdown of profiling: each tool and mode relative to plain QEMU.
 *
 *     build/bench/cost [ROUNDS [WORD ...]]
 *
 * Runs five real programs (programs.h). Every mode runs once per round, so that a slow moment of
 * the computer affects all of them; the fastest round counts, and the slowest is printed next to
 * it. "engine" and "plugin" are the taps and the ring with a consumer that only adds up the events.
 * All times are divided by those of the distribution's QEMU, with its own compiler options and
 * patches; the row of the engine without tracing shows how ours differs. Slow modes (values into
 * the exact table, valgrind's tools) run only in the first round. With words, only the modes whose
 * names contain one of the words run, and plain QEMU; words that are part of a program's name
 * select programs. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "programs.h"
#include "source.h"

struct way {
    const char *name;
    const char *prefix[12]; /* in front of the program; none: in this process */
    const char *tap;        /* NULL: what sluice takes by itself */
    unsigned needs;
    bool once;
    bool trace; /* leaves a trace, whose size is told */
};

#define ENGINE "build/engine/qemu-x86_64"
static const char trace_file[] = "build/bench/cost.slt";

static struct way ways[] = {
    {.name = "native", .prefix = {"env"}},
    {.name = "plain QEMU", .prefix = {"qemu-x86_64"}},
    {.name = "engine, not watching", .prefix = {ENGINE}, .tap = "engine"},
    {.name = "engine: blocks", .tap = "engine"},
    {.name = "engine: blocks, load values", .tap = "engine", .needs = SL_NEED_VALUES},
    {.name = "plugin: blocks", .tap = "plugin"},
    {.name = "plugin: blocks, load values", .tap = "plugin", .needs = SL_NEED_VALUES},
    {.name = "sluice run -p edge",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p", "edge", "--"}},
    {.name = "sluice run -p path@hpt",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p", "path@hpt", "--"}},
    {.name = "sluice run -p function:instructions@leap",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p",
                "function:instructions@leap", "--"}},
    {.name = "sluice run -p context",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p", "context", "--"}},
    {.name = "sluice run -p loop",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p", "loop", "--"}},
    {.name = "sluice run -p value",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p", "value", "--"},
     .once = true},
    {.name = "sluice run -p value@multihash",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "-p", "value@multihash",
                "--"}},
    {.name = "sluice run",
     .prefix = {"build/sluice", "run", "-q", "-o", "build/bench/cost.db", "--"}},
    {.name = "sluice record -p edge",
     .prefix = {"build/sluice", "record", "-q", "-o", trace_file, "-p", "edge", "--"},
     .trace = true},
    {.name = "sluice record",
     .prefix = {"build/sluice", "record", "-q", "-o", trace_file, "--"},
     .trace = true,
     .once = true},
    {.name = "callgrind",
     .prefix = {"valgrind", "-q", "--tool=callgrind",
                "--callgrind-out-file=build/bench/cost.callgrind"},
     .once = true},
    {.name = "lackey",
     .prefix = {"valgrind", "-q", "--tool=lackey", "--log-file=/dev/null"},
     .once = true},
};
#define N_WAYS (sizeof ways / sizeof *ways)
#define PLAIN 1

static uint64_t instructions, loads;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time: of everything that was started and has ended (in a row of a tap, of the
 * emulator alone), or of this process (the reader, in such a row). */
static double spent(int by_whom)
{
    struct rusage u;
    getrusage(by_whom, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void silence(void)
{
    int fd = open("/dev/null", O_WRONLY);
    dup2(fd, STDOUT_FILENO);
}

static void run_command(const struct way *way, char *const *program)
{
    const char *argv[64];
    size_t n = 0;
    for (size_t i = 0; way->prefix[i]; i++)
        argv[n++] = way->prefix[i];
    for (size_t i = 0; program[i]; i++)
        argv[n++] = program[i];
    argv[n] = NULL;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        silence();
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
        fprintf(stderr, "%s failed\n", way->name);
}

/* The consumer: touches every word, keeps a sum. */
static void run_stream(const struct way *way, char *const *program)
{
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = program,
                             .needs = way->needs,
                             .tap = way->tap,
                             .tap_dir = "build"};
    struct sl_source *source;
    struct sl_failure f;
    struct sl_chunk chunk;
    uint64_t sum = 0;
    int more;
    if (sl_source_run(&source, &guest, &f) < 0) {
        fprintf(stderr, "%s\n", f.text);
        exit(1);
    }
    instructions = loads = 0;
    while ((more = sl_source_next(source, &chunk, &f)) > 0) {
        for (uint32_t i = 0; i < chunk.n_blocks; i++)
            instructions += source->statics.block_size[chunk.block[i]];
        for (uint32_t i = 0; i < chunk.n_mems; i++)
            sum += chunk.mem_value[i] ^ chunk.mem_insn[i];
        loads += chunk.n_mems;
    }
    if (more < 0)
        fprintf(stderr, "%s\n", f.text);
    sl_source_close(source);
    if (sum == 42)
        fputc(' ', stderr); /* so that it is not optimised away */
}

/* Whether one of the words, of which NULL is the last, is in the name. */
static bool has_word(const char *name, char *const *word)
{
    while (*word && !strstr(name, *word))
        word++;
    return *word;
}

static bool is_asked_for(size_t way, char *const *words)
{
    return way == PLAIN || !*words || has_word(ways[way].name, words);
}

static bool is_there(size_t way)
{
    return !ways[way].tap || strcmp(ways[way].tap, "engine") != 0 || !access(ENGINE, X_OK);
}

static void measure(const char *title, char *const *program, unsigned rounds, char *const *words)
{
    double best[N_WAYS] = {0}, worst[N_WAYS] = {0}, least[N_WAYS] = {0}, most[N_WAYS] = {0},
           read[N_WAYS] = {0}, bytes[N_WAYS] = {0};
    instructions = loads = 0;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t w = 0; w < N_WAYS; w++) {
            if ((ways[w].once && round) || !is_asked_for(w, words) || !is_there(w))
                continue;
            fprintf(stderr, "%s, round %u: %s\n", title, round + 1, ways[w].name);
            double start = now(), before = spent(RUSAGE_CHILDREN), own = spent(RUSAGE_SELF);
            if (ways[w].prefix[0])
                run_command(&ways[w], program);
            else
                run_stream(&ways[w], program);
            double seconds = now() - start, processor = spent(RUSAGE_CHILDREN) - before;
            own = spent(RUSAGE_SELF) - own;
            struct stat trace;
            if (!best[w] || seconds < best[w])
                best[w] = seconds;
            if (!least[w] || processor < least[w])
                least[w] = processor;
            worst[w] = seconds > worst[w] ? seconds : worst[w];
            most[w] = processor > most[w] ? processor : most[w];
            if (!ways[w].prefix[0] && (!read[w] || own < read[w]))
                read[w] = own;
            if (ways[w].trace && !stat(trace_file, &trace))
                bytes[w] = (double)trace.st_size;
        }
    printf("\n%s: ", title);
    if (instructions) /* some row of a tap was asked for */
        printf("%.0f M instructions, %.0f M loads, ", (double)instructions / 1e6,
               (double)loads / 1e6);
    printf("fastest of %u rounds\n\n", rounds);
    printf("| way | seconds | slowest | x plain QEMU | processor time | most | x plain QEMU | "
           "reader | "
           "x native |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t w = 0; w < N_WAYS; w++) {
        if (!best[w])
            continue;
        printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |", ways[w].name, best[w], worst[w],
               best[w] / best[PLAIN], least[w], most[w], least[w] / least[PLAIN]);
        if (read[w] > 0)
            printf(" %.2f |", read[w]);
        else
            printf(" |");
        if (best[0])
            printf(" %.1f |", best[w] / best[0]);
        if (bytes[w] > 0 && instructions)
            printf(" %.3f byte/instruction", bytes[w] / (double)instructions);
        printf("\n");
    }
    fflush(stdout);
}

/* Words that name ways, and those that name programs. */
struct asked {
    char *ways[64], *programs[64];
};

static void sort_words(struct asked *asked, char *const *word)
{
    size_t n_ways = 0, n_programs = 0;
    for (; *word && n_ways + n_programs < 63; word++) {
        size_t w = 0;
        while (w < N_WAYS && !strstr(ways[w].name, *word))
            w++;
        if (w < N_WAYS)
            asked->ways[n_ways++] = *word;
        else
            asked->programs[n_programs++] = *word;
    }
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 3;
    struct program program[5];
    struct asked asked = {0};
    if (!programs_make(program))
        return 1;
    size_t n = 2 + programs_more(program + 2);
    sort_words(&asked, argv + (argc > 1 ? 2 : 1));
    for (size_t i = 0; i < n; i++)
        if (!*asked.programs || has_word(program[i].title, asked.programs))
            measure(program[i].title, program[i].argv, rounds, asked.ways);
    return 0;
}
