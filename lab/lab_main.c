/* sluice-lab, which `sluice lab` becomes: options, progress, complaints. */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

/* As sluice itself has them. */
enum { EXIT_USAGE = 2, EXIT_LAB = 125, EXIT_NOT_FOUND = 127 };

#define USAGE "sluice lab [OPTIONS] [EXPERIMENT ...|all]"

static const char details[] =
    "Without an experiment, lists experiments and programs. Everything is kept in one\n"
    "directory (-o; default: sluice-lab, sluice-lab-quick or sluice-lab-tiny): recorded\n"
    "programs, every figure in lab.db, and for each experiment a page, its data as csv and\n"
    "plots as svg and png; README.md has all claims at a glance. What was done is not done\n"
    "again: a run that was interrupted goes on where it stopped.\n\n"
    "examples:\n"
    "  sluice lab                                   what there is\n"
    "  sluice lab --quick all                       everything, in minutes\n"
    "  sluice lab paths                             one of them, in full\n"
    "  sluice lab --program gcc --program go paths  on two programs\n"
    "  sqlite3 sluice-lab/lab.db 'SELECT * FROM step JOIN figure ON id = step'\n";

static const struct {
    struct option option;
    const char *left, *help;
} rows[] = {
    {{"output", required_argument, NULL, 'o'}, "-o, --output FILE", "where the result goes"},
    {{"program", required_argument, NULL, 'G'}, "    --program NAME",
     "only this program of the lab's; may be repeated"},
    {{"quick", no_argument, NULL, 'U'}, "    --quick", "small inputs: minutes instead of an hour"},
    {{"tiny", no_argument, NULL, 'I'}, "    --tiny", "tiny inputs: whether it works at all"},
    {{"again", no_argument, NULL, 'A'}, "    --again", "also what was done before"},
    {{"write", no_argument, NULL, 'W'}, "    --write",
     "only write the pages again, from what was measured"},
    {{"list", no_argument, NULL, 'l'}, "    --list", "only the experiments that there are"},
    {{"jobs", required_argument, NULL, 'j'}, "-j, --jobs N",
     "steps at a time (default: as many as processors)"},
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
    fprintf(stderr, "sluice: %.100s %s\nusage: " USAGE " ('sluice lab --help' says more)\n", what,
            sentence);
    return EXIT_USAGE;
}

static int fail(const struct sl_failure *f)
{
    fprintf(stderr, "sluice: %s\n", f->text);
    return f->code == SL_EUSAGE ? EXIT_USAGE : f->code == SL_ENOTFOUND ? EXIT_NOT_FOUND : EXIT_LAB;
}

static int list(void)
{
    for (size_t i = 0; experiments[i]; i++)
        printf("%-12s %s\n", experiments[i]->name, experiments[i]->summary);
    return 0;
}

/* On a terminal one line that is written over; what failed is said anywhere. */
static void show(void *context, const struct lab_progress *p)
{
    const bool *wanted = context;
    int left = (int)(p->seconds_left + 0.5);
    if (*wanted)
        fprintf(stderr, "\r\033[K%zu of %zu, about %d:%02d left; done: %s, %s", p->done, p->steps,
                left / 60, left % 60, p->experiment, p->step);
    if (p->failure)
        fprintf(stderr, "%ssluice: %s, %s: %s\n", *wanted ? "\r\033[K" : "", p->experiment, p->step,
                p->failure);
    else if (*wanted && p->done == p->steps)
        fprintf(stderr, "\r\033[K");
}

/* Returns -1 to go on, or an exit status. */
static int take(struct lab_config *config, int letter, const char **programs)
{
    char *end;
    switch (letter) {
    case 'o': config->directory = optarg; break;
    case 'G': programs[config->n_programs++] = optarg; break;
    case 'U': config->size = LAB_QUICK; break;
    case 'I': config->size = LAB_TINY; break;
    case 'A': config->again = true; break;
    case 'W': config->write = true; break;
    case 'l': return list();
    case 'j':
        config->jobs = (unsigned)strtoul(optarg, &end, 10);
        if (*optarg < '0' || *optarg > '9' || *end || !config->jobs)
            return complain("--jobs", "needs a number above 0, such as 4");
        break;
    case 'q': *(bool *)config->context = false; break;
    case 'h': return help();
    }
    return -1;
}

int main(int argc, char **argv)
{
    struct option longs[N_ROWS + 1] = {0};
    bool wanted = isatty(STDERR_FILENO);
    const char **programs = calloc((size_t)argc, sizeof *programs);
    struct lab_config config = {.program = programs, .progress = show, .context = &wanted};
    struct sl_failure f;
    int letter, status = programs ? -1 : EXIT_LAB;
    /* Where it is ignored, as some daemons have it, no child can be waited for. */
    signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < N_ROWS; i++)
        longs[i] = rows[i].option;
    opterr = 0;
    while (status < 0 && (letter = getopt_long(argc, argv, ":o:j:qh", longs, NULL)) != -1) {
        if (letter == '?' || letter == ':')
            status = complain(argv[optind - 1], letter == ':' ? "needs an argument"
                                                              : "is not an option here");
        else
            status = take(&config, letter, programs);
    }
    if (status < 0) {
        config.experiment = (const char *const *)argv + optind;
        config.n_experiments = (size_t)(argc - optind);
        status = lab_run(&config, stdout, &f) < 0 ? fail(&f) : 0;
    }
    free(programs);
    return status;
}
