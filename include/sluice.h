/* SPDX-License-Identifier: MIT */
/* sluice: find what a running program does most.
 *
 * The one public header. A *source* gives the retired instruction stream of a
 * program (running under QEMU, recorded, or made up); a *session* turns it into
 * profiles, each a detector, a metric and a table; a session is saved as an
 * SQLite database; a *report* turns a database into something to read.
 *
 * Every function that can fail returns 0 or a negative `enum sl_error` and says
 * why in the `struct sl_failure` it was given (which may be NULL). The library
 * never prints, exits or aborts. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice-wants.h" /* enum sl_wants */

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what is declared here, and nothing else, is exported */
#endif

/* ---- version ---- */

/* Of this header. While the first number is 0, programs that were built with another second
 * one have to be built again. */
#define SL_VERSION_MAJOR 0
#define SL_VERSION_MINOR 1
#define SL_VERSION_PATCH 0
#define SL_VERSION_NUMBER (SL_VERSION_MAJOR * 10000 + SL_VERSION_MINOR * 100 + SL_VERSION_PATCH)

#define SL_VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define SL_VERSION_TEXT(major, minor, patch) SL_VERSION_TEXT_(major, minor, patch)
#define SL_VERSION SL_VERSION_TEXT(SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH)

/* Of the library that runs: SL_VERSION and SL_VERSION_NUMBER as they were when it was built. */
const char *sl_version(void);
unsigned sl_version_number(void);

/* ---- errors ---- */

enum sl_error {
    SL_EUSAGE = -1,       /* the caller asked for something that cannot be */
    SL_ENOTFOUND = -2,    /* the program to run does not exist */
    SL_ENOEXEC = -3,      /* it exists and cannot be executed */
    SL_EUNSUPPORTED = -4, /* it is for a machine we do not know, or QEMU is missing */
    SL_EFORMAT = -5,      /* a file is not what it should be */
    SL_EIO = -6,          /* the system refused to read or write */
    SL_ENOMEM = -7,
    SL_EKILLED = -8, /* a signal ended the program before it began */
};

struct sl_failure {
    enum sl_error code;
    /* The field of a configuration that would have to be different, by its name, as "range" of
     * sl_session_config; NULL: none, or several. The text does not name it: how the user sets
     * it, the caller knows. */
    const char *setting;
    char text[1024];
};

/* ---- tuples and tables ---- */

/* What is counted: an instruction and what it did (the value it loaded, the
 * target it went to). Detectors with one-word tuples leave `value` 0. */
struct sl_tuple {
    uint64_t pc, value;
};

/* What the dense numbers in a batch stand for. `value` is NULL where the
 * second word comes with each event. */
struct sl_names {
    const uint64_t *pc;
    const uint64_t *value;
    size_t n;
};

#define SL_PARTS 7 /* of a weight: see sl_table_host.parts */

/* Events in the order in which they happened. Event i is the tuple
 * (names->pc[number[i]], value ? value[i] : names->value[number[i]])
 * with the weight (weight ? weight[i] : 1). */
struct sl_batch {
    size_t n;
    const uint32_t *number;
    const uint64_t *value;
    const uint64_t *weight;
    const struct sl_names *names;
    const uint64_t (*part)[SL_PARTS]; /* NULL, or what each weight is made of */
    uint32_t thread;                  /* all of them are of one, from 0 on */
    const uint64_t *time;             /* NULL, or the cycle in which each happened, from 1 on */
};

/* One event by itself. Tables that model hardware look at the tuple, the exact
 * one at the number. */
struct sl_event {
    uint32_t number;
    struct sl_tuple tuple;
    uint64_t weight;
    const uint64_t *part; /* NULL, or SL_PARTS of them: what the weight is made of */
    uint32_t thread;
    uint64_t time; /* the cycle in which it happened; 0: nobody knows */
};

/* What a table says of a tuple. The true count is between `low` and `high` (how
 * sure that is, the table says: sl_table_status.bounds). `resident` is the part of
 * `count` that is still in the table and was not sent to software. */
