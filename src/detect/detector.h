/* SPDX-License-Identifier: MIT */
/* A detector turns chunks into weighted tuples.
 *
 * To add one: a file with a `const struct sl_detector_kind`, a line in
 * detector.c, a test, an entry in docs/man/sluice-run.1.
 *
 * Tuples of detectors whose second word is static (where a branch went, where a
 * block ends) have dense numbers, given when a tuple is first seen, so that
 * whoever counts them increments an array. Loads have the number of their
 * instruction and bring the value along. */
#ifndef SL_DETECTOR_H
#define SL_DETECTOR_H

#include "code.h"
#include "event.h"
#include "options.h"
#include "selection.h"
#include "word.h"

/* What every detector may look at. */
struct sl_watch {
    const struct sl_statics *statics;
    const struct sl_code *code;
    struct sl_symbols *symbols;
    const struct sl_selection *selection;
    struct sl_machine *machine; /* that has run the chunk; NULL: none is modelled */
};

/* A part of a chunk that is to be counted, or (not `active`) only followed. */
struct sl_away;
struct sl_steps;
struct sl_slice {
    const struct sl_chunk *chunk;
    uint32_t block_low, block_high; /* blocks low <= i < high */
    uint32_t mem_low, mem_high;
    bool joined; /* it goes on where this thread's last slice stopped */
    bool active;
    /* What each block weighs, by its place in the chunk; NULL: events count 1. */
    const uint64_t *block_weight;
    unsigned access; /* what counts of an access (struct sl_metric); 0: that it was made */
    uint64_t step;   /* small counters count by this (struct sl_metric); 0: by 1 */
    /* NULL, or SL_PARTS rows likewise: what the weights are made of (sl_table_host.parts). */
    const uint32_t *const *block_part;
    /* NULL, or for the whole chunk: the steps that lead out of a function (steps.h). What blocks
     * weigh, if anything, is then their instructions, and is there. Or, for those that go by
     * phrases alone, nothing but these. */
    const struct sl_away *away;
};

/* Where a detector puts its events; room for a chunk's worth. `value` and
 * `weight` are only read where the kind and the metric need them. */
#define SL_EVENTS_MAX (SL_CHUNK_BLOCKS + SL_CHUNK_MEMS + 2)
struct sl_events {
    size_t n;
    uint32_t thread; /* whose they are: the slice's; what is held back may be another's */
    uint32_t *number;
    uint64_t *value;
    uint64_t *weight;
    uint64_t (*part)[SL_PARTS]; /* NULL, or to be filled where slices have parts */
    /* NULL, or to be filled where several detectors' events are to be put in order:
     * the place in the chunk, counted from 1, of the block that an event comes with;
     * for what belongs to a block of an earlier slice, slice->block_low. */
    uint32_t *place;
    /* Set instead, when the events are the chunk's or the machine's own arrays as they
     * stand. */
    const uint32_t *number_in_place;
    const uint64_t *value_in_place, *weight_in_place;
};

/* Takes what events of one number come to: how many they are, and what they weigh together. */
struct sl_sum_taker {
    void (*take)(void *context, uint32_t number, uint64_t times, uint64_t weight);
    void *context;
};

/* What says best how good a profile is. */
enum sl_measure {
    SL_MEASURE_INVARIANCE, /* of what instructions do: invariance.h */
    SL_MEASURE_OVERLAP,    /* of what the run is made of: overlap.h */
    SL_MEASURE_RELATIVE,   /* of each count by itself: relative.h */
    SL_MEASURES
};

