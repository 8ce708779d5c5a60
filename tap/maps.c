/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the file from which code of the guest is mapped. A cache of mappings makes queries to the
 * kernel rare.
 *
 * The tap caches ranges of the address space, each of a file or anonymous. A system call of the
 * guest changes only the cached ranges that it affects. So the kernel is queried only for code in
 * unknown ranges: those that QEMU mapped itself, and mappings of files.
 *
 * Linux 6.11 and later answer a query for one address, independent of the number of mappings
 * (PROCMAP_QUERY). On older kernels the tap reads all of /proc/self/maps, once for each new file
 * whose code is executed, not once per mapping of a just-in-time compiler. */
#include "maps.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "grow.h"
#include "writer.h"

struct mapping {
    uint64_t start, end, offset; /* addresses are the guest's */
    char *path;                  /* NULL: anonymous */
    bool sent;
};

static struct mapping *known; /* sorted by address, without overlap */
static size_t n_known, known_capacity;
/* A system call of one thread may return while another thread translates. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
    pthread_mutex_lock(&lock);
}

static void release(void)
{
    pthread_mutex_unlock(&lock);
}

void maps_register_fork_handlers(void)
{
    pthread_atfork(hold, release, release);
}

/* Index of the first range that ends after `address`. */
static size_t index_of(uint64_t address)
{
    size_t low = 0, high = n_known;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (known[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct mapping *find(uint64_t address)
{
    size_t i = index_of(address);
    return i < n_known && known[i].start <= address ? &known[i] : NULL;
}

static void forget(size_t from, size_t to)
{
    if (from == to)
        return;
    for (size_t i = from; i < to; i++)
        free(known[i].path);
    memmove(known + from, known + to, (n_known - to) * sizeof *known);
    n_known -= to - from;
}

/* If out of memory, the range stays unknown and is queried again. */
static void insert(size_t at, struct mapping m)
{
    if (!SL_GROW(known, known_capacity, n_known + 1)) {
        free(m.path);
        return;
    }
    memmove(known + at + 1, known + at, (n_known - at) * sizeof *known);
    known[at] = m;
    n_known++;
}

/* The part of a mapping from `start` on. */
static struct mapping tail_of(const struct mapping *m, uint64_t start)
{
    struct mapping rest = *m;
    rest.offset += start - m->start;
    rest.start = start;
    return rest;
}

/* Removes the range from the cache. */
static void cut(uint64_t start, uint64_t end)
{
    size_t at = index_of(start), to;
    if (at < n_known && known[at].start < start) {
        struct mapping rest = tail_of(&known[at], end);
        bool splits = known[at].end > end;
        known[at++].end = start;
        if (splits) {
            bool of_file = rest.path;
            rest.path = of_file ? strdup(rest.path) : NULL;
            if (!of_file || rest.path)
                insert(at, rest);
            return;
        }
    }
    for (to = at; to < n_known && known[to].end <= end;)
        to++;
    if (to < n_known && known[to].start < end)
        known[to] = tail_of(&known[to], end);
    forget(at, to);
}

/* Adds a mapping of a file. If the cache has the same mapping with the same start and at least the
 * same end, it is not sent again (mprotect may have split it). */
static void add_file(uint64_t start, uint64_t end, uint64_t offset, const char *path)
{
    const struct mapping *m = find(start);
    bool same = m && m->path && m->start == start && m->end >= end && m->offset == offset &&
                !strcmp(m->path, path);
    if (same && m->end == end)
        return;
    bool sent = same && m->sent;
    char *copy = strdup(path);
    cut(start, end);
    if (copy)
        insert(index_of(start), (struct mapping){start, end, offset, copy, sent});
}

/* Adds an anonymous range and merges it with its anonymous neighbours. */
static void add_anonymous(uint64_t start, uint64_t end)
{
    const struct mapping *m = find(start);
    if (m && !m->path && m->end >= end)
        return;
    cut(start, end);
    size_t at = index_of(start);
    if (at < n_known && known[at].start == end && !known[at].path) {
        end = known[at].end;
        forget(at, at + 1);
    }
    if (at && known[at - 1].end == start && !known[at - 1].path)
        known[at - 1].end = end;
    else
        insert(at, (struct mapping){.start = start, .end = end});
}

static void add(uint64_t start, uint64_t end, uint64_t offset, const char *path)
{
    if (path[0] == '/')
        add_file(start, end, offset, path);
    else
        add_anonymous(start, end);
}

/* ---- system calls of the guest ---- */

#define PAGE 4096u
#define MAP_KIND 3u /* of mmap's flags */
#define MAP_KIND_PRIVATE 2u
#define ERRORS 4096u

static __thread struct {
    uint64_t start, length, new_length, flags;
} call;

void maps_call(uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
    call.start = a1;
    call.length = a2;
    call.new_length = a3;
    call.flags = a4;
}

static uint64_t end_of(uint64_t start, uint64_t length)
{
    return start + (length + PAGE - 1) / PAGE * PAGE;
}

void maps_call_returns(const struct guest *guest, int64_t number, int64_t result)
{
    uint64_t mask = guest->narrow ? UINT32_MAX : UINT64_MAX;
    uint64_t start = call.start & mask, length = call.length & mask, at = (uint64_t)result & mask;
    bool failed = (uint64_t)result > UINT64_MAX - ERRORS;
    pthread_mutex_lock(&lock);
    if (number == guest->map_calls[0] || number == guest->map_calls[1]) {
        bool anonymous = call.flags & guest->map_anonymous &&
                         (call.flags & MAP_KIND) == MAP_KIND_PRIVATE;
        if (!failed)
            (anonymous ? add_anonymous : cut)(at, end_of(at, length));
    } else if (number == guest->unmap_call) {
        cut(start, end_of(start, length));
    } else if (number == guest->remap_call) {
        cut(start, end_of(start, length));
        if (!failed)
            cut(at, end_of(at, call.new_length & mask));
    }
    pthread_mutex_unlock(&lock);
}

/* ---- queries to the kernel ---- */

/* struct procmap_query of linux/fs.h, which older headers do not have. */
struct map_query {
    uint64_t size, flags, address;
    uint64_t start, end, protection, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
};
#define MAP_QUERY _IOWR('f', 17, struct map_query)

/* Queries the mapping that contains the address. False if the kernel has no PROCMAP_QUERY. */
static bool query(uint64_t address, uint64_t guest_base)
{
    static char name[4096];
    struct map_query q = {.size = sizeof q,
                          .address = address + guest_base,
                          .name = (uintptr_t)name,
                          .name_size = sizeof name};
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    bool answered = fd >= 0 && !ioctl(fd, MAP_QUERY, &q);
    if (fd >= 0)
        close(fd);
    if (answered)
        add(q.start - guest_base, q.end - guest_base, q.offset, q.name_size ? name : "");
    return answered;
}

/* Reads all mappings. */
static void read_all(uint64_t guest_base)
{
    char *line = NULL;
    size_t line_capacity = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    while (file && getline(&line, &line_capacity, file) > 0) {
        uint64_t start, end, offset;
        int path_at = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
                   &offset, &path_at) < 3 ||
            !path_at)
            continue;
        line[strcspn(line, "\n")] = 0;
        add(start - guest_base, end - guest_base, offset, line + path_at);
    }
    if (file)
        fclose(file);
    free(line);
}

/* ---- records ---- */

static void send_object(uint64_t address, uint64_t guest_base)
{
    struct mapping *m = find(address);
    if (!m) {
        if (!query(address, guest_base))
            read_all(guest_base);
        m = find(address);
    }
    if (!m || !m->path || m->sent)
        return;
    uint64_t head[3] = {m->start, m->end, m->offset};
    writer_record(SL_RECORD_OBJECT, head, sizeof head, m->path, strlen(m->path));
    m->sent = true;
}

void maps_send(uint64_t address, uint64_t guest_base)
{
    pthread_mutex_lock(&lock);
    send_object(address, guest_base);
    pthread_mutex_unlock(&lock);
}
