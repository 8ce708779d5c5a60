/* SPDX-License-Identifier: MIT */
/* Sources of event streams (programs under QEMU, traces, synthetic streams and files of other
 * tools), and functions that read the executed instructions of a source one by one. This file is a
 * part of sluice.h, which documents the conventions (errors, sizes of structs, threads). */
#ifndef SLUICE_SOURCE_H
#define SLUICE_SOURCE_H

#include "sluice-table.h"
#include "sluice-needs.h" /* enum sl_needs */
#include "sluice-insn.h"  /* enum sl_class, enum sl_branch, struct sl_regs */

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* exports the declarations of this header only */
#endif

/* ---- sources ---- */

struct sl_source;

/* Limits of the load sampling (struct sl_load_sampling, in sluice-needs.h): */
#define SL_SAMPLING_WINDOWS_MAX (UINT32_C(1) << 20)
#define SL_SAMPLING_BLOCKS_MAX (UINT32_C(1) << 31)

/* A program to be run under QEMU. */
struct sl_guest {
    size_t size;                           /* sizeof(struct sl_guest) */
    char *const *argv;                     /* program and arguments, NULL at the end */
    const char *path;                      /* its file; NULL: argv[0], searched in PATH */
    unsigned needs;                        /* enum sl_needs: what the stream must contain */
    struct sl_load_sampling load_sampling; /* sampling of loads */
    bool lossy;          /* drop events when the ring is full; false: the program waits */
    const char *qemu;    /* emulator; NULL: by architecture */
    const char *sysroot; /* guest libraries; NULL: the cross compiler's, if any */
    const char *tap;     /* "engine" or "plugin"; NULL: $SLUICE_TAP, or the best available */
    const char *tap_dir; /* directory of engine and plugins; NULL: next to the program or library,
                          * or the installed one */
    bool name_all_loads; /* name the instruction of every load: slower, same results; for tests */
    /* Follows the processes that the guest starts (engine only): "DIRECTORY/RUN", where DIRECTORY
     * contains a program `sluice`. Instead of a program that the guest executes, that `sluice` is
     * started with "followed", this name, the program and its arguments; for a forked child, with
     * "forked", this name, a descriptor and a process id. NULL: processes are not followed. */
    const char *follow;
    uint32_t run;         /* with `follow`: index of this guest among those of its process */
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
unsigned sl_source_contents(const struct sl_source *source);

/* Restricts the source to a range of the run: skips `skip` instructions, then ends after `limit`
 * (0: at the end of the run), both rounded to whole blocks. Call before the source is used. */
void sl_source_run_range(struct sl_source *source, uint64_t skip, uint64_t limit);

/* Samples the loads of a source without a guest (for one with a guest: sl_guest.load_sampling).
 * Call before the source is used. Returns 0 or SL_EUSAGE. */
int sl_source_sample_loads(struct sl_source *source, const struct sl_load_sampling *load_sampling,
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

const char *sl_class_name(enum sl_class kind);
const char *sl_branch_name(enum sl_branch branch);

/* A memory access of an executed instruction. */
struct sl_instruction_access {
    uint64_t address;
    uint64_t value; /* of a load: its low 8 bytes, zero-extended */
    uint32_t size;  /* in bytes; above 8 always a power of two */
    bool store;
};

/* An executed instruction. What the stream does not contain (sl_source_contents) is 0: a stream of
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

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
