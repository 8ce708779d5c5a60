/* SPDX-License-Identifier: MIT */
/* sluice: profile a program by its retired instruction stream. The public header of libsluice.
 *
 * A *source* delivers the instruction stream of a program: running under QEMU, recorded in a trace
 * file, or synthetic. A *session* turns the stream into profiles, each a detector, a metric and a
 * table. A session is saved as an SQLite database; a *report* prints a database in one of several
 * formats. (sluice-study.h has sweeps, slices and hardware on top of this.)
 *
 *     sl_session_open, sl_source_run or sl_source_open, sl_session_run, sl_session_save, sl_report
 *
 * Errors. A function that can fail returns 0 or a negative enum sl_error and writes a message to
 * the struct sl_failure that it is given, which may be NULL. Unless a function says otherwise, it
 * may return SL_ENOMEM, SL_EUSAGE for arguments that are wrong and SL_EIO. The library never
 * prints, exits or aborts.
 *
 * Configuration structs begin with a member `size`. Set it to the size of the struct, zero the
 * rest, and set the members that you need:
 *
 *     struct sl_report_config config = {.size = sizeof config, .n = 10};
 *
 * Zero means the default for every member. Members that a later version adds come at the end, and
 * are taken for zero if `size` says that the program does not know them. A size of 0, or one that
 * is larger than the library's own, is SL_EUSAGE.
 *
 * Threads. Objects (struct sl_table, sl_source, sl_session, ...) are independent of each other; one
 * object must not be used by two threads at once, except where a function says so. Strings and
 * arrays that are passed to a function need to exist only until it returns, unless it says
 * otherwise. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice-needs.h" /* enum sl_needs */

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* exports the declarations of this header only */
#endif

/* ---- version ---- */

/* Version of this header. While the major version is 0, a program has to be rebuilt when the minor
 * version changes. */
#define SL_VERSION_MAJOR 0
#define SL_VERSION_MINOR 1
#define SL_VERSION_PATCH 0
#define SL_VERSION_NUMBER (SL_VERSION_MAJOR * 10000 + SL_VERSION_MINOR * 100 + SL_VERSION_PATCH)

#define SL_VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define SL_VERSION_TEXT(major, minor, patch) SL_VERSION_TEXT_(major, minor, patch)
#define SL_VERSION SL_VERSION_TEXT(SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH)

/* Version of the library at run time: SL_VERSION and SL_VERSION_NUMBER when it was built. */
const char *sl_version(void);
unsigned sl_version_number(void);

/* ---- errors ---- */

enum sl_error {
    SL_EUSAGE = -1,       /* arguments, options or a spec are wrong */
    SL_ENOTFOUND = -2,    /* the program to run does not exist */
    SL_ENOEXEC = -3,      /* it exists but cannot be executed */
    SL_EUNSUPPORTED = -4, /* its architecture is unknown, or QEMU is missing */
    SL_EFORMAT = -5,      /* a file is damaged or of another format */
    SL_EIO = -6,          /* reading or writing failed */
    SL_ENOMEM = -7,       /* out of memory */
    SL_EKILLED = -8,      /* a signal ended the program before its first instruction */
};

struct sl_failure {
    enum sl_error code;
    /* Name of the configuration member that is wrong, for example "range" of sl_session_config;
     * NULL: none, or several. `text` does not name it, since only the caller knows how its user
     * sets it. */
    const char *setting;
    char text[1024]; /* the message, one line */
};

/* ---- tuples and tables ---- */

/* What a detector counts: an instruction and what it did, for example the value that it loaded or
 * the target of a branch. `value` is 0 for detectors whose tuples have one field. */
struct sl_tuple {
    uint64_t pc, value;
};

/* The tuples of the dense numbers in a batch. `value` is NULL if each event carries its second
 * field. */
struct sl_tuple_names {
    const uint64_t *pc;
    const uint64_t *value;
    size_t n;
};

#define SL_PARTS 7 /* components of a weight: struct sl_parts */

/* Events in program order. Event i is the tuple
 *     (names->pc[number[i]], value ? value[i] : names->value[number[i]])
 * with the weight (weight ? weight[i] : 1). */
struct sl_batch {
    size_t n;
    const uint32_t *number;
    const uint64_t *value;
    const uint64_t *weight;
    const struct sl_tuple_names *names;
    const uint64_t (*part)[SL_PARTS]; /* components of each weight, or NULL */
    uint32_t thread;                  /* of all events of the batch, from 0 */
    const uint64_t *time;             /* cycle of each event, from 1; NULL: unknown */
};

