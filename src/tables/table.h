/* SPDX-License-Identifier: MIT */
/* Interface of tables, data structures of fixed size that store tuples and their counts. This
 * header has the interface that each table implements, the list of all tables, and the functions
 * that work on any table.
 *
 * To add a table: a file with a `const struct sl_table_kind`, a line in SL_TABLE_KINDS below, a
 * test, a paragraph in docs/man/sluice-tables.7.
 *
 * A table never fails on an event: it saturates or drops, and counts what it dropped. While it
 * observes events it allocates nothing, does no I/O and no floating point. Exceptions: `exact`,
 * `wpp`, the phases of `hpt` and the software side of compressors grow; `exact` spills to disk if
 * it has a directory for that; `leap` and `snoopp` allocate once, when the program's functions are
 * known.
 *
 * `step` is the definition of a table: one event, one transition of the hardware. `observe` does
 * the same for a batch, faster, with results equal to the bit. */
#ifndef SL_TABLE_H
#define SL_TABLE_H

#include "options.h"

struct sl_phase;
struct sl_sequence;

/* A hardware register or memory word that must be set before profiling: word `place` of the
 * array `name`, for example "tab". */
struct sl_parameter {
    const char *name;
    uint64_t place, value;
};

/* Whether the counts of two runs may be added (`sluice merge`), and the upper bound of a tuple that
 * one of the tables does not list. */
enum sl_addition {
    SL_ADDS_NOT,
    SL_ADDS_LISTED,  /* may be added; the bound is the weight that the table dropped */
    SL_ADDS_SAMPLED, /* may be added; the bound also has the samples of the smallest entry */
};

/* Restrictions on the events of a table. All zero: any tuples of any detector. */
struct sl_table_input {
    const char *detector; /* name of the only detector that is accepted; NULL: any */
    bool by_function; /* counts functions, whatever the tuples are: needs sl_table_host.functions,
                       * and drains <start address of a function, 0> */
    bool by_tuple_id; /* counts by tuple id alone: a detector whose events carry values
                       * is refused */
    bool keeps_parts; /* has a counter for each part of a weight (sl_table_host.parts) */
    const char
        *holds; /* name of the option that limits the number of tuples; NULL: no such option */
};

/* Optional: a notation other than name(options), which starts with a capital letter. */
struct sl_table_notation {
    /* Parses the notation at text[from] and sets *end to the index after it. Returns 0 or
     * SL_EUSAGE. */
    int (*parse)(const char *text, size_t from, size_t *end, void *config, struct sl_failure *f);
    /* Prints the notation of a configuration, without the options in parentheses. */
    void (*print)(const void *config, char *out, size_t capacity);
    /* The fields that the notation sets, as options, so that a database can store them by name. */
    const struct sl_option *written;
    void (*list)(FILE *out); /* prints the components, for `sluice list tables` */
};

/* Optional: several events of one tuple counted at once. */
struct sl_table_totals {
    /* Counts `times` events of a static tuple with the sum of their weights. The result is the same
     * as for single events, in any order with others. NULL: not possible. */
    void (*add)(void *state, uint32_t tuple_id, uint64_t times, uint64_t weight);
    /* Largest sum of weights for which one event of that weight leaves the same counts as the
     * single events, whichever events of other tuples come between them. Only the number of events
     * differs. 0: not with this configuration. NULL: never. */
    uint64_t (*sums_up_to)(const void *config);
};

/* Optional: a table that works by intervals and reports each to sl_table_host.interval. */
struct sl_table_intervals {
    /* Number of events of the batch up to the end of the current interval, that event included;
     * batch->n if the interval does not end within the batch. */
    size_t (*cut)(const void *state, const struct sl_batch *batch);
    /* Length of an interval. Tables of equal length end their intervals on the same event. */
    uint64_t (*length)(const void *config);
};

