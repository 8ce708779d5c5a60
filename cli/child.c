/* SPDX-License-Identifier: MIT */
/* Internal commands that profile a process which the profiled program has started (`sluice run
 * --follow`, process_tree.h). The engine calls `sluice followed` when a process executes another
 * program, and `sluice forked` when a process forks. Each command opens a session that reads the
 * instruction stream of the process. */
#include "process_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- input: files of the run ---- */

/* Reads strings that each end with 0. Returns an array that ends with NULL; NULL if there are none.
 */
static char **read_words(const char *path, size_t *n_words)
{
    char *text = NULL, **words = NULL;
    size_t capacity = 0, n = 0;
    FILE *in = cli_process_tree_open(path);
    while (in && getdelim(&text, &capacity, 0, in) > 0) {
        char **longer = realloc(words, (n + 2) * sizeof *longer);
        if (longer)
            words = longer;
        if (!longer || !(longer[n] = strdup(text))) {
            n = 0;
            break;
        }
        longer[++n] = NULL;
    }
    free(text);
    if (in)
        fclose(in);
    *n_words = n;
    return n ? words : NULL;
}

static void free_words(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

/* Makes a name absolute, because the guest may have changed its directory. */
static void make_absolute(const char **name, char *capacity)
{
    if (*name && realpath(*name, capacity))
        *name = capacity;
}

/* Opens a session with the options of the run, in the directory where the run started, because its
 * options name files relative to it. *words holds the option texts; the caller frees it. */
static int open_session(struct sl_session **session, struct cli_options *o, char ***words,
                        const char *process_tree, struct sl_failure *f)
{
    static char qemu[PATH_MAX], sysroot[PATH_MAX];
    char path[PATH_MAX];
    size_t n;
    snprintf(path, sizeof path, "%s/options", process_tree);
    *words = read_words(path, &n);
    if (!*words || cli_parse(&cli_run, (int)n, *words, o) >= 0)
        return cli_process_tree_fail(
            f, "cannot read the options of sluice run from the temporary directory of --follow");
    snprintf(path, sizeof path, "%s/directory", process_tree);
    int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool moved = before >= 0 && !fchdir(before) && !chdir(path);
    int error = cli_open_session(session, o, f);
    if (o->qemu && strchr(o->qemu, '/')) /* else it is found in PATH */
        make_absolute(&o->qemu, qemu);
    make_absolute(&o->sysroot, sysroot);
    if (moved && fchdir(before) && error >= 0) {
        error = cli_process_tree_fail(
            f, "cannot change back to the working directory of the profiled program");
        sl_session_close(*session);
    }
    if (before >= 0)
        close(before);
    return error;
}

/* ---- output: files for the run ---- */

/* A run: a program in a process, and its parent. */
struct member {
    char process_tree[PATH_MAX / 2];
    const char *parent;  /* name of the parent run */
    const char *program; /* NULL: found by argv[0] */
    const char *how;     /* suffix of the link to the parent */
    char **argv;
    int ring; /* descriptor of the ring of a forked process, else 0 */
    pid_t pid;
    uint32_t number; /* N of PID-N */
    char **words;    /* storage of program and argv of a forked process */
    char stem[PATH_MAX / 2 + 32];
};

/* Splits DIRECTORY/RUN. */
static bool find_process_tree(struct member *m, const char *run)
{
    const char *slash = strrchr(run, '/');
    if (!slash || (size_t)(slash - run) >= sizeof m->process_tree)
        return false;
    snprintf(m->process_tree, sizeof m->process_tree, "%.*s", (int)(slash - run), run);
    m->parent = slash + 1;
    return true;
}

/* Writes the files that announce this run, and sets its name, DIRECTORY/PID-N. */
static bool announce(struct member *m)
{
    char name[PATH_MAX];
    int error;
    for (m->number = 0;; m->number++) {
        snprintf(m->stem, sizeof m->stem, "%s/%d-%u", m->process_tree, m->pid, m->number);
        snprintf(name, sizeof name, "%s.program", m->stem);
        error = symlink(m->program ? m->program : m->argv[0], name) ? errno : 0;
        if (error != EEXIST)
            break;
    }
    snprintf(name, sizeof name, "%s.%s", m->stem, m->how);
    return !error && !symlink(m->parent, name) &&
           cli_process_tree_describe(m->stem, m->program, m->argv);
}

/* Writes why the run is not profiled (RUN.why). */
static void write_reason(const struct member *m, const struct sl_failure *f)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.why", m->stem);
    FILE *out = fopen(path, "wxe");
    if (out) {
        fputs(f->text, out);
        fclose(out);
    }
}

/* ---- reading ---- */

/* Signals of the terminal and of the parent are for the guest. */
static void ignore_signals(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
}

