/* SPDX-License-Identifier: MIT */
/* What the tables of today have in common: they take any tuples, keep some of them by name, and
 * forget the rest within fixed storage. Each is in a file of its own, with the paper it is from.
 *
 * A file defines
 *
 *     enter(table, tuple, weight, hash, key)    one event that weighs something
 *
 * and SL_RIVAL_LOOPS makes `step` and `observe` of it: loops over a batch, in which `enter` is
 * inlined. `hash` is what the modelled hardware makes of the tuple, 0 for a table without. `key` is
 * a number that stands for the tuple where hardware would search by content (shelf.h): nothing that
 * is modelled depends on it.
 *
 * A batch is taken in groups. Hashes and keys of a whole group are made first: whether a tuple is
 * held is hard to guess for a processor, and a wrong guess costs less when all that decides it has
 * been there for long.
 *
 * The hash functions are those of the documents' hardware (byte_hash.h), up to four at a time: the
 * papers ask for functions that are independent of each other, and these are what hardware of this
 * kind has. Storage is counted as hardware: a tuple kept by name is two words of 64 bits. */
#ifndef SL_RIVAL_H
#define SL_RIVAL_H

#include "byte_hash.h"
#include "table.h"

#define SL_RIVAL_TUPLE_BITS 128u
#define SL_RIVAL_INLINE static inline __attribute__((always_inline))

struct sl_rival {
    uint64_t events, weight;
    uint64_t most, full;         /* of a counter; weight that found one full */
    struct sl_packed_hash *hash; /* NULL: it has none */
    uint64_t *half;              /* of the hash, by number: what its static words give */
    uint64_t *key;               /* of the key, by number: the same */
    size_t n_names, room_names;
};

/* Gives out memory behind a table's struct; with `base` 0 it only adds up. */
static inline void *sl_rival_part(uintptr_t base, size_t *used, size_t n, size_t size)
{
    size_t at = *used;
    *used += (n * size + 63) & ~(size_t)63;
    return (void *)(base ? base + at : 0);
}

/* The parts that every table has; `hashed`: it hashes. To be called first, with the size of the
 * table's struct, of which `r` is the first member. */
void sl_rival_lay_out(struct sl_rival *r, size_t struct_size, bool hashed,
                      const struct sl_table_host *host, uintptr_t base, size_t *used);

/* The names that are new since the last batch. */
void sl_rival_learn(struct sl_rival *r, const struct sl_names *names);

/* A counter of so many bits holds that much. */
static inline uint64_t sl_rival_most(uint64_t bits)
{
    return (UINT64_C(1) << bits) - 1;
}

/* Counters stop when they are full. */
SL_RIVAL_INLINE void sl_rival_raise(struct sl_rival *r, uint64_t *count, uint64_t weight)
{
    uint64_t room = r->most - *count, added = weight < room ? weight : room;
    *count += added;
    r->full += weight - added;
}

/* `yes` or `no`, by masks: compilers like to make a branch of `?:`, which costs twenty times as
 * much where it is guessed wrong. */
SL_RIVAL_INLINE uint64_t sl_rival_pick(bool which, uint64_t yes, uint64_t no)
{
    return no ^ (-(uint64_t)which & (yes ^ no));
}

/* What all of them say of themselves: bounds no longer hold once a counter was full. */
void sl_rival_status(const struct sl_rival *r, size_t distinct, enum sl_bounds bounds,
                     struct sl_table_status *out);

/* The key of a tuple is the sum of what its words give. */
SL_RIVAL_INLINE uint64_t sl_rival_pc_key(uint64_t pc)
{
    return pc * UINT64_C(0xc2b2ae3d27d4eb4f);
}

SL_RIVAL_INLINE uint64_t sl_rival_value_key(uint64_t value)
{
    return value * UINT64_C(0x9e3779b97f4a7c15);
}

#define SL_RIVAL_GROUP 128u

/* Events of a group, by place in it. */
struct sl_rival_group {
    struct sl_tuple tuple[SL_RIVAL_GROUP];
    uint64_t hash[SL_RIVAL_GROUP], key[SL_RIVAL_GROUP];
};

/* The group from event `from` of the batch on; returns how many it has. `hashed`: hashes are
 * wanted; `keyed`: keys are. */
