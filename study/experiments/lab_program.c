/* SPDX-License-Identifier: MIT */
/* The programs that experiments are about: data/lab/programs.sh knows them, makes their
 * inputs and starts them. Each is recorded once, with all that any detector or machine
 * asks for; the trace is what every step reads. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data_path.h"
#include "failure.h"
#include "grow.h"
#include "lab_inside.h"
#include "sweep_stream.h"

/* One question to the script. *status is not 0 for "no". */
static char *ask(struct lab *lab, const char *question, const char *name, int *status)
{
    const char *argv[] = {"sh", lab->script, question, name, NULL};
    struct sl_failure f;
    struct lab_said said = lab_spawn(argv, NULL, lab->size);
    if (said.status > 1)
        lab_said_why(argv, &said, &f), lab_die_of(&f);
    said.out[strcspn(said.out, name ? "\n" : "")] = '\0'; /* about one program: one line */
    *status = said.status;
    free(said.err);
    return said.out;
}

static bool is_wanted(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->n_wanted; i++)
        if (!strcmp(lab->wanted[i], name))
            return true;
    return !lab->n_wanted;
}

static const struct {
    enum lab_kind kind;
    const char *name;
} kinds[] = {{LAB_REAL, "real"},
             {LAB_SMALL, "small"},
             {LAB_MIPS, "mips"},
             {LAB_RISCV, "riscv"},
             {LAB_LONG, "long"}};
#define N_KINDS (sizeof kinds / sizeof *kinds)

const char *lab_kind_name(enum lab_kind kind)
{
    size_t i = 0;
    while (kinds[i].kind != kind)
        i++;
    return kinds[i].name;
}

enum lab_kind lab_kind_called(const char *name)
{
    size_t i = 0;
    while (i < N_KINDS && strcmp(kinds[i].name, name))
        i++;
    return i < N_KINDS ? kinds[i].kind : (enum lab_kind)0;
}

static void add_program(struct lab *lab, char *line)
{
    char *rest = line, *name = strsep(&rest, "\t"), *kind = strsep(&rest, "\t");
    enum lab_kind its = kind ? lab_kind_called(kind) : (enum lab_kind)0;
    if (!its || !rest)
        lab_die("%s list: \"%s\" is not a name, a kind and what it does", lab->script, line);
    if (!is_wanted(lab, name))
        return;
    struct lab_program *p = LAB_ADD(lab->program, lab->programs_capacity, lab->n_programs);
    int no, unused;
    char *why = ask(lab, "there", name, &no);
    *p = (struct lab_program){.name = lab_format("%s", name),
                              .does = lab_format("%s", rest),
                              .kind = its,
                              .absent = no ? why : NULL,
                              .version = no ? "" : ask(lab, "version", name, &unused)};
}

void lab_programs_read(struct lab *lab)
{
    int unused;
    lab->script = sl_data_path("lab/programs.sh");
    if (!lab->script)
        lab_die("lab/programs.sh is not among the files that came with sluice");
    char *rest = ask(lab, "list", NULL, &unused);
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line)
            add_program(lab, line);
    for (size_t i = 0; i < lab->n_wanted; i++) {
        size_t j = 0;
        while (j < lab->n_programs && strcmp(lab->program[j].name, lab->wanted[i]))
            j++;
        if (j == lab->n_programs)
            lab_die_usage("there is no program called %s in the lab; 'sluice lab' lists them",
                          lab->wanted[i]);
    }
}

/* A stream of the user's is one of a sweep's: known by what is in it, and called by its file's
 * name, which no program of the lab's has. */
static struct lab_program theirs(const char *text, const char *beside)
{
    static const struct sl_sweep_how all = {0};
    struct sl_sweep_stream *stream = lab_got(calloc(1, sizeof *stream));
    struct sl_failure f;
    if (sl_sweep_stream_find(stream, text, beside, &all, &f) < 0)
        lab_die_of(&f);
    const char *file = stream->argv ? stream->argv[0] : text, *slash = strrchr(file, '/');
    const char *program = strstr(stream->what, " program "),
               *trace = strstr(stream->what, " trace ");
    char *name = lab_format("%s", slash ? slash + 1 : file);
    for (char *c = name; *c; c++)
        *c = (unsigned char)*c < ' ' ? '_'
                                     : *c; /* plans are lines of words with tabs between them */
    return (struct lab_program){.name = name,
                                .does = lab_format("a %s of yours", program ? "program" : "trace"),
                                .version = lab_format("%s", program ? program + 9
                                                            : trace ? trace + 7
                                                                    : text),
                                .kind = LAB_REAL,
                                .trace = stream->trace,
                                .theirs = stream};
}

