/* SPDX-License-Identifier: MIT */
/* Benchmark of profiling overhead: the slowdown of each tool and mode relative to plain QEMU.
 *
 *     build/bench/cost [ROUNDS [WORD ...]]
 *
 * Runs five real programs (programs.h). Every mode runs once per round, so that a slow moment of
 * the computer affects all of them. The fastest round counts, and the slowest is printed next to
 * it. "engine" and "plugin" are the taps and the ring with a consumer that only adds up the events.
 *
 * All times are divided by those of the distribution's QEMU, with its own compiler options and
 * patches. The row of the engine without tracing shows how our build of QEMU differs. Slow modes
 * (values into the exact table, valgrind's tools) run only in the first round. With words, only
 * plain QEMU and the modes whose names contain one of the words run; words that are part of a
 * program's name select programs. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "programs.h"
#include "source.h"

struct mode {
    const char *name;
    const char *prefix[12]; /* command before the program; none: the stream is read here */
    const char *tap;        /* NULL: the default of sluice */
    unsigned needs;
    bool first_round_only;
    bool trace; /* writes a trace, whose size is printed */
};

#define ENGINE "build/engine/qemu-x86_64"
static const char trace_file[] = "build/bench/cost.slt";

static struct mode modes[] = {
    {.name = "native", .prefix = {"env"}},
    {.name = "plain QEMU", .prefix = {"qemu-x86_64"}},
    {.name = "engine, no tracing", .prefix = {ENGINE}, .tap = "engine"},
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
     .first_round_only = true},
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
     .first_round_only = true},
    {.name = "callgrind",
     .prefix = {"valgrind", "-q", "--tool=callgrind",
                "--callgrind-out-file=build/bench/cost.callgrind"},
     .first_round_only = true},
    {.name = "lackey",
     .prefix = {"valgrind", "-q", "--tool=lackey", "--log-file=/dev/null"},
     .first_round_only = true},
};
#define N_MODES (sizeof modes / sizeof *modes)
#define PLAIN_QEMU 1

static uint64_t instructions, loads;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time in seconds: RUSAGE_CHILDREN of all child processes that have ended (for a tap, the
 * emulator), RUSAGE_SELF of this process (for a tap, the reader of the stream). */
static double cpu_time(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void discard_output(void)
{
    int fd = open("/dev/null", O_WRONLY);
    dup2(fd, STDOUT_FILENO);
}

static void run_command(const struct mode *mode, char *const *program)
{
    const char *argv[64];
    size_t n = 0;
    for (size_t i = 0; mode->prefix[i]; i++)
        argv[n++] = mode->prefix[i];
    for (size_t i = 0; program[i]; i++)
        argv[n++] = program[i];
    argv[n] = NULL;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        discard_output();
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0)
        fprintf(stderr, "%s failed\n", mode->name);
}

/* Runs the program under a tap and reads its stream: adds up all words. */
static void run_stream(const struct mode *mode, char *const *program)
{
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = program,
                             .needs = mode->needs,
                             .tap = mode->tap,
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
        fputc(' ', stderr); /* so that the loop is not optimized away */
}

/* True if the name contains one of the words; the list ends with NULL. */
static bool contains_word(const char *name, char *const *word)
{
    while (*word && !strstr(name, *word))
        word++;
    return *word;
}

static bool is_selected(size_t mode, char *const *words)
{
    return mode == PLAIN_QEMU || !*words || contains_word(modes[mode].name, words);
}

static bool is_available(size_t mode)
{
    return !modes[mode].tap || strcmp(modes[mode].tap, "engine") != 0 || !access(ENGINE, X_OK);
}

static void measure(const char *title, char *const *program, unsigned rounds, char *const *words)
{
    double best[N_MODES] = {0}, worst[N_MODES] = {0}, least[N_MODES] = {0}, most[N_MODES] = {0},
           read[N_MODES] = {0}, bytes[N_MODES] = {0};
    instructions = loads = 0;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t w = 0; w < N_MODES; w++) {
            if ((modes[w].first_round_only && round) || !is_selected(w, words) || !is_available(w))
                continue;
            fprintf(stderr, "%s, round %u: %s\n", title, round + 1, modes[w].name);
            double start = now(), before = cpu_time(RUSAGE_CHILDREN), own = cpu_time(RUSAGE_SELF);
            if (modes[w].prefix[0])
                run_command(&modes[w], program);
            else
                run_stream(&modes[w], program);
            double seconds = now() - start, processor = cpu_time(RUSAGE_CHILDREN) - before;
            own = cpu_time(RUSAGE_SELF) - own;
            struct stat trace;
            if (!best[w] || seconds < best[w])
                best[w] = seconds;
            if (!least[w] || processor < least[w])
                least[w] = processor;
            worst[w] = seconds > worst[w] ? seconds : worst[w];
            most[w] = processor > most[w] ? processor : most[w];
            if (!modes[w].prefix[0] && (!read[w] || own < read[w]))
                read[w] = own;
            if (modes[w].trace && !stat(trace_file, &trace))
                bytes[w] = (double)trace.st_size;
        }
    printf("\n%s: ", title);
    if (instructions) /* a mode with a tap ran */
        printf("%.0f M instructions, %.0f M loads, ", (double)instructions / 1e6,
               (double)loads / 1e6);
    printf("fastest of %u rounds\n\n", rounds);
    printf("| mode | seconds | slowest | x plain QEMU | CPU time | largest | x plain QEMU | "
           "reader | "
           "x native |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t w = 0; w < N_MODES; w++) {
        if (!best[w])
            continue;
        printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |", modes[w].name, best[w], worst[w],
               best[w] / best[PLAIN_QEMU], least[w], most[w], least[w] / least[PLAIN_QEMU]);
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

/* Words of the command line that select modes, and words that select programs. */
struct selection {
    char *modes[64], *programs[64];
};

static void select_words(struct selection *selection, char *const *word)
{
    size_t n_modes = 0, n_programs = 0;
    for (; *word && n_modes + n_programs < 63; word++) {
        size_t w = 0;
        while (w < N_MODES && !strstr(modes[w].name, *word))
            w++;
        if (w < N_MODES)
            selection->modes[n_modes++] = *word;
        else
            selection->programs[n_programs++] = *word;
    }
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 3;
    struct program program[5];
    struct selection selection = {0};
    if (!programs_create(program))
        return 1;
    size_t n = 2 + programs_create_more(program + 2);
    select_words(&selection, argv + (argc > 1 ? 2 : 1));
    for (size_t i = 0; i < n; i++)
        if (!*selection.programs || contains_word(program[i].title, selection.programs))
            measure(program[i].title, program[i].argv, rounds, selection.modes);
    return 0;
}
