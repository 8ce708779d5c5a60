/* SPDX-License-Identifier: MIT */
/* sluice's end of the connection to the reader process (elf_reader.h): starts the process, sends
 * requests, and receives tables with limits on their size and on the time. */
#include "elf_reader.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grow.h"

#define WAIT_MS 100 /* between two looks at the time */
#define BUFFER_BYTES ((size_t)1 << 14)
#define LAST_WAIT_MS 1000                /* after a second signal */
#define TABLES_BYTES ((uint64_t)1 << 30) /* of one file, as far as the file is not larger */

struct sl_elf_reader_file {
    char *path;
    struct stat status;
    int fd;           /* -1: to be opened again by the next process */
    unsigned process; /* number of the process that has opened it; 0: none */
    bool ahead;
    enum sl_elf_status failed;
    uint64_t table_bytes; /* received */
};

void sl_elf_table_free(struct sl_elf_table *table)
{
    for (size_t i = 0; i < SL_ELF_ARRAYS; i++)
        free(table->array[i].at);
    *table = (struct sl_elf_table){0};
}

/* ---- files ---- */

/* Regular files only: opening a device or a pipe can have side effects or block. */
static int open_plain(const char *path, struct stat *status)
{
    char magic[SELFMAG] = "";
    int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd >= 0 && (fstat(fd, status) || !S_ISREG(status->st_mode) ||
                    pread(fd, magic, SELFMAG, 0) != SELFMAG || memcmp(magic, ELFMAG, SELFMAG))) {
        close(fd);
        return -1;
    }
    return fd;
}

uint32_t sl_elf_reader_open(struct sl_elf_reader *reader, const char *path)
{
    size_t n = reader->n_files;
    struct stat status;
    int fd = strlen(path) < PATH_MAX ? open_plain(path, &status) : -1;
    if (fd < 0)
        return SL_NO_INDEX;
    char *copy = n < SL_NO_INDEX && SL_GROW(reader->file, reader->capacity, n + 1) ? strdup(path)
                                                                                   : NULL;
    if (!copy) {
        close(fd);
        return SL_NO_INDEX;
    }
    reader->file[reader->n_files++] = (struct sl_elf_reader_file){copy, status, .fd = fd};
    return (uint32_t)n;
}

bool sl_elf_reader_is_current(const struct sl_elf_reader *reader, uint32_t file)
{
    const struct stat *then = &reader->file[file].status;
    struct stat now;
    return !stat(reader->file[file].path, &now) && now.st_dev == then->st_dev &&
           now.st_ino == then->st_ino && now.st_size == then->st_size &&
           now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == then->st_mtim.tv_nsec;
}

