/* SPDX-License-Identifier: MIT */
/* sluice for designers: sweeps over grids of tables, slices that represent a run, conversion of
 * streams for other tools, and tables as Verilog. Everything here is built on sluice.h, whose head
 * describes errors and the `size` of configuration structs. */
#ifndef SLUICE_STUDY_H
#define SLUICE_STUDY_H

#include "sluice.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- comparison of tables ---- */

struct sl_comparisons;

/* Compares the profiles of a session that was opened with `exact` and has run: storage, messages,
 * overhead, error, speed. The result refers to the session; free it before with
 * sl_comparisons_free(). Returns 0, SL_EUSAGE if the session has not run, or SL_ENOMEM. */
int sl_session_compare(struct sl_session *session, struct sl_comparisons **comparisons,
                       struct sl_failure *f);
void sl_comparisons_free(struct sl_comparisons *comparisons); /* NULL is allowed */

struct sl_compare_config {
    size_t size; /* sizeof(struct sl_compare_config) */
    bool json;
    double below; /* report when the error falls below this for good; 0: 5 % */
};

/* Prints a comparison. Returns 0, SL_EIO or SL_ENOMEM. */
int sl_compare(const struct sl_comparisons *comparisons, const struct sl_compare_config *config,
               FILE *out, struct sl_failure *f);

/* ---- sweeps ---- */

/* Every point of a grid on every stream. Profiles and the machine are grids: alternatives in
 * braces, "value@multihash(tables={1,2,4},counters={1K..4K})", stand for all of them. */
struct sl_sweep_config {
    size_t size;             /* sizeof(struct sl_sweep_config) */
    const char *const *spec; /* none: a hundred of the usual ones */
    size_t n_specs;
    const char *machine;       /* NULL: none */
    const char *const *stream; /* traces, "synth:...", programs with their arguments */
    size_t n_streams;
    const char *grid;         /* a file with more of all three; NULL */
    const char *range, *only; /* these, and what errors are of, as in sl_session_config */
    bool marked;
    uint64_t skip, limit; /* as sl_source_run_range has them */
    uint64_t error_executions;
    double error_share, error_covered;
    uint64_t memory_bytes; /* for tables; 0: half of what is free */
    unsigned threads;      /* 0: as many as processors */
    const char *on;        /* where it runs: "local", "slurm" or "gpu"; NULL: local */
    /* On a cluster, where memory_bytes is that of a job at first: */
    uint64_t shard;    /* points per job at most; 0: 200 (on a GPU: at a time) */
    uint64_t minutes;  /* of a job at first; 0: 60 */
    const char *slurm; /* more words for sbatch; NULL: none */
    /* Called from any thread, one at a time; NULL: nobody. */
    void (*progress)(void *context, size_t done, size_t of);
    void *context;
    struct sl_sweep_effort *effort; /* is filled; NULL: nobody wants to know */
};

/* What a sweep took. */
struct sl_sweep_effort {
    size_t results;   /* that were measured this time */
    double useful;    /* seconds of processors in detectors, tables and measures */
    double processor; /* in all: also in reading streams, and in starting jobs */
    double available; /* cores times the time it took; on a cluster, the time that jobs took */
    unsigned cores;   /* 0: on a cluster */
};

/* Measures what is missing in the file at `path`, which is made if it is not there. Figures do not
 * depend on how it was shared out. SL_EIO if some are missing in the end. */
int sl_sweep(const char *path, const struct sl_sweep_config *config, struct sl_failure *f);

/* Computes shard `number` of the directory, for a sweep that runs on another computer. */
int sl_sweep_work(const char *directory, size_t number, struct sl_failure *f);

struct sl_sweep_report_config {
    size_t size;        /* sizeof(struct sl_sweep_report_config) */
    const char *format; /* "text", "csv", "json" or "svg"; NULL: text */
    const char *x, *y;  /* measures of the front; NULL: storage; error, or that of intervals */
    uint64_t under;     /* points whose x is at most this; 0: all */
    bool all;           /* every point, not only those of the front */
    bool holes;         /* where results are missing, of those that are there */
    size_t n;           /* rows of text; 0: all */
    unsigned width;     /* of a line of text; 0: 100 */
};

/* What a sweep has found. */
int sl_sweep_report(const char *path, const struct sl_sweep_report_config *config, FILE *out,
                    struct sl_failure *f);

/* ---- slices ---- */

struct sl_simpoint_config {
    size_t size;       /* sizeof(struct sl_simpoint_config) */
    uint64_t interval; /* instructions; 0: 1/10000 of the run, but at least 10000 */
    uint64_t length;   /* of a slice, instructions; 0: a tenth of an interval */
    uint64_t warm_up;  /* instructions run in detail in front of a slice; 0: half of a slice */
    uint64_t clusters; /* kinds of intervals, at most; 0: 20 */
    uint64_t slices;   /* at most, or one for each of those; 0: 1.9 % of the run, with warm-ups */
    uint64_t seed;     /* of what is drawn at random */
};

/* Cuts slices that stand for the whole out of a trace that carries addresses, and writes them, with
 * weights and what they were chosen by, into a directory, which is made. */
int sl_simpoint(const char *trace, const char *directory, const struct sl_simpoint_config *config,
                struct sl_failure *f);

/* Whether it is a directory, or a list of slices. */
bool sl_is_slices(const char *path);

/* What a machine would take for the whole run, from its slices: prints CPI and totals. `path` is
 * the directory, or the list in it. */
struct sl_slices_config {
    size_t size; /* sizeof(struct sl_slices_config) */
    const char *machine;
    bool json;
};
int sl_slices_report(const char *path, const struct sl_slices_config *config, FILE *out,
                     struct sl_failure *f);

/* A stream for others: "champsim", ChampSim's records, with values in PATH.values if it carries
 * some; "bb", basic-block vectors as SimPoint reads them; "slt", a trace of ours. */
struct sl_convert_config {
    size_t size; /* sizeof(struct sl_convert_config) */
    const char *format;
    const char *path;  /* is replaced */
    uint64_t interval; /* instructions of a vector; 0: 10 M */
};

/* `note` is "" or a sentence that the user has to read. */
int sl_convert(struct sl_source *source, const struct sl_convert_config *config, char *note,
               size_t note_room, struct sl_failure *f);

/* ---- hardware ---- */

struct sl_rtl_config {
    size_t size;           /* sizeof(struct sl_rtl_config) */
    const char *spec;      /* DETECTOR[(options)][:METRIC]@TABLE[(options)] */
    const char *directory; /* is made; files of the same names in it are replaced */
    const char *stream;    /* a trace, or "synth:..."; NULL: events are made up */
    const char *machine;   /* for metrics that need one, with a stream */
    const char *program;   /* whose functions tables by function are for; NULL: none */
    const char
        *front;      /* "rvfi", "rvfi:2": behind a core's retirement port; NULL: it takes tuples */
    uint64_t events; /* of the stream, at most; 0: 1 M; with a front end instructions; 0: 100 K */
};

/* Writes the hardware of the spec's table: Verilog, a test bench with the events of the stream,
 * and what the model makes of them. Says on `out` what was written. SL_EUNSUPPORTED with a
 * sentence where there is no hardware for it. */
int sl_rtl(const struct sl_rtl_config *config, FILE *out, struct sl_failure *f);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