struct sl_entry {
    struct sl_tuple tuple;
    uint64_t count, low, high, resident;
};

/* What a table says of itself. */
enum sl_bounds {
    SL_BOUNDS_NONE,    /* low and high mean nothing */
    SL_BOUNDS_CERTAIN, /* the true count is between them */
    SL_BOUNDS_95,      /* it is so in 95 of 100 cases */
};

/* A queue of a table's, and what it has seen; times in cycles, or where these are not known in
 * events. */
struct sl_table_queue {
    uint64_t room, service;    /* places, and the time that one takes; no places: no queue */
    uint64_t came, late, lost; /* all; those that had to wait; that found no place */
    uint64_t lost_weight;      /* what these counted */
    uint64_t most;             /* places in use at once */
    uint64_t wait, wait_most;  /* of those that were late, together and at most */
};

#define SL_GAPS 65 /* gaps by powers of two */

struct sl_table_status {
    uint64_t events, weight;      /* that it was given */
    uint64_t drops, drops_weight; /* of those, what it could not keep */
    uint64_t distinct;            /* tuples that it would drain */
    uint64_t storage_bits;        /* as hardware would need it, for what it has now */
    enum sl_bounds bounds;
    bool sends;                    /* it tells software by messages, and the following hold: */
    uint64_t messages, interrupts; /* sent so far; one interrupt for every full buffer */
    uint64_t message_weight;       /* sum of their counts */
    uint64_t residue;              /* what is in the table and was not sent */
    uint64_t gap_min, gap_median;  /* time between two messages; the median to a power of two */
    uint64_t gap[SL_GAPS];         /* gaps g with 2^(i-1) <= g < 2^i at i; 0 at 0 */
    bool clocked;                  /* such times are cycles; else events */
    struct sl_table_queue input, output; /* of tuples for it; of its messages for software */
    uint64_t check_cycles;               /* that software needs more for each message */
    uint64_t converged, filtered;   /* instructions of which enough is known; that go past it */
    uint64_t passed, passed_weight; /* events of these */
    bool failed;                    /* it could not do all that was asked for; the note says why */
    char note[400];                 /* "" or a sentence that the user has to read */
};

/* What a compressor sends to software: a tuple, the events it stands for, how many
 * samples were added up in it, and the substream it comes from. */
struct sl_message {
    struct sl_tuple tuple;
    uint64_t count, samples;
    uint32_t stream;
};

/* Candidates of one interval, from a table that reports at each interval's end. */
struct sl_interval {
    uint64_t number;      /* 0, 1, 2, ... */
    uint64_t first_event; /* events before it */
    uint64_t events, weight;
    uint64_t drops;     /* promotions that found no room */
    uint64_t threshold; /* a candidate counts at least this */
    bool partial;       /* the run ended before the interval did */
    const struct sl_entry *entry;
    size_t n_entries;
    uint64_t unlisted_high; /* what a tuple that is not among them can have had at most */
};

/* ---- a table by itself, for those who embed one ---- */

/* The functions of one program, for tables that are made for one. */
struct sl_function_list {
    const uint64_t *start; /* of each, in ascending order, no two the same */
    size_t n;
    /* Where their code is, in ascending order, no two overlapping. Most functions have one
     * piece, from their start on. */
    const struct sl_function_piece {
        uint64_t start, end; /* the first address behind it */
        size_t function;     /* its place in the list */
    } * piece;
    size_t n_pieces;
    bool stripped; /* only functions that the program exports are in the list */
};

/* What weights are made of, where a table can keep that: energy is what the instructions of
 * each of six groups and the cycles of stalls take, so many each. */
struct sl_parts {
    uint64_t unit[SL_PARTS]; /* what one of each weighs, in 2^-unit_log2, to 20 bits or more */
    unsigned unit_log2;
    /* Weights are rounded to whole numbers: one and the sum of its parts differ by less than
     * this. 0: by nobody knows how much, which may turn out as events come. */
    uint64_t slack;
};

