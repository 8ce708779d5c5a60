/* SPDX-License-Identifier: MIT */
/* A table keeps tuples in storage of its own kind.
 *
 * To add one: a file with a `const struct sl_table_kind`, a line in table.c, a
 * test, an entry in docs/man/sluice-run.1. A table never fails on an event: it
 * saturates or drops, and counts that. While observing it does not allocate
 * (those that grow, exact and the software side of compressors, excepted; and those
 * that are made for one program, once, when that is loaded), does no I/O (but exact, if it is to
 * spill) and no floating point.
 *
 * `step` is the definition: one event, one transition of the hardware. `observe`
 * is the same for a batch, as fast as can be, and equal to the bit. */
#ifndef SL_TABLE_H
#define SL_TABLE_H

#include "options.h"
#include "sluice.h"

struct sl_phase;
struct sl_sequence;

/* A word that hardware is to be set to: "tab", the `place`-th of them. */
struct sl_parameter {
    const char *name;
    uint64_t place, value;
};

/* Whether counts of two tables can be added up, and what a tuple had at most that one does not
 * list. */
enum sl_adds {
    SL_ADDS_NOT,
    SL_ADDS_LISTED,  /* what the table has dropped */
    SL_ADDS_SAMPLED, /* that, and fewer samples than any that it lists */
};

struct sl_table_kind {
    const char *name;
    /* For `sluice list tables`: one line, and its storage as a formula; NULL with `list`. */
    const char *summary, *storage;
    const struct sl_option *options;
    size_t config_size;
    /* It keeps functions, whatever tuples it is given: it needs sl_table_host.functions,
     * and drains <first address of a function>. */
    bool by_function;
    const char *takes; /* the one detector that means something to it; NULL: any */
    bool keeps_parts;  /* it has counters for the parts of weights (sl_table_host.parts) */
    const char
        *holds; /* its option that says how many events its storage is for; NULL: it has none */
    /* Whether it looks at the times of events (sl_batch.time). NULL: it does not. */
    bool (*timed)(const void *config);
    enum sl_adds adds; /* what two of them say, added up, is true of all events */
    bool by_number;    /* tuples go by their numbers: values that come along mean nothing */
    /* Events of one tuple, whatever others come between them, are the same to it as one with
     * the sum of their weights, if that is no more than this; but that it counts them as one.
     * 0, or NULL: they are not. */
    uint64_t (*sums_up_to)(const void *config);
    /* NULL, or reads a notation of its own that starts at text[from] and sets *end
     * behind it; the same backwards, without options. NULL: name(options). */
    int (*parse)(const char *text, size_t from, size_t *end, void *config, struct sl_failure *f);
    void (*notation)(const void *config, char *out, size_t room);
    /* What that notation says, as options that nobody writes so: for those who want the
     * numbers of a configuration. NULL without a notation. */
    const struct sl_option *written;
    /* Prints its components, for `sluice list tables`; NULL where it has none. */
    void (*list)(FILE *out);
    /* Called once after parsing: fills what depends on several options, and refuses what
     * cannot be, beyond what each option's bounds say. NULL: there is nothing to do. */
    int (*resolve)(void *config, struct sl_failure *f);
    /* As hardware would need it, from when it is made; NULL: it grows with what it is
     * given, and its status says how far it is. */
    uint64_t (*storage_bits)(const void *config);
    /* Bytes of state, and its making in that much zeroed memory, 64-byte aligned. */
    size_t (*size)(const void *config, const struct sl_table_host *host);
    int (*init)(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f);
    void (*step)(void *state, const struct sl_event *event);
    /* NULL, or so many events of one static tuple at once, with the sum of their weights: the same
     * as one by one, in any order with others, to the bit. */
    void (*add)(void *state, uint32_t number, uint64_t times, uint64_t weight);
    /* Cycles that the hardware will take for the event, which is still to come, beyond those
     * that it takes for any. NULL: what time it takes is not modelled. */
    uint32_t (*delay)(const void *state, const struct sl_event *event);
    void (*observe)(void *state, const struct sl_batch *batch);
    /* How many of the batch's events, from its first, belong to the interval that is
     * under way; batch->n if it does not end within. NULL: it has no intervals. */
    size_t (*cut)(const void *state, const struct sl_batch *batch);
    /* The length of its intervals; tables with equal lengths close theirs on the same event.
     * 0: it varies. NULL without `cut`. */
    uint64_t (*interval)(const void *config);
    /* Whatever threads of its own were to do is done: the process may be forked. NULL: it has none.
     */
    void (*rest)(void *state);
    void (*finish)(void *state); /* NULL where nothing waits */
    void (*drain)(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context);
    /* The same, but entries with a count below *least, which may rise on the way, may be left out:
     * how many were. NULL: it leaves out none. */
    uint64_t (*drain_heavy)(const void *state, const struct sl_names *names, const uint64_t *least,
                            bool (*emit)(void *context, const struct sl_entry *entry),
                            void *context);
    /* All events in order, after `finish` (sequence.h); what is given is the table's. False
     * when memory ran out. NULL: it forgets the order. */
    bool (*sequence)(const void *state, struct sl_sequence *sequence);
    /* The phases of the run that it saw, after `finish` (phases.h); they stay its. NULL: it sees
     * none. */
    const struct sl_phase *(*phases)(const void *state, size_t *n);
    /* What hardware is to be set to for the program at hand, name by name, those of one name one
     * behind the other; returns how many, and writes none where `out` is NULL. NULL: nothing. */
    size_t (*parameters)(const void *state, struct sl_parameter *out);
    /* All of it but what storage_bits says. */
    void (*status)(const void *state, struct sl_table_status *status);
    void (*close)(void *state); /* NULL where there is nothing but the state */
};

