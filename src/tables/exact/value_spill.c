/* SPDX-License-Identifier: MIT */
/* Spilling of the wide value table: sorts the table's tuples, writes them to an unnamed file, and
 * merges the written parts at the end. value_counts.h describes the file. */

#include <errno.h>
#include <unistd.h>

#include "unnamed_file.h"
#include "value_counts.h"

#define SLOT sizeof(struct sl_value_slot)

/* ---- order ---- */

/* By hash, which is almost their order in the table; then by instruction and value. */
struct rank {
    uint64_t hash, insn, value;
};

static inline struct rank rank_of(const struct sl_value_slot *s)
{
    return (struct rank){sl_value_hash(sl_value_insn(s), s->value), sl_value_insn(s), s->value};
}

static inline int compare(struct rank a, struct rank b)
{
    if (a.hash != b.hash)
        return a.hash < b.hash ? -1 : 1;
    if (a.insn != b.insn)
        return a.insn < b.insn ? -1 : 1;
    return a.value < b.value ? -1 : a.value > b.value;
}

/* Shellsort: in place, and fast on slots that are almost sorted. */
void sl_spill_sort(struct sl_value_slot *slot, uint64_t n)
{
    uint64_t gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (uint64_t i = gap; i < n; i++) {
            struct sl_value_slot moved = slot[i];
            struct rank rank = rank_of(&moved);
            uint64_t at = i;
            for (; at >= gap && compare(rank_of(&slot[at - gap]), rank) > 0; at -= gap)
                slot[at] = slot[at - gap];
            slot[at] = moved;
        }
}

/* ---- files ---- */