/* A single event. Tables that model hardware read the tuple, `exact` reads the number. */
struct sl_event {
    uint32_t number;
    struct sl_tuple tuple;
    uint64_t weight;
    const uint64_t *part; /* SL_PARTS components of the weight, or NULL */
    uint32_t thread;
    uint64_t time; /* its cycle; 0: unknown */
};

/* An entry of a table. The true count is between `low` and `high`; sl_table_status.bounds says how
 * certain that is. `resident` is the part of `count` that is still in the table and was not sent to
 * software. */
struct sl_entry {
    struct sl_tuple tuple;
    uint64_t count, low, high, resident;
};

enum sl_bounds {
    SL_BOUNDS_NONE,    /* low and high are meaningless */
    SL_BOUNDS_CERTAIN, /* the true count is between them */
    SL_BOUNDS_95,      /* it is between them with a probability of 95 % */
};

/* A queue of a table and its statistics. Times are in cycles, or in events if cycles are unknown
 * (sl_table_status.clocked). */
struct sl_table_queue {
    uint64_t capacity, service; /* capacity (0: no queue), and service time per element */
    uint64_t came, late, lost;  /* arrivals; those that waited; those that found the queue full */
    uint64_t lost_weight;       /* weight of the lost ones */
    uint64_t most;              /* largest number of elements at once */
    uint64_t wait, wait_most;   /* waiting time of the late ones: sum and maximum */
};

#define SL_GAPS 65 /* classes of gaps, by powers of two */

/* Statistics of a table. */
struct sl_table_status {
    uint64_t events, weight;      /* observed: number and sum */
    uint64_t drops, drops_weight; /* of those, lost because the table was full */
    uint64_t distinct;            /* tuples that sl_table_drain() would emit */
    uint64_t storage_bits;        /* hardware storage of the present contents */
    enum sl_bounds bounds;
    bool sends;                    /* it sends messages to software, and the following are valid: */
    uint64_t messages, interrupts; /* sent so far; one interrupt per full buffer */
    uint64_t message_weight;       /* sum of the messages' counts */
    uint64_t residue;              /* weight that is in the table and was not sent */
    uint64_t gap_min, gap_median;  /* time between messages; the median to a power of two */
    uint64_t gap[SL_GAPS];         /* [i]: gaps g with 2^(i-1) <= g < 2^i; [0]: gaps of 0 */
    bool clocked;                  /* times are in cycles; false: in events */
    struct sl_table_queue input, output; /* of tuples; of messages */
    uint64_t check_cycles;               /* of software per message, to test for convergence */
    uint64_t converged, filtered;        /* instructions that converged; that are filtered since */
    uint64_t passed, passed_weight;      /* events of the filtered instructions */
    bool failed;                         /* the table is incomplete; `note` says why */
    char note[400];                      /* a warning for the user, or "" */
};

/* A message from a compressor to software: a tuple, the number of events that it denotes, the
 * number of samples in that sum, and the substream that it comes from. */
struct sl_message {
    struct sl_tuple tuple;
    uint64_t count, samples;
    uint32_t stream;
};

/* An interval of an interval table, and its candidates. */
struct sl_interval {
    uint64_t number;      /* 0, 1, 2, ... */
    uint64_t first_event; /* events before it */
    uint64_t events, weight;
    uint64_t drops;     /* promotions that found the accumulator full */
    uint64_t threshold; /* minimum count of a candidate */
    bool partial;       /* cut short by the end of the run */
    const struct sl_entry *entry;
    size_t n_entries;
    uint64_t unlisted_high; /* upper bound of the count of any tuple that is no candidate */
};

/* ---- a table by itself, for embedding ---- */

/* The functions of a program, for tables that count by function. */
struct sl_function_list {
    const uint64_t *start; /* start address of each, in ascending order without duplicates */
    size_t n;
    /* Address ranges of their code, in ascending order and disjoint. Most functions have one, which
     * begins at their start address. */
    const struct sl_function_piece {
        uint64_t start, end; /* end: the first address after it */
        size_t function;     /* index of its function */
    } * piece;
    size_t n_pieces;
    bool stripped; /* the list has only functions that the program exports */
};

/* Components of weights, for tables that store them separately. Energy, for example, is a sum over
 * the instructions of six groups and the stall cycles, each with a fixed energy. */
struct sl_parts {
    uint64_t unit[SL_PARTS]; /* weight of one unit of each component, in 2^-unit_log2, with at least
                              * 20 significant bits */
    unsigned unit_log2;
    /* Weights are rounded to integers: a weight and the sum of its components differ by less than
     * this. 0: not known before the events are. */
    uint64_t slack;
};

/* Resources that a table may use, and its callbacks. All members may be zero. The table refers to
 * what the pointers point to until it is closed. */