/* Optional: a table that depends on time or takes time. */
struct sl_table_timing {
    bool (*timed)(const void *config); /* reads sl_batch.time; NULL: never */
    /* Cycles that the hardware will need for the next event beyond those of any event. Called
     * before step(). NULL: none. */
    uint32_t (*delay)(const void *state, const struct sl_event *event);
};

/* Optional: a table that knows the order of events. Both functions are for a finished table, which
 * owns the memory that they return. */
struct sl_table_order {
    /* All events in order (subpath.h). Returns false if out of memory. NULL: not stored. */
    bool (*sequence)(const void *state, struct sl_sequence *sequence);
    /* The phases of the run (phases.h), *n of them. NULL: does not detect phases. */
    const struct sl_phase *(*phases)(const void *state, size_t *n);
};

/* Optional: for a table of millions of entries, with threads of its own. */
struct sl_table_large {
    /* Waits until the threads of the table are idle, so that the process may fork. */
    void (*rest)(void *state);
    /* Like `drain`, but may omit entries with a count below *least, which may rise during the call.
     * Returns the number of omitted entries. */
    uint64_t (*drain_heavy)(const void *state, const struct sl_tuple_names *names,
                            const uint64_t *least,
                            bool (*emit)(void *context, const struct sl_entry *entry),
                            void *context);
};

struct sl_table_kind {
    const char *name;
    /* For `sluice list tables`: one line, and the storage as a formula. NULL with
     * notation->list. */
    const char *summary, *storage;
    const struct sl_option *options; /* NULL: none */
    size_t config_size;
    enum sl_addition adds;
    struct sl_table_input input;

    /* Checks options against each other after parsing and fills what depends on several of them.
     * Returns 0 or SL_EUSAGE. NULL: nothing to check. */
    int (*resolve)(void *config, struct sl_failure *f);
    /* Storage of the hardware. NULL: the table grows with its input, and `status` reports its
     * current storage. */
    uint64_t (*storage_bits)(const void *config);
    bool model_only; /* the table has storage_bits but no RTL implementation */
    size_t (*size)(const void *config,
                   const struct sl_table_host *host); /* of the state, in bytes */
    /* Initializes a state in zeroed memory of that size, aligned to 64 bytes. `config` outlives the
     * state. Returns 0, SL_EUSAGE or SL_ENOMEM; after an error, `close` is not called. */
    int (*init)(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f);
    void (*step)(void *state, const struct sl_event *event);
    void (*observe)(void *state, const struct sl_batch *batch);
    void (*finish)(void *state); /* flushes buffers at the end of the run. NULL: has none */
    /* Sets *entry to entry i, with a count of 0 if it is not in use. Returns false if the table has
     * no more than i entries. */
    bool (*entry)(const void *state, size_t i, struct sl_entry *entry);
    /* A table without entry() emits each entry once, in any order, until `emit` returns false. */
    void (*drain)(const void *state, const struct sl_tuple_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context);
    /* Fills all of *status; storage_bits may stay 0 if the kind has storage_bits(), and distinct
     * if it has entry(). */
    void (*status)(const void *state, struct sl_table_status *status);
    void (*close)(void *state); /* frees what the state allocated. NULL: nothing */

    const struct sl_table_notation *notation;
    const struct sl_table_totals *totals;
    const struct sl_table_intervals *intervals;
    const struct sl_table_timing *timing;
    const struct sl_table_order *order;
    const struct sl_table_large *large;
    /* Hardware registers that depend on the program, grouped by name. Returns their number and
     * writes them to `out` unless it is NULL. NULL: none. */
    size_t (*parameters)(const void *state, struct sl_parameter *out);
};

/* The members that most kinds set to functions of the same name. */
#define SL_TABLE_FUNCTIONS \
    .size = size, .init = init, .step = step, .observe = observe, .status = status

/* ---- the list of kinds: registry.c ---- */

