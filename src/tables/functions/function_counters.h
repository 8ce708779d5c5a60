/* SPDX-License-Identifier: MIT */
/* What leap and snoopp share: counters of a program's functions, and an account of what
 * had none. The two differ in how they find the counter.
 *
 * They are made for one program, and what its functions are is known when its file has
 * been mapped: of a program with shared libraries, after the loader has run for a while.
 * Until then, and for code that is not in that file (libraries, code made at run time),
 * nobody has a counter: such events are dropped, and counted as drops.
 *
 * A function has one counter, or, where weights are made of parts and the table keeps those,
 * one for each (of several put together, their mean counts), in as many storages:
 *
 *     energy   | A | B | C | D | E | F | stalls |    instructions, cycles
 *
 * What a function weighs is what its counters hold, each times what one of its part weighs,
 * which software reckons when it has read them. */
#ifndef SL_FUNCTION_COUNTERS_H
#define SL_FUNCTION_COUNTERS_H

#include "counter_storage.h"
#include "table.h"

struct sl_function_counters {
    struct sl_counter_config config;
    const struct sl_function_list *functions; /* the host's; NULL: it has none */
    bool ready, failed;                       /* it is made; it cannot be, and `failure` says why */
    struct sl_failure failure;
    struct sl_counter_storage storage[SL_PARTS];
    unsigned n_storages;
    /* With more than one: which a part goes to, and what one in each weighs. */
    unsigned storage_of[SL_PARTS];
    uint64_t unit[SL_PARTS];
    const struct sl_parts *parts; /* the host's */
    uint64_t *changes;            /* by counter */
    size_t turned_away;           /* functions or ranges beyond the capacity */
    uint64_t events, weight, strangers, strangers_weight;
};

void sl_function_counters_init(struct sl_function_counters *c,
                               const struct sl_counter_config *config,
                               const struct sl_table_host *host);

/* Weights are to be kept by their parts, the last by itself and the others as `groups`; to be
 * said before the counters are made. */
void sl_function_counters_split(struct sl_function_counters *c, const struct sl_parts *parts,
                                unsigned groups);

/* To be made now: the functions are known, and it was not tried before. */
static inline bool sl_function_counters_due(const struct sl_function_counters *c)
{
    return !c->ready && !c->failed && c->functions && c->functions->n;
}

/* Of n functions or ranges, those that there are counters for: the first ones. */
size_t sl_function_counters_room(struct sl_function_counters *c, size_t n);

/* The rest of making it: n counters. `error` is what it came to so far, with a sentence in
 * c->failure; returns what it comes to. */
int sl_function_counters_make(struct sl_function_counters *c, size_t n, int error);

/* The parts of a weight, which go to the counters of one function. */
void sl_function_counters_add_parts(struct sl_function_counters *c, size_t counter,
                                    const uint64_t *part);

/* One event. `counter` is any number from their number on where there is none; `part` is only
 * looked at by those that keep parts. */
static inline void sl_function_counters_add(struct sl_function_counters *c, size_t counter,
                                            uint64_t weight, const uint64_t *part)
{
    c->events++;
    c->weight += weight;
    if (counter >= c->storage[0].n) {
        c->strangers++;
        c->strangers_weight += weight;
    } else if (c->n_storages == 1) {
        sl_counters_add(&c->storage[0], counter, weight);
    } else {
        sl_function_counters_add_parts(c, counter, part);
    }
}

/* What a function's counters say, added up over those of its pieces. */
struct sl_function_reading {
    uint64_t weight;
    uint64_t slack; /* it may be off by this */
    bool full;      /* of a counter without room */
};
void sl_function_counters_read(const struct sl_function_counters *c, size_t counter,
                               struct sl_function_reading *reading);

/* The entry of the function at `pc`. */
bool sl_function_counters_emit(const struct sl_function_counters *c, uint64_t pc,
                               const struct sl_function_reading *reading,
                               bool (*emit)(void *context, const struct sl_entry *entry),
                               void *context);

/* All but distinct and storage_bits. */
void sl_function_counters_status(const struct sl_function_counters *c, const char *table,
                                 struct sl_table_status *out);

void sl_function_counters_close(struct sl_function_counters *c);

#endif
