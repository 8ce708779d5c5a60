/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "maps.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "writer.h"

struct mapping {
    uint64_t start, end, offset; /* start and end are addresses of this process */
    bool told;
    char *path; /* NULL: no file behind it */
};

static struct mapping *known;
static size_t n_known;
static _Atomic bool stale = true;

void maps_changed(void)
{
    stale = true;
}

static bool same(const struct mapping *a, const struct mapping *b)
{
    return a->start == b->start && a->offset == b->offset && a->path && b->path &&
           !strcmp(a->path, b->path);
}

/* A mapping that grew or shrank at its end is the same: protections change. */
static bool told_before(const struct mapping *mapping)
{
    for (size_t i = 0; i < n_known; i++)
        if (known[i].told && same(&known[i], mapping) && known[i].end >= mapping->end)
            return true;
    return false;
}

static void read_again(void)
{
    struct mapping *fresh = NULL;
    size_t n_fresh = 0, room = 0;
    char *line = NULL;
    size_t line_room = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    stale = false;
    while (file && getline(&line, &line_room, file) > 0) {
        struct mapping m = {0};
        int path_at = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &m.start, &m.end,
                   &m.offset, &path_at) < 3)
            continue;
        if (path_at && line[path_at] == '/') {
            line[strcspn(line, "\n")] = 0;
            m.path = strdup(line + path_at);
            m.told = told_before(&m);
        }
        if (n_fresh == room) {
            room = room ? 2 * room : 64;
            struct mapping *grown = realloc(fresh, room * sizeof *fresh);
            if (!grown)
                break;
            fresh = grown;
        }
        fresh[n_fresh++] = m;
    }
    if (file)
        fclose(file);
    free(line);
    for (size_t i = 0; i < n_known; i++)
        free(known[i].path);
    free(known);
    known = fresh;
    n_known = n_fresh;
}

static struct mapping *find(uint64_t address)
{
    for (size_t i = 0; i < n_known; i++)
        if (known[i].start <= address && address < known[i].end)
            return &known[i];
    return NULL;
}

void maps_tell(uint64_t address, uint64_t guest_base)
{
    struct mapping *m = stale ? NULL : find(address + guest_base);
    if (!m) {
        read_again();
        m = find(address + guest_base);
    }
    if (!m || !m->path || m->told)
        return;
    uint64_t head[3] = {m->start - guest_base, m->end - guest_base, m->offset};
    writer_record(SL_RECORD_OBJECT, head, sizeof head, m->path, strlen(m->path));
    m->told = true;
}
