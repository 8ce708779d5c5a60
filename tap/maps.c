/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Linux 6.11 and later answer for one address, however many mappings there are. Before, the whole
 * list is read, once for each change that new code is seen after: a program that maps code n
 * times costs n * n lines there.
 *
 * Mappings of files are kept, with the *generation* in which they were last seen: each change
 * begins a new one. What is not kept and not in the list is no file's. */
#include "maps.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "grow.h"
#include "writer.h"

struct mapping {
    uint64_t start, end, offset; /* start and end are addresses of this process */
    char *path;
    unsigned generation;
    bool told;
};

static struct mapping *known; /* of files, by address, none of them overlapping */
static size_t n_known, room_known;
static uint64_t nameless_start, nameless_end; /* the last mapping without a file */
static unsigned nameless_generation;
static unsigned listed; /* the generation of which all are known; 0: of none */
static _Atomic unsigned generation = 1;

void maps_changed(void)
{
    generation++;
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

/* A mapping that is there now, of a file if it has a path: whatever was known in its place is
 * gone, unless it is the same. One that grew or shrank at its end is: protections change. */
static void note(uint64_t start, uint64_t end, uint64_t offset, const char *path, unsigned now)
{
    size_t at = place_of(start), behind = at;
    bool told = false;
    while (behind < n_known && known[behind].start < end)
        behind++;
    if (path && behind > at && known[at].start == start && known[at].offset == offset &&
        !strcmp(known[at].path, path))
        told = known[at].told && known[at].end >= end;
    forget(at, behind);
    char *copy = path ? strdup(path) : NULL;
    if (!copy || !SL_GROW(known, room_known, n_known + 1)) {
        free(copy);
        return;
    }
    memmove(known + at + 1, known + at, (n_known - at) * sizeof *known);
    known[at] = (struct mapping){start, end, offset, copy, now, told};
    n_known++;
}

/* ---- the system's answers ------------------------------------------------- */

/* As linux/fs.h has it, where that is new enough. */
struct map_query {
    uint64_t size, flags, address;
    uint64_t start, end, protection, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
};
#define MAP_QUERY _IOWR('f', 17, struct map_query)

/* The mapping that holds the address. False if the system cannot say. */
static bool ask(uint64_t address, unsigned now)
{
    static char name[4096];
    struct map_query q = {.size = sizeof q, .address = address, .name = (uintptr_t)name,
                          .name_size = sizeof name};
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    bool answered = fd >= 0 && !ioctl(fd, MAP_QUERY, &q);
    if (fd >= 0)
        close(fd);
    if (!answered)
        return false;
    bool of_file = q.name_size && name[0] == '/';
    note(q.start, q.end, q.offset, of_file ? name : NULL, now);
    if (!of_file) {
        nameless_start = q.start;
        nameless_end = q.end;
        nameless_generation = now;
    }
    return true;
}

static void read_all(unsigned now)
{
    char *line = NULL;
    size_t line_room = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    while (file && getline(&line, &line_room, file) > 0) {
        uint64_t start, end, offset;
        int path_at = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
                   &offset, &path_at) < 3 || !path_at || line[path_at] != '/')
            continue;
        line[strcspn(line, "\n")] = 0;
        note(start, end, offset, line + path_at, now);
    }
    if (file)
        fclose(file);
    free(line);
    for (size_t i = n_known; i > 0; i--)
        if (known[i - 1].generation != now)
            forget(i - 1, i);
    listed = now;
}

/* ---- telling -------------------------------------------------------------- */

void maps_tell(uint64_t address, uint64_t guest_base)
{
    unsigned now = generation;
    uint64_t here = address + guest_base;
    struct mapping *m = find(here);
    if ((!m || m->generation != now) && listed != now &&
        !(nameless_generation == now && nameless_start <= here && here < nameless_end)) {
        if (!ask(here, now))
            read_all(now);
        m = find(here);
    }
    if (!m || m->generation != now || m->told)
        return;
    uint64_t head[3] = {m->start - guest_base, m->end - guest_base, m->offset};
    writer_record(SL_RECORD_OBJECT, head, sizeof head, m->path, strlen(m->path));
    m->told = true;
}
