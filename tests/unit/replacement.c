/* SPDX-License-Identifier: MIT */
/* Unit tests of replacing a file atomically: the file has its old contents before the replacement,
 * its new contents afterwards, and its old contents if the process is killed in between. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replacement.h"
#include "tap.h"

static int files_here(void)
{
    int n = 0;
    DIR *here = opendir(".");
    for (struct dirent *e; (e = readdir(here));)
        n += e->d_name[0] != '.';
    closedir(here);
    return n;
}

static void put(const char *name, const char *text, mode_t mode)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, mode);
    ok(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && !fchmod(fd, mode),
       "%s is there", name);
    close(fd);
}

static bool holds(const char *name, const char *text)
{
    char got[64] = "";
    int fd = open(name, O_RDONLY);
    bool same = fd >= 0 && read(fd, got, sizeof got - 1) >= 0 && !strcmp(got, text);
    close(fd);
    return same;
}

static unsigned mode_of(const char *name)
{
    struct stat status = {0};
    lstat(name, &status);
    return status.st_mode & 07777;
}

static int replace(const char *name, const char *text, bool die)
{
    struct sl_replacement r;
    struct sl_failure f;
    int error = sl_replacement_open(&r, name, &f);
    if (error)
        return error;
    /* By its path, as a database is written. */
    int fd = open(r.path, O_WRONLY);
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        error = SL_EIO;
    close(fd);
    if (die)
        raise(SIGKILL);
    return error ? error : sl_replacement_commit(&r, &f);
}

static bool is_ours(const uint8_t *head)
{
    return !memcmp(head, "new", 3);
}

static void test_what_may_be_replaced(void)
{
    struct sl_failure f;
    put("empty", "", 0600);
    put("short", "ne", 0600);
    put("other", "a letter", 0600);
    ok(!sl_replaceable("not there", "a thing", is_ours, 3, &f), "nothing may be replaced");
    ok(!sl_replaceable("empty", "a thing", is_ours, 3, &f), "so may an empty file");
    ok(!sl_replaceable("file", "a thing", is_ours, 3, &f), "and one of ours");
    ok(sl_replaceable("short", "a thing", is_ours, 3, &f) == SL_EUSAGE, "%s", f.text);
    ok(sl_replaceable("other", "a thing", is_ours, 3, &f) == SL_EUSAGE, "%s", f.text);
    ok(sl_replaceable(".", "a thing", is_ours, 3, &f) == SL_EUSAGE, "%s", f.text);
}

/* A death between two steps, and one who is still at it. */
static void test_leftovers(void)
{
    put("file.new-0123456789abcdef", "half", 0600);
    put("file.new-fedcba9876543210", "half", 0600);
    put("file.new-0123456789abcdef0", "mine", 0600);
    put("file2.new-0123456789abcdef", "half", 0600);
    int fd = open("file.new-fedcba9876543210", O_RDWR);
    ok(!flock(fd, LOCK_EX) && !replace("file", "new 4", false) && holds("file", "new 4"),
       "a file is replaced next to what the dead have left");
    ok(access("file.new-0123456789abcdef", F_OK), "which is gone then");
    ok(!access("file.new-fedcba9876543210", F_OK),
       "but not a file that another process is writing");
    ok(!access("file2.new-0123456789abcdef", F_OK), "what belongs to another file");
    ok(!access("file.new-0123456789abcdef0", F_OK), "or has a name that we give to none");
    close(fd);
    struct sl_replacement r;
    struct sl_failure f;
    ok(!sl_replacement_open(&r, "file", &f), "it is begun once more");
    fd = open(r.path, O_RDWR);
    ok(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB), "what we are writing is locked");
    close(fd);
    sl_replacement_abandon(&r);
}

int main(void)
{
    char folder[] = "/tmp/sluice-replacement-XXXXXX";
    struct sl_replacement r;
    struct sl_failure f;
    int status;
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    umask(022);
    ok(!replace("file", "new 1", false) && holds("file", "new 1"), "a file is created");
    ok(mode_of("file") == 0600, "for its owner alone (%o)", mode_of("file"));
    chmod("file", 0640);
    ok(!replace("file", "new 2", false) && holds("file", "new 2"), "it is replaced");
    ok(mode_of("file") == 0640, "and keeps its mode (%o)", mode_of("file"));

    if (!sl_replacement_open(&r, "file", &f))
        sl_replacement_abandon(&r);
    ok(holds("file", "new 2") && files_here() == 1, "what is abandoned leaves nothing");

    bool unnamed = !sl_replacement_open(&r, "file", &f) && !r.named;
    sl_replacement_abandon(&r);
    pid_t child = fork();
    if (!child)
        _exit(replace("file", "half", true) ? 1 : 0);
    waitpid(child, &status, 0);
    ok(WIFSIGNALED(status) && holds("file", "new 2"), "a death in between leaves the old one");
    ok(!unnamed || files_here() == 1, "and nothing else, where files can be without a name (%d)",
       files_here());

    ok(!symlink("file", "link") && !replace("link", "new 3", false) && holds("file", "new 3"),
       "what a link leads to is replaced");
    ok((readlink("link", (char[8]){0}, 8)) == 4, "and the link stays");
    ok(replace("no/where", "x", false) == SL_EIO, "a folder that is not there");
    test_what_may_be_replaced();
    test_leftovers();
    char longest[NAME_MAX + 1];
    memset(longest, 'a', NAME_MAX);
    longest[NAME_MAX] = 0;
    ok(!replace(longest, "new", false) && holds(longest, "new"), "a name as long as names can be");
    status = system("rm -rf \"$PWD\"");
    return done_testing();
}