/* What a table may use and whom it tells. All of it may be zero. */
struct sl_table_host {
    uint64_t memory_bytes;       /* a table that grows may allocate this */
    unsigned helpers;            /* threads that it may make; what it finds does not depend on it */
    const char *spill_directory; /* where `exact` puts values beyond that; NULL: it drops them */
    size_t names;                /* static tuples for which it has room to keep hashes of */
    bool distinct_names;         /* no two numbers of static tuples stand for the same one */
    /* The program's, to stay as long as the table; NULL if there are none. An empty list may
     * be filled later, before the first event in one of its functions. */
    const struct sl_function_list *functions;
    const struct sl_parts *parts; /* of all events' weights; NULL: they have none */
    /* Messages, a buffer full at a time; NULL: the table keeps what they add up to. */
    void (*deliver)(void *context, const struct sl_message *message, size_t n);
    /* The end of an interval. `interval` is gone when this returns. */
    void (*interval)(void *context, const struct sl_interval *interval);
    void *context;
};

struct sl_table;

/* Bytes that the table of this spec ("H[P256]2048+A16", "multihash(tables=4)")
 * needs; 0 with a failure if there is no such table. */
size_t sl_table_bytes(const char *spec, const struct sl_table_host *host, struct sl_failure *f);

/* Bits of storage that it has as hardware would need it. 0 for one that grows, and then
 * f->code is 0; 0 with a failure if there is no such table. */
uint64_t sl_table_storage(const char *spec, struct sl_failure *f);

/* Makes the table in `memory`: sl_table_bytes of it, zeroed, aligned to 64 bytes.
 * Only `exact`, a compressor without a `deliver`, and, once they have the list of the
 * program's functions, `leap` and `snoopp` allocate more. */
int sl_table_place(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                   void *memory, struct sl_failure *f);

/* The usual case: makes the table in memory of its own, which sl_table_close frees. A `host` of
 * NULL has nothing but 64 MiB that the table may allocate. Where no `interval` takes the
 * candidates of intervals, the table adds them up, and is drained of totals: of each tuple what
 * it counted in the intervals of which it was a candidate. */
int sl_table_open(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                  struct sl_failure *f);

/* One event, as the hardware takes it; a batch of them, which is faster and the same. */
void sl_table_step(struct sl_table *table, const struct sl_event *event);
void sl_table_observe(struct sl_table *table, const struct sl_batch *batch);

/* Sends what waits in the buffer, reports the last interval. To be called once. */
void sl_table_finish(struct sl_table *table);

/* Gives every tuple that it knows, in any order; stops when `emit` is false.
 * `names` are those of the batches; tables that model hardware need none. */