struct sl_detector_kind {
    const char *name;
    const char *summary; /* one line for `sluice list detectors` */
    const char *plural;  /* of its name: what many of its entries are */
    enum sl_reads first; /* how the words of its tuples read */
    struct sl_word second;
    enum sl_measure measure;
    bool by_instruction; /* tuples are what instructions did: there is an invariance */
    bool brings_second;  /* events bring their second words along, of which there may be many */
    unsigned wants;
    bool follows;        /* wants to see inactive slices too */
    bool distinct_names; /* no two of its numbers stand for the same tuple */
    bool weighs_itself;  /* an event is one access: only metrics of accesses mean something */
    bool linked;         /* entries mean something by one another: all of them are saved */
    const char *metric;  /* when none is named */
    /* What it counts of what happens in a machine: bits 1 << enum sl_happening. Its events
     * bring their weights along, whatever the metric. NULL: it needs no machine. */
    uint64_t (*happenings)(const void *config);
    /* At most; NULL: no more than a chunk's events have room for. */
    unsigned (*events_of_block)(const void *config);
    /* Events overlap, as those of a function and its callers: what they weigh does not add up,
     * and count means nothing. NULL: they never do. */
    bool (*overlaps)(const void *config);
    /* Bits of storage that it has itself in hardware; NULL: none to speak of. */
    uint64_t (*storage_bits)(const void *config);
    const char *no_class; /* NULL, or why --only means nothing */
    const struct sl_option *options;
    size_t config_size, state_size;
    /* Called once after parsing: fills what depends on several options, and refuses what
     * cannot be, beyond what each option's bounds say. NULL: there is nothing to do. */
    int (*resolve)(void *config, struct sl_failure *f);
    int (*init)(void *state, const void *config, const struct sl_watch *watch,
                struct sl_failure *f);
    /* Called before slices whose static facts are new. */
    int (*sync)(void *state, struct sl_failure *f);
    int (*feed)(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f);
    /* NULL, or in place of any `feed`: all that the steps (steps.h) of the run come to, whatever
     * number first; of those with `tally`, all that they were fed. False when memory ran out. */
    bool (*sum)(void *state, const struct sl_steps *steps, bool weighed, struct sl_sum_taker to);
    /* NULL, or another whose tally by instructions has all that this one would tell by them, if
     * they are alike: what that comes to, in place of anything that it is fed. */
    const struct sl_detector_kind *from;
    bool (*alike)(const void *config, const void *from_config);
    bool (*sum_from)(void *state, const void *from_state, struct sl_sum_taker to);
    bool sums_instructions; /* by this metric, too, not by count alone */
    /* From now on `feed` gives no events: `sum` will tell what they come to. */
    void (*tally)(void *state);
    /* Whether `feed` can do with sl_slice.away instead of each block and its weight. NULL: it
     * cannot. */
    bool (*goes_by_away)(const void *config);
    bool
        goes_by_phrases; /* it can where it is not weighed, but goes by the phrases of that alone */
    /* The thread has ended: gives what is still held back of it, as at the end of the run, and
     * keeps nothing of it. NULL where nothing is kept of threads. */
    void (*end_thread)(void *state, uint32_t thread, struct sl_events *out);
    /* What is still held back, of one thread at a time, again until nothing comes; NULL where
     * nothing is. */
    void (*finish)(void *state, struct sl_events *out);
    /* What the numbers stand for. */
    void (*names)(void *state, struct sl_names *names);
    /* NULL, or writes a sentence that the user has to read, if there is one. */
    void (*note)(const void *state, char *out, size_t room);
    /* The total that shares refer to when events overlap, as those of a function and its callers
     * do; 0 when they do not: shares then refer to the sum. NULL: they never overlap. */
    uint64_t (*whole)(const void *state);
    /* NULL, or a figure of that name which it keeps about its own work; NAN: it has none. */
    double (*figure)(const void *state, const char *name);
    void (*close)(void *state);
};

extern const struct sl_detector_kind *const sl_detectors[]; /* NULL at the end */
/* Those that others mean by name: */
extern const struct sl_detector_kind sl_detector_value, sl_detector_load, sl_detector_stride,
    sl_detector_edge, sl_detector_call, sl_detector_type, sl_detector_block, sl_detector_path,
    sl_detector_context, sl_detector_loop;
extern const struct sl_detector_kind sl_detector_function; /* what tables by function keep */
extern const struct sl_detector_kind sl_detector_cost;     /* of instructions, by cause */
extern const struct sl_detector_kind sl_detector_event;    /* tuples are few, and have names */
extern const struct sl_detector_kind sl_detector_blame;

/* NULL: there is none of that name. */
const struct sl_detector_kind *sl_detector_find(const char *name, size_t length);

#endif