/* A process that only forks and calls exec gets an instruction count and no database below this
 * many instructions: reading its symbols would take longer than it ran. */
#define PROFILED_MIN 200000u

static int write_count(const struct member *m, uint64_t instructions, struct sl_failure *f)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.count", m->stem);
    FILE *out = fopen(path, "wxe");
    bool good = out && fprintf(out, "%llu", (unsigned long long)instructions) > 0;
    return out && !fclose(out) && good
               ? 0
               : cli_process_tree_fail(f, "cannot write the instruction count of the process");
}

static int profile(struct sl_session *session, struct sl_source *source,
                   const struct cli_options *o, const struct member *m)
{
    struct sl_failure f;
    char database[PATH_MAX];
    snprintf(database, sizeof database, "%s.db", m->stem);
    ignore_signals();
    sl_source_run_range(source, o->skip, o->limit);
    int error = sl_session_run(session, source, NULL, NULL, &f);
    if (error >= 0 && m->ring && sl_source_replaced(source) &&
        sl_session_instructions(session) < PROFILED_MIN)
        error = write_count(m, sl_session_instructions(session), &f);
    else if (error >= 0 || f.code == SL_EFORMAT || f.code == SL_ENOMEM)
        error = sl_session_save(session, database, &f);
    if (error < 0)
        write_reason(m, &f);
    sl_source_close(source);
    sl_session_close(session);
    return error < 0 ? EXIT_SLUICE : 0;
}

/* Returns an exit status in the new process that reads the stream, or a negative error in the
 * original process. */
static int follow_as(const struct member *m, struct cli_options *o, char ***words,
                     struct sl_failure *f)
{
    struct sl_session *session;
    struct sl_source *source;
    int result = open_session(&session, o, words, m->process_tree, f);
    if (result < 0)
        return result;
    if (!m->ring) /* a forked process may be too short to need symbols */
        sl_session_read_ahead(session);
    struct sl_guest guest = {.size = sizeof guest,
                             .argv = m->argv,
                             .path = m->program,
                             .needs = sl_session_needs(session),
                             .load_sampling = cli_load_sampling(o, session),
                             .lossy = o->lossy,
                             .qemu = o->qemu,
                             .sysroot = o->sysroot,
                             .repeatable = o->repeatable,
                             .follow = m->stem,
                             .run = m->number,
                             .in_place = !m->ring,
                             .forked_ring = m->ring,
                             .forked_pid = m->pid};
    result = sl_source_run(&source, &guest, f);
    if (result >= 0)
        return profile(session, source, o, m);
    sl_session_close(session);
    return result;
}

static int follow(const struct member *m, struct sl_failure *f)
{
    struct cli_options o = {0};
    char **words = NULL;
    int result = follow_as(m, &o, &words, f);
    free(o.specs.word);
    free(o.sources.word);
    free(o.machine.other.word);
    free_words(words);
    return result;
}

int cli_run_followed(int argc, char **argv)
{
    struct sl_failure f;
    struct member m = {.pid = getpid(), .how = "started_by"};
    if (argc < 5)
        return EXIT_USAGE;
    m.program = argv[3];
    m.argv = argv + 4;
    if (find_process_tree(&m, argv[2]) && announce(&m)) {
        int status = follow(&m, &f);
        if (status >= 0)
            return status;
        write_reason(&m, &f);
    }
    execv(m.program, m.argv);
    int error = errno;
    sl_print_line(stderr, "sluice: cannot run %s: %s", m.program, strerror(error));
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}

/* Sets program and arguments to those of the parent, in the directory where the run started. */
static bool inherit(struct member *m)
{
    char path[PATH_MAX];
    size_t n;
    snprintf(path, sizeof path, "%s/%s.arguments", m->process_tree, m->parent);
    char **words = read_words(path, &n);
    snprintf(path, sizeof path, "%s/directory", m->process_tree);
    if (n < 2 || chdir(path))
        return false;
    m->program = *words[0] ? words[0] : NULL;
    m->argv = words + 1;
    m->words = words;
    return true;
}

int cli_run_forked(int argc, char **argv)
{
    struct sl_failure f;
    struct member m = {.how = "forked_by"};
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none,
                    NULL); /* the guest blocked all signals before it started sluice */
    if (argc != 5 || (m.ring = atoi(argv[3])) <= 0 || (m.pid = atoi(argv[4])) <= 0 ||
        !find_process_tree(&m, argv[2]) || !inherit(&m) || !announce(&m))
        return EXIT_SLUICE;
    int status = follow(&m, &f);
    if (status < 0)
        write_reason(&m, &f);
    free_words(m.words);
    return status < 0 ? EXIT_SLUICE : status;
}
