/* What leap and snoopp share: counters of a program's functions, and an account of what
 * had none. The two differ in how they find the counter.
 *
 * They are made for one program, and what its functions are is known when its file has
 * been mapped: of a program with shared libraries, after the loader has run for a while.
 * Until then, and for code that is not in that file (libraries, code made at run time),
 * nobody has a counter: such events are dropped, and counted as drops. */
#ifndef SL_FUNCTION_COUNTERS_H
#define SL_FUNCTION_COUNTERS_H

#include "counter_storage.h"
#include "table.h"

struct sl_function_counters {
    struct sl_counter_config config;
    const struct sl_function_list *functions; /* the host's; NULL: it has none */
    bool ready, failed;        /* it is made; it cannot be, and `failure` says why */
    struct sl_failure failure;
    struct sl_counter_storage storage;
    uint64_t events, weight, strangers, strangers_weight;
};

void sl_function_counters_init(struct sl_function_counters *c, const void *config,
                               const struct sl_table_host *host);

/* To be made now: the functions are known, and it was not tried before. */
static inline bool sl_function_counters_due(const struct sl_function_counters *c)
{
    return !c->ready && !c->failed && c->functions && c->functions->n;
}

/* The rest of making it: n counters. `error` is what it came to so far, with a sentence in
 * c->failure; returns what it comes to. */
int sl_function_counters_make(struct sl_function_counters *c, size_t n, int error);

/* One event. `counter` is any number from storage.n on where there is none. */
static inline void sl_function_counters_add(struct sl_function_counters *c, size_t counter,
                                            uint64_t weight)
{
    c->events++;
    c->weight += weight;
    if (counter < c->storage.n) {
        sl_counters_add(&c->storage, counter, weight);
    } else {
        c->strangers++;
        c->strangers_weight += weight;
    }
}

/* The entry of the function at `pc`; `full`: `units` are of a counter without room. */
bool sl_function_counters_emit(const struct sl_function_counters *c, uint64_t pc, uint64_t units,
                               bool full,
                               bool (*emit)(void *context, const struct sl_entry *entry),
                               void *context);

/* All but distinct and storage_bits. */
void sl_function_counters_status(const struct sl_function_counters *c, const char *table,
                                 struct sl_table_status *out);

void sl_function_counters_close(struct sl_function_counters *c);

#endif
