/* SPDX-License-Identifier: MIT */
/* Common parts of the sketches and counter summaries. These tables accept any tuples, store some
 * of the tuples with their counts, and summarize or drop the rest, all in fixed storage. Each
 * table is in its own file, which names the paper that it implements.
 *
 * A file defines
 *
 *     enter(table, tuple, weight, hash, key)    one event, of weight > 0
 *
 * from which SL_SKETCH_LOOPS makes `step` and `observe`, with `enter` inlined. `hash` is the packed
 * hash of the modelled hardware, 0 for a table without hash functions. `key` replaces the
 * content-addressable search of the hardware (top_list.h); no modelled result depends on it.
 *
 * A batch is processed in groups. The hashes and keys of a whole group are computed first: whether
 * a tuple is stored is hard to predict, and a misprediction costs less if its operands are ready.
 *
 * Departure from the papers: they require independent hash functions; here they are those of the
 * interval profiler's hardware (byte_hash.h), up to four at a time. A tuple stored by name counts
 * as two words of 64 bits. */
#ifndef SL_SKETCH_H
#define SL_SKETCH_H

#include "byte_hash.h"
#include "table.h"

#define SL_SKETCH_TUPLE_BITS 128u
#define SL_SKETCH_INLINE static inline __attribute__((always_inline))

struct sl_sketch {
    uint64_t events, weight;
    uint64_t most, full;         /* maximum of a counter; weight lost in saturated counters */
    struct sl_packed_hash *hash; /* NULL: no hash functions */
    uint64_t *half;              /* by tuple id: hash of the static fields */
    uint64_t *key;               /* by tuple id: key of the static fields */
    size_t n_names, names_capacity;
};

/* Lays out the arrays that every sketch has; `hashed`: it uses hash functions. Call it first, with
 * the size of the sketch's struct, whose first member is `r`. */
void sl_sketch_lay_out(struct sl_sketch *r, size_t struct_size, bool hashed,
                       const struct sl_table_host *host, struct sl_layout *l);

/* Computes hashes and keys of the names that are new since the last batch. */
void sl_sketch_add_names(struct sl_sketch *r, const struct sl_tuple_names *names);

/* Maximum of a counter of this width. */
static inline uint64_t sl_sketch_most(uint64_t bits)
{
    return (UINT64_C(1) << bits) - 1;
}

/* Adds to a counter, which saturates. */
SL_SKETCH_INLINE void sl_sketch_raise(struct sl_sketch *r, uint64_t *count, uint64_t weight)
{
    uint64_t capacity = r->most - *count, added = weight < capacity ? weight : capacity;
    *count += added;
    r->full += weight - added;
}

/* which ? yes : no, by masks, because compilers may turn `?:` into a branch, which is mispredicted
 * here. */
SL_SKETCH_INLINE uint64_t sl_sketch_pick(bool which, uint64_t yes, uint64_t no)
{
    return no ^ (-(uint64_t)which & (yes ^ no));
}

/* Fills the status but for `distinct`. Bounds do not hold once a counter is saturated. */
void sl_sketch_status(const struct sl_sketch *r, enum sl_bounds bounds,
                      struct sl_table_status *out);

/* The key of a tuple is the sum of the keys of its two fields. */
SL_SKETCH_INLINE uint64_t sl_sketch_pc_key(uint64_t pc)
{
    return pc * UINT64_C(0xc2b2ae3d27d4eb4f);
}

SL_SKETCH_INLINE uint64_t sl_sketch_value_key(uint64_t value)
{
    return value * UINT64_C(0x9e3779b97f4a7c15);
}

#define SL_SKETCH_GROUP 128u

/* A group of events. */
struct sl_sketch_group {
    struct sl_tuple tuple[SL_SKETCH_GROUP];
    uint64_t hash[SL_SKETCH_GROUP], key[SL_SKETCH_GROUP];
};

/* Fills a group with the events of the batch from index `from` on, and returns their number.
 * `hashed`, `keyed`: hashes and keys are needed. */
