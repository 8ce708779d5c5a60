/* SPDX-License-Identifier: MIT */
/* Interface of detectors. A detector turns chunks of the retired instruction stream into events,
 * which are weighted tuples.
 *
 * To add one: a file with a `const struct sl_detector_kind`, its name in SL_DETECTOR_KINDS below, a
 * unit test, an entry in docs/man/sluice-profiles.7.
 *
 * A tuple has one or two fields. If both are static (a branch target, the end of a block), tuples
 * have dense ids, assigned when a tuple first occurs, so that a table can count by incrementing an
 * array. Detectors of loads use the index of the instruction as the id, and each event carries the
 * second field (second_in_event). */
#ifndef SL_DETECTOR_H
#define SL_DETECTOR_H

#include "event.h"
#include "options.h"
#include "selection.h"

/* What a detector may read. All of it outlives the detector. */
struct sl_detector_env {
    const struct sl_statics *statics;
    const struct sl_code *code;
    struct sl_symbols *symbols;
    const struct sl_selection *selection;
    struct sl_machine *machine; /* CPU model, which has already run the chunk; NULL: none */
};

struct sl_exits;
struct sl_block_pairs;

/* A part of a chunk. Its events are counted if it is `active`; otherwise the detector only follows
 * the control flow. */
struct sl_slice {
    const struct sl_chunk *chunk;
    uint32_t block_low, block_high; /* blocks low <= i < high */
    uint32_t mem_low, mem_high;
    bool joined; /* continues where this thread's last slice ended */
    bool active;
    /* Weight of each block, by its index in the chunk; NULL: events count 1. */
    const uint64_t *block_weight;
    unsigned access; /* the metric's sl_metric.access */
    uint64_t step;   /* the metric's sl_metric.step; 0: 1 */
    /* NULL, or SL_PARTS rows like block_weight: the parts of each weight (sl_table_host.parts). */
    const uint32_t *const *block_part;
    /* NULL, or the function exits of the whole chunk (block_pairs.h), for detectors with `exits`;
     * blocks then weigh their instructions if they are weighted at all. For detectors with
     * `ngrams`, only the n-grams are filled. */
    const struct sl_exits *exits;
};

/* The events of a slice. Each array has SL_EVENTS_MAX elements. `value` and `weight` are only read
 * where the kind and the metric need them. */
#define SL_EVENTS_MAX (SL_CHUNK_BLOCKS + SL_CHUNK_MEMS + 2)
struct sl_events {
    size_t n;
    uint32_t thread; /* of the slice; held-back events may belong to another thread */
    uint32_t *tuple_id;
    uint64_t *value;
    uint64_t *weight;
    uint64_t (*part)[SL_PARTS]; /* NULL, or to be filled where slices have parts */
    /* NULL, or to be filled where the events of several detectors are merged in program order: the
     * index in the chunk, from 1, of the block that an event belongs to; slice->block_low if that
     * block was in an earlier slice. */
    uint32_t *position;
    /* Set instead of the arrays above if the events are already an array of the chunk or of the CPU
     * model. */
    const uint32_t *tuple_id_in_place;
    const uint64_t *value_in_place, *weight_in_place;
};

/* Receives totals: how many events a tuple has, and the sum of their weights. */
struct sl_total_sink {
    void (*add)(void *context, uint32_t tuple_id, uint64_t times, uint64_t weight);
    void *context;
};

/* The error that an evaluation reports first. */
enum sl_measure {
    SL_MEASURE_INVARIANCE, /* invariance.c: per instruction */
    SL_MEASURE_OVERLAP,    /* overlap.c: of whole profiles */
    SL_MEASURE_RELATIVE,   /* overlap.c: of each count by itself */
    SL_MEASURES
};

/* ---- fields ---- */

/* What a field of a tuple is. Reports print a field by its type (src/report/views/entry_view.h),
 * and code that needs certain facts, for example branch targets, finds a profile by the types of
 * its fields. No two detectors have the same type of second field, except NOTHING and NUMBER. */