SL_RIVAL_INLINE size_t sl_rival_gather(const struct sl_rival *r, const struct sl_batch *batch,
                                       size_t from, bool hashed, bool keyed,
                                       struct sl_rival_group *group)
{
    const struct sl_names *names = batch->names;
    size_t n = batch->n - from < SL_RIVAL_GROUP ? batch->n - from : SL_RIVAL_GROUP;
    for (size_t i = 0; i < n; i++) {
        uint32_t number = batch->number[from + i];
        uint64_t pc = names->pc[number], hash = 0, key = 0;
        uint64_t value = batch->value ? batch->value[from + i] : names->value[number];
        bool known = number < r->n_names;
        if (hashed)
            hash = known ? r->half[number] : sl_packed_pc(r->hash, pc);
        if (keyed)
            key = known ? r->key[number] : sl_rival_pc_key(pc);
        if (batch->value || !known) {
            hash ^= hashed ? sl_packed_value(r->hash, value) : 0;
            key += keyed ? sl_rival_value_key(value) : 0;
        }
        group->tuple[i] = (struct sl_tuple){pc, value};
        group->hash[i] = hash;
        group->key[i] = key;
    }
    return n;
}

/* Function k of a packed hash, of `bits` bits. */
SL_RIVAL_INLINE size_t sl_rival_index(uint64_t hash, unsigned k)
{
    return (size_t)(hash >> (SL_PACKED_BITS * k) & 0xffff);
}

/* `size` of a table, by its lay_out. */
#define SL_RIVAL_SIZE(type)                                                  \
    static size_t size(const void *config, const struct sl_table_host *host) \
    {                                                                        \
        type table;                                                          \
        return lay_out(&table, config, host, 0);                             \
    }

/* `rows_of` is how many rows of counters the table has; 0: it has none, or any number. Where `rows`
 * is a number, it is that, so that loops over rows in `enter` have a constant end. A batch works on
 * a copy of the table's struct: what nobody else can point to stays in registers. */
#define SL_RIVAL_EACH(type, rows_of)                                                              \
    static void step(void *state, const struct sl_event *event)                                   \
    {                                                                                             \
        type *table = state;                                                                      \
        struct sl_rival *r = &table->rival;                                                       \
        struct sl_tuple tuple = event->tuple;                                                     \
        r->events++;                                                                              \
        r->weight += event->weight;                                                               \
        if (event->weight)                                                                        \
            enter(table, tuple, event->weight,                                                    \
                  r->hash                                                                         \
                      ? sl_packed_pc(r->hash, tuple.pc) ^ sl_packed_value(r->hash, tuple.value)   \
                      : 0,                                                                        \
                  sl_rival_pc_key(tuple.pc) + sl_rival_value_key(tuple.value));                   \
    }                                                                                             \
    SL_RIVAL_INLINE void each(type *state, const struct sl_batch *batch, bool hashed, bool keyed, \
                              unsigned rows)                                                      \
    {                                                                                             \
        type copy = *state, *table = &copy;                                                       \
        struct sl_rival *r = &copy.rival;                                                         \
        struct sl_rival_group group;                                                              \
        for (size_t from = 0, n; from < batch->n; from += n) {                                    \
            n = sl_rival_gather(r, batch, from, hashed, keyed, &group);                           \
            for (size_t i = 0; i < n; i++) {                                                      \
                uint64_t weight = batch->weight ? batch->weight[from + i] : 1;                    \
                r->weight += weight;                                                              \
                if (rows && (rows_of) != rows)                                                    \
                    __builtin_unreachable();                                                      \
                if (weight)                                                                       \
                    enter(table, group.tuple[i], weight, group.hash[i], group.key[i]);            \
            }                                                                                     \
        }                                                                                         \
        r->events += batch->n;                                                                    \
        *state = copy;                                                                            \
    }

#define SL_RIVAL_LOOPS(type, hashed, keyed)                        \
    SL_RIVAL_EACH(type, 0)                                         \
    static void observe(void *state, const struct sl_batch *batch) \
    {                                                              \
        type *table = state;                                       \
        sl_rival_learn(&table->rival, batch->names);               \
        each(table, batch, hashed, keyed, 0);                      \
    }

/* For a table with rows, which all hash. */
#define SL_RIVAL_ROW_LOOPS(type, keyed)                            \
    SL_RIVAL_EACH(type, table->rows)                               \
    static void observe(void *state, const struct sl_batch *batch) \
    {                                                              \
        type *table = state;                                       \
        sl_rival_learn(&table->rival, batch->names);               \
        switch (table->rows) {                                     \
        case 1:                                                    \
            each(table, batch, true, keyed, 1);                    \
            break;                                                 \
        case 2:                                                    \
            each(table, batch, true, keyed, 2);                    \
            break;                                                 \
        case 3:                                                    \
            each(table, batch, true, keyed, 3);                    \
            break;                                                 \
        case 4:                                                    \
            each(table, batch, true, keyed, 4);                    \
            break;                                                 \
        default:                                                   \
            each(table, batch, true, keyed, 0);                    \
        }                                                          \
    }

#endif