SL_SKETCH_INLINE size_t sl_sketch_gather(const struct sl_sketch *r, const struct sl_batch *batch,
                                         size_t from, bool hashed, bool keyed,
                                         struct sl_sketch_group *group)
{
    const struct sl_tuple_names *names = batch->names;
    size_t n = batch->n - from < SL_SKETCH_GROUP ? batch->n - from : SL_SKETCH_GROUP;
    for (size_t i = 0; i < n; i++) {
        uint32_t tuple_id = batch->tuple_id[from + i];
        uint64_t pc = names->pc[tuple_id], hash = 0, key = 0;
        uint64_t value = batch->value ? batch->value[from + i] : names->value[tuple_id];
        bool known = tuple_id < r->n_names;
        if (hashed)
            hash = known ? r->half[tuple_id] : sl_packed_pc(r->hash, pc);
        if (keyed)
            key = known ? r->key[tuple_id] : sl_sketch_pc_key(pc);
        if (batch->value || !known) {
            hash ^= hashed ? sl_packed_value(r->hash, value) : 0;
            key += keyed ? sl_sketch_value_key(value) : 0;
        }
        group->tuple[i] = (struct sl_tuple){pc, value};
        group->hash[i] = hash;
        group->key[i] = key;
    }
    return n;
}

/* Value of hash function k in a packed hash. */
SL_SKETCH_INLINE size_t sl_sketch_index(uint64_t hash, unsigned k)
{
    return (size_t)(hash >> (SL_PACKED_BITS * k) & 0xffff);
}

/* size() and init() of a sketch, from
 *
 *     lay_out(table, config, host, layout)    sets the arrays
 *     set_up(table, config)                   fills in the rest */
#define SL_SKETCH_MAKE(type, lay_out, set_up)                                          \
    static size_t size(const void *config, const struct sl_table_host *host)           \
    {                                                                                  \
        type table;                                                                    \
        struct sl_layout l = {0};                                                      \
        lay_out(&table, config, host, &l);                                             \
        return l.used;                                                                 \
    }                                                                                  \
    static int init(void *state, const void *config, const struct sl_table_host *host, \
                    struct sl_failure *f)                                              \
    {                                                                                  \
        struct sl_layout l = {(uintptr_t)state, 0};                                    \
        (void)f;                                                                       \
        lay_out((type *)state, config, host, &l);                                      \
        set_up((type *)state, config);                                                 \
        return 0;                                                                      \
    }

/* status() of a sketch with these bounds. Its state begins with its struct sl_sketch. */
#define SL_SKETCH_STATUS(bounds)                                       \
    static void status(const void *state, struct sl_table_status *out) \
    {                                                                  \
        sl_sketch_status(state, bounds, out);                          \
    }

/* The members of struct sl_table_kind that all sketches set to functions of the same name. */
#define SL_SKETCH_KIND(config) \
    .config_size = sizeof(config), .storage_bits = storage_bits, .entry = entry, SL_TABLE_FUNCTIONS

/* step() and observe(). `hashed`, `keyed`: `enter` needs hash and key. The loop works on a copy of
 * the table's struct, which the compiler can keep in registers. */
#define SL_SKETCH_LOOPS(type, hashed, keyed)                                                    \
    static void step(void *state, const struct sl_event *event)                                 \
    {                                                                                           \
        type *table = state;                                                                    \
        struct sl_sketch *r = &table->sketch;                                                   \
        struct sl_tuple tuple = event->tuple;                                                   \
        r->events++;                                                                            \
        r->weight += event->weight;                                                             \
        if (event->weight)                                                                      \
            enter(table, tuple, event->weight,                                                  \
                  r->hash                                                                       \
                      ? sl_packed_pc(r->hash, tuple.pc) ^ sl_packed_value(r->hash, tuple.value) \
                      : 0,                                                                      \
                  sl_sketch_pc_key(tuple.pc) + sl_sketch_value_key(tuple.value));               \
    }                                                                                           \
    static void observe(void *state, const struct sl_batch *batch)                              \
    {                                                                                           \
        type copy = *(type *)state, *table = &copy;                                             \
        struct sl_sketch *r = &copy.sketch;                                                     \
        struct sl_sketch_group group;                                                           \
        sl_sketch_add_names(r, batch->names);                                                   \
        for (size_t from = 0, n; from < batch->n; from += n) {                                  \
            n = sl_sketch_gather(r, batch, from, hashed, keyed, &group);                        \
            for (size_t i = 0; i < n; i++) {                                                    \
                uint64_t weight = batch->weight ? batch->weight[from + i] : 1;                  \
                r->weight += weight;                                                            \
                if (weight)                                                                     \
                    enter(table, group.tuple[i], weight, group.hash[i], group.key[i]);          \
            }                                                                                   \
        }                                                                                       \
        r->events += batch->n;                                                                  \
        *(type *)state = copy;                                                                  \
    }

#endif
