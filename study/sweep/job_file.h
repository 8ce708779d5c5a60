/* SPDX-License-Identifier: MIT */
/* Files of a job (jobs.h). One describes the job to the process that runs it on this computer or on
 * a cluster; another contains the results. The submitting process and the running process must both
 * have access to the directory with the files.
 *
 *     job-7        the task; written before the job starts
 *     began-7      exists if the job has started
 *     figures-7    the results; complete, or absent
 *     failed-7     the reason for a failure: "memory" or "other", and a message
 *     log-7        other output
 *
 * All are lines of text: a key, a blank, a value in which line ends and % are written as %0a and
 * %25. Reals are hexadecimal, so that they are exact. */
#ifndef SL_JOB_FILE_H
#define SL_JOB_FILE_H

#include <stdio.h>

#include "job_results.h"

/* ---- lines ---- */

/* A file being written. It appears under its name only when complete. sl_job_begin(), sl_job_put()
 * for each line, then sl_job_write(), which also frees it and returns 0, SL_EIO or SL_ENOMEM. */
struct sl_job_text {
    FILE *out; /* NULL if out of memory */
    char *text;
    size_t size;
};
void sl_job_begin(struct sl_job_text *text);
void sl_job_put(struct sl_job_text *text, const char *key, const char *value);
int sl_job_write(struct sl_job_text *text, const char *directory, const char *kind, size_t number,
                 struct sl_failure *f);

/* A file being read. sl_job_open() returns 0, SL_EIO, SL_ENOMEM, or SL_EFORMAT if the file belongs
 * to another version. Call sl_job_close() in any case. */
struct sl_job_lines {
    FILE *file;
    char *line;
};
int sl_job_open(struct sl_job_lines *lines, const char *directory, const char *kind, size_t number,
                struct sl_failure *f);
/* Reads the next line: its key and its decoded value, valid until the next call. Returns false at
 * the end, and at a line of more than 4 MiB. */
bool sl_job_next(struct sl_job_lines *lines, char **key, char **value);
void sl_job_close(struct sl_job_lines *lines);

/* ---- jobs ---- */

/* Runs a job by calling `work`, and writes its results, or the reason for its failure. Returns 0
 * or the error. */
int sl_job_work(const char *directory, size_t number,
                int (*work)(void *context, struct sl_job_results *out, struct sl_failure *f),
                void *context, struct sl_failure *f);

enum sl_job_state { SL_JOB_NOTHING, SL_JOB_BEGUN, SL_JOB_FOUND, SL_JOB_FAILED };

/* State of a job. For SL_JOB_FAILED, `why` gets the reason and *memory whether it ran out of
 * memory. */
enum sl_job_state sl_job_state_of(const char *directory, size_t number, char *why, size_t capacity,
                                  bool *memory);

/* Reads the results of a job. Returns 0, SL_EIO, SL_ENOMEM, or SL_EFORMAT if they are incomplete.
 */
int sl_job_collect(const char *directory, size_t number, struct sl_job_results *figures,
                   struct sl_failure *f);

/* Copies the end of the job's log to `text`, as one line; "" without a log. */
void sl_job_log(const char *directory, size_t number, char *text, size_t capacity);

#endif
