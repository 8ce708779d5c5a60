/* SPDX-License-Identifier: MIT */
/* What a job finds: figures, numbers with names. Each is of one of the things that the job is
 * about, a profile say, by its number or by a label; of the whole, at a place on a curve, or of an
 * item. */
#ifndef SL_JOB_FIGURES_H
#define SL_JOB_FIGURES_H

#include "sluice-study.h"

#define SL_MEASURE_ROOM 40

struct sl_job_figures {
    struct sl_job_figure {
        uint32_t of; /* number, or place of its label */
        char measure[SL_MEASURE_ROOM];
        char *item; /* NULL: none */
        double x;   /* NAN: of the whole */
        double value;
    } * figure;
    size_t n, capacity;
    struct sl_job_failure { /* what has no figures, and why */
        uint32_t of;
        char *why;
    } * failure;
    size_t n_failures, failures_capacity;
    char **label; /* none: those who read them know what the numbers are */
    size_t n_labels, labels_capacity;
    double seconds; /* of processors, that the job took; */
    double useful;  /* of these, what came of: in detectors, tables and measures, not in reading
                       streams; */
    double elapsed; /* by the clock */
    bool out_of_memory;
};

/* Adds one of the whole; one that is NAN is left out. And one at a place, or of an item. */
void sl_job_add(struct sl_job_figures *all, size_t of, const char *measure, double value);
void sl_job_add_at(struct sl_job_figures *all, size_t of, const char *measure, const char *item,
                   double x, double value);
void sl_job_add_failure(struct sl_job_figures *all, size_t of, const char *why);
/* The place of a label, new or known. */
size_t sl_job_label(struct sl_job_figures *all, const char *label);
/* Why it has no figures; NULL: it has. */
const char *sl_job_why(const struct sl_job_figures *all, size_t of);
void sl_job_figures_free(struct sl_job_figures *all);

#endif