void lab_programs_take(struct lab *lab, const char *const *text, size_t n, const char *beside)
{
    const char **wanted = lab_got(calloc(n + 1, sizeof *wanted));
    for (size_t i = 0; i < n; i++) {
        struct lab_program *p = LAB_ADD(lab->program, lab->programs_capacity, lab->n_programs);
        *p = theirs(text[i], beside);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(lab->program[k].name, p->name))
                lab_die_usage("two streams are called %s; give them different names", p->name);
        wanted[i] = p->name;
    }
    lab->wanted = wanted;
    lab->n_wanted = n;
}

/* With all that any detector or machine asks for, once. */
void lab_programs_record(struct lab *lab)
{
    struct sl_failure f;
    unsigned needs;
    for (size_t i = 0; i < lab->n_programs; i++) {
        struct lab_program *p = &lab->program[i];
        if (!p->theirs || !p->theirs->argv)
            continue;
        if (sl_sweep_stream_needs(p->theirs, &needs, &f) < 0 ||
            sl_sweep_stream_record(p->theirs, needs, &f) < 0)
            lab_die_of(&f);
        p->trace = p->theirs->trace;
    }
}

char *lab_trace_path(const struct lab *lab, const struct lab_program *program)
{
    if (program->trace)
        return lab_format("%s", program->trace);
    return lab_format("%s/traces/%s.slt", lab->directory, program->name);
}

bool lab_is_recorded(struct sl_sweep_store *store, const struct lab_step *recording)
{
    char *trace = lab_trace_path(recording->lab, recording->program);
    bool is = recording->program->trace ||
              (!access(trace, R_OK) && lab_store_has(store, recording));
    free(trace);
    return is;
}

/* Two labs may want the same program: the second waits for the first, whose recording then
 * is its own. The lock is held until this process ends. What the trace is of, the file beside it
 * says, as the first may not have told its database yet. */
static bool lock(const struct lab_step *step, const char *directory, const char *beside)
{
    char *path = lab_format("%s/%s.lock", directory, step->program->name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), failed = file < 0;
    while (!failed && flock(file, LOCK_EX))
        failed = errno != EINTR;
    if (failed)
        lab_die("%s cannot be locked: %s", path, strerror(errno));
    free(path);
    if (access(step->trace, R_OK) || access(beside, R_OK))
        return false;
    char *key = lab_read_file(beside);
    bool done = !strcmp(key, step->key);
    free(key);
    return done;
}

/* The program runs in a directory below traces/, so that what it prints and the length of
 * its name, which programs can see, are the same in each run. A trace has its name only when
 * it is whole. */
int lab_record(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    const struct lab *lab = step->lab;
    char *directory = lab_format("%s/traces", lab->directory);
    char *fresh = lab_format("%s/%s.slt", step->scratch, step->program->name);
    static const char *const windows[] = {
        [LAB_FULL] = "500M", [LAB_QUICK] = "20M", [LAB_TINY] = "500K"};
    const char *window = windows[lab->size];
    const char *whole[] = {"sh",        lab->script, "run",   step->program->name,
                           lab->sluice, "record",    "-q",    "-m",
                           "rocket",    "-p",        "value", "-o",
                           fresh,       "--",        NULL};
    const char *part[] = {"sh",        lab->script, "run",   step->program->name,
                          lab->sluice, "record",    "-q",    "-m",
                          "rocket",    "-p",        "value", "-o",
                          fresh,       "--skip",    window,  "--limit",
                          window,      "--",        NULL};
    const char *const *argv = step->program->kind == LAB_LONG ? part : whole;
    struct stat facts;
    lab_make_directory(directory);
    char *beside = lab_format("%s/%s.key", directory, step->program->name);
    if (!lock(step, directory, beside)) {
        remove(beside);
        struct lab_said said = lab_spawn(argv, directory, lab->size);
        if (said.status)
            return lab_said_why(argv, &said, f);
        if (rename(fresh, step->trace))
            return sl_fail_errno(f, SL_EIO, "%s was not written", step->trace);
        lab_write_file(beside, step->key, strlen(step->key));
    }
    if (stat(step->trace, &facts))
        return sl_fail_errno(f, SL_EIO, "%s is gone", step->trace);
    lab_figure(results, "", "bytes", NAN, (double)facts.st_size);
    return 0;
}