struct sl_table_host {
    uint64_t memory_bytes;       /* limit for tables that grow */
    unsigned helpers;            /* threads that it may start; results do not depend on it */
    const char *spill_directory; /* for values beyond memory_bytes (`exact`); NULL: drop them */
    size_t names;                /* static tuples whose hashes may be cached */
    bool distinct_names;         /* two numbers never denote the same static tuple */
    /* The program's functions, or NULL. An empty list may be filled later, before the first event
     * in one of its functions. */
    const struct sl_function_list *functions;
    const struct sl_parts *parts; /* components of all weights; NULL: none */
    /* Gets messages, a buffer at a time. NULL: the table adds them up itself. */
    void (*deliver)(void *context, const struct sl_message *message, size_t n);
    /* Called at the end of each interval; `interval` is valid until it returns. */
    void (*interval)(void *context, const struct sl_interval *interval);
    void *context; /* of both */
};

struct sl_table;

/* Returns the memory in bytes of the table with this spec, for example "H[P256]2048+A16" or
 * "multihash(tables=4)". Returns 0 and fills `f` (SL_EUSAGE) if there is no such table. */
size_t sl_table_bytes(const char *spec, const struct sl_table_host *host, struct sl_failure *f);

/* Returns the hardware storage of the table with this spec, in bits. Returns 0 for a table that
 * grows (f->code is 0), and 0 with SL_EUSAGE in f->code if there is no such table. */
uint64_t sl_table_storage(const char *spec, struct sl_failure *f);

/* Initializes a table in `memory`: sl_table_bytes() bytes, zeroed, aligned to 64 bytes, which the
 * caller frees after sl_table_close(). Only `exact`, a compressor without `deliver`, and `leap` and
 * `snoopp` when they get the list of functions allocate more. Returns 0, SL_EUSAGE or SL_ENOMEM. */
int sl_table_place(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                   void *memory, struct sl_failure *f);

/* Opens a table in memory that sl_table_close() frees. Without a `host` (NULL), the table may
 * allocate 64 MiB and has no callbacks. An interval table without an `interval` callback adds up
 * its candidates: sl_table_drain() then emits, for each tuple, its sum over the intervals in which
 * it was a candidate. Returns 0, SL_EUSAGE or SL_ENOMEM. */
int sl_table_open(struct sl_table **table, const char *spec, const struct sl_table_host *host,
                  struct sl_failure *f);

/* Observe one event (one hardware transition), or a batch, which gives the same result faster. A
 * table never fails on an event: it saturates or drops, and counts that in its status. */
void sl_table_step(struct sl_table *table, const struct sl_event *event);
void sl_table_observe(struct sl_table *table, const struct sl_batch *batch);

/* Sends the messages in the buffer and reports the last interval. Call once, after the last event.
 */
void sl_table_finish(struct sl_table *table);

/* Emits every entry, in any order, until `emit` returns false. `names` are those of the batches;
 * NULL is allowed for tables that model hardware. */
void sl_table_drain(const struct sl_table *table, const struct sl_tuple_names *names,
                    bool (*emit)(void *context, const struct sl_entry *entry), void *context);
void sl_table_status(const struct sl_table *table, struct sl_table_status *status);

/* Resets the table to its initial state, with the same seed. Returns 0 or SL_ENOMEM. */
int sl_table_reset(struct sl_table *table, struct sl_failure *f);

/* Frees the table, except for memory that the caller supplied to sl_table_place(). */
void sl_table_close(struct sl_table *table);

/* ---- sources ---- */

struct sl_source;

/* Limits of the load sampling (struct sl_load_sampling, in sluice-needs.h): */
#define SL_STRETCHES_MAX (UINT32_C(1) << 20)
#define SL_STRETCH_BLOCKS_MAX (UINT32_C(1) << 31)

/* A program to be run under QEMU. */
struct sl_guest {
    size_t size;                       /* sizeof(struct sl_guest) */
    char *const *argv;                 /* program and arguments, NULL at the end */
    const char *path;                  /* its file; NULL: argv[0], searched in PATH */
    unsigned needs;                    /* enum sl_needs: what the stream must contain */
    struct sl_load_sampling stretches; /* sampling of loads */
    bool lossy;          /* drop events when the ring is full; false: the program waits */
    const char *qemu;    /* emulator; NULL: by architecture */
    const char *sysroot; /* guest libraries; NULL: the cross compiler's, if any */
    const char *tap;     /* "engine" or "plugin"; NULL: $SLUICE_TAP, or the best available */
    const char *tap_dir; /* directory of engine and plugins; NULL: next to the program or library,
                          * or the installed one */
    bool spelled_out;    /* name the instruction of every load: slower, same results; for tests */
    /* Follows the processes that the guest starts (engine only): "DIRECTORY/RUN", where DIRECTORY
     * contains a program `sluice`. Instead of a program that the guest executes, that `sluice` is
     * started with "followed", this name, the program and its arguments; for a forked child, with
     * "forked", this name, a descriptor and a process id. NULL: processes are not followed. */
    const char *family;
    uint32_t run;         /* with `family`: index of this guest among those of its process */
    bool in_place;        /* the calling process becomes the guest */
    int forked_ring;      /* ring descriptor of a guest that runs already as a forked child; or 0 */
    int forked_pid;       /* its process id */
    bool output_to_error; /* redirect its standard output to standard error */
    /* Fixes CPU, environment, kernel release, stack and address layout, so that runs are
     * repeatable: a list "A,B" of environment variables to keep, or "". NULL: nothing is fixed. */
    const char *repeatable;
};

