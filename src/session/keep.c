#include "keep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "failure.h"
#include "feed.h"
#include "grow.h"

int sl_keep_open(struct sl_keep *keep, const struct sl_table_kind *kind, const void *config,
                 const struct sl_table_host *host, struct sl_failure *f)
{
    /* Straight from the system: zeroed, aligned, and only what is used takes memory. */
    keep->bytes = sl_table_bytes_of(kind, config, host);
    keep->memory = mmap(NULL, keep->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (keep->memory == MAP_FAILED) {
        keep->memory = NULL;
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    return sl_table_make(&keep->table, kind, config, host, keep->memory, f);
}

void sl_keep_close(struct sl_keep *keep)
{
    if (keep->table)
        sl_table_close(keep->table);
    if (keep->memory)
        munmap(keep->memory, keep->bytes);
    sl_curve_free(&keep->curve);
    sl_overlaps_free(&keep->overlaps);
    free(keep->sent);
    sl_intervals_free(&keep->intervals);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sl_keep_observe(struct sl_keep *keep, const struct sl_batch *batch)
{
    double before = now();
    sl_table_observe(keep->table, batch);
    keep->seconds += now() - before;
}

double sl_keep_error(const struct sl_keep *keep, const char *name)
{
    for (size_t i = 0; i < keep->n_errors; i++)
        if (!strcmp(keep->error[i].name, name))
            return keep->error[i].value;
    return NAN;
}

void sl_keep_each(const struct sl_keep *keep, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    if (keep->spec->table->cut)
        sl_intervals_each(&keep->intervals, emit, context);
    else
        sl_table_drain(keep->table, names, emit, context);
}

/* ---- the heaviest entries ------------------------------------------------ */

/* Collects entries; whenever there are twice as many as wanted, the lighter half
 * goes, and from then on what is lighter than all kept is not even collected. */
struct collector {
    struct sl_heaviest *out;
    size_t room;
    uint64_t at_least;
    bool out_of_memory;
};

static int heavier_first(const void *left, const void *right)
{
    const struct sl_entry *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->tuple.pc != b->tuple.pc)
        return a->tuple.pc < b->tuple.pc ? -1 : 1;
    return (a->tuple.value > b->tuple.value) - (a->tuple.value < b->tuple.value);
}

static void thin_out(struct collector *c)
{
    struct sl_heaviest *out = c->out;
    if (out->n)
        qsort(out->entry, out->n, sizeof *out->entry, heavier_first);
    if (out->n >= out->wanted) {
        out->n = out->wanted;
        c->at_least = out->entry[out->n - 1].count;
    }
}

static bool collect(void *context, const struct sl_entry *entry)
{
    struct collector *c = context;
    struct sl_heaviest *out = c->out;
    if (out->tagged && entry->tuple.pc >> SL_TAG_SHIFT != out->tag)
        return true;
    out->distinct++;
    if (entry->count < c->at_least)
        return true;
    if (!SL_GROW(out->entry, c->room, out->n + 1)) {
        c->out_of_memory = true;
        return false;
    }
    out->entry[out->n] = *entry;
    if (out->tagged)
        out->entry[out->n].tuple.pc &= SL_TAG_PC;
    if (++out->n / 2 >= out->wanted)
        thin_out(c);
    return true;
}

int sl_keep_heaviest(const struct sl_keep *keep, const struct sl_names *names,
                     struct sl_heaviest *heaviest, struct sl_failure *f)
{
    struct collector c = {.out = heaviest};
    sl_keep_each(keep, names, collect, &c);
    thin_out(&c);
    if (keep->spec->table->cut)
        heaviest->intervals = calloc(heaviest->n + 1, sizeof *heaviest->intervals);
    if (c.out_of_memory || (keep->spec->table->cut && !heaviest->intervals)) {
        free(heaviest->entry);
        free(heaviest->intervals);
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    uint64_t tag = heaviest->tagged ? heaviest->tag << SL_TAG_SHIFT : 0;
    for (size_t i = 0; heaviest->intervals && i < heaviest->n; i++) {
        struct sl_tuple tuple = heaviest->entry[i].tuple;
        tuple.pc |= tag;
        heaviest->intervals[i] = sl_intervals_of(&keep->intervals, tuple);
    }
    return 0;
}
