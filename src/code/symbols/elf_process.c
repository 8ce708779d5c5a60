/* SPDX-License-Identifier: MIT */
/* The reader process (elf_reader.h): answers requests, and while there is none, reads files in
 * advance. Functions come first, because detectors need them while the program runs:
 *
 *     requests  ─ open a ─ open b ──────────────────── functions of b ─────────────────
 *     process    functions of a │ of b │ units of a │ (answers) │ units of b │ waits   */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "elf_file.h"
#include "grow.h"

struct process {
    int socket;
    struct sl_elf_file **file; /* NULL: opened by an earlier process */
    size_t n, capacity;
    size_t n_functions, n_units; /* files of which these were read in advance, or need not be */
};

/* Ends the process if the other end is closed. */
static void receive(const struct process *p, void *to, size_t size)
{
    for (size_t n = 0; n < size;) {
        ssize_t now = recv(p->socket, (char *)to + n, size - n, MSG_WAITALL);
        if (!now || (now < 0 && errno != EINTR))
            _exit(0);
        n += now > 0 ? (size_t)now : 0;
    }
}

/* The request, with the descriptor of SL_ELF_OPEN. */
static struct sl_elf_request receive_request(const struct process *p, int *fd)
{
    struct sl_elf_request request = {0};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n;
    while ((n = recvmsg(p->socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    if (n <= 0)
        _exit(0);
    receive(p, (char *)&request + n, sizeof request - (size_t)n);
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *fd = -1;
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(head), sizeof *fd);
    return request;
}

static void open_file(struct process *p, const struct sl_elf_request *request, int fd)
{
    struct stat status = {0};
    struct sl_elf_file *file = calloc(1, sizeof *file);
    char *path = calloc(1, request->path_bytes + 1u);
    if (!file || !path || request->file >= SL_NO_INDEX ||
        !SL_GROW(p->file, p->capacity, request->file + 1u))
        sl_elf_sandbox_fail(SL_ELF_MEMORY);
    receive(p, path, request->path_bytes);
    fstat(fd, &status);
    file->use = (struct sl_elf_use){.file = request->file, .allocated = sl_elf_allocated(&status)};
    file->path = path;
    file->fd = fd;
    file->ahead[SL_ELF_FUNCTIONS] = file->ahead[SL_ELF_UNITS] = request->ahead;
    p->file[request->file] = file;
    if (p->n <= request->file)
        p->n = request->file + 1;
}

static void read_part(struct sl_elf_file *file, enum sl_elf_part part, uint32_t unit,
                      struct sl_elf_table *table)
{
    if (!sl_elf_file_read(file, part, unit, table))
        sl_elf_sandbox_fail(SL_ELF_MEMORY);
}

static bool has_work(const struct process *p)
{
    return p->n_functions < p->n || p->n_units < p->n;
}

/* Reads a part that will be requested. */
static void read_ahead(struct process *p)
{
    enum sl_elf_part part = p->n_functions < p->n ? SL_ELF_FUNCTIONS : SL_ELF_UNITS;
    size_t *next = part == SL_ELF_FUNCTIONS ? &p->n_functions : &p->n_units;
    struct sl_elf_file *file = p->file[(*next)++];
    if (file && file->ahead[part]) {
        sl_elf_sandbox_start(&file->use);
        read_part(file, part, 0, &file->table[part]);
        sl_elf_sandbox_stop(&file->use);
    }
}

static void answer(struct process *p, const struct sl_elf_request *request)
{
    struct sl_elf_table table;
    struct sl_elf_file *file = request->file < p->n ? p->file[request->file] : NULL;
    if (!file || request->part >= SL_ELF_PARTS)
        _exit(1);
    enum sl_elf_part part = request->part;
    sl_elf_sandbox_start(&file->use);
    if (file->table[part].array[0].at) {
        table = file->table[part];
        file->table[part] = (struct sl_elf_table){0};
    } else {
        read_part(file, part, request->unit, &table);
    }
    file->ahead[part] = false;
    struct sl_elf_reply reply = {.file = request->file, .value = {table.value[0], table.value[1]}};
    for (size_t i = 0; i < SL_ELF_ARRAYS; i++)
        reply.n[i] = table.array[i].n;
    sl_elf_sandbox_send(&reply, table.array, sl_elf_element[part]);
    sl_elf_table_free(&table);
    sl_elf_sandbox_stop(&file->use);
}

_Noreturn void sl_elf_process(int socket, pid_t parent)
{
    struct process p = {.socket = sl_elf_sandbox_enter(socket, parent)};
    for (;;) {
        struct pollfd input = {.fd = p.socket, .events = POLLIN};
        while (has_work(&p) && !poll(&input, 1, 0))
            read_ahead(&p);
        int fd;
        struct sl_elf_request request = receive_request(&p, &fd);
        if (request.part == SL_ELF_OPEN)
            open_file(&p, &request, fd);
        else
            answer(&p, &request);
    }
}
