#include "family.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int fail(struct sl_failure *f, const char *what)
{
    *f = (struct sl_failure){.code = SL_EIO};
    snprintf(f->text, sizeof f->text, "cannot %s: %s", what, strerror(errno));
    return SL_EIO;
}

/* ---- making -------------------------------------------------------------- */

static int write_options(const char *path, int argc, char **argv)
{
    FILE *out = fopen(path, "wxe");
    bool good = out != NULL;
    for (int i = 0; good && i < argc; i++)
        good = fwrite(argv[i], strlen(argv[i]) + 1, 1, out) == 1;
    return out && !fclose(out) && good ? 0 : -1;
}

/* A run in a directory that has no name any more can do without. */
static void keep_directory(const char *family)
{
    char place[PATH_MAX], link[PATH_MAX];
    snprintf(link, sizeof link, "%s/directory", family);
    if (getcwd(place, sizeof place) && symlink(place, link))
        place[0] = 0; /* relative names then stay what they are */
}

char *cli_family_make(int argc, char **argv, struct sl_failure *f)
{
    const char *place = getenv("TMPDIR");
    char *family = NULL, *link = NULL, *options = NULL, own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (asprintf(&family, "%s/sluice-family-XXXXXX", place && *place == '/' ? place : "/tmp") < 0)
        family = NULL;
    if (!family || !mkdtemp(family)) { /* what has its name may be somebody else's */
        fail(f, "make a directory for the programs that this one starts");
        free(family);
        return NULL;
    }
    if (n > 0 && asprintf(&link, "%s/sluice", family) > 0 &&
        asprintf(&options, "%s/options", family) > 0) {
        own[n] = 0;
        if (!symlink(own, link) && !write_options(options, argc, argv) &&
            !prctl(PR_SET_CHILD_SUBREAPER, 1)) {
            keep_directory(family);
            free(link);
            free(options);
            return family;
        }
    }
    fail(f, "make a directory for the programs that this one starts");
    free(link);
    free(options);
    cli_family_remove(family);
    return NULL;
}

void cli_family_remove(char *family)
{
    DIR *directory = family ? opendir(family) : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    if (family)
        rmdir(family);
    free(family);
}

/* ---- gathering ----------------------------------------------------------- */

/* By process, and then as it ran them: "PID-N.program". */
static int in_order(const struct dirent **a, const struct dirent **b)
{
    return strverscmp((*a)->d_name, (*b)->d_name);
}

/* After so many sentences about programs that nobody has seen, only their number. */
#define UNSEEN_SAID 5

static int is_program(const struct dirent *entry)
{
    const char *end = strchr(entry->d_name, '.');
    return end && !strcmp(end, ".program");
}

/* Why the part at `stem` is not there. */
static void say_why(const char *stem, const char *program)
{
    char path[PATH_MAX], why[256] = "";
    snprintf(path, sizeof path, "%s.why", stem);
    FILE *in = fopen(path, "re");
    if (!in || !fgets(why, sizeof why, in))
        snprintf(why, sizeof why, "whoever watched it has ended before it");
    if (in)
        fclose(in);
    sl_say(stderr, "sluice: %s is not profiled: %s", program, why);
}

