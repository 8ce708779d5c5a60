/* SPDX-License-Identifier: MIT */
/* Jobs on their way to the processes that do them, here or on a cluster, and what comes back, as
 * files of a directory that both sides see:
 *
 *     job-7        what to do; written before the job begins
 *     began-7      it has begun
 *     figures-7    what it found, whole or not at all
 *     failed-7     or why it could not: a word (memory, other) and a sentence
 *     log-7        what it said besides
 *
 * All are lines of text: a key, a blank, a value in which line ends and % are written as %0a and
 * %25. Reals are hexadecimal, so that they are the same to the bit. */
#ifndef SL_JOB_FILE_H
#define SL_JOB_FILE_H

#include <stdio.h>

#include "job_figures.h"

/* ---- lines ---- */

/* A file that is being made: it is there as a whole when it has been written, which also ends it.
 */
struct sl_job_text {
    FILE *out; /* NULL without memory */
    char *text;
    size_t size;
};
void sl_job_begin(struct sl_job_text *text);
void sl_job_put(struct sl_job_text *text, const char *key, const char *value);
int sl_job_write(struct sl_job_text *text, const char *directory, const char *kind, size_t number,
                 struct sl_failure *f);

/* One that is read. To be closed in any case. */
struct sl_job_lines {
    FILE *file;
    char *line;
    size_t capacity;
};
int sl_job_open(struct sl_job_lines *lines, const char *directory, const char *kind, size_t number,
                struct sl_failure *f);
/* The next line: its key, and its value behind a blank, decoded. False at the end. */
bool sl_job_next(struct sl_job_lines *lines, char **key, char **value);
void sl_job_close(struct sl_job_lines *lines);

/* ---- jobs ---- */

/* Does one by `work`, and leaves what came of it. */
int sl_job_work(const char *directory, size_t number,
                int (*work)(void *context, struct sl_job_figures *out, struct sl_failure *f),
                void *context, struct sl_failure *f);

enum sl_job_state { SL_JOB_NOTHING, SL_JOB_BEGUN, SL_JOB_FOUND, SL_JOB_FAILED };

/* What is there by now; `why` is filled for one that has failed, and `memory` is set if it was for
 * want of that. */
enum sl_job_state sl_job_look(const char *directory, size_t number, char *why, size_t capacity,
                              bool *memory);

/* The figures that it left. SL_EFORMAT if they are not whole. */
int sl_job_collect(const char *directory, size_t number, struct sl_job_figures *figures,
                   struct sl_failure *f);

/* The end of what it said, in one line. */
void sl_job_log(const char *directory, size_t number, char *text, size_t capacity);

#endif