/* All kinds, in the order of `sluice list tables`: X(exact) is sl_table_exact. */
/* clang-format off */
#define SL_TABLE_KINDS(X) \
    X(exact) X(compressor) X(singlehash) X(multihash) X(hpt) X(wpp) \
    X(leap) X(snoopp) X(morris) X(fpc) X(multiplexed) X(spacesaving) \
    X(misragries) X(countmin) X(countsketch) X(heavykeeper) X(elastic) X(cocosketch)
/* clang-format on */

#define SL_TABLE_DECLARE(name) extern const struct sl_table_kind sl_table_##name;
SL_TABLE_KINDS(SL_TABLE_DECLARE)
#undef SL_TABLE_DECLARE

extern const struct sl_table_kind *const sl_tables[]; /* all of them; NULL at the end */

/* Parses the table spec at text[from], for example "hpt(entries=512x4)". Sets *kind, *config (the
 * resolved configuration, to be freed with free()) and *end, the index after the spec. Returns 0,
 * SL_EUSAGE with a message, or SL_ENOMEM; *config is then NULL. */
int sl_table_parse(const struct sl_table_kind **kind, void **config, const char *text, size_t from,
                   size_t *end, struct sl_failure *f);

/* ---- a table of a given kind: table.c ---- */

/* Bytes of memory that sl_table_make() needs. */
size_t sl_table_bytes_of(const struct sl_table_kind *kind, const void *config,
                         const struct sl_table_host *host);

/* Makes a table in the caller's memory (zeroed, aligned to 64 bytes), with a copy of `config`.
 * Returns 0, SL_EUSAGE for unaligned memory, or an error of the kind's init(). */
int sl_table_make(struct sl_table **table, const struct sl_table_kind *kind, const void *config,
                  const struct sl_table_host *host, void *memory, struct sl_failure *f);

/* Makes a table in memory of its own, which is mapped from the system and takes up only the pages
 * that are used. A table with intervals and a host without `interval` adds its intervals up, as
 * sl_table_open() describes. Returns 0, SL_ENOMEM or an error of the kind's init(); *table is then
 * NULL. */
int sl_table_create(struct sl_table **table, const struct sl_table_kind *kind, const void *config,
                    const struct sl_table_host *host, struct sl_failure *f);

