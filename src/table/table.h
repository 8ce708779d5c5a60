/* A table keeps tuples in storage of its own kind.
 *
 * To add one: a file with a `const struct sl_table_kind`, a line in table.c, a
 * test, an entry in docs/man/sluice-run.1. A table never fails on an event: it
 * saturates or drops, and counts that. */
#ifndef SL_TABLE_H
#define SL_TABLE_H

#include "options.h"
#include "sluice.h"

/* What a table says of itself at the end. */
struct sl_table_status {
    uint64_t events, weight;       /* that it was given */
    uint64_t drops, drops_weight;  /* of those, what it could not keep */
    uint64_t distinct;             /* tuples that it holds */
    uint64_t storage_bits;         /* as hardware would need it */
    char note[200];                /* "" or a sentence that the user has to read */
};

struct sl_table_kind {
    const char *name;
    const char *summary; /* one line for `sluice list tables` */
    const char *storage; /* its storage as a formula */
    const struct sl_option *options;
    size_t config_size;
    /* Bytes of state for this configuration. */
    size_t (*size)(const void *config);
    /* `memory_bytes`: what the table may allocate beyond its state, if it grows. */
    int (*init)(void *state, const void *config, uint64_t memory_bytes, struct sl_failure *f);
    void (*observe)(void *state, const struct sl_batch *batch);
    /* Gives every tuple that it holds, in any order; stops when `emit` is false. */
    void (*drain)(void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context);
    void (*status)(const void *state, struct sl_table_status *status);
    void (*close)(void *state); /* NULL where there is nothing but the state */
};

extern const struct sl_table_kind *const sl_tables[]; /* NULL at the end */

const struct sl_table_kind *sl_table_find(const struct sl_spec *spec);

#endif
