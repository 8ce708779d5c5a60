/* SPDX-License-Identifier: MIT */
/* sluice-lab, which `sluice lab` becomes: options, progress, complaints. */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_experiments.h"
#include "lab_inside.h"

#define USAGE "sluice lab [OPTIONS] [EXPERIMENT ...|all] [STREAM ...]"

static const char details[] =
    "Without an experiment, lists experiments and programs. Everything is kept in one\n"
    "directory (-o; default: sluice-lab, sluice-lab-quick or sluice-lab-tiny): recorded\n"
    "programs, every figure in lab.db, and for each experiment a page, its data as csv and\n"
    "plots as svg and png; README.md has all claims at a glance. What was done is not done\n"
    "again: a run that was interrupted goes on where it stopped. A STREAM of yours, a trace or\n"
    "a program with its arguments in one word, takes the place of the lab's programs (and of its\n"
    "directory: sluice-lab-traces).\n\n"
    "examples:\n"
    "  sluice lab                                   what there is\n"
    "  sluice lab --quick all                       everything, in minutes\n"
    "  sluice lab paths                             one of them, in full\n"
    "  sluice lab --program gcc --program go paths  on two programs\n"
    "  sluice lab interval mytrace.slt              on a trace of yours\n"
    "  sluice lab wpp 'bzip2 -9 file'               on a program of yours\n"
    "  sqlite3 sluice-lab/lab.db 'SELECT * FROM step JOIN figure ON id = step'\n";

static const struct {
    struct option option;
    const char *left, *help;
} rows[] = {
    {{"output", required_argument, NULL, 'o'}, "-o, --output FILE", "where the result goes"},
    {{"program", required_argument, NULL, 'G'},
     "    --program NAME",
     "only this program of the lab's; may be repeated"},
    {{"quick", no_argument, NULL, 'U'}, "    --quick", "small inputs: minutes instead of an hour"},
    {{"tiny", no_argument, NULL, 'I'}, "    --tiny", "tiny inputs: whether it works at all"},
    {{"again", no_argument, NULL, 'A'}, "    --again", "also what was done before"},
    {{"write", no_argument, NULL, 'W'},
     "    --write",
     "only write the pages again, from what was measured"},
    {{"list", no_argument, NULL, 'l'}, "    --list", "only the experiments that there are"},
    {{"jobs", required_argument, NULL, 'j'},
     "-j, --jobs N",
     "steps at a time (default: as many as processors)"},
    {{"on", required_argument, NULL, 'O'},
     "    --on WHERE",
     "where steps run: local (processes) or slurm (jobs) (default: local)"},
    {{"slurm", required_argument, NULL, 'S'},
     "    --slurm WORDS",
     "more for sbatch, such as '-p long'"},
    {{"quiet", no_argument, NULL, 'q'}, "-q, --quiet", "no progress, only the result"},
    {{"help", no_argument, NULL, 'h'}, "-h, --help", "this help"},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static int help(void)
{
    puts("usage: " USAGE "\n\n"
         "Runs the documents' experiments on real programs, published figures beside ours.\n");
    for (size_t i = 0; i < N_ROWS; i++)
        printf("  %-28s %s\n", rows[i].left, rows[i].help);
    printf("\n%s", details);
    return 0;
}

static int complain(const char *what, const char *sentence)
{
    sl_print_line(stderr, "sluice: %.100s %s", what, sentence);
    sl_print_line(stderr, "usage: " USAGE " ('sluice lab --help' says more)");
    return EXIT_USAGE;
}

static int list(void)
{
    for (size_t i = 0; experiments[i].name; i++)
        printf("%-12s %s\n", experiments[i].name, experiments[i].summary);
    return 0;
}

/* clang-format off */
/* Returns -1 to go on, or an exit status. */
static int take(struct lab_request *request, int letter, const char **programs)
{
    char *end;
    switch (letter) {
    case 'o': request->directory = optarg; break;
    case 'G': programs[request->n_programs++] = optarg; break;
    case 'U': request->size = LAB_QUICK; break;
    case 'I': request->size = LAB_TINY; break;
    case 'A': request->again = true; break;
    case 'W': request->write = true; break;
    case 'l': return list();
    case 'j':
        request->jobs = (unsigned)strtoul(optarg, &end, 10);
        if (*optarg < '0' || *optarg > '9' || *end || !request->jobs)
            return complain("--jobs", "needs a number above 0, such as 4");
        break;
    case 'O':
        request->on = optarg;
        if (strcmp(optarg, "local") && strcmp(optarg, "slurm"))
            return complain("--on", "needs local or slurm");
        break;
    case 'S': request->slurm = optarg; break;
    case 'q': request->progress = false; break;
    case 'h': return help();
    }
    return -1;
}
/* clang-format on */

/* What no experiment is called: a trace's name, a path, a program with arguments. */
static bool is_stream(const char *word)
{
    size_t n = strlen(word);
    return (n > 4 && !strcmp(word + n - 4, ".slt")) || strpbrk(word, "/ ");
}

static int obey(int argc, char **argv, const char **programs)
{
    struct option longs[N_ROWS + 1] = {0};
    struct lab_request request = {.program = programs, .progress = isatty(STDERR_FILENO)};
    for (size_t i = 0; i < N_ROWS; i++)
        longs[i] = rows[i].option;
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, ":o:j:qh", longs, NULL)) != -1;) {
        if (letter == '?' || letter == ':')
            return complain(argv[optind - 1], letter == ':' ? "needs an argument"
                                                            : "is not an option of this command");
        int status = take(&request, letter, programs);
        struct sl_failure f;
        if (!status && sl_written(stdout, "to standard output", &f) < 0)
            lab_die_of(&f);
        if (status >= 0)
            return status;
    }
    /* Experiments first, streams behind them. */
    int first = optind;
    while (first < argc && !is_stream(argv[first]))
        first++;
    for (int i = first; i < argc; i++)
        if (!is_stream(argv[i]))
            return complain(argv[i], "is behind a stream: experiments come first");
    request.experiment = (const char *const *)argv + optind;
    request.n_experiments = (size_t)(first - optind);
    request.stream = (const char *const *)argv + first;
    request.n_streams = (size_t)(argc - first);
    if (request.n_streams && request.n_programs)
        return complain("--program", "is one of the lab's: give streams of yours, or programs");
    return lab_run(&request);
}

/* Where it is built with sanitizers: the lab ends when its pages are written, or anywhere with a
 * sentence, and leaves it to the system to free what it has read and planned. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int main(int argc, char **argv)
{
    const char **programs = lab_got(calloc((size_t)argc, sizeof *programs));
    /* Where it is ignored, as some daemons have it, no child can be waited for. */
    signal(SIGCHLD, SIG_DFL);
    sl_survive_cut_files();
    int status = argc == 4 && !strcmp(argv[1], "work") ? lab_work(argv[2], argv[3])
                                                       : obey(argc, argv, programs);
    free(programs);
    return status;
}
