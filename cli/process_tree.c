/* SPDX-License-Identifier: MIT */
/* Temporary directory of `sluice run --follow`, in which sluice stores the profiles of the
 * processes that the program starts. The functions create and remove the directory, and add these
 * profiles to the session of the run (process_tree.h). */
#include "process_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int cli_process_tree_fail(struct sl_failure *f, const char *what)
{
    *f = (struct sl_failure){.code = SL_EIO};
    snprintf(f->text, sizeof f->text, "%s: %s", what, strerror(errno));
    return SL_EIO;
}

/* ---- making ---- */

/* Returns true if the directory is gone. */
static bool remove_all(const char *process_tree)
{
    DIR *entries = opendir(process_tree);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries)
        closedir(entries);
    return !rmdir(process_tree) || errno == ENOENT;
}

static bool write_words(FILE *out, char *const *word, size_t n)
{
    bool good = out != NULL;
    for (size_t i = 0; good && i < n; i++)
        good = fwrite(word[i], strlen(word[i]) + 1, 1, out) == 1;
    return good;
}

static bool write_options(const char *path, int argc, char **argv)
{
    FILE *out = fopen(path, "wxe");
    bool good = write_words(out, argv, (size_t)argc);
    return out && !fclose(out) && good;
}

bool cli_process_tree_describe(const char *run, const char *program, char *const *argv)
{
    char path[PATH_MAX], directory[PATH_MAX] = "";
    size_t n = 0;
    snprintf(path, sizeof path, "%s.arguments", run);
    if (program && *program != '/' && !getcwd(directory, sizeof directory))
        return false;
    while (argv[n])
        n++;
    FILE *out = fopen(path, "wxe");
    bool good = out &&
                fprintf(out, "%s%s%s", directory, *directory ? "/" : "", program ? program : "") >=
                    0 &&
                putc(0, out) == 0 && write_words(out, argv, n);
    return out && !fclose(out) && good;
}

/* Starts a daemon that removes the directory when sluice has ended, even by SIGKILL. It waits for
 * the end of a pipe that only sluice holds open. */
static void start_cleanup(const char *process_tree)
{
    int ends[2];
    char byte;
    if (pipe2(ends, O_CLOEXEC))
        return; /* then the directory stays if sluice is killed */
    pid_t between = fork();
    if (between == 0) {
        if (fork())
            _exit(0);
        setsid();
        dup2(ends[0], 3);
        close_range(4, ~0u, 0);
        for (int fd = 0; fd <= 2; fd++)
            close(fd);
        while (read(3, &byte, 1) < 0 && errno == EINTR)
            ;
        for (int i = 0; i < 50 && !remove_all(process_tree);
             i++) /* readers may still write there */
            usleep(100000);
        _exit(0);
    }
    while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR)
        ;
    close(ends[0]);
}

/* Fails silently if the working directory was removed. */
static void link_directory(const char *process_tree)
{
    char directory[PATH_MAX], link[PATH_MAX];
    snprintf(link, sizeof link, "%s/directory", process_tree);
    if (getcwd(directory, sizeof directory) && symlink(directory, link))
        directory[0] = 0; /* relative names are then used as they are */
}

char *cli_process_tree_make(int argc, char **argv, struct sl_failure *f)
{
    const char *directory = getenv("TMPDIR");
    char *process_tree = NULL, *link = NULL, *options = NULL, executable[4096], first[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (asprintf(&process_tree, "%s/sluice-process-tree-XXXXXX",
                 directory && *directory == '/' ? directory : "/tmp") < 0)
        process_tree = NULL;
    if (!process_tree ||
        !mkdtemp(process_tree)) { /* a directory of that name may be another user's */
        cli_process_tree_fail(f,
                              "cannot make a temporary directory for --follow in TMPDIR or /tmp");
        free(process_tree);
        return NULL;
    }
    start_cleanup(process_tree); /* before orphans become our children */
    if (n > 0 && asprintf(&link, "%s/sluice", process_tree) > 0 &&
        asprintf(&options, "%s/options", process_tree) > 0) {
        executable[n] = 0;
        snprintf(first, sizeof first, "%s/first", process_tree);
        if (!symlink(executable, link) && write_options(options, argc, argv) &&
            cli_process_tree_describe(first, NULL, argv + argc) &&
            !prctl(PR_SET_CHILD_SUBREAPER, 1)) {
            link_directory(process_tree);
            free(link);
            free(options);
            return process_tree;
        }
    }
    cli_process_tree_fail(f, "cannot make a temporary directory for --follow in TMPDIR or /tmp");
    free(link);
    free(options);
    cli_process_tree_remove(process_tree);
    return NULL;
}

void cli_process_tree_remove(char *process_tree)
{
    if (process_tree)
        remove_all(process_tree);
    free(process_tree);
}

/* ---- gathering ---- */

FILE *cli_process_tree_open(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *in = fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) ? fdopen(fd, "r") : NULL;
    if (!in && fd >= 0)
        close(fd);
    return in;
}