/* Starts a program under QEMU. *source is set before the program starts, so that signal handlers
 * can use it, and is NULL after an error. With in_place or forked_ring the function returns in
 * another process, which is detached and has only an empty standard input, output and error open;
 * errors are returned in the calling process. Returns 0, SL_ENOTFOUND, SL_ENOEXEC, SL_EUNSUPPORTED,
 * SL_EKILLED, SL_EUSAGE, SL_EIO or SL_ENOMEM. Close the source with sl_source_close(). */
int sl_source_run(struct sl_source **source, const struct sl_guest *guest, struct sl_failure *f);

/* Opens a trace file; a synthetic stream if `name` starts with "synth:"; a file of another tool if
 * it starts with "champsim:" (instructions with addresses) or "perf:" (branch stacks, as printed by
 * perf script). Returns 0, SL_EUSAGE, SL_EFORMAT, SL_EIO or SL_ENOMEM. Close the source with
 * sl_source_close(). */
int sl_source_open(struct sl_source **source, const char *name, struct sl_failure *f);

/* What the stream contains, as a set of enum sl_needs. */
unsigned sl_source_wants(const struct sl_source *source);

/* Restricts the source to a range of the run: skips `skip` instructions, then ends after `limit`
 * (0: at the end of the run), both rounded to whole blocks. Call before the source is used. */
void sl_source_run_range(struct sl_source *source, uint64_t skip, uint64_t limit);

/* Samples the loads of a source without a guest (for one with a guest: sl_guest.stretches). Call
 * before the source is used. Returns 0 or SL_EUSAGE. */
int sl_source_sample_loads(struct sl_source *source, const struct sl_load_sampling *stretches,
                           struct sl_failure *f);

/* Sends the signal `number` to the guest, unless it has ended. Returns false if the source has no
 * guest, or none yet. */
bool sl_source_signal(struct sl_source *source, int number);

/* The process id of the guest; 0 if the source has no guest, or none yet. May be called by a signal
 * handler. */
int sl_source_process(const struct sl_source *source);

/* Ends the stream at the events read so far, without waiting for the guest. Does nothing for a
 * source without a guest. May be called by a signal handler. */
void sl_source_stop(struct sl_source *source);

/* True if the guest has ended by executing another program (execve). */
bool sl_source_replaced(const struct sl_source *source);

/* The guest's wait status, as from waitpid(2); 0 for a source without a guest. Valid after
 * sl_source_let_go(). */
int sl_source_status(const struct sl_source *source);

/* Lets a guest that is still running continue without profiling, and waits for its end. */
void sl_source_let_go(struct sl_source *source);

/* Calls sl_source_let_go() and frees the source. */
void sl_source_close(struct sl_source *source);

/* Checks that a trace may be written to `path`. Returns 0, or SL_EUSAGE if there is a file that is
 * neither empty nor a trace. Pipes and devices are always allowed. */
int sl_can_record(const char *path, struct sl_failure *failure);

/* How a trace is written. Its events do not depend on it. */
#define SL_RECORDING_LEVEL_MAX 19u
struct sl_recording {
    size_t size;      /* sizeof(struct sl_recording) */
    unsigned level;   /* compression level, from 1 (fast) to 19 (small); 0: about 1 */
    unsigned threads; /* for compression; 0: one per CPU */
    int fd; /* descriptor if the path is open for writing already, which sl_record() closes;
             * 0: it opens the path */
};

/* Records the source in a trace file, to its end. sl_can_record() must allow the path; `how` may be
 * NULL. `progress` (or NULL) is called from time to time. Returns 0, SL_EFORMAT or SL_EIO, among
 * others; what was written before an error is readable. */
int sl_record(struct sl_source *source, const char *path, const struct sl_recording *how,
              void (*progress)(void *context, uint64_t events, uint64_t instructions),
              void *context, struct sl_failure *f);

/* ---- single instructions ---- */

