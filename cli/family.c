#include "family.h"

#include <dirent.h>
#include <errno.h>
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

static int is_program(const struct dirent *entry)
{
    const char *end = strchr(entry->d_name, '.');
    return end && !strcmp(end, ".program");
}

static int add(const char *family, const char *name, struct sl_session *session, struct sl_failure *f)
{
    char path[4096], program[4096];
    snprintf(path, sizeof path, "%s/%s", family, name);
    ssize_t n = readlink(path, program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    snprintf(path, sizeof path, "%s/%.*s.db", family, (int)strcspn(name, "."), name);
    return sl_session_add_process(session, (uint64_t)atoi(name), program,
                                  access(path, R_OK) ? NULL : path, f);
}

int cli_family_gather(const char *family, struct sl_session *session, struct sl_failure *f)
{
    struct dirent **entry = NULL;
    int error = 0;
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
            error = add(family, entry[i]->d_name, session, f);
        free(entry[i]);
    }
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

/* Says which program this process runs now; gives the place for what it does. */
static bool announce(const char *family, const char *program, char *database, size_t room)
{
    char name[4096];
    int i = -1, error;
    do {
        snprintf(name, sizeof name, "%s/%d-%d.program", family, getpid(), ++i);
        error = symlink(program, name) ? errno : 0;
    } while (error == EEXIST);
    snprintf(database, room, "%s/%d-%d.db", family, getpid(), i);
    return !error;
}

/* What our terminal or our parent sends is for the guest. */
static void ignore_signals(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
}

static int profile_followed(struct sl_session *session, struct sl_source *source,
                            const struct cli_options *o, const char *database)
{
    struct sl_failure f;
    ignore_signals();
    sl_source_window(source, o->skip, o->limit);
    int error = sl_session_run(session, source, NULL, NULL, &f);
    if (error >= 0 || f.code == SL_EFORMAT || f.code == SL_ENOMEM)
        error = sl_session_save(session, database, &f);
    sl_source_close(source);
    sl_session_close(session);
    return error < 0 ? EXIT_SLUICE : 0;
}

int cli_followed(int argc, char **argv)
{
    struct cli_options o;
    struct sl_failure f;
    struct sl_session *session;
    struct sl_source *source;
    char **options, database[4096];
    if (argc < 5)
        return EXIT_USAGE;
    const char *family = argv[2], *program = argv[3];
    if (!announce(family, program, database, sizeof database))
        database[0] = 0;
    int n = read_options(family, &options);
    if (database[0] && n > 0 && cli_parse(&cli_run, n, options, &o) < 0 && cli_open_session(&session, &o, &f) >= 0) {
        struct sl_guest guest = {.argv = argv + 4,
                                 .path = program,
                                 .wants = sl_session_wants(session),
                                 .stretches = cli_stretches(&o, session),
                                 .lossy = o.lossy,
                                 .qemu = o.qemu,
                                 .sysroot = o.sysroot,
                                 .family = family,
                                 .in_place = true};
        if (sl_source_run(&source, &guest, &f) >= 0)
            return profile_followed(session, source, &o, database);
    }
    execv(program, argv + 4);
    int error = errno;
    sl_say(stderr, "sluice: cannot run %s: %s", program, strerror(error));
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}
