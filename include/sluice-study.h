/* SPDX-License-Identifier: MIT */
/* Public interface for designers of profiling hardware: comparison of tables, sweeps over grids of
 * tables, selection of slices that represent a run, conversion of streams for other tools, and
 * tables as Verilog. The functions use the types of sluice.h, whose first comment describes errors
 * and the member `size` of configuration structs. */
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
    double below; /* report the first event from which the error stays below this; 0: 5 % */
};

/* Prints a comparison. Returns 0, SL_EIO or SL_ENOMEM. */
int sl_compare(const struct sl_comparisons *comparisons, const struct sl_compare_config *config,
               FILE *out, struct sl_failure *f);

/* ---- sweeps ---- */

/* A sweep measures every point of a grid on every stream. The specs of profiles and the CPU model
 * may contain alternatives in braces, for example
 * "value@multihash(tables={1,2,4},counters={1K..4K})"; each combination is a point. */
struct sl_sweep_config {
    size_t size;             /* sizeof(struct sl_sweep_config) */
    const char *const *spec; /* none: about a hundred default points */
    size_t n_specs;
    const char *machine;       /* CPU model; NULL: none */
    const char *const *stream; /* traces, "synth:...", programs with their arguments */
    size_t n_streams;
    const char *grid;         /* file with more profiles, CPU models and streams; NULL: none */
    const char *range, *only; /* `range` to `error_covered` are as in sl_session_config */
    bool marked;
    uint64_t skip, limit; /* as in sl_source_run_range() */
    uint64_t error_executions;
    double error_share, error_covered;
    uint64_t memory_bytes; /* for tables; on a cluster, of a job's first attempt; 0: half of the
                            * free memory */
    unsigned threads;      /* 0: one per processor */
    const char *on;        /* where it runs: "local", "slurm" or "gpu"; NULL: local */
    /* Only for a cluster; `shard` also for a GPU: */
    uint64_t shard;   /* largest number of points per job, on a GPU of points in parallel; 0: 200 */
    uint64_t minutes; /* time limit of a job's first attempt; 0: 60 */
    const char *slurm; /* more arguments for sbatch; NULL: none */
    /* Called after each result, from any thread, but never from two at once; NULL: no calls. */
    void (*progress)(void *context, size_t done, size_t of);
    void *context;
    struct sl_sweep_effort *effort; /* filled at the end; NULL: not needed */
    bool allow_run; /* run programs that `grid` names; without it they are SL_EUSAGE */
};

/* Time that a sweep took. */
struct sl_sweep_effort {
    size_t results;   /* number of new results */
    double useful;    /* CPU seconds in detectors, tables and measures */
    double processor; /* all CPU seconds, also for reading streams and starting jobs */
    double available; /* cores times elapsed seconds; on a cluster, elapsed seconds of all jobs */
    unsigned cores;   /* 0: on a cluster */
};

/* Measures the results that are missing in the file at `path`, which is created if it does not
 * exist. Results do not depend on where and in which order they are measured. Returns 0, SL_EIO if
 * results are still missing at the end or the file cannot be written, SL_EUSAGE, or SL_ENOMEM. */
int sl_sweep(const char *path, const struct sl_sweep_config *config, struct sl_failure *f);

/* Measures shard `number` of a directory of jobs, for a sweep that another process has started.
 * Returns 0, or an error if the results cannot be written. */
int sl_sweep_work(const char *directory, size_t number, struct sl_failure *f);

struct sl_sweep_report_config {
    size_t size;        /* sizeof(struct sl_sweep_report_config) */
    const char *format; /* "text", "csv", "json" or "svg"; NULL: text */
    const char *x, *y;  /* measures of the Pareto front; NULL: storage; error or interval error */
    uint64_t under;     /* only points whose x is at most this; 0: all */
    bool all;           /* every point, not only the Pareto front */
    bool holes;         /* average points with missing results over their existing results */
    size_t n;           /* rows of text; 0: all */
    unsigned width;     /* columns of a line of text; 0: 100 */
};