/* Sorts "PID-N.program" by process and by order of execution. */
static int in_order(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

/* Maximum number of messages about programs that were not profiled; the rest is only counted. */
#define REASONS_MAX 5

static int is_program(const struct dirent *entry)
{
    const char *end = strchr(entry->d_name, '.');
    return end && !strcmp(end, ".program");
}

/* Prints why the run `stem` has no profile. */
static void print_reason(const char *stem, const char *program)
{
    char path[PATH_MAX], why[256] = "";
    snprintf(path, sizeof path, "%s.why", stem);
    FILE *in = cli_process_tree_open(path);
    if (!in || !fgets(why, sizeof why, in))
        snprintf(why, sizeof why, "its reader ended first");
    if (in)
        fclose(in);
    sl_print_line(stderr, "sluice: %s is not profiled: %s", program, why);
}

/* The number of the run called `name`; 0: the first. */
static uint64_t number_of(const struct dirent *const *entry, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strncmp(entry[i]->d_name, name, strlen(name)) && entry[i]->d_name[strlen(name)] == '.')
            return i + 1;
    return 0;
}

static bool read_link(const char *stem, const char *end, char *text, size_t capacity)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.%s", stem, end);
    ssize_t n = readlink(path, text, capacity - 1);
    text[n > 0 ? n : 0] = 0;
    return n > 0;
}

static bool read_count(const char *stem, uint64_t *instructions)
{
    char path[PATH_MAX];
    unsigned long long n;
    snprintf(path, sizeof path, "%s.count", stem);
    FILE *in = cli_process_tree_open(path);
    bool read = in && fscanf(in, "%llu", &n) == 1;
    if (in)
        fclose(in);
    *instructions = read ? n : 0;
    return read;
}

/* Adds the i-th run to the session; increments *unprofiled if it was not profiled. */
static int add(const char *process_tree, const struct dirent *const *entry, size_t n, size_t i,
               struct sl_session *session, int *unprofiled, struct sl_failure *f)
{
    char stem[PATH_MAX / 2], path[PATH_MAX], program[PATH_MAX], parent[NAME_MAX + 1];
    const char *name = entry[i]->d_name;
    struct stat status;
    snprintf(stem, sizeof stem, "%s/%.*s", process_tree, (int)strcspn(name, "."), name);
    read_link(stem, "program", program, sizeof program);
    struct sl_process process = {.pid = (uint64_t)atoi(name), .program = program};
    process.forked = read_link(stem, "forked_by", parent, sizeof parent);
    if (process.forked || read_link(stem, "started_by", parent, sizeof parent))
        process.parent = number_of(entry, n, parent);
    snprintf(path, sizeof path, "%s.db", stem);
    if (!lstat(path, &status) && S_ISREG(status.st_mode)) /* not a pipe that the guest has made */
        process.database = path;
    else if (!(process.counted = read_count(stem, &process.instructions)) &&
             ++*unprofiled <= REASONS_MAX)
        print_reason(stem, program);
    return sl_session_add_process(session, &process, f);
}

int cli_process_tree_gather(const char *process_tree, struct sl_session *session,
                            struct sl_failure *f)
{
    struct dirent **entry = NULL;
    int error = 0, unprofiled = 0;
    /* All are children of sluice now: readers, and orphans of the guest. */
    struct timespec pause = {.tv_nsec = 10000000};
    sl_session_pause(session); /* ends its own processes */
    for (pid_t ended; !cli_must_end() && (ended = waitpid(-1, NULL, WNOHANG)) >= 0;)
        if (!ended)
            nanosleep(&pause, NULL);
    int n = scandir(process_tree, &entry, is_program, in_order);
    if (n < 0)
        error = cli_process_tree_fail(f, "cannot read the temporary directory of --follow");
    for (int i = 0; i < n && !error; i++)
        error = add(process_tree, (const struct dirent *const *)entry, (size_t)n, (size_t)i,
                    session, &unprofiled, f);
    if (unprofiled > REASONS_MAX)
        sl_print_line(stderr, "sluice: %d more programs are not profiled",
                      unprofiled - REASONS_MAX);
    for (int i = 0; i < n; i++)
        free(entry[i]);
    free(entry);
    return error;
}