enum sl_field_type {
    SL_FIELD_NOTHING,  /* no such field */
    SL_FIELD_CODE,     /* address of an instruction */
    SL_FIELD_FUNCTION, /* first address of a function; 0: code without a symbol */
    SL_FIELD_LOOP,     /* first address of a loop, or of a function for code in no loop */
    SL_FIELD_EVENTS,   /* CPU model event: event_set.h */
    SL_FIELD_NUMBER,   /* any number */
    SL_FIELD_VALUE,    /* value that a load read */
    SL_FIELD_DATA,     /* address of data; 0: unknown */
    SL_FIELD_SLOT,     /* address of a method-table slot; 0: unknown */
    SL_FIELD_STRIDE,   /* signed distance between two addresses */
    SL_FIELD_TARGET,   /* address of code: where a conditional branch or indirect jump went */
    SL_FIELD_CALLEE,   /* address of code: where a call went */
    SL_FIELD_END,  /* address of code: last instruction of the block that the first field begins */
    SL_FIELD_BACK, /* address of code: backward branch of a loop; 0: no loop */
    SL_FIELD_OUTCOMES, /* branches of a path: path_descriptor.h */
    SL_FIELD_CAUSE,    /* cause of a cost in the CPU model: op_log.h */
    SL_FIELD_CALLERS,  /* name of a calling context: context_name.h */
    SL_FIELD_TYPES
};

struct sl_field {
    const char *name;    /* in the database and in JSON: "target" */
    const char *heading; /* of a column in reports; NULL: the name */
    enum sl_field_type type;
};

/* True for an address that may have a symbol (and, if it is code, a line). */
static inline bool sl_field_is_address(const struct sl_field *field)
{
    return field->type == SL_FIELD_TARGET || field->type == SL_FIELD_CALLEE ||
           field->type == SL_FIELD_SLOT || field->type == SL_FIELD_END ||
           field->type == SL_FIELD_BACK;
}

/* ---- optional abilities ---- */

/* Totals computed at the end of the run from the counts of block pairs (block_pairs.h), so that
 * `feed` is never called. For detectors whose events are blocks or pairs of blocks. */
struct sl_detector_pair_totals {
    bool instructions; /* also for the metric `instructions`, not only for `count` */
    /* Emits each tuple at most once, in any order. Returns false if out of memory. */
    bool (*emit)(void *state, const struct sl_block_pairs *pairs, bool weighted,
                 struct sl_total_sink sink);
};

/* `feed` can read the function exits of a chunk (sl_slice.exits) instead of every block. */
struct sl_detector_exits {
    bool (*usable)(const void *config); /* false: these options need every block */
    bool loop_exits; /* the ends and back edges of loops must be in the list, too */
    /* Optional pair. After keep_totals(), `feed` emits no events but adds them up in the state;
     * emit_totals() then emits the sums so far. Both NULL: events only. */
    void (*keep_totals)(void *state);
    void (*emit_totals)(void *state, struct sl_total_sink sink);
    /* Emits the weight that is not in events or totals yet, as the functions that threads are
     * executing have it. May be called between chunks. NULL: unknown. */
    void (*emit_pending)(const void *state, struct sl_total_sink sink);
};

/* Totals by instructions derived from those of another detector in the same run, e.g. `function`
 * from `context`: the sum over a function's contexts is the function's total. */
struct sl_detector_derivation {
    const struct sl_detector_kind *from;
    bool (*usable)(const void *config, const void *from_config); /* options must match */
    /* Returns false if out of memory. */
    bool (*emit)(void *state, const void *from_state, struct sl_total_sink sink);
};

/* What the detector knows about its own accuracy and cost. Any member may be NULL. */
struct sl_detector_facts {
    uint64_t (*storage_bits)(const void *config); /* of its own hardware, e.g. the path stack */
    void (*warning)(const void *state, char *out, size_t size); /* "": nothing to report */
    double (*statistic)(const void *state, const char *name);   /* NAN: no such statistic */
};

/* ---- the kind ---- */

struct sl_detector_kind {
    const char *name, *plural; /* "edge", "edges" */
    const char *summary;       /* one line for `sluice list detectors` */
    enum sl_field_type first;  /* the fields of a tuple */
    struct sl_field second;
    bool second_in_event;  /* events carry the second field (a loaded value). Otherwise a tuple id
                            * denotes both fields, and tables may count by id alone */
    bool unique_ids;       /* two ids never denote the same tuple */
    bool per_instruction;  /* tuples say what one instruction did, so invariance is defined */
    bool per_access;       /* an event is one memory access: only count and miss metrics apply */
    bool unweighted;       /* events never have weights: only the metric `count` applies */
    bool feed_inactive;    /* feed() also gets slices outside the selection, to follow calls */
    bool save_all_entries; /* entries refer to each other, as contexts do: do not truncate them */
    bool ngrams;           /* feed() can use sl_slice.exits->ngrams when events are not weighted */
    enum sl_measure error_measure; /* headline error of an evaluation */
    const char *default_metric;
    const char *no_only;   /* why --only is refused, for the message; NULL: --only is allowed */
    unsigned stream_needs; /* SL_NEED_*: load values, load addresses, store addresses */