enum sl_class {
    SL_CLASS_OTHER,
    SL_CLASS_ARITHMETIC, /* integer add, logic, shift, move, compare, lea */
    SL_CLASS_MULTIPLY,
    SL_CLASS_DIVIDE,
    SL_CLASS_LOAD,   /* a pure load (pop, mov from memory) */
    SL_CLASS_STORE,  /* a pure store (push, mov to memory) */
    SL_CLASS_ATOMIC, /* locked or exclusive access, load-linked, amo */
    SL_CLASS_BRANCH, /* conditional */
    SL_CLASS_JUMP,   /* any other transfer: jump, call, return */
    SL_CLASS_FLOAT,  /* scalar floating point, conversions included */
    SL_CLASS_VECTOR, /* packed integer or floating point */
    SL_CLASS_SYSTEM, /* system call, fence, control register, hint that traps */
    SL_CLASS_NOP,
    SL_CLASS_COUNT
};

enum sl_branch {
    SL_BRANCH_NONE,
    SL_BRANCH_CONDITIONAL, /* direct */
    SL_BRANCH_JUMP,        /* direct, unconditional */
    SL_BRANCH_INDIRECT,    /* through a register or memory, not a return */
    SL_BRANCH_CALL,        /* direct */
    SL_BRANCH_INDIRECT_CALL,
    SL_BRANCH_RETURN,
    SL_BRANCH_COUNT
};

const char *sl_class_name(enum sl_class kind);
const char *sl_branch_name(enum sl_branch branch);

/* Register sets. Bits 0..31 of `general`: integer registers by number (x86-64: rax rcx rdx rbx rsp
 * rbp rsi rdi r8..r15; AArch64: bit 31 is sp, the zero register is in no set; RISC-V and MIPS:
 * x0/$0 is in no set), then SL_REG_FLAGS (x86 flags, nzcv), SL_REG_HI and SL_REG_LO (MIPS). Bits
 * 0..31 of `vector`: floating-point and vector registers by number (x87 and MMX: 0..7), then
 * SL_REG_FPFLAGS, the floating-point condition or status. */
struct sl_regs {
    uint64_t general, vector;
};
#define SL_REG_FLAGS 32
#define SL_REG_HI 33
#define SL_REG_LO 34
#define SL_REG_FPFLAGS 32

/* A memory access of an executed instruction. */
struct sl_instruction_access {
    uint64_t address;
    uint64_t value; /* of a load: its low 8 bytes, zero-extended */
    uint32_t size;  /* in bytes; above 8 always a power of two */
    bool store;
};

/* An executed instruction. What the stream does not contain (sl_source_wants) is 0: a stream of
 * blocks only has no accesses, one without addresses only loads. */
struct sl_instruction {
    uint64_t pc;
    const uint8_t *bytes; /* `size` bytes, valid until the next call, as are the accesses; NULL:
                           * unknown */
    uint8_t size;
    uint8_t kind;   /* enum sl_class */
    uint8_t branch; /* enum sl_branch */
    bool taken;     /* a branch that did not fall through (past its delay slot) */
    bool followed;  /* the next instruction of the thread is known: */
    uint64_t next;  /* its address; for a branch with a delay slot, the address after that slot */
    uint32_t thread;
    struct sl_regs reads, writes;
    const struct sl_instruction_access *access;
    size_t n_accesses;
};

struct sl_instructions;

/* Reads the instructions of a source, which must not be used for anything else and is closed by the
 * caller. The instructions of a thread come in order. The target of a thread's last block is known
 * only when the thread continues, so that its instructions may come after later ones of other
 * threads. Returns 0, SL_EUSAGE, SL_EUNSUPPORTED or SL_ENOMEM. */
int sl_instructions_open(struct sl_instructions **instructions, struct sl_source *source,
                         struct sl_failure *f);

/* Reads the next instruction. Returns 1, 0 at the end of the stream, or a negative enum sl_error.
 */
int sl_instructions_next(struct sl_instructions *instructions, struct sl_instruction *instruction,
                         struct sl_failure *f);

void sl_instructions_close(struct sl_instructions *instructions); /* NULL is allowed */

/* ---- sessions ---- */

