#include <unistd.h>

#include "cli.h"

/* On a terminal one line that is written over; what failed is said anywhere. */
static void show(void *context, const struct sl_lab_progress *p)
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

static int run(const struct cli_command *command, struct cli_options *o, int argc, char **argv)
{
    (void)command;
    struct sl_failure f;
    bool wanted = !o->quiet && isatty(STDERR_FILENO);
    struct sl_lab_config config = {
        .experiment = (const char *const *)argv + o->first_argument,
        .n_experiments = (size_t)(argc - o->first_argument),
        .program = o->programs.word,
        .n_programs = o->programs.n,
        .size = o->size,
        .directory = o->output,
        .jobs = (unsigned)o->jobs,
        .again = o->again,
        .write = o->write,
        .progress = show,
        .context = &wanted,
    };
    return sl_lab(&config, stdout, &f) < 0 ? cli_complain(&f) : 0;
}

const struct cli_command cli_lab = {
    .name = "lab",
    .summary = "Runs the documents' experiments on real programs, published figures beside ours",
    .usage = "[OPTIONS] [EXPERIMENT ...|all]",
    .options = "output program quick tiny again write jobs quiet",
    .details =
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
        "  sqlite3 sluice-lab/lab.db 'SELECT * FROM step JOIN figure ON id = step'\n",
    .run = run,
};