extern const struct sl_table_kind *const sl_tables[];  /* NULL at the end */
extern const struct sl_table_kind sl_table_exact;      /* the reference for all others */
extern const struct sl_table_kind sl_table_compressor; /* that has a notation of its own */

/* Reads the table that starts at text[from]: its kind, and its configuration (to
 * be freed) resolved. `end` is set behind it. */
int sl_table_parse(const struct sl_table_kind **kind, void **config, const char *text, size_t from,
                   size_t *end, struct sl_failure *f);

/* The table in the caller's memory, with its kind and a copy of its configuration:
 * what the public functions of sluice.h work on. */
size_t sl_table_bytes_of(const struct sl_table_kind *kind, const void *config,
                         const struct sl_table_host *host);
int sl_table_make(struct sl_table **table, const struct sl_table_kind *kind, const void *config,
                  const struct sl_table_host *host, void *memory, struct sl_failure *f);

/* Event i of a batch by itself. */
static inline struct sl_event sl_batch_event(const struct sl_batch *batch, size_t i)
{
    uint32_t number = batch->number[i];
    uint64_t second = batch->value ? batch->value[i] : batch->names->value[number];
    return (struct sl_event){number,
                             {batch->names->pc[number], second},
                             batch->weight ? batch->weight[i] : 1,
                             batch->part ? batch->part[i] : NULL,
                             batch->thread,
                             batch->time ? batch->time[i] : 0};
}

/* n events of a batch from number `from` on. */
static inline struct sl_batch sl_batch_part(const struct sl_batch *batch, size_t from, size_t n)
{
    return (struct sl_batch){n,
                             batch->number + from,
                             batch->value ? batch->value + from : NULL,
                             batch->weight ? batch->weight + from : NULL,
                             batch->names,
                             batch->part ? batch->part + from : NULL,
                             batch->thread,
                             batch->time ? batch->time + from : NULL};
}

/* sl_table_kind.add of a table that has it. */
void sl_table_add(struct sl_table *table, uint32_t number, uint64_t times, uint64_t weight);

/* sl_table_kind.drain_heavy of a table, or all of it. */
uint64_t sl_table_drain_heavy(const struct sl_table *table, const struct sl_names *names,
                              const uint64_t *least,
                              bool (*emit)(void *context, const struct sl_entry *entry),
                              void *context);

/* sl_table_kind.rest of a table; nothing of one that has none. */
void sl_table_rest(struct sl_table *table);

/* sl_table_kind.delay of a table that has it. */
uint32_t sl_table_delay(const struct sl_table *table, const struct sl_event *event);

/* sl_table_kind.cut of a table; batch->n for one without intervals. */
size_t sl_table_cut(const struct sl_table *table, const struct sl_batch *batch);

/* sl_table_kind.parameters of a table; 0 of one that has none. */
size_t sl_table_parameters(const struct sl_table *table, struct sl_parameter *out);

/* sl_table_kind.sequence of a table that has it. */
bool sl_table_sequence(const struct sl_table *table, struct sl_sequence *sequence);

/* sl_table_kind.phases of a table; NULL and 0 of one that has none. */
const struct sl_phase *sl_table_phases(const struct sl_table *table, size_t *n);

/* What it is written as, without its options; and the resolved configuration, such that parsing
 * it gives it again. */
void sl_table_notation(const struct sl_table_kind *kind, const void *config, char *out,
                       size_t room);
void sl_table_print(const struct sl_table_kind *kind, const void *config, char *out, size_t room);

#endif