void sl_table_drain(const struct sl_table *table, const struct sl_names *names,
                    bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_table_status(const struct sl_table *table, struct sl_table_status *status);

/* Makes the table what it was when it was new, for a next phase, with the same seed. */
int sl_table_reset(struct sl_table *table, struct sl_failure *f);

/* Frees what it allocated; memory that the caller has supplied stays the caller's. */
void sl_table_close(struct sl_table *table);

/* ---- sources ---- */

struct sl_source;

/* Where loads are watched (struct sl_stretches, in sluice-wants.h): */
#define SL_STRETCHES_MAX (UINT32_C(1) << 20)
#define SL_STRETCH_BLOCKS_MAX (UINT32_C(1) << 31)

/* A program to be run under QEMU. */
struct sl_guest {
    size_t size;                   /* sizeof(struct sl_guest) */
    char *const *argv;             /* program and arguments, NULL at the end */
    const char *path;              /* its file; NULL: found by argv[0] */
    unsigned wants;                /* enum sl_wants */
    struct sl_stretches stretches; /* where loads are watched */
    bool lossy;                    /* drop events rather than make the program wait */
    const char *qemu;              /* emulator to use; NULL: found by the architecture */
    const char *sysroot;           /* guest libraries; NULL: the cross compiler's, if any */
    const char *tap;     /* "engine" or "plugin"; NULL: as SLUICE_TAP says, or what there is */
    const char *tap_dir; /* where engine and plugins are; NULL: beside us, or installed */
    bool spelled_out;    /* the stream names every load: slower, the same; for tests */
    const char
        *family;     /* processes that it starts are followed (engine only): DIRECTORY/RUN, where
                      * DIRECTORY has a program `sluice`. That gets "followed", this name, a program
                      * and its arguments in place of that program, and "forked", this name, a
                      * descriptor and a process for a child without one; NULL: they are not */
    uint32_t run;    /* then: the guest's number among those of its process */
    bool in_place;   /* this process becomes the guest */
    int forked_ring; /* 0, or the descriptor of a guest that runs already, as the child of another:
                      */
    int forked_pid;  /* its process */
    bool output_to_error; /* its standard output is our standard error: ours is for somebody else */
    const char *repeatable; /* processor, environment, kernel's release, stack and layout are fixed,
                             * up to variables of the environment that are to be kept: "A,B", or "";
                             * NULL: they are as they are */
};

/* *source is set before the program is started, for handlers of signals, and to NULL if it fails.
 * A guest in place, or forked: this returns in another process, which is nobody's child and has no
 * files open but an empty standard input, output and error; or it fails, in this one. */
int sl_source_run(struct sl_source **source, const struct sl_guest *guest, struct sl_failure *f);

/* A trace file; a made-up stream when `name` starts with "synth:"; a file of others when it starts
 * with "champsim:" (instructions with addresses) or "perf:" (branch stacks that perf script has
 * printed). */
int sl_source_open(struct sl_source **source, const char *name, struct sl_failure *f);

/* What the stream carries. */
unsigned sl_source_wants(const struct sl_source *source);

/* Gives only a part of it: leaves out so many instructions, and ends after `limit` more (0: at its
 * end). Whole blocks are left out, and given. To be called before the source is used. */
void sl_source_window(struct sl_source *source, uint64_t skip, uint64_t limit);

/* Gives loads of some stretches only; likewise, and for sources without a guest (struct sl_guest
 * has its own). */
int sl_source_stretches(struct sl_source *source, const struct sl_stretches *stretches,
                        struct sl_failure *f);

/* Signals the guest with `number`, if it has not ended. False for a source that has no guest, or
 * none yet. */
bool sl_source_signal(struct sl_source *source, int number);

/* The number of the guest's process; 0 for a source that has no guest, or none yet. May be called
 * by a signal's handler. */
int sl_source_process(const struct sl_source *source);

/* Ends the stream where it is, as far as it has been read; the guest is not waited for any more.
 * May be called by a signal's handler. For a source without a guest, nothing. */
void sl_source_stop(struct sl_source *source);

/* Whether the guest has ended as a program by becoming another one (exec). */
bool sl_source_replaced(const struct sl_source *source);

/* The guest's wait status, as from waitpid(2); 0 for a source without one. */
int sl_source_status(const struct sl_source *source);

/* Lets a guest that is still there run on, unprofiled, and waits for its end. */
void sl_source_let_go(struct sl_source *source);

/* Lets go, and frees everything. */
void sl_source_close(struct sl_source *source);

/* Whether a trace may be written to `path`: SL_EUSAGE if a file is there that is neither empty
 * nor a trace. Pipes and devices are taken as they are. */
int sl_can_record(const char *path, struct sl_failure *failure);

/* How a trace is written; all zero: as usual. Its events are the same in any case. */
#define SL_RECORDING_LEVEL_MAX 19u
struct sl_recording {
    size_t size;      /* sizeof(struct sl_recording) */
    unsigned level;   /* of compression, from 1 (fast) to 19 (small); 0: about 1 */
    unsigned threads; /* that compress; 0: as many as there are processors */
    int fd;           /* of the path, if that is open for writing already; is closed in the end */
};

/* Keeps a stream in a trace file, if sl_can_record allows that. `how` may be NULL. */
int sl_record(struct sl_source *source, const char *path, const struct sl_recording *how,
              void (*progress)(void *context, uint64_t events, uint64_t instructions),
              void *context, struct sl_failure *f);

/* ---- instructions, one after the other ---- */

enum sl_class {
    SL_CLASS_OTHER,
    SL_CLASS_ARITHMETIC, /* integer add, logic, shift, move, compare, lea */
    SL_CLASS_MULTIPLY,
    SL_CLASS_DIVIDE,
    SL_CLASS_LOAD,   /* its only work is to load (pop, mov from memory) */
    SL_CLASS_STORE,  /* its only work is to store (push, mov to memory) */
    SL_CLASS_ATOMIC, /* locked or exclusive access, load-linked, amo */
    SL_CLASS_BRANCH, /* conditional */
    SL_CLASS_JUMP,   /* every other change of flow: jump, call, return */
    SL_CLASS_FLOAT,  /* scalar floating point, conversions included */
    SL_CLASS_VECTOR, /* packed integer or floating point */
    SL_CLASS_SYSTEM, /* system call, fence, control register, hint that traps */
    SL_CLASS_NOP,
    SL_CLASS_COUNT
};

enum sl_branch {
    SL_BRANCH_NONE,
    SL_BRANCH_CONDITIONAL, /* direct, two ways */
    SL_BRANCH_JUMP,        /* direct, always */
    SL_BRANCH_INDIRECT,    /* through a register or memory, not a return */
    SL_BRANCH_CALL,        /* direct */
    SL_BRANCH_INDIRECT_CALL,
    SL_BRANCH_RETURN,
    SL_BRANCH_COUNT
};

const char *sl_class_name(enum sl_class kind);
const char *sl_branch_name(enum sl_branch branch);

/* Register sets. `general` bit 0..31: the integer registers by their number
 * (x86-64: rax rcx rdx rbx rsp rbp rsi rdi r8..r15; AArch64: bit 31 is sp, the
 * zero register is in no set; RISC-V and MIPS: x0/$0 is in no set), then
 * SL_REG_FLAGS (x86 flags, nzcv), SL_REG_HI and SL_REG_LO (MIPS).
 * `vector` bit 0..31: floating-point and vector registers by their number
 * (x87 and MMX count as 0..7), SL_REG_FPFLAGS the FP condition or status. */
struct sl_regs {
    uint64_t general, vector;
};
#define SL_REG_FLAGS 32
#define SL_REG_HI 33
#define SL_REG_LO 34
#define SL_REG_FPFLAGS 32

/* One access of an executed instruction. */
struct sl_instruction_access {
    uint64_t address;
    uint64_t value; /* of a load, its low 8 bytes, zero-extended */
    uint32_t size;  /* bytes; wider ones are a power of two */
    bool store;
};

/* An instruction that was executed. What the stream does not carry (sl_source_wants) is 0, and
 * there are no accesses in a stream of blocks alone; without addresses only loads. */
struct sl_instruction {
    uint64_t pc;
    const uint8_t *bytes; /* `size` of them, until the next one is asked for, as the accesses; NULL:
                           * nobody knows them */
    uint8_t size;
    uint8_t kind;   /* enum sl_class */
    uint8_t branch; /* enum sl_branch */
    bool taken;     /* a branch went elsewhere than behind itself (and its delay slot) */
    bool followed;  /* what the thread executed next is known: */
    uint64_t next;  /* where that is; of a branch with a delay slot, behind that */
    uint32_t thread;
    struct sl_regs reads, writes;
    const struct sl_instruction_access *access;
    size_t n_accesses;
};

struct sl_instructions;

/* The instructions of a source, which stays the caller's and gives nothing to others from now on.
 * Those of a thread come in order; where a thread's last block went is known when it goes on, so
 * that its instructions may come behind some of other threads. */
int sl_instructions_open(struct sl_instructions **instructions, struct sl_source *source,
                         struct sl_failure *f);

/* Gives the next one: 1, 0 at the end, or an error. */
int sl_instructions_next(struct sl_instructions *instructions, struct sl_instruction *instruction,
                         struct sl_failure *f);

void sl_instructions_close(struct sl_instructions *instructions); /* NULL will do */

/* ---- sessions ---- */

struct sl_session_config {
    size_t size;             /* sizeof(struct sl_session_config) */
    const char *const *spec; /* DETECTOR[(options)][:METRIC]@TABLE[(options)] */
    size_t n_specs;
    const char *range; /* LO-HI or a symbol; NULL: everywhere */
    const char *only;  /* instruction classes, separated by commas; NULL: all */
    bool marked;       /* count between marks only */
    const char
        *start_at; /* a function: count from where it is first executed; NULL: from the start */
    const char *machine; /* to be modelled: "ss4", "ss4,l2.size=2M", a file; NULL: none */
    const char *const
        *beside; /* machines that run the same: what they do is told, but nothing weighs by it */
    size_t n_beside;
    uint64_t
        memory_bytes; /* all tables together may grow to this; 0: 2 GiB, or half of what is free */
    const char
        *spill_directory;  /* where exact tables put values beyond that; NULL: they drop them */
    uint64_t keep;         /* entries of a profile to save; 0: 100,000, or all contexts */
    bool exact;            /* keep the exact profile beside each table and measure its error */
    uint64_t window;       /* instructions of a window of the dynamic overlap; 0: 100 M */
    uint64_t every;        /* measure it after each so many events too; 0: at the end */
    uint64_t curve_points; /* and only so often for a doubling of the events; 0: each time */
    /* Tables that take a seed, so many times over the same events, each time with the next
     * seed, to see how errors are spread; implies `exact`. 0: once. */
    uint64_t runs;
    unsigned threads; /* at most so many; 0: as many as processors. Results do not depend on it */
    /* Of the tuples that the error is about: instructions executed so often (0: 1,000),
     * with so much of their executions (0: 10 %), covering so much of them (0: 40 %). */
    uint64_t error_executions;
    double error_share, error_covered;
    /* Is given the events of the first profile before its table is; NULL: nobody. */
    void (*observe)(void *context, const struct sl_batch *batch);
    void *observe_context;
    double
        *reading; /* seconds of the processor that reading the stream took are added here; NULL */
};

struct sl_session;

int sl_session_open(struct sl_session **session, const struct sl_session_config *config,
                    struct sl_failure *f);

/* For who will save it: has symbols and debug information read while it runs, by a thread of its
 * own, unless it has but one. What is saved does not depend on it. */
void sl_session_read_ahead(struct sl_session *session);

/* What the source has to carry for this session's profiles. */
unsigned sl_session_wants(const struct sl_session *session);

/* Consumes the source to its end. `progress` (may be NULL) is called now and
 * then, at least every some million events. */
int sl_session_run(struct sl_session *session, struct sl_source *source,
                   void (*progress)(void *context, uint64_t events, uint64_t instructions),
                   void *context, struct sl_failure *f);

/* Instructions of the whole run, when it is over. */
uint64_t sl_session_instructions(const struct sl_session *session);

/* A process that the guest has started, or what it has become. */
struct sl_process {
    uint64_t pid;
    uint64_t parent; /* which of those that were added has started it, from 1; 0: the guest */
    bool forked;     /* as a copy of that one; or else it is another program */
    bool counted; /* nothing is known but its instructions: it forked to become another program */
    uint64_t instructions; /* then */
    const char *program;   /* its file */
    const char *database; /* of what it did, NULL: nobody has seen that. Is read when the session is
                           * saved, and becomes a part of its database */
};
int sl_session_add_process(struct sl_session *session, const struct sl_process *process,
                           struct sl_failure *f);

/* Writes the database; an existing one is replaced in one step. */
int sl_session_save(struct sl_session *session, const char *path, struct sl_failure *f);

/* Whether a database may be written there: it does not exist, or is one of ours.
 * To be asked before a long run. */
int sl_session_can_save(const char *path, struct sl_failure *f);

/* ---- watching a session while it runs */

struct sl_saved_profile;
struct sl_saved_place; /* what names are made from, for sl_live_text */

struct sl_live_candidate {
    struct sl_entry entry;
    bool came;            /* it was no candidate in the interval before */
    const char *detector; /* whose tuple it is */
    size_t member;        /* which that is of the detectors of its profile */
    const struct sl_live_detector *of;
    const struct sl_saved_place *at, *to; /* its words, where they are code; else NULL */
};

/* An interval that has just ended, of a profile whose table works by intervals. Texts and places
 * stay until the session is closed, all else until the watcher returns. */
struct sl_live_interval {
    size_t profile; /* its place among the session's */
    size_t result;  /* and among those of reports, where each detector has one: the first's */
    const char *spec, *given;
    bool shared;                               /* several detectors have candidates in the table */
    const char *unit;                          /* what weights are: "count", "instructions", ... */
    const struct sl_interval *interval;        /* with its entries in any order */
    const struct sl_live_candidate *candidate; /* heaviest first */
    size_t n_candidates, n_came;
    const struct sl_live_candidate
        *gone; /* those of the interval before that are none now, likewise */
    size_t n_gone;
};

/* Who looks on. What is counted and saved does not depend on it. */
struct sl_watcher {
    /* At the end of an interval; NULL: nobody cares. Called by one thread at a time, but not by
     * always the same. The program waits meanwhile. */
    void (*interval)(void *context, const struct sl_live_interval *interval);
    /* Now and then in the thread that runs the session, also while the program does nothing: every
     * hundredth of a second or so; NULL likewise. */
    void (*attend)(void *context);
    void *context;
};

/* To be called before the session runs. SL_EUSAGE if `interval` would never be called, because no
 * table works by intervals. */
int sl_session_watch(struct sl_session *session, const struct sl_watcher *watcher,
                     struct sl_failure *f);

/* What a candidate is: "main+0x1c -> is_prime" into `what`, "primes.c:13" or "" into `where`, both
 * safe on a terminal. */
void sl_live_text(const struct sl_live_candidate *candidate, char *what, size_t what_room,
                  char *where, size_t where_room);

/* The interval as one line of JSON; to be freed, NULL when memory ran out. */
char *sl_live_json(const struct sl_live_interval *interval);

/* What there is so far, while the session goes on. `attend` may call sl_session_rest, after which
 * fork(2) copies a whole session, and the child sl_session_conclude: the session ends there, as if
 * the program had, and can be saved. The watcher is not told. */
void sl_session_rest(struct sl_session *session);
int sl_session_conclude(struct sl_session *session, struct sl_failure *f);

struct sl_comparisons;

/* The profiles side by side: storage, messages, overhead, error, speed. The session must
 * have been opened with `exact`, and stays: what is given refers to it. To be freed. */
int sl_session_compare(struct sl_session *session, struct sl_comparisons **comparisons,
                       struct sl_failure *f);
void sl_comparisons_free(struct sl_comparisons *comparisons); /* NULL will do */

void sl_session_close(struct sl_session *session);

/* ---- reports ---- */

struct sl_compare_config {
    size_t size; /* sizeof(struct sl_compare_config) */
    bool json;
    double below; /* the error that a profile is to get below, and stay; 0: 5 % */
};

/* Prints what sl_session_compare gave. */
int sl_compare(const struct sl_comparisons *comparisons, const struct sl_compare_config *config,
               FILE *out, struct sl_failure *f);

struct sl_report_config {
    size_t size;        /* sizeof(struct sl_report_config) */
    const char *format; /* one of `sluice list formats`; NULL: text */
    size_t n;           /* entries of each profile; 0: what fits one screen */
    unsigned width;     /* of a line of text; 0: 100 */
    const char *object; /* the file that formats for optimizers are about, by its path or the
                         * last part of that; NULL: the program itself */
    uint64_t process;   /* which of the programs that the program has started; 0: itself */
    bool symbols;     /* functions as the linker has them: inlined code is part of the function that
                       * it is in, and what compilers split off stands by itself */
    double partition; /* not 0: instead, which functions to move to hardware that is so many
                       * times as fast, from 1 on; text or json */
};

/* The specs, with NULL at their end, of the profiles that this report is made from, on a
 * machine or without one; NULL if it is made from any. */
const char *const *sl_report_usual(const struct sl_report_config *config, bool machine);

int sl_report(const char *database, const struct sl_report_config *config, FILE *out,
              struct sl_failure *f);

/* The same into a file, which is replaced in one step; after an error it is as it was. Pipes and
 * devices are written to as they are. */
int sl_report_file(const char *database, const struct sl_report_config *config, const char *path,
                   struct sl_failure *f);

/* Whether a report can be written there, which is not to be the database: to be asked before a long
 * run. Nothing is left there. */
int sl_report_can_write(const char *path, const char *database, struct sl_failure *f);

/* Whether there is such a report, and whether profiles of these specs have what it is made from: to
 * be asked before a long run. */
int sl_report_check(const struct sl_report_config *config, struct sl_failure *f);
int sl_report_check_specs(const struct sl_report_config *config, const char *const *spec, size_t n,
                          struct sl_failure *f);

struct sl_annotate_config {
    size_t size; /* sizeof(struct sl_annotate_config) */
    const char
        *place;       /* a function, "FILE" or "FILE:LINE"; NULL: the function that executed most */
    size_t n;         /* parts of it, in full; 0: those that cost something */
    uint64_t process; /* a program that the program has started: its number; 0: itself */
    unsigned width;   /* of a line of text; 0: 100 */
    bool colour;      /* for a terminal that shows them */
};

/* Prints source and instructions with what happened there. The database has to have a profile of
 * blocks. */
int sl_annotate(const char *database, const struct sl_annotate_config *config, FILE *out,
                struct sl_failure *f);

struct sl_diff_config {
    size_t size;        /* sizeof(struct sl_diff_config) */
    const char *format; /* "text", "json" or "html"; NULL: text */
    size_t n;           /* rows of each part; 0: ten, 300 on a page, all in JSON */
    unsigned width;     /* of a line of text; 0: 100 */
};

/* Prints what became dearer or cheaper from one database to another, matched by names and lines. By
 * how much the run as a whole did, as a part of what it was before, is in *dearer: instructions or,
 * if that is more, the machine's cycles. SL_EUSAGE if they have no profile in common. */
int sl_diff(const char *before, const char *after, const struct sl_diff_config *config, FILE *out,
            double *dearer, struct sl_failure *f);

/* ---- merging ---- */

/* Makes one database of n, with the programs that each has started: counts are sums, and bounds
 * hold for those. What is left out is told in sentences. SL_EUSAGE if they cannot be one, or
 * nothing is left. */
int sl_merge(const char *path, const char *const *database, size_t n,
             void (*left_out)(void *context, const char *sentence), void *context,
             struct sl_failure *f);

/* ---- lists and messages ---- */

/* Prints what there is: kind is one of "detectors", "metrics", "tables",
 * "machines", "formats", "streams", "engines". SL_EUSAGE if it is none of these. */
int sl_list(const char *kind, FILE *out, struct sl_failure *f);

/* Which of some names was meant, as `hpt` by `hptt`. Names are offered one after the other;
 * `best` is the one most like the word, NULL if none is much like it. */
struct sl_nearest {
    char word[32]; /* a longer one is like none */
    const char *best;
    unsigned distance;
};

void sl_nearest_start(struct sl_nearest *nearest, const char *word, size_t size);
void sl_nearest_offer(struct sl_nearest *nearest, const char *name);

/* ";" or "; did you mean NAME?", for the middle of a sentence. */
#define SL_NEAREST_ROOM 64
const char *sl_nearest_question(const struct sl_nearest *nearest, char out[SL_NEAREST_ROOM]);

/* 0 if all that went to `out` is written by now; else SL_EIO: "cannot write WHAT", and why. */
int sl_written(FILE *out, const char *what, struct sl_failure *f);

/* Files of programs are mapped while symbols and lines are read. With this, one that somebody cuts
 * short meanwhile reads as if zeros were behind its new end; without, it ends the process by
 * SIGBUS, whose handler this is. */
void sl_survive_cut_files(void);

/* Prints a line, as printf(3) and with a line end behind it, that is safe on a terminal: whatever
 * was in the arguments, no character gives the terminal a command, ends the line or turns the
 * direction of writing. Reports and lists are safe by themselves. */
void sl_say(FILE *out, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
