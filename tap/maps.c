/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *
 * What is known of the address space is kept: ranges of it, each of a file or of none. A system
 * call changes what is known of its own range and of no other. So the system is asked only about
 * code in ranges that are not known: those that QEMU mapped itself, and mappings of files.
 *
 * Linux 6.11 and later answer for one address, however many mappings there are. Before, the whole
 * list is read: as often as a program executes code of another file, and not once for each
 * mapping that a just-in-time compiler makes. */
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
    char *path;                  /* NULL: of no file */
    bool told;
};

static struct mapping *known; /* by address, none of them overlapping */
static size_t n_known, known_capacity;
/* Calls of one thread return while another translates. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
    pthread_mutex_lock(&lock);
}

static void release(void)
{
    pthread_mutex_unlock(&lock);
}

void maps_keep_for_forks(void)
{
    pthread_atfork(hold, release, release);
}

/* The first that ends behind `address`. */
static size_t place_of(uint64_t address)
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
    size_t i = place_of(address);
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

/* Where there is no memory, less is known: it is asked for again. */
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

static struct mapping behind(const struct mapping *m, uint64_t start)
{
    struct mapping rest = *m;
    rest.offset += start - m->start;
    rest.start = start;
    return rest;
}

/* Nothing is known of this range any more. */
static void cut(uint64_t start, uint64_t end)
{
    size_t at = place_of(start), to;
    if (at < n_known && known[at].start < start) {
        struct mapping rest = behind(&known[at], end);
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
        known[to] = behind(&known[to], end);
    forget(at, to);
}

/* A mapping of a file that is there now. One that was told and has the same beginning need not
 * be told again, unless it has grown: protections change. */
static void note_file(uint64_t start, uint64_t end, uint64_t offset, const char *path)
{
    const struct mapping *m = find(start);
    bool same = m && m->path && m->start == start && m->end >= end && m->offset == offset &&
                !strcmp(m->path, path);
    if (same && m->end == end)
        return;
    bool told = same && m->told;
    char *copy = strdup(path);
    cut(start, end);
    if (copy)
        insert(place_of(start), (struct mapping){start, end, offset, copy, told});
}

/* One of no file; with its neighbours it becomes one, so that there are few. */
static void note_nameless(uint64_t start, uint64_t end)
{
    const struct mapping *m = find(start);
    if (m && !m->path && m->end >= end)
        return;
    cut(start, end);
    size_t at = place_of(start);
    if (at < n_known && known[at].start == end && !known[at].path) {
        end = known[at].end;
        forget(at, at + 1);
    }
    if (at && known[at - 1].end == start && !known[at - 1].path)
        known[at - 1].end = end;
    else
        insert(at, (struct mapping){.start = start, .end = end});
}

static void note(uint64_t start, uint64_t end, uint64_t offset, const char *path)
{
    if (path[0] == '/')
        note_file(start, end, offset, path);
    else
        note_nameless(start, end);
}

/* ---- what the program asks for ---- */

#define PAGE 4096u
#define MAP_KIND 3u /* of mmap's flags */
#define MAP_OF_ITS_OWN 2u
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
        bool nameless = call.flags & guest->map_anonymous &&
                        (call.flags & MAP_KIND) == MAP_OF_ITS_OWN;
        if (!failed)
            (nameless ? note_nameless : cut)(at, end_of(at, length));
    } else if (number == guest->unmap_call) {
        cut(start, end_of(start, length));
    } else if (number == guest->remap_call) {
        cut(start, end_of(start, length));
        if (!failed)
            cut(at, end_of(at, call.new_length & mask));
    }
    pthread_mutex_unlock(&lock);
}

/* ---- the system's answers ---- */

/* As linux/fs.h has it, where that is new enough. */
struct map_query {
    uint64_t size, flags, address;
    uint64_t start, end, protection, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
};
#define MAP_QUERY _IOWR('f', 17, struct map_query)

/* Learns of the mapping that holds the address. False if the system cannot say. */
static bool ask(uint64_t address, uint64_t guest_base)
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
        note(q.start - guest_base, q.end - guest_base, q.offset, q.name_size ? name : "");
    return answered;
}

/* Learns of all of them. */
static void read_all(uint64_t guest_base)
{
    char *line = NULL;
    size_t line_room = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    while (file && getline(&line, &line_room, file) > 0) {
        uint64_t start, end, offset;
        int path_at = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
                   &offset, &path_at) < 3 ||
            !path_at)
            continue;
        line[strcspn(line, "\n")] = 0;
        note(start - guest_base, end - guest_base, offset, line + path_at);
    }
    if (file)
        fclose(file);
    free(line);
}

/* ---- telling ---- */

static void tell(uint64_t address, uint64_t guest_base)
{
    struct mapping *m = find(address);
    if (!m) {
        if (!ask(address, guest_base))
            read_all(guest_base);
        m = find(address);
    }
    if (!m || !m->path || m->told)
        return;
    uint64_t head[3] = {m->start, m->end, m->offset};
    writer_record(SL_RECORD_OBJECT, head, sizeof head, m->path, strlen(m->path));
    m->told = true;
}

void maps_tell(uint64_t address, uint64_t guest_base)
{
    pthread_mutex_lock(&lock);
    tell(address, guest_base);
    pthread_mutex_unlock(&lock);
}
