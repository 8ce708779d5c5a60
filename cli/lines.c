/* SPDX-License-Identifier: MIT */
/* Queue of JSON lines for the option --live, which prints the results of each interval. A separate
 * thread writes the lines, so that profiling does not wait for a slow reader of the output.
 *
 *     session ─► queue, bounded ─► writer thread ─► file, pipe, socket, terminal
 *
 * The session never waits for a reader: if the queue is full, a line is lost and counted. A regular
 * file has no reader, so there the session waits and no line is lost. The thread opens a named
 * pipe, because open() waits for a reader. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "during_run.h"

#define QUEUE_BYTES (UINT64_C(8) << 20)
#define LAST_SECONDS 2 /* to write the rest of the queue at the end */

struct line {
    struct line *next;
    char *text; /* ends with a newline instead of 0 */
    size_t size;
};

struct cli_lines {
    int fd; /* -1: the thread opens `pipe` */
    const char *name, *pipe;
    bool is_file;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the fields below */
    pthread_cond_t more, less;
    struct line *first, **last;
    uint64_t bytes; /* in the queue */
    uint64_t n, written;
    bool ending;
    int error; /* errno of a write or open; no line is written after it */
};

/* ---- the thread ---- */

static int write_all(int fd, const char *text, size_t size)
{
    while (size) {
        ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            text += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

static struct line *pop(struct cli_lines *l)
{
    struct line *line;
    pthread_mutex_lock(&l->lock);
    while (!l->first && !l->ending)
        pthread_cond_wait(&l->more, &l->lock);
    if ((line = l->first)) {
        if (!(l->first = line->next))
            l->last = &l->first;
        l->bytes -= line->size;
    }
    pthread_cond_signal(&l->less);
    pthread_mutex_unlock(&l->lock);
    return line;
}

static void *write_queue(void *lines)
{
    struct cli_lines *l = lines;
    struct line *line;
    int error = 0;
    if (l->fd < 0 && (l->fd = open(l->pipe, O_WRONLY | O_CLOEXEC)) < 0)
        error = errno;
    while ((line = pop(l))) {
        if (!error)
            error = write_all(l->fd, line->text, line->size);
        pthread_mutex_lock(&l->lock);
        l->written += !error;
        l->error = error;
        pthread_mutex_unlock(&l->lock);
        free(line->text);
        free(line);
    }
    return NULL;
}

/* ---- opening ---- */

static int fail(struct sl_failure *f, enum sl_error code, const char *name, const char *why)
{
    *f = (struct sl_failure){.code = code, .setting = "live"};
    snprintf(f->text, sizeof f->text, "cannot write to %s: %s", name, why);
    return code;
}

/* Duplicates a descriptor given by the user, so that the guest does not inherit it. */
static int duplicate(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return -1;
    }
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy >= 0 && fd > STDERR_FILENO)
        close(fd);
    return copy;
}

static int open_output(struct cli_lines *l, const struct cli_live_options *options,
                       struct sl_failure *f)
{
    struct stat info;
    l->name = options->file ? options->file : "the descriptor";
    if (options->file && !stat(options->file, &info) && S_ISFIFO(info.st_mode)) {
        l->pipe = options->file;
        return 0;
    }
    l->fd = options->file ? open(options->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                          : duplicate(options->descriptor);
    if (l->fd < 0)
        return fail(f, SL_EIO, l->name, strerror(errno));
    l->is_file = !fstat(l->fd, &info) && S_ISREG(info.st_mode);
    return 0;
}

/* Starts the thread with all signals blocked: the session's thread handles them, and writing to a
 * pipe without a reader returns EPIPE. */
static int start(struct cli_lines *l)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&l->thread, NULL, write_queue, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int cli_lines_open(struct cli_lines **lines, const struct cli_live_options *options,
                   struct sl_failure *f)
{
    struct cli_lines *l = calloc(1, sizeof *l);
    if (!l)
        return fail(f, SL_ENOMEM, "the reader", "out of memory");
    l->fd = -1;
    l->last = &l->first;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->more, NULL);
    pthread_cond_init(&l->less, NULL);
    int error = open_output(l, options, f), started = 0;
    if (error >= 0 && (started = start(l)))
        error = fail(f, SL_ENOMEM, l->name, strerror(started));
    if (error >= 0) {
        *lines = l;
        return 0;
    }
    if (l->fd >= 0)
        close(l->fd);
    free(l);
    return error;
}

/* ---- adding ---- */

void cli_lines_add(struct cli_lines *l, char *text)
{
    struct line *line = text ? malloc(sizeof *line) : NULL;
    size_t size = text ? strlen(text) + 1 : 0;
    pthread_mutex_lock(&l->lock);
    l->n++;
    while (l->is_file && line && !l->error && l->bytes && l->bytes + size > QUEUE_BYTES)
        pthread_cond_wait(&l->less, &l->lock);
    bool fits = line && !l->error && l->bytes + size <= QUEUE_BYTES;
    if (fits) {
        text[size - 1] = '\n';
        *line = (struct line){.text = text, .size = size};
        *l->last = line;
        l->last = &line->next;
        l->bytes += size;
        pthread_cond_signal(&l->more);
    }
    pthread_mutex_unlock(&l->lock);
    if (!fits) {
        free(text);
        free(line);
    }
}

/* ---- the end ---- */

static void free_lines(struct cli_lines *l)
{
    close(l->fd);
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->more);
    pthread_cond_destroy(&l->less);
    free(l);
}

/* Waits for the thread. Returns false if it does not end in time: `l` must not be freed then. */
static bool join(struct cli_lines *l)
{
    struct timespec until;
    if (l->is_file)
        return !pthread_join(l->thread, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LAST_SECONDS;
    if (!pthread_timedjoin_np(l->thread, NULL, &until))
        return true;
    pthread_detach(l->thread);
    return false;
}

void cli_lines_close(struct cli_lines *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->ending = true;
    pthread_cond_signal(&l->more);
    pthread_mutex_unlock(&l->lock);
    bool ended = join(l);
    pthread_mutex_lock(&l->lock);
    uint64_t lost = l->n - l->written, n = l->n;
    const char *why = l->error ? strerror(l->error) : "the reader is too slow";
    pthread_mutex_unlock(&l->lock);
    if (lost)
        sl_print_line(stderr, "sluice: --live: %llu of %llu intervals were not written to %s: %s",
                      (unsigned long long)lost, (unsigned long long)n, l->name, why);
    if (ended)
        free_lines(l);
}