struct sl_session_config {
    size_t size;             /* sizeof(struct sl_session_config) */
    const char *const *spec; /* DETECTOR[(options)][:METRIC]@TABLE[(options)] */
    size_t n_specs;
    const char *range;         /* count only in LO-HI, or in a symbol; NULL: everywhere */
    const char *only;          /* instruction classes, separated by commas; NULL: all */
    bool marked;               /* count only between region markers (sluice-mark.h) */
    const char *start_at;      /* count from the first execution of this function; NULL: from the
                                * start */
    const char *machine;       /* CPU model: "ss4", "ss4,l2.size=2M", or a file; NULL: none */
    const char *const *beside; /* further CPU models, whose totals are saved for comparison */
    size_t n_beside;
    uint64_t memory_bytes; /* limit of all tables together; 0: 2 GiB, or half of the free memory if
                            * that is less */
    const char *spill_directory; /* for values of exact tables beyond that; NULL: drop them */
    uint64_t keep;               /* entries per profile to save; 0: 100,000, and all contexts */
    bool exact;                  /* evaluate each table against an exact profile */
    uint64_t window;             /* instructions per window of the dynamic overlap; 0: 100 M */
    uint64_t every;        /* events between two points of the error curve; 0: only the last */
    uint64_t curve_points; /* points per doubling of the events; 0: no limit */
    /* Repeats tables that have a seed this many times on the same events, each with the next seed,
     * to show the spread of their errors; implies `exact`. 0: once. */
    uint64_t runs;
    unsigned threads; /* maximum; 0: one per CPU. Results do not depend on it */
    /* Tuples of the invariance error: of instructions with at least this many executions (0:
     * 1,000), with at least this fraction of them (0: 0.10), which together cover at least this
     * fraction (0: 0.40). */
    uint64_t error_executions;
    double error_share, error_covered;
    /* Gets the events of the first profile before its table does; NULL: unused. */
    void (*observe)(void *context, const struct sl_batch *batch);
    void *observe_context;
    double *reading; /* the CPU seconds spent on reading the stream are added here; NULL: unused */
};

struct sl_session;

/* Opens a session with the profiles of `config`. Returns 0, SL_EUSAGE if a spec or setting is wrong
 * (f->setting), SL_EIO if nothing can be written to the spill directory, SL_EFORMAT for a CPU model
 * that cannot be read, or SL_ENOMEM. Close the session with sl_session_close(). */
int sl_session_open(struct sl_session **session, const struct sl_session_config *config,
                    struct sl_failure *f);

/* Reads symbols and debug information in a thread of its own while the session runs, which makes
 * sl_session_save() faster. Does nothing if the session has only one thread. Results do not depend
 * on it. Call before sl_session_run(). */
void sl_session_read_ahead(struct sl_session *session);

/* What the source must contain for the session's profiles and CPU models (enum sl_needs). */
unsigned sl_session_needs(const struct sl_session *session);

/* Reads the source to its end. Call once; close the source after sl_session_save(). `progress` (or
 * NULL) is called from time to time, at least every few million events. Returns 0; SL_EUSAGE if the
 * source lacks what a profile needs; SL_EFORMAT for a damaged stream; SL_ENOMEM if the memory limit
 * is reached. After SL_EFORMAT and SL_ENOMEM, what was counted can be saved. */
int sl_session_run(struct sl_session *session, struct sl_source *source,
                   void (*progress)(void *context, uint64_t events, uint64_t instructions),
                   void *context, struct sl_failure *f);

/* Instructions of the whole run. Call after sl_session_run(). */
uint64_t sl_session_instructions(const struct sl_session *session);

/* A process that the guest started, or a program that it executed. */
struct sl_process {
    uint64_t pid;
    uint64_t parent; /* its parent: 1 for the first process added, and so on; 0: the guest */
    bool forked;     /* a copy of its parent; false: another program */
    bool counted;    /* it forked to execute another program: only `instructions` is known of it */
    uint64_t instructions; /* then */
    const char *program;   /* its file */
    const char *database;  /* its profile, which sl_session_save() includes; NULL: not profiled */
};

/* Adds a process to the session's results; the strings are copied. Returns 0 or SL_ENOMEM. */
int sl_session_add_process(struct sl_session *session, const struct sl_process *process,
                           struct sl_failure *f);

/* Saves the results as a database; an existing one is replaced atomically. Call after
 * sl_session_run(), before the source is closed. Returns 0, SL_EUSAGE if the session has not run,
 * SL_EIO or SL_ENOMEM; after an error an existing database is unchanged. */
int sl_session_save(struct sl_session *session, const char *path, struct sl_failure *f);

/* Checks, before a long run, that a database may be written to `path`: there is no file, or it is a
 * database of sluice. Returns 0, SL_EUSAGE or SL_EIO. */
int sl_session_can_save(const char *path, struct sl_failure *f);

/* ---- observing a session while it runs ---- */

struct sl_db_profile;
struct sl_db_place; /* a code address with its symbol and line, for sl_live_text() */

struct sl_live_candidate {
    struct sl_entry entry;
    bool came;            /* it was no candidate in the previous interval */
    const char *detector; /* name of the detector of the tuple */
    size_t member;        /* index of that detector in the profile */
    const struct sl_live_detector *of;
    const struct sl_db_place *at, *to; /* the tuple's fields if they are code addresses, or NULL */
};