/* drain() and status() of a table that has entry() instead, or of any other table. */
void sl_table_drain_kind(const struct sl_table_kind *kind, const void *state,
                         const struct sl_tuple_names *names,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_table_status_kind(const struct sl_table_kind *kind, const void *state,
                          struct sl_table_status *status);

/* The static tuple with this id, or the static part of a tuple whose value is in the event. */
static inline struct sl_tuple sl_tuple_named(const struct sl_tuple_names *names, size_t tuple_id)
{
    return (struct sl_tuple){names->pc[tuple_id], names->value ? names->value[tuple_id] : 0};
}

/* Event i of a batch. */
static inline struct sl_event sl_batch_event(const struct sl_batch *batch, size_t i)
{
    uint32_t tuple_id = batch->tuple_id[i];
    return (struct sl_event){tuple_id,
                             batch->value
                                 ? (struct sl_tuple){batch->names->pc[tuple_id], batch->value[i]}
                                 : sl_tuple_named(batch->names, tuple_id),
                             batch->weight ? batch->weight[i] : 1,
                             batch->part ? batch->part[i] : NULL,
                             batch->thread,
                             batch->time ? batch->time[i] : 0};
}

/* The n events of a batch that start at index `from`. */
static inline struct sl_batch sl_batch_part(const struct sl_batch *batch, size_t from, size_t n)
{
    return (struct sl_batch){n,
                             batch->tuple_id + from,
                             batch->value ? batch->value + from : NULL,
                             batch->weight ? batch->weight + from : NULL,
                             batch->names,
                             batch->part ? batch->part + from : NULL,
                             batch->thread,
                             batch->time ? batch->time + from : NULL};
}

/* Sum of the weights of a batch. */
static inline uint64_t sl_batch_weight(const struct sl_batch *batch)
{
    uint64_t sum = 0;
    if (!batch->weight)
        return batch->n;
    for (size_t i = 0; i < batch->n; i++)
        sum += batch->weight[i];
    return sum;
}

/* observe() by its definition: calls step() for each event of a batch. */
static inline void sl_batch_step(const struct sl_batch *batch, void *state,
                                 void (*step)(void *state, const struct sl_event *event))
{
    for (size_t i = 0; i < batch->n; i++) {
        struct sl_event event = sl_batch_event(batch, i);
        step(state, &event);
    }
}

static inline bool sl_tuple_same(struct sl_tuple a, struct sl_tuple b)
{
    return a.pc == b.pc && a.value == b.value;
}

/* log2 of the smallest power of two that is at least n. */
static inline unsigned sl_log2_up(uint64_t n)
{
    return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

/* Memory of a table's state, handed out array by array, each aligned to 64 bytes. An array of 0
 * elements is NULL. With a `base` of 0, all are NULL and only `used` is counted, so that size() and
 * init() of a table run the same code. */
struct sl_layout {
    uintptr_t base;
    size_t used;
};

static inline void *sl_layout_array(struct sl_layout *layout, size_t n, size_t size)
{
    size_t at = layout->used;
    layout->used += (n * size + 63) & ~(size_t)63;
    return layout->base && n ? (void *)(layout->base + at) : NULL;
}

/* Whether a table of this kind reads sl_batch.time. */
static inline bool sl_table_reads_time(const struct sl_table_kind *kind, const void *config)
{
    return kind->timing && kind->timing->timed && kind->timing->timed(config);
}

/* Whether sl_table_add() may be called. */
static inline bool sl_table_accepts_totals(const struct sl_table_kind *kind)
{
    return kind->totals && kind->totals->add;
}

/* Whether sl_table_sequence() may be called. */
static inline bool sl_table_stores_order(const struct sl_table_kind *kind)
{
    return kind->order && kind->order->sequence;
}

/* totals->sums_up_to of a kind; 0 if it has none. */
static inline uint64_t sl_table_sums_up_to(const struct sl_table_kind *kind, const void *config)
{
    return kind->totals && kind->totals->sums_up_to ? kind->totals->sums_up_to(config) : 0;
}

/* The functions below call those of the kind that have the same name. */

/* Only for a table with totals->add. */
void sl_table_add(struct sl_table *table, uint32_t tuple_id, uint64_t times, uint64_t weight);

/* A table without drain_heavy() emits all entries, and 0 is returned. */
uint64_t sl_table_drain_heavy(const struct sl_table *table, const struct sl_tuple_names *names,
                              const uint64_t *least,
                              bool (*emit)(void *context, const struct sl_entry *entry),
                              void *context);

/* Does nothing for a table without threads. */
void sl_table_rest(struct sl_table *table);

/* Only for a table with timing->delay. */
uint32_t sl_table_delay(const struct sl_table *table, const struct sl_event *event);

/* batch->n for a table without intervals. */
size_t sl_table_cut(const struct sl_table *table, const struct sl_batch *batch);

/* 0 for a table without parameters. */
size_t sl_table_parameters(const struct sl_table *table, struct sl_parameter *out);

/* Only for a table with order->sequence. */
bool sl_table_sequence(const struct sl_table *table, struct sl_sequence *sequence);

/* NULL and 0 for a table without phases. */
const struct sl_phase *sl_table_phases(const struct sl_table *table, size_t *n);

/* Prints the notation of a configuration without its options ("H[P256]2048", "hpt"); and the whole
 * spec, which parses to the same configuration. */
void sl_table_notation(const struct sl_table_kind *kind, const void *config, char *out,
                       size_t capacity);
void sl_table_print(const struct sl_table_kind *kind, const void *config, char *out,
                    size_t capacity);

#endif
