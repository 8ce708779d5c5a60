/* What a session found, as it is written to the database. */
#ifndef SL_RESULT_H
#define SL_RESULT_H

#include "second.h"
#include "statics.h"

struct sl_setting {
    const char *name, *value;
};

struct sl_result_profile {
    const char *spec;     /* with every option, as resolved */
    const char *detector; /* "value", "edge", ... */
    const char *metric;   /* "count", ... */
    const char *table;    /* "exact", ... */
    enum sl_second second;
    const struct sl_setting *setting; /* resolved options: "table.memory" = "1073741824" */
    size_t n_settings;
    uint64_t events;       /* that reached the table */
    uint64_t weight;       /* their sum */
    uint64_t distinct;     /* tuples the table holds */
    uint64_t storage_bits;
    uint64_t drops;        /* events it could not keep */
    uint64_t drops_weight;
    const char *note;      /* NULL, or a sentence the user has to read */
    const struct sl_entry *entry; /* highest count first, then by pc and value */
    size_t n_entries;      /* of the `distinct` ones, those to be saved */
};

struct sl_results {
    const struct sl_statics *statics;
    uint64_t instructions, blocks, loads; /* events of the whole run */
    const char *range, *only;             /* selection as given, or NULL */
    bool marked;
    const char *warning; /* of the source: "" or a sentence */
    const struct sl_result_profile *profile;
    size_t n_profiles;
};

#endif
