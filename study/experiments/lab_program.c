/* SPDX-License-Identifier: MIT */
/* Programs that the lab measures, and their recordings. The script data/lab/programs.sh lists the
 * lab's programs, generates their inputs and runs the programs. Each program is recorded once as a
 * trace, with all data that any detector or CPU model needs, and the steps of experiments replay
 * this trace. Users can replace the lab's programs by their own traces and programs. */
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
#include "lab_internal.h"
#include "sweep_stream.h"

/* Runs a command of the script. Returns its output, for one program the first line. *status is 0,
 * or 1 for the answer "no". */
static char *ask(struct lab *lab, const char *question, const char *name, int *status)
{
    const char *argv[] = {"sh", lab->script, question, name, NULL};
    struct sl_failure f;
    struct lab_output output = lab_spawn(argv, NULL, lab->size);
    if (output.status > 1)
        lab_output_failure(argv, &output, &f), lab_die_failure(&f);
    output.out[strcspn(output.out, name ? "\n" : "")] = '\0';
    *status = output.status;
    free(output.err);
    return output.out;
}

static bool is_selected(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->n_selected; i++)
        if (!strcmp(lab->selected[i], name))
            return true;
    return !lab->n_selected;
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

enum lab_kind lab_kind_parse(const char *name)
{
    size_t i = 0;
    while (i < N_KINDS && strcmp(kinds[i].name, name))
        i++;
    return i < N_KINDS ? kinds[i].kind : (enum lab_kind)0;
}

static void add_program(struct lab *lab, char *line)
{
    char *rest = line, *name = strsep(&rest, "\t"), *kind = strsep(&rest, "\t");
    enum lab_kind parsed = kind ? lab_kind_parse(kind) : (enum lab_kind)0;
    if (!parsed || !rest)
        lab_die("%s list: invalid line for the program \"%s\": expected name, kind and summary",
                lab->script, name);
    if (!is_selected(lab, name))
        return;
    struct lab_program *p = LAB_ADD(lab->program, lab->programs_capacity, lab->n_programs);
    int no, unused;
    char *why = ask(lab, "there", name, &no);
    *p = (struct lab_program){.name = lab_format("%s", name),
                              .summary = lab_format("%s", rest),
                              .kind = parsed,
                              .absent = no ? why : NULL,
                              .version = no ? "" : ask(lab, "version", name, &unused)};
}

void lab_programs_read(struct lab *lab)
{
    int unused;
    lab->script = sl_data_path("lab/programs.sh");
    if (!lab->script)
        lab_die("sluice's data file lab/programs.sh is missing: install sluice again");
    char *rest = ask(lab, "list", NULL, &unused);
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line)
            add_program(lab, line);
    for (size_t i = 0; i < lab->n_selected; i++) {
        size_t j = 0;
        while (j < lab->n_programs && strcmp(lab->program[j].name, lab->selected[i]))
            j++;
        if (j == lab->n_programs)
            lab_die_usage("unknown program '%s': 'sluice lab' lists all programs",
                          lab->selected[i]);
    }
}

/* Makes a program of a user's stream, which is found and identified as in a sweep. Its name is the
 * file name. */
static struct lab_program program_of_stream(const char *text, const char *record_path)
{
    static const struct sl_sweep_how all = {0};
    struct sl_sweep_stream *stream = lab_check_alloc(calloc(1, sizeof *stream));
    struct sl_failure f;
    if (sl_sweep_stream_find(stream, text, record_path, &all, &f) < 0)
        lab_die_failure(&f);
    const char *file = stream->argv ? stream->argv[0] : text, *slash = strrchr(file, '/');
    const char *program = strstr(stream->what, " program "),
               *trace = strstr(stream->what, " trace ");
    char *name = lab_format("%s", slash ? slash + 1 : file);
    for (char *c = name; *c; c++) /* plans are lines of words separated by tabs */
        *c = (unsigned char)*c < ' ' ? '_' : *c;
    return (struct lab_program){
        .name = name,
        .summary = lab_format("a %s of yours", program ? "program" : "trace"),
        .version = lab_format("%s", program ? program + 9
                                    : trace ? trace + 7
                                            : text),
        .kind = LAB_REAL,
        .trace = stream->trace,
        .user_stream = stream};
}