/* ---- the process ---- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void end_process(struct sl_elf_reader *reader)
{
    siginfo_t info;
    if (!reader->socket)
        return;
    close(reader->socket);
    reader->socket = 0;
    /* Not if it is a child of the process that was copied, or another function has waited for it.
     */
    if (!waitid(P_PID, (id_t)reader->process, &info, WEXITED | WNOHANG | WNOWAIT)) {
        kill(reader->process, SIGKILL);
        while (waitpid(reader->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

bool sl_elf_reader_start(struct sl_elf_reader *reader)
{
    int ends[2];
    struct timeval wait = {.tv_usec = WAIT_MS * 1000};
    sigset_t all, before;
    if (reader->socket)
        return true;
    if (!reader->received && !(reader->received = malloc(BUFFER_BYTES)))
        return false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    pid_t self = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* no handler of ours runs in the process */
    pid_t child = fork();
    if (!child)
        sl_elf_process(ends[1], self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return false;
    }
    reader->socket = ends[0];
    reader->process = child;
    reader->process_number++;
    reader->n_opened = 0;
    reader->used = reader->filled = 0;
    return true;
}

/* ---- messages ---- */

/* Whether to wait any longer for the process. */
static bool has_time(struct sl_elf_reader *reader, int64_t end_ms)
{
    int64_t now = now_ms();
    if (reader->must_stop && *reader->must_stop && !reader->stop_ms)
        reader->stop_ms = now + LAST_WAIT_MS;
    return now < end_ms && (!reader->stop_ms || now < reader->stop_ms);
}

/* Receives up to `size` bytes, small pieces through a buffer. */
static ssize_t receive(struct sl_elf_reader *reader, void *to, size_t size)
{
    if (reader->used == reader->filled && size >= BUFFER_BYTES)
        return recv(reader->socket, to, size, MSG_WAITALL);
    if (reader->used == reader->filled) {
        ssize_t n = recv(reader->socket, reader->received, BUFFER_BYTES, 0);
        if (n <= 0)
            return n;
        reader->used = 0;
        reader->filled = (size_t)n;
    }
    size_t left = reader->filled - reader->used, n = size < left ? size : left;
    memcpy(to, reader->received + reader->used, n);
    reader->used += n;
    return (ssize_t)n;
}

/* Receives or, if `from` is not NULL, sends. Returns false if the process has ended or the time is
 * over. */
static bool transfer(struct sl_elf_reader *reader, void *to, const void *from, size_t size,
                     int64_t end_ms)
{
    for (size_t n = 0; n < size;) {
        ssize_t now = from ? send(reader->socket, (const char *)from + n, size - n, MSG_NOSIGNAL)
                           : receive(reader, (char *)to + n, size - n);
        if (!now || (now < 0 && errno != EINTR && errno != EAGAIN))
            return false;
        n += now > 0 ? (size_t)now : 0;
        if (n < size && !has_time(reader, end_ms))
            return false;
    }
    return true;
}

static bool send_file(struct sl_elf_reader *reader, uint32_t number, int fd, int64_t end_ms)
{
    const struct sl_elf_reader_file *file = &reader->file[number];
    struct sl_elf_request request = {.part = SL_ELF_OPEN,
                                     .file = number,
                                     .path_bytes = (uint16_t)strlen(file->path),
                                     .ahead = file->ahead};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.head = {CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    ssize_t n;
    while ((n = sendmsg(reader->socket, &message, MSG_NOSIGNAL)) < 0)
        if ((errno != EINTR && errno != EAGAIN) || !has_time(reader, end_ms))
            return false;
    return transfer(reader, NULL, (char *)&request + n, sizeof request - (size_t)n, end_ms) &&
           transfer(reader, NULL, file->path, request.path_bytes, end_ms);
}

/* Starts the process if there is none, and opens the file in it. */
static bool open_in_process(struct sl_elf_reader *reader, uint32_t number, int64_t end_ms)
{
    struct sl_elf_reader_file *file = &reader->file[number];
    struct stat status;
    if (!sl_elf_reader_start(reader)) {
        file->failed = SL_ELF_ENDED;
        return false;
    }
    if (file->process == reader->process_number)
        return true;
    int fd = file->fd >= 0 ? file->fd : open_plain(file->path, &status);
    if (fd < 0 || (file->fd < 0 && !sl_elf_reader_is_current(reader, number))) {
        if (fd >= 0)
            close(fd);
        file->failed = SL_ELF_CHANGED;
        return false;
    }
    bool good = send_file(reader, number, fd, end_ms);
    close(fd);
    file->fd = -1;
    file->ahead = false;
    file->process = reader->process_number;
    reader->n_opened++;
    return good;
}

static bool receive_table(struct sl_elf_reader *reader, struct sl_elf_reader_file *file,
                          const struct sl_elf_reply *reply, const uint8_t *element,
                          struct sl_elf_table *table, int64_t end_ms)
{
    uint64_t most = TABLES_BYTES + 8 * (uint64_t)sl_elf_allocated(&file->status);
    memcpy(table->value, reply->value, sizeof table->value);
    for (size_t i = 0; i < SL_ELF_ARRAYS; i++) {
        uint64_t left = most - file->table_bytes, n = reply->n[i];
        if (!n)
            continue;
        if (!element[i] || n > left / element[i] || n >= SL_NO_INDEX)
            return false;
        file->table_bytes += n * element[i];
        if (!(table->array[i].at = malloc(n * element[i])) ||
            !transfer(reader, table->array[i].at, NULL, n * element[i], end_ms))
            return false;
        table->array[i].n = n;
        bool names = i >= 2 && element[i] == 1;
        if (names && ((const char *)table->array[i].at)[n - 1])
            return false;
    }
    return true;
}

/* Sends a request and receives the reply. Returns the status of the reply, and sets *failed to the
 * file that it is about. */
static enum sl_elf_status ask(struct sl_elf_reader *reader, uint32_t number, enum sl_elf_part part,
                              uint32_t unit, struct sl_elf_table *table, uint32_t *failed)
{
    struct sl_elf_reader_file *file = &reader->file[number];
    struct sl_elf_request request = {.part = part, .file = number, .unit = unit};
    struct sl_elf_reply reply = {0};
    /* The process ends itself before; it may be reading another file in advance. */
    int64_t end_ms = now_ms() +
                     15000 * (int64_t)sl_elf_seconds_limit(sl_elf_allocated(&file->status));
    *failed = number;
    if (!open_in_process(reader, number, end_ms))
        return file->failed ? file->failed : SL_ELF_ENDED;
    transfer(reader, NULL, &request, sizeof request, end_ms); /* it may have sent a last reply */
    if (!transfer(reader, &reply, NULL, sizeof reply, end_ms))
        return has_time(reader, end_ms) ? SL_ELF_ENDED : SL_ELF_TIME;
    *failed = reply.file;
    if (reply.status)
        return reply.status == SL_ELF_MEMORY || reply.status == SL_ELF_TIME ? reply.status
                                                                            : SL_ELF_ENDED;
    return receive_table(reader, file, &reply, sl_elf_element[part], table, end_ms) ? SL_ELF_GOOD
                                                                                    : SL_ELF_ENDED;
}

bool sl_elf_reader_get(struct sl_elf_reader *reader, uint32_t number, enum sl_elf_part part,
                       uint32_t unit, struct sl_elf_table *table)
{
    struct sl_elf_reader_file *file = &reader->file[number];
    *table = (struct sl_elf_table){0};
    for (bool again = false; !file->failed;) {
        uint32_t failed;
        enum sl_elf_status status = ask(reader, number, part, unit, table, &failed);
        if (!status)
            return true;
        sl_elf_table_free(table);
        /* Another file may have damaged the process: try once with this one alone. */
        bool alone = again || reader->n_opened < 2;
        end_process(reader);
        if (failed >= reader->n_files)
            failed = number;
        if (status == SL_ELF_ENDED && !alone)
            again = true;
        else
            reader->file[failed].failed = status;
    }
    return false;
}

void sl_elf_reader_ahead(struct sl_elf_reader *reader, uint32_t number)
{
    reader->file[number].ahead = true;
    if (!open_in_process(reader, number, now_ms() + WAIT_MS))
        end_process(reader);
}

void sl_elf_reader_rest(struct sl_elf_reader *reader)
{
    end_process(reader);
}

void sl_elf_reader_warning(const struct sl_elf_reader *reader, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < reader->n_files && used < capacity; i++) {
        const struct sl_elf_reader_file *file = &reader->file[i];
        size_t bytes = sl_elf_allocated(&file->status);
        char why[80] = "the file was changed during the run";
        if (!file->failed)
            continue;
        if (reader->stop_ms)
            snprintf(why, sizeof why, "a signal ended the reading");
        else if (file->failed == SL_ELF_MEMORY)
            snprintf(why, sizeof why, "that takes more than %zu MB",
                     sl_elf_memory_limit(bytes) >> 20);
        else if (file->failed == SL_ELF_TIME)
            snprintf(why, sizeof why, "that takes more than %u s", sl_elf_seconds_limit(bytes));
        else if (file->failed == SL_ELF_ENDED)
            snprintf(why, sizeof why, "the process that reads them ended");
        int n = snprintf(text + used, capacity - used,
                         "%scannot read all symbols of %.200s: %s; some of its code is shown by "
                         "address",
                         used ? "; " : "", file->path, why);
        used += n > 0 ? (size_t)n : 0;
    }
}

void sl_elf_reader_free(struct sl_elf_reader *reader)
{
    end_process(reader);
    for (size_t i = 0; i < reader->n_files; i++) {
        if (reader->file[i].fd >= 0)
            close(reader->file[i].fd);
        free(reader->file[i].path);
    }
    free(reader->file);
    free(reader->received);
    *reader = (struct sl_elf_reader){0};
}
