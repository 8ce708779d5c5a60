/* SPDX-License-Identifier: MIT */
/* Main program of sluice-lab, which `sluice lab` executes: parses options and arguments. */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab_experiments.h"
#include "lab_internal.h"

#define USAGE "sluice lab [OPTIONS] [EXPERIMENT ...|all] [STREAM ...]"

static const char examples[] =
    "examples:\n"
    "  sluice lab                                   list experiments and programs\n"
    "  sluice lab --quick all                       run all experiments, in minutes\n"
    "  sluice lab paths                             run one experiment with full inputs\n"
    "  sluice lab --program gcc --program go paths  run one experiment on two programs\n"
    "  sluice lab interval mytrace.slt              run one experiment on your trace\n"
    "  sluice lab wpp 'bzip2 -9 file'               run one experiment on your program\n"
    "  sqlite3 sluice-lab/lab.db 'SELECT * FROM step JOIN measurement ON id = step'\n";

static const char details[] =
    "Without an experiment, lists experiments and programs. All files are in one directory\n"
    "(-o; default: sluice-lab, sluice-lab-quick or sluice-lab-tiny): the recorded programs,\n"
    "all measurements in lab.db, and for each experiment a page with its data (csv) and plots\n"
    "(svg, png). README.md lists all claims. Finished steps are not repeated: an interrupted\n"
    "run continues where it stopped. A STREAM, your trace or your program with its arguments\n"
    "in one word, replaces the lab's programs (default directory: sluice-lab-traces).\n";

static const struct {
    struct option option;
    const char *left, *help;
} rows[] = {
    {{"output", required_argument, NULL, 'o'},
     "-o, --output DIRECTORY",
     "write all files to this directory"},
    {{"program", required_argument, NULL, 'G'},
     "    --program NAME",
     "measure only this program of the lab; may be repeated"},
    {{"quick", no_argument, NULL, 'U'},
     "    --quick",
     "use small inputs (minutes instead of an hour)"},
    {{"tiny", no_argument, NULL, 'I'}, "    --tiny", "use the smallest inputs, to test the lab"},
    {{"again", no_argument, NULL, 'A'}, "    --again", "repeat finished steps"},
    {{"write", no_argument, NULL, 'W'},
     "    --write",
     "write the pages from existing measurements, without running anything"},
    {{"list", no_argument, NULL, 'l'}, "    --list", "list the experiments and exit"},
    {{"jobs", required_argument, NULL, 'j'},
     "-j, --jobs N",
     "run N steps in parallel (default: one per processor)"},
    {{"on", required_argument, NULL, 'O'},
     "    --on WHERE",
     "run steps as processes (local) or as jobs of a cluster (slurm)"},
    {{"slurm", required_argument, NULL, 'S'},
     "    --slurm WORDS",
     "pass more arguments to sbatch, for example '-p long'"},
    {{"quiet", no_argument, NULL, 'q'}, "-q, --quiet", "do not show progress"},
    {{"help", no_argument, NULL, 'h'}, "-h, --help", "print this help"},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static int help(void)
{
    printf("usage: " USAGE "\n\n%s\n"
           "Repeats published experiments with hardware profilers on real programs, and compares "
           "the results.\n%s\n",
           examples, details);
    for (size_t i = 0; i < N_ROWS; i++)
        printf("  %-28s %s\n", rows[i].left, rows[i].help);
    return 0;
}

static int usage_error(const char *subject, const char *problem)
{
    sl_print_line(stderr, "sluice: %.100s %s", subject, problem);
    sl_print_line(stderr, "usage: " USAGE " (all options: sluice lab --help)");
    return EXIT_USAGE;
}

static int list(void)
{
    for (size_t i = 0; experiments[i].name; i++)
        printf("%-12s %s\n", experiments[i].name, experiments[i].summary);
    return 0;
}

/* clang-format off */
/* Applies one option. Returns -1 to continue, or an exit status. */
static int set_option(struct lab_request *request, int letter, const char **programs)
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
            return usage_error("--jobs", "needs a number above 0, for example 4");
        break;
    case 'O':
        request->where = optarg;
        if (strcmp(optarg, "local") && strcmp(optarg, "slurm"))
            return usage_error("--on", "needs local or slurm");
        break;
    case 'S': request->slurm = optarg; break;
    case 'q': request->progress = false; break;
    case 'h': return help();
    }
    return -1;
}
/* clang-format on */

/* True for the file name of a trace, a path, or a program with arguments. */
static bool is_stream(const char *word)
{
    size_t n = strlen(word);
    return (n > 4 && !strcmp(word + n - 4, ".slt")) || strpbrk(word, "/ ");
}

static int run_command_line(int argc, char **argv, const char **programs)
{
    struct option longs[N_ROWS + 1] = {0};
    struct lab_request request = {.program = programs, .progress = isatty(STDERR_FILENO)};
    for (size_t i = 0; i < N_ROWS; i++)
        longs[i] = rows[i].option;
    opterr = 0;
    for (int letter; (letter = getopt_long(argc, argv, ":o:j:qh", longs, NULL)) != -1;) {
        if (letter == '?' || letter == ':')
            return usage_error(argv[optind - 1], letter == ':'
                                                     ? "needs an argument"
                                                     : "is not an option of this command");
        int status = set_option(&request, letter, programs);
        struct sl_failure f;
        if (!status && sl_flush_output(stdout, "to standard output", &f) < 0)
            lab_die_failure(&f);
        if (status >= 0)
            return status;
    }
    /* Experiments come first, streams after them. */
    int first = optind;
    while (first < argc && !is_stream(argv[first]))
        first++;
    for (int i = first; i < argc; i++)
        if (!is_stream(argv[i]))
            return usage_error(
                argv[i],
                "comes after a stream, but is not a stream: name experiments before streams");
    request.experiment = (const char *const *)argv + optind;
    request.n_experiments = (size_t)(first - optind);
    request.stream = (const char *const *)argv + first;
    request.n_streams = (size_t)(argc - first);
    if (request.n_streams && request.n_programs)
        return usage_error(
            "--program",
            "cannot be combined with a STREAM, which replaces the programs of the lab");
    return lab_run(&request);
}

/* For builds with AddressSanitizer: the lab exits without freeing its memory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int main(int argc, char **argv)
{
    const char **programs = lab_check_alloc(calloc((size_t)argc, sizeof *programs));
    /* Some daemons ignore SIGCHLD; children inherit that, and waitpid() would fail. */
    signal(SIGCHLD, SIG_DFL);
    sl_survive_truncated_files();
    int status = argc == 4 && !strcmp(argv[1], "work") ? lab_run_job(argv[2], argv[3])
                                                       : run_command_line(argc, argv, programs);
    free(programs);
    return status;
}