    const struct sl_option *options;
    size_t config_size, state_size;

    /* Checks options against each other after parsing and fills what depends on several of them.
     * Returns 0 or SL_EUSAGE. NULL: nothing to check. */
    int (*resolve)(void *config, struct sl_failure *f);
    /* CPU model events to count, as bits 1 << enum sl_machine_event; events then carry their
     * weights, whatever the metric. NULL: works without a CPU model. */
    uint64_t (*machine_events)(const void *config);
    /* NULL: at most one event per block and one per memory access. */
    unsigned (*max_events_per_block)(const void *config);
    /* True if costs are inclusive: a caller's contains its callees', entries do not add up, and the
     * metric `count` is refused. NULL: never. */
    bool (*inclusive)(const void *config);

    /* Called once, with a zeroed state. Returns 0, SL_ENOMEM, or SL_EUSAGE for options that it
     * refuses; close() is called only after 0. */
    int (*init)(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f);
    /* Reads blocks and instructions that are new since the last call. Called before the slices that
     * use them. Returns 0 or SL_ENOMEM. NULL: reads none. */
    int (*sync)(void *state, struct sl_failure *f);
    /* Turns one slice into events, at most SL_EVENTS_MAX. Returns 0 or SL_ENOMEM. */
    int (*feed)(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f);
    /* For CPU models that wait for the detector in hardware (profiler.c): like feed() on an active
     * slice with out->position. Also sets operations[i] to the number of operations that the branch
     * before block i of the chunk took; 0: no branch. NULL: the time is unknown. */
    int (*feed_timed)(void *state, const struct sl_slice *slice, struct sl_events *out,
                      uint8_t *operations, struct sl_failure *f);
    /* Emits the held-back events of a thread that has ended, and frees its state. NULL: keeps
     * nothing per thread. */
    void (*end_thread)(void *state, uint32_t thread, struct sl_events *out);
    /* The same at the end of the run, one thread per call; called until it emits nothing. NULL:
     * never holds events back. */
    void (*finish)(void *state, struct sl_events *out);
    void (*names)(void *state, struct sl_tuple_names *names); /* tuple id -> tuple */
    /* Denominator of percentages for inclusive costs; 0 or NULL: the sum of the entries. */
    uint64_t (*total_weight)(const void *state);
    void (*close)(void *state);

    /* NULL: the detector cannot do that. */
    const struct sl_detector_pair_totals *pair_totals;
    const struct sl_detector_exits *exits;
    const struct sl_detector_derivation *derivation;
    const struct sl_detector_facts *facts;
};

/* All detectors, in the order of `sluice list detectors`. */
#define SL_DETECTOR_KINDS(X) \
    X(value)                 \
    X(load)                  \
    X(stride)                \
    X(edge)                  \
    X(call) X(type) X(block) X(path) X(function) X(context) X(loop) X(cost) X(event) X(blame)

#define SL_DETECTOR_DECLARE(name) extern const struct sl_detector_kind sl_detector_##name;
SL_DETECTOR_KINDS(SL_DETECTOR_DECLARE)
#undef SL_DETECTOR_DECLARE

extern const struct sl_detector_kind *const sl_detectors[]; /* NULL at the end */

/* Returns NULL if no detector has this name. */
const struct sl_detector_kind *sl_detector_find(const char *name, size_t length);

/* Returns the detector whose tuples have these fields; NULL if there is none. */
const struct sl_detector_kind *sl_detector_with_fields(enum sl_field_type first,
                                                       enum sl_field_type second);

/* True if tuples are functions and nothing else, so that they add up to the program. */
static inline bool sl_detector_counts_functions(const struct sl_detector_kind *kind)
{
    return kind->first == SL_FIELD_FUNCTION && kind->second.type == SL_FIELD_NOTHING;
}

#endif
