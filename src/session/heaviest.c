#include "heaviest.h"

#include <stdlib.h>

#include "failure.h"
#include "feed.h"
#include "grow.h"

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
    return sl_tuple_order(a->tuple, b->tuple);
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

int sl_heaviest_find(struct sl_heaviest *heaviest, const struct sl_measured *table,
                     const struct sl_names *names, struct sl_failure *f)
{
    struct collector c = {.out = heaviest};
    bool by_intervals = table->kind->cut;
    sl_measured_each(table, names, collect, &c);
    thin_out(&c);
    if (by_intervals)
        heaviest->intervals = calloc(heaviest->n + 1, sizeof *heaviest->intervals);
    if (c.out_of_memory || (by_intervals && !heaviest->intervals)) {
        free(heaviest->entry);
        free(heaviest->intervals);
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    uint64_t tag = heaviest->tagged ? heaviest->tag << SL_TAG_SHIFT : 0;
    for (size_t i = 0; heaviest->intervals && i < heaviest->n; i++) {
        struct sl_tuple tuple = heaviest->entry[i].tuple;
        tuple.pc |= tag;
        heaviest->intervals[i] = sl_intervals_of(&table->intervals, tuple);
    }
    return 0;
}