void lab_programs_add_streams(struct lab *lab, const char *const *text, size_t n,
                              const char *record_path)
{
    const char **wanted = lab_check_alloc(calloc(n + 1, sizeof *wanted));
    for (size_t i = 0; i < n; i++) {
        struct lab_program *p = LAB_ADD(lab->program, lab->programs_capacity, lab->n_programs);
        *p = program_of_stream(text[i], record_path);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(lab->program[k].name, p->name))
                lab_die_usage("two streams have the file name %s: rename one of them", p->name);
        wanted[i] = p->name;
    }
    lab->selected = wanted;
    lab->n_selected = n;
}

void lab_programs_record(struct lab *lab)
{
    struct sl_failure f;
    unsigned needs;
    for (size_t i = 0; i < lab->n_programs; i++) {
        struct lab_program *p = &lab->program[i];
        if (!p->user_stream || !p->user_stream->argv)
            continue;
        if (sl_sweep_stream_needs(p->user_stream, &needs, &f) < 0 ||
            sl_sweep_stream_record(p->user_stream, needs, &f) < 0)
            lab_die_failure(&f);
        p->trace = p->user_stream->trace;
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
    bool recorded = recording->program->trace ||
                    (!access(trace, R_OK) && lab_store_has_step(store, recording));
    free(trace);
    return recorded;
}

/* Locks the program's trace, so that of two labs in one directory only the first one records the
 * program. The lock is held until this process ends. Returns true if the trace is already recorded
 * with the step's key. The key is in the file `key_path` next to the trace, because the other lab
 * may not have stored the step in the database yet. */
static bool lock(const struct lab_step *step, const char *directory, const char *key_path)
{
    char *path = lab_format("%s/%s.lock", directory, step->program->name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), failed = file < 0;
    while (!failed && flock(file, LOCK_EX))
        failed = errno != EINTR;
    if (failed)
        lab_die("cannot lock %s: %s", path, strerror(errno));
    free(path);
    if (access(step->trace, R_OK) || access(key_path, R_OK))
        return false;
    char *key = lab_read_file(key_path);
    bool done = !strcmp(key, step->key);
    free(key);
    return done;
}

/* The program runs in the directory traces/, so that its output and the length of its path, which
 * programs can see, are the same in each run. The trace is renamed to its final name only when it
 * is complete. */
int lab_record(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    const struct lab *lab = step->lab;
    char *directory = lab_format("%s/traces", lab->directory);
    char *temporary = lab_format("%s/%s.slt", step->scratch, step->program->name);
    static const char *const lengths[] = {
        [LAB_FULL] = "500M", [LAB_QUICK] = "20M", [LAB_TINY] = "500K"};
    const char *length = lengths[lab->size];
    const char *whole[] = {
        "sh", lab->script, "run", step->program->name, lab->sluice, "record", "-q", "-m", "rocket",
        "-p", "value",     "-o",  temporary,           "--",        NULL};
    const char *part[] = {"sh",        lab->script, "run",   step->program->name,
                          lab->sluice, "record",    "-q",    "-m",
                          "rocket",    "-p",        "value", "-o",
                          temporary,   "--skip",    length,  "--limit",
                          length,      "--",        NULL};
    const char *const *argv = step->program->kind == LAB_LONG ? part : whole;
    struct stat facts;
    lab_make_directory(directory);
    char *key_path = lab_format("%s/%s.key", directory, step->program->name);
    if (!lock(step, directory, key_path)) {
        remove(key_path);
        struct lab_output output = lab_spawn(argv, directory, lab->size);
        if (output.status)
            return lab_output_failure(argv, &output, f);
        if (rename(temporary, step->trace))
            return sl_fail_errno(f, SL_EIO, "cannot write the trace %s", step->trace);
        lab_write_file(key_path, step->key, strlen(step->key));
    }
    if (stat(step->trace, &facts))
        return sl_fail_errno(f, SL_EIO, "cannot read the trace %s", step->trace);
    lab_add_figure(results, "", "bytes", NAN, (double)facts.st_size);
    return 0;
}