/* An interval of a profile with an interval table that has just ended. Strings and places are valid
 * until the session is closed, everything else until the callback returns. */
struct sl_live_interval {
    size_t profile; /* index in the session */
    size_t result;  /* index of its first detector in reports, which list detectors separately */
    const char *spec, *given;                  /* with all options; as the user wrote it */
    bool shared;                               /* several detectors share the table */
    const char *unit;                          /* metric: "count", "instructions", ... */
    const struct sl_interval *interval;        /* its entries are in any order */
    const struct sl_live_candidate *candidate; /* highest count first */
    size_t n_candidates, n_came;
    const struct sl_live_candidate *gone; /* of the previous interval only, highest count first */
    size_t n_gone;
};

/* Callbacks of a running session. Results do not depend on them. */
struct sl_watcher {
    /* Called at the end of each interval; NULL: unused. Calls come from different threads, one at a
     * time. The program may have to wait for the callback. */
    void (*interval)(void *context, const struct sl_live_interval *interval);
    /* Called about every 10 ms in the thread that runs the session, also while the program is idle;
     * NULL: unused. */
    void (*attend)(void *context);
    void *context; /* of both */
};

/* Sets the callbacks. Call before sl_session_run(). Returns 0, SL_ENOMEM, or SL_EUSAGE if
 * `interval` is set and no profile has an interval table. */
int sl_session_watch(struct sl_session *session, const struct sl_watcher *watcher,
                     struct sl_failure *f);

/* Formats a candidate: "main+0x1c -> is_prime" to `what`, "primes.c:13" or "" to `where`, both free
 * of control characters. */
void sl_live_text(const struct sl_live_candidate *candidate, char *what, size_t what_room,
                  char *where, size_t where_room);

/* The interval as one line of JSON, for free(3); NULL if out of memory. */
char *sl_live_json(const struct sl_live_interval *interval);

/* Saving while the session runs: `attend` calls sl_session_rest(), which waits until all threads of
 * the session are idle, and then fork(2). The child calls sl_session_conclude(), which ends its
 * copy of the session as if the program had ended, without callbacks, and can then save it; the
 * parent continues. sl_session_conclude() returns 0, SL_EUSAGE if the session has not been run, or
 * an error of sl_session_run(). */
void sl_session_rest(struct sl_session *session);
int sl_session_conclude(struct sl_session *session, struct sl_failure *f);

struct sl_comparisons;

/* Compares the profiles of a session that was opened with `exact` and has run: storage, messages,
 * overhead, error, speed. The result refers to the session; free it before with
 * sl_comparisons_free(). Returns 0, SL_EUSAGE if the session has not run, or SL_ENOMEM. */
int sl_session_compare(struct sl_session *session, struct sl_comparisons **comparisons,
                       struct sl_failure *f);
void sl_comparisons_free(struct sl_comparisons *comparisons); /* NULL is allowed */

/* Closes the session; NULL is allowed. */
void sl_session_close(struct sl_session *session);

/* ---- reports ---- */

struct sl_compare_config {
    size_t size; /* sizeof(struct sl_compare_config) */
    bool json;
    double below; /* report when the error falls below this for good; 0: 5 % */
};

/* Prints a comparison. Returns 0, SL_EIO or SL_ENOMEM. */
int sl_compare(const struct sl_comparisons *comparisons, const struct sl_compare_config *config,
               FILE *out, struct sl_failure *f);

struct sl_report_config {
    size_t size;        /* sizeof(struct sl_report_config) */
    const char *format; /* one of `sluice list formats`; NULL: text */
    size_t n;           /* entries per profile; 0: as many as fit on a screen */
    unsigned width;     /* columns of text; 0: 100 */
    const char *object; /* for formats that are about one file (optimizers): its path, or the last
                         * component of it; NULL: the program itself */
    uint64_t process;   /* index of a process that the program started; 0: the program itself */
    bool symbols;     /* functions as in the symbol table: inlined code belongs to the function that
                       * contains it, and parts split off by the compiler are separate */
    double partition; /* not 0: report which functions to move to hardware that is this many times
                       * as fast, from 1; formats text and json */
};

/* The specs of the profiles that this report needs, with or without a CPU model, terminated by
 * NULL. NULL if any profile will do, or if the config is invalid (which sl_report_check() reports).
 */
const char *const *sl_report_usual(const struct sl_report_config *config, bool machine);

/* Prints a report of a database. Returns 0; SL_EUSAGE if the format is unknown or the database
 * lacks the profiles that it needs; SL_EFORMAT if the file is no database of this version; SL_EIO
 * or SL_ENOMEM. */