/* Prints the results in the file of a sweep. Returns 0, SL_EUSAGE for an unknown format or measure,
 * SL_EFORMAT for a damaged file, SL_EIO or SL_ENOMEM. */
int sl_sweep_report(const char *path, const struct sl_sweep_report_config *config, FILE *out,
                    struct sl_failure *f);

/* ---- slices ---- */

struct sl_simpoint_config {
    size_t size;       /* sizeof(struct sl_simpoint_config) */
    uint64_t interval; /* instructions; 0: 1/10000 of the run, but at least 10000 */
    uint64_t length;   /* of a slice, instructions; 0: a tenth of an interval */
    uint64_t warm_up;  /* instructions run in detail before a slice; 0: half of a slice */
    uint64_t clusters; /* largest number of clusters of intervals; 0: 20 */
    uint64_t slices;   /* largest number of slices, at least one per cluster; 0: as many as make
                        * 1.9 % of the run, with warm-ups */
    uint64_t seed;     /* of the random numbers */
};

/* Selects slices that represent a whole run, and writes them with their weights and block vectors
 * to a directory, which is created. The trace must contain addresses. Returns 0, SL_EUSAGE for
 * invalid settings or a trace without addresses, SL_EFORMAT, SL_EIO or SL_ENOMEM. */
int sl_simpoint(const char *trace, const char *directory, const struct sl_simpoint_config *config,
                struct sl_failure *f);

/* True if the path is a directory or a list of slices. */
bool sl_is_slices(const char *path);

struct sl_slices_config {
    size_t size; /* sizeof(struct sl_slices_config) */
    const char *machine;
    bool json;
};

/* Estimates CPI and totals of a whole run on a CPU model from its slices, and prints them. `path`
 * is the directory of the slices, or the list in it. Returns 0, SL_EUSAGE, SL_EFORMAT, SL_EIO or
 * SL_ENOMEM. */
int sl_slices_report(const char *path, const struct sl_slices_config *config, FILE *out,
                     struct sl_failure *f);

struct sl_convert_config {
    size_t size; /* sizeof(struct sl_convert_config) */
    /* "champsim": ChampSim's records, and the load values, if the stream has them, in PATH.values;
     * "bb": basic-block vectors for SimPoint; "slt": a trace of sluice. */
    const char *format;
    const char *path;  /* of the output, which is replaced */
    uint64_t interval; /* instructions per vector; 0: 10 M */
};

/* Writes a stream in another format. `note` receives a warning for the user, or "". Returns 0,
 * SL_EUSAGE for invalid settings or a stream that the format cannot represent, SL_EFORMAT, SL_EIO
 * or SL_ENOMEM. */
int sl_convert(struct sl_source *source, const struct sl_convert_config *config, char *note,
               size_t note_capacity, struct sl_failure *f);

/* ---- hardware ---- */

struct sl_rtl_config {
    size_t size;           /* sizeof(struct sl_rtl_config) */
    const char *spec;      /* DETECTOR[(options)][:METRIC]@TABLE[(options)] */
    const char *directory; /* is created; existing files with the same names are replaced */
    const char *stream;    /* a trace, or "synth:..."; NULL: random events */
    const char *machine;   /* CPU model, for metrics that need one; only with a stream */
    const char *program;   /* ELF file whose functions a table by function counts; NULL: none */
    const char *front; /* "rvfi", "rvfi:2": front end for the retirement port of a core; NULL: the
                        * RTL receives tuples */
    uint64_t events;   /* largest number of events; 0: 1 M. With a front end: of instructions; 0:
                        * 100 K */
};

/* Generates RTL for the table of a spec: Verilog, a test bench with the events of the stream, and
 * the results of the software model for comparison. Prints a summary to `out`. Returns 0,
 * SL_EUNSUPPORTED if there is no RTL for the spec, SL_EUSAGE, SL_EIO or SL_ENOMEM. */
int sl_rtl(const struct sl_rtl_config *config, FILE *out, struct sl_failure *f);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
