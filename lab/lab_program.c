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

/* One question to the script. Its answer is to be freed; *status is not 0 for "no". */
static char *ask(struct lab *lab, const char *question, const char *name, int *status,
                 struct sl_failure *f)
{
    const char *argv[] = {"sh", lab->script, question, name, NULL};
    struct lab_said said;
    char *answer = NULL;
    if (lab_spawn(argv, NULL, lab->config->size, &said, f) >= 0) {
        answer = said.out;
        said.out = NULL;
        answer[strcspn(answer, name ? "\n" : "")] = '\0'; /* about one program: one line */
        *status = said.status;
        if (said.status > 1)
            lab_said_why(argv, &said, f), free(answer), answer = NULL;
    }
    lab_said_free(&said);
    return answer;
}

static bool is_wanted(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->config->n_programs; i++)
        if (!strcmp(lab->config->program[i], name))
            return true;
    return !lab->config->n_programs;
}

static const struct {
    enum lab_kind kind;
    const char *name;
} kinds[] = {{LAB_REAL, "real"}, {LAB_SMALL, "small"}, {LAB_MIPS, "mips"}};

const char *lab_kind_name(enum lab_kind kind)
{
    size_t i = 0;
    while (kinds[i].kind != kind)
        i++;
    return kinds[i].name;
}

/* 0 if it is none. */
static enum lab_kind kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].kind;
    return (enum lab_kind)0;
}

static int add_program(struct lab *lab, char *line, struct sl_failure *f)
{
    char *rest = line, *name = strsep(&rest, "\t"), *kind = strsep(&rest, "\t");
    if (!kind || !rest || !kind_of(kind))
        return sl_fail(f, SL_EFORMAT, "%s list: \"%s\" is not a name, a kind and what it does",
                       lab->script, line);
    if (!is_wanted(lab, name))
        return 0;
    if (!SL_GROW(lab->program, lab->room_programs, lab->n_programs + 1))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    struct lab_program *p = &lab->program[lab->n_programs++];
    int status = 0, unused;
    p->kind = kind_of(kind);
    p->name = strdup(name);
    p->does = strdup(rest);
    if (!p->name || !p->does)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    char *why = ask(lab, "there", name, &status, f);
    if (why && status)
        p->absent = why;
    else
        free(why);
    p->version = why ? (p->absent ? strdup("") : ask(lab, "version", name, &unused, f)) : NULL;
    return p->version ? 0 : f->code;
}

static int check_names(const struct lab *lab, struct sl_failure *f)
{
    for (size_t i = 0; i < lab->config->n_programs; i++) {
        size_t j = 0;
        while (j < lab->n_programs && strcmp(lab->program[j].name, lab->config->program[i]))
            j++;
        if (j == lab->n_programs)
            return sl_fail(f, SL_EUSAGE, "there is no program called %s in the lab; 'sluice lab' "
                           "lists them", lab->config->program[i]);
    }
    return 0;
}

int lab_programs_read(struct lab *lab, struct sl_failure *f)
{
    int status;
    lab->script = sl_data_path("lab/programs.sh");
    if (!lab->script)
        return sl_fail(f, SL_EIO, "lab/programs.sh is not among the files that came with sluice");
    f->code = SL_ENOMEM; /* what is told of a failure that says nothing */
    char *list = ask(lab, "list", NULL, &status, f);
    int error = list ? 0 : f->code;
    char *rest = list;
    for (char *line; error >= 0 && (line = strsep(&rest, "\n"));)
        if (*line)
            error = add_program(lab, line, f);
    free(list);
    return error < 0 ? error : check_names(lab, f);
}

void lab_programs_free(struct lab *lab)
{
    for (size_t i = 0; i < lab->n_programs; i++) {
        free(lab->program[i].name);
        free(lab->program[i].does);
        free(lab->program[i].version);
        free(lab->program[i].absent);
    }
    free(lab->program);
    free(lab->script);
}

char *lab_trace_path(const struct lab *lab, const struct lab_program *program)
{
    return lab_format("%s/traces/%s.slt", lab->directory, program->name);
}

bool lab_is_recorded(sqlite3 *store, const struct lab_step *recording)
{
    char *trace = lab_trace_path(recording->lab, recording->program);
    bool is = trace && !access(trace, R_OK) && lab_store_has(store, recording);
    free(trace);
    return is;
}

/* Two labs may want the same program: the second waits for the first, whose recording then
 * is its own. The lock is held until this process ends, when the database has it, too. */
static int lock(const struct lab_step *step, const char *directory, bool *done,
                struct sl_failure *f)
{
    char *path = lab_format("%s/%s.lock", directory, step->program->name);
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1, failed = file < 0;
    while (!failed && flock(file, LOCK_EX))
        failed = errno != EINTR;
    int error = failed ? sl_fail_errno(f, SL_EIO, "%s cannot be locked", path ? path : directory)
                       : 0;
    free(path);
    sqlite3 *store = NULL;
    if (error >= 0)
        error = lab_store_open(&store, step->lab->database, f);
    *done = error >= 0 && lab_is_recorded(store, step);
    sqlite3_close(store);
    return error;
}

static int record(const struct lab_step *step, const char *directory, struct sl_failure *f)
{
    const struct lab *lab = step->lab;
    char *fresh = lab_format("%s/%s.slt", step->scratch, step->program->name);
    const char *argv[] = {"sh", lab->script, "run", step->program->name, lab->sluice,
                          "record", "-q", "-m", "rocket", "-p", "value", "-o", fresh, "--", NULL};
    struct lab_said said = {0};
    if (!fresh)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    int error = lab_spawn(argv, directory, lab->config->size, &said, f);
    if (error >= 0 && said.status)
        error = lab_said_why(argv, &said, f);
    if (error >= 0 && rename(fresh, step->trace))
        error = sl_fail_errno(f, SL_EIO, "%s was not written", step->trace);
    lab_said_free(&said);
    free(fresh);
    return error;
}

/* The program runs in a directory below traces/, so that what it prints and the length of
 * its name, which programs can see, are the same in each run. A trace has its name only when
 * it is whole. */
int lab_record(const struct lab_step *step, struct lab_results *results,
                  struct sl_failure *f)
{
    char *directory = lab_format("%s/traces", step->lab->directory);
    struct stat facts;
    bool done = false;
    if (!directory)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    int error = lab_make_directory(directory, f);
    if (error >= 0)
        error = lock(step, directory, &done, f);
    if (error >= 0 && !done)
        error = record(step, directory, f);
    if (error >= 0 && stat(step->trace, &facts))
        error = sl_fail_errno(f, SL_EIO, "%s is gone", step->trace);
    if (error >= 0)
        lab_figure(results, "", "bytes", NAN, (double)facts.st_size);
    free(directory);
    return error;
}
