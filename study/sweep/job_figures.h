/* SPDX-License-Identifier: MIT */
/* Measurements of a job: named numbers. Each belongs to one subject of the job, for example a
 * profile, given by its index or by a label. It is a value of the whole run, of a point on a curve
 * (x), or of an item. */
#ifndef SL_JOB_FIGURES_H
#define SL_JOB_FIGURES_H

#include "sluice-study.h"

#define SL_MEASURE_ROOM 40

struct sl_job_figures {
    struct sl_job_figure {
        uint32_t of; /* index of the subject, or of its label */
        char measure[SL_MEASURE_ROOM];
        char *item; /* NULL: none */
        double x;   /* NAN: of the whole run */
        double value;
    } * figure;
    size_t n, capacity;
    struct sl_job_failure { /* a subject without measurements, and the reason */
        uint32_t of;
        char *why;
    } * failure;
    size_t n_failures, failures_capacity;
    char **label; /* none: the reader knows the subjects */
    size_t n_labels, labels_capacity;
    double seconds; /* CPU time of the job; */
    double
        useful; /* part of it spent in detectors, tables and evaluation, not in reading streams; */
    double elapsed; /* wall-clock time */
    bool out_of_memory;
};

/* Add a measurement: of the whole run, or with a position or an item. NAN is ignored. If out of
 * memory, out_of_memory is set. sl_job_add_failure() adds the reason why a subject has none. */
void sl_job_add(struct sl_job_figures *all, size_t of, const char *measure, double value);
void sl_job_add_at(struct sl_job_figures *all, size_t of, const char *measure, const char *item,
                   double x, double value);
void sl_job_add_failure(struct sl_job_figures *all, size_t of, const char *why);
/* Returns the index of a label, which is added if it is new. */
size_t sl_job_label(struct sl_job_figures *all, const char *label);
/* Returns the reason why a subject has no measurements; NULL if it has some. */
const char *sl_job_why(const struct sl_job_figures *all, size_t of);
void sl_job_figures_free(struct sl_job_figures *all);

#endif