int sl_report(const char *database, const struct sl_report_config *config, FILE *out,
              struct sl_failure *f);

/* The same to a file, which is replaced atomically; after an error it is unchanged. Pipes and
 * devices are written to directly. */
int sl_report_file(const char *database, const struct sl_report_config *config, const char *path,
                   struct sl_failure *f);

/* Checks, before a long run, that a report can be written to `path`, which must not be the
 * database. Leaves no file. Returns 0, SL_EUSAGE or SL_EIO. */
int sl_report_can_write(const char *path, const char *database, struct sl_failure *f);

/* Check, before a long run, that there is such a report, and that profiles of these specs contain
 * what it needs. Return 0 or SL_EUSAGE. */
int sl_report_check(const struct sl_report_config *config, struct sl_failure *f);
int sl_report_check_specs(const struct sl_report_config *config, const char *const *spec, size_t n,
                          struct sl_failure *f);

struct sl_annotate_config {
    size_t size;       /* sizeof(struct sl_annotate_config) */
    const char *place; /* a function, "FILE" or "FILE:LINE"; NULL: the function that executed most
                        * instructions */
    size_t n;          /* code ranges to print in full; 0: those that cost something */
    uint64_t process;  /* index of a process that the program started; 0: the program itself */
    unsigned width;    /* columns of text; 0: 100 */
    bool colour;       /* with colours for a terminal */
};

/* Prints source lines and instructions with their counts. Returns 0; SL_EUSAGE if the database has
 * no block profile, or no code of that name; otherwise as sl_report(). */
int sl_annotate(const char *database, const struct sl_annotate_config *config, FILE *out,
                struct sl_failure *f);

struct sl_diff_config {
    size_t size;        /* sizeof(struct sl_diff_config) */
    const char *format; /* "text", "json" or "html"; NULL: text */
    size_t n;           /* rows per section; 0: 10 in text, 300 in HTML, all in JSON */
    unsigned width;     /* columns of text; 0: 100 */
};

/* Prints regressions and improvements between two databases, matched by names and lines. *dearer is
 * the relative increase of the whole run, in instructions or in cycles of the CPU model, whichever
 * is larger; 0 after an error. Returns 0; SL_EUSAGE if the databases have no profile in common;
 * otherwise as sl_report(). */
int sl_diff(const char *before, const char *after, const struct sl_diff_config *config, FILE *out,
            double *dearer, struct sl_failure *f);

/* ---- merging ---- */

/* Merges n databases, with the processes that each contains, into one at `path`: counts are added,
 * and bounds hold for the sums. `left_out` is called with a message for everything that cannot be
 * merged. Returns 0; SL_EUSAGE if the databases do not fit together or nothing remains; SL_EFORMAT,
 * SL_EIO or SL_ENOMEM. */
int sl_merge(const char *path, const char *const *database, size_t n,
             void (*left_out)(void *context, const char *sentence), void *context,
             struct sl_failure *f);

/* ---- lists and messages ---- */

/* Prints the list of "detectors", "metrics", "tables", "machines", "formats", "streams" or
 * "engines". Returns 0, SL_EUSAGE for any other `kind`, or SL_EIO. */
int sl_list(const char *kind, FILE *out, struct sl_failure *f);

/* Search for the name that a misspelled word means, for example `hpt` for `hptt`. Start it with the
 * word, offer all names; `best` is then the most similar name, or NULL if none is similar. */
struct sl_nearest {
    char word[32]; /* a longer word is similar to none */
    const char *best;
    unsigned distance;
};

void sl_nearest_start(struct sl_nearest *nearest, const char *word, size_t size);
void sl_nearest_offer(struct sl_nearest *nearest, const char *name);

/* Formats ";" or "; did you mean NAME?" for the middle of a message, and returns `out`. */
#define SL_NEAREST_ROOM 64
const char *sl_nearest_question(const struct sl_nearest *nearest, char out[SL_NEAREST_ROOM]);

/* Flushes `out`. Returns 0 if everything printed to it was written; otherwise SL_EIO, "cannot write
 * WHAT" and the reason. */
int sl_written(FILE *out, const char *what, struct sl_failure *f);

/* Installs a SIGBUS handler for program files that are truncated while symbols and lines are read
 * from a mapping of them: with it, they read as zeros after their new end. Without it, SIGBUS ends
 * the process. */
void sl_survive_cut_files(void);

/* Prints a line, as printf(3) does, and a newline. The line is safe on a terminal whatever the
 * arguments contain: characters that control the terminal, end the line or change the writing
 * direction are replaced. (Reports and lists are safe already.) */
void sl_print_line(FILE *out, const char *format, ...)
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