/* Adds to *unseen if nobody has seen it. */
static int add(const char *family, const char *name, struct sl_session *session, int *unseen,
               struct sl_failure *f)
{
    char stem[PATH_MAX / 2], path[PATH_MAX], program[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", family, name);
    ssize_t n = readlink(path, program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    snprintf(stem, sizeof stem, "%s/%.*s", family, (int)strcspn(name, "."), name);
    snprintf(path, sizeof path, "%s.db", stem);
    bool seen = !access(path, R_OK);
    if (!seen && ++*unseen <= UNSEEN_SAID)
        say_why(stem, program);
    return sl_session_add_process(session, (uint64_t)atoi(name), program, seen ? path : NULL, f);
}

int cli_family_gather(const char *family, struct sl_session *session, struct sl_failure *f)
{
    struct dirent **entry = NULL;
    int error = 0, unseen = 0;
    /* All are our children by now: readers, and what the guest has left running. */
    struct timespec pause = {.tv_nsec = 10000000};
    for (pid_t ended; !cli_told_to_end() && (ended = waitpid(-1, NULL, WNOHANG)) >= 0;)
        if (!ended)
            nanosleep(&pause, NULL);
    int n = scandir(family, &entry, is_program, in_order);
    if (n < 0)
        error = fail(f, "read the directory of the programs that this one has started");
    for (int i = 0; i < n; i++) {
        if (!error)
            error = add(family, entry[i]->d_name, session, &unseen, f);
        free(entry[i]);
    }
    if (unseen > UNSEEN_SAID)
        sl_say(stderr, "sluice: %d more programs are not profiled", unseen - UNSEEN_SAID);
    free(entry);
    return error;
}

/* ---- being one ----------------------------------------------------------- */

/* The options of the run, as its command line had them; returns how many, 0 if it fails. */
static int read_options(const char *family, char ***argv)
{
    char path[4096], *text = NULL;
    size_t room = 0, n = 0;
    snprintf(path, sizeof path, "%s/options", family);
    FILE *in = fopen(path, "re");
    *argv = NULL;
    while (in && getdelim(&text, &room, 0, in) > 0) {
        char **longer = realloc(*argv, (n + 2) * sizeof *longer);
        if (longer)
            *argv = longer;
        if (!longer || !(longer[n] = strdup(text))) {
            n = 0;
            break;
        }
        longer[++n] = NULL;
    }
    free(text);
    if (in)
        fclose(in);
    return (int)n;
}

/* Says which program this process runs now; gives the place for what it does, FAMILY/PID-N. */
static bool announce(const char *family, const char *program, char *stem, size_t room)
{
    char name[PATH_MAX];
    int i = -1, error;
    do {
        snprintf(stem, room, "%s/%d-%d", family, getpid(), ++i);
        snprintf(name, sizeof name, "%s.program", stem);
        error = symlink(program, name) ? errno : 0;
    } while (error == EEXIST);
    return !error;
}

/* That nothing comes of profiling it. */
static void explain(const char *stem, const struct sl_failure *f)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.why", stem);
    FILE *out = fopen(path, "we");
    if (out) {
        fputs(f->text, out);
        fclose(out);
    }
}

/* What our terminal or our parent sends is for the guest. */
static void ignore_signals(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
}

static int profile_followed(struct sl_session *session, struct sl_source *source,
                            const struct cli_options *o, const char *stem)
{
    struct sl_failure f;
    char database[PATH_MAX];
    snprintf(database, sizeof database, "%s.db", stem);
    ignore_signals();
    sl_source_window(source, o->skip, o->limit);
    int error = sl_session_run(session, source, NULL, NULL, &f);
    if (error >= 0 || f.code == SL_EFORMAT || f.code == SL_ENOMEM)
        error = sl_session_save(session, database, &f);
    if (error < 0)
        explain(stem, &f);
    sl_source_close(source);
    sl_session_close(session);
    return error < 0 ? EXIT_SLUICE : 0;
}

/* Where the guest is now, a relative name leads elsewhere. */
static void make_absolute(const char **name, char *room)
{
    if (*name && realpath(*name, room))
        *name = room;
}

/* As in the directory where the run began, from which its options name files. */
static int open_session(struct sl_session **session, struct cli_options *o, const char *family,
                        struct sl_failure *f)
{
    static char qemu[PATH_MAX], sysroot[PATH_MAX];
    char directory[PATH_MAX], **options;
    int n = read_options(family, &options), error;
    if (n <= 0 || cli_parse(&cli_run, n, options, o) >= 0)
        return fail(f, "read the options of the run");
    snprintf(directory, sizeof directory, "%s/directory", family);
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool moves = here >= 0 && !fchdir(here) && !chdir(directory);
    error = cli_open_session(session, o, f);
    if (o->qemu && strchr(o->qemu, '/')) /* else it is looked for in PATH */
        make_absolute(&o->qemu, qemu);
    make_absolute(&o->sysroot, sysroot);
    if (moves && fchdir(here) && error >= 0) {
        error = fail(f, "go back to the program's directory");
        sl_session_close(*session);
    }
    if (here >= 0)
        close(here);
    return error;
}

/* Returns in the process that reads; its status. Or a negative error: this is the program's still. */
static int follow(const char *family, const char *stem, const char *program, char **argv,
                  struct sl_failure *f)
{
    struct cli_options o;
    struct sl_session *session;
    struct sl_source *source;
    int error = open_session(&session, &o, family, f);
    if (error < 0)
        return error;
    struct sl_guest guest = {.argv = argv,
                             .path = program,
                             .wants = sl_session_wants(session),
                             .stretches = cli_stretches(&o, session),
                             .lossy = o.lossy,
                             .qemu = o.qemu,
                             .sysroot = o.sysroot,
                             .repeatable = o.repeatable,
                             .family = family,
                             .in_place = true};
    error = sl_source_run(&source, &guest, f);
    return error < 0 ? error : profile_followed(session, source, &o, stem);
}

int cli_followed(int argc, char **argv)
{
    struct sl_failure f;
    char stem[PATH_MAX / 2];
    if (argc < 5)
        return EXIT_USAGE;
    const char *family = argv[2], *program = argv[3];
    if (announce(family, program, stem, sizeof stem)) {
        int status = follow(family, stem, program, argv + 4, &f);
        if (status >= 0)
            return status;
        explain(stem, &f);
    }
    execv(program, argv + 4);
    int error = errno;
    sl_say(stderr, "sluice: cannot run %s: %s", program, strerror(error));
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}