int sl_spill_try(const char *directory)
{
    int file = sl_nameless_file(directory);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

/* ---- runs ---- */

static bool refused(struct sl_spill *s)
{
    s->error = errno ? errno : EIO;
    return false;
}

bool sl_spill_add(struct sl_spill *s, const struct sl_value_slot *slot, uint64_t n)
{
    if (s->n_runs == SL_SPILL_RUNS)
        return false;
    if (!s->n_runs && (s->file = sl_nameless_file(s->directory)) < 0)
        return refused(s);
    if (!sl_file_write(s->file, s->n_slots * SLOT, slot, n * SLOT)) {
        refused(s);
        int ignored = ftruncate(s->file, (off_t)(s->n_slots * SLOT));
        (void)ignored; /* the file then only stays larger */
        if (!s->n_runs)
            close(s->file);
        return false;
    }
    s->run[s->n_runs++] = (struct sl_spill_run){s->n_slots, n};
    s->n_slots += n;
    return true;
}

/* ---- merging ---- */

/* Reads one run. */
struct reader {
    struct rank rank; /* of *next */
    const struct sl_value_slot *next, *end;
    struct sl_value_slot *buffer; /* NULL: the run is in memory */
    uint64_t first, left;         /* slots of the file that were not read yet */
};

struct merger {
    struct sl_spill *spill;
    struct reader reader[SL_SPILL_RUNS + 1];
    struct reader *heap[SL_SPILL_RUNS + 1]; /* the lowest rank first */
    size_t n;
    uint64_t capacity; /* slots of each buffer */
};

/* Loads the next slot's rank. Returns false at the end of the run or after a read error. */
static bool fill(struct merger *m, struct reader *r)
{
    if (r->next == r->end && r->buffer && r->left) {
        uint64_t n = r->left < m->capacity ? r->left : m->capacity;
        if (!sl_file_read(m->spill->file, r->first * SLOT, r->buffer, n * SLOT))
            return refused(m->spill);
        r->first += n;
        r->left -= n;
        r->next = r->buffer;
        r->end = r->buffer + n;
    }
    if (r->next == r->end)
        return false;
    r->rank = rank_of(r->next);
    return true;
}

static void sift_down(struct merger *m, size_t at)
{
    struct reader *moved = m->heap[at];
    for (size_t child; (child = 2 * at + 1) < m->n; at = child) {
        if (child + 1 < m->n && compare(m->heap[child + 1]->rank, m->heap[child]->rank) < 0)
            child++;
        if (compare(moved->rank, m->heap[child]->rank) <= 0)
            break;
        m->heap[at] = m->heap[child];
    }
    m->heap[at] = moved;
}

static void add_reader(struct merger *m, struct reader reader)
{
    m->reader[m->n] = reader;
    if (fill(m, &m->reader[m->n])) {
        m->heap[m->n] = &m->reader[m->n];
        m->n++;
    }
}

/* Removes the lowest slot. */
static void advance(struct merger *m)
{
    struct reader *r = m->heap[0];
    r->next++;
    if (!fill(m, r) && --m->n)
        m->heap[0] = m->heap[m->n];
    if (m->n)
        sift_down(m, 0);
}

bool sl_spill_merge(struct sl_spill *s, const struct sl_value_slot *slot, uint64_t n,
                    struct sl_value_slot *buffer, uint64_t n_buffer, sl_spill_sink *take,
                    void *context)
{
    struct merger m = {.spill = s, .capacity = s->n_runs ? n_buffer / s->n_runs : 0};
    int error = s->error;
    s->error = 0;
    for (size_t i = 0; i < s->n_runs; i++)
        add_reader(&m, (struct reader){.buffer = buffer + i * m.capacity,
                                       .first = s->run[i].first,
                                       .left = s->run[i].n});
    add_reader(&m, (struct reader){.next = slot, .end = slot + n});
    for (size_t i = m.n; i-- > 0;)
        sift_down(&m, i);
    bool wanted = true;
    while (m.n && wanted && !s->error) {
        struct rank rank = m.heap[0]->rank;
        struct sl_value_slot tuple = *m.heap[0]->next;
        uint64_t count = 0;
        for (; m.n && !compare(m.heap[0]->rank, rank); advance(&m))
            count += sl_value_count(m.heap[0]->next);
        wanted = !s->error && take(context, &tuple, count);
    }
    if (s->error)
        return false;
    s->error = error;
    return wanted;
}

/* ---- merging all runs into one ---- */

struct joining {
    struct sl_spill to;
    struct sl_value_slot *slot;
    uint64_t n, capacity;
    sl_spill_sink *carry;
    void *context;
};

static bool flush(struct joining *j)
{
    bool written = sl_file_write(j->to.file, j->to.n_slots * SLOT, j->slot, j->n * SLOT);
    j->to.n_slots += j->n;
    j->n = 0;
    return written;
}

static bool join(void *context, const struct sl_value_slot *tuple, uint64_t count)
{
    struct joining *j = context;
    struct sl_value_slot *s = &j->slot[j->n++];
    *s = *tuple;
    if (count > SL_VALUE_COUNT_MAX && !j->carry(j->context, tuple, count))
        return false;
    sl_value_set_count(s, count > SL_VALUE_COUNT_MAX ? 0 : count);
    return j->n < j->capacity || flush(j);
}

bool sl_spill_compact_runs(struct sl_spill *s, struct sl_value_slot *buffer, uint64_t n_buffer,
                           sl_spill_sink *carry, void *context)
{
    uint64_t half = n_buffer / 2;
    struct joining j = {
        .slot = buffer + half, .capacity = half, .carry = carry, .context = context};
    if (s->n_runs < SL_SPILL_RUNS)
        return true;
    if ((j.to.file = sl_nameless_file(s->directory)) < 0)
        return refused(s);
    errno = 0;
    if (!sl_spill_merge(s, NULL, 0, buffer, half, join, &j) || !flush(&j)) {
        if (!s->error)
            refused(s);
        close(j.to.file);
        return false;
    }
    close(s->file);
    s->file = j.to.file;
    s->run[0] = (struct sl_spill_run){0, j.to.n_slots};
    s->n_slots = j.to.n_slots;
    s->n_runs = 1;
    return true;
}

void sl_spill_close(struct sl_spill *s)
{
    if (s->n_runs)
        close(s->file);
    s->n_runs = 0;
}
