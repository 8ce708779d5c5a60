/* SPDX-License-Identifier: MIT */
/* Measurements that a job of `sluice sweep` or `sluice lab` has made. A measurement is a named
 * number that belongs to a subject of the job, for example a profile. It describes the whole run,
 * one point of a curve, or a named item, for example a function. */
#ifndef SL_JOB_RESULTS_H
#define SL_JOB_RESULTS_H

#include "sluice-study.h"

#define SL_MEASURE_CAPACITY 40

struct sl_job_results {
    struct sl_job_result {
        uint32_t of; /* index of the subject, or of its label */
        char measure[SL_MEASURE_CAPACITY];
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
    double seconds; /* CPU time of the job */
    double useful;  /* CPU time in detectors, tables and evaluation, without reading streams */
    double elapsed; /* wall-clock time */
    bool out_of_memory;
};

/* Add a measurement: of the whole run, or with a position or an item. NAN is ignored. If out of
 * memory, out_of_memory is set. sl_job_add_failure() adds the reason why a subject has none. */
void sl_job_add(struct sl_job_results *all, size_t of, const char *measure, double value);
void sl_job_add_at(struct sl_job_results *all, size_t of, const char *measure, const char *item,
                   double x, double value);
void sl_job_add_failure(struct sl_job_results *all, size_t of, const char *why);
/* Returns the index of a label, which is added if it is new. */
size_t sl_job_label(struct sl_job_results *all, const char *label);
/* Returns the reason why a subject has no measurements; NULL if it has some. */
const char *sl_job_why(const struct sl_job_results *all, size_t of);
void sl_job_results_free(struct sl_job_results *all);

#endif
