/* SPDX-License-Identifier: MIT */
/* Parser of profile specs, which are the arguments of the option -p:
 *
 *     DETECTOR[(options)][:METRIC][+DETECTOR[(options)][:METRIC]...][@TABLE[(options)]]
 *
 * Without a metric, the detector's default metric; without a table, `exact`. Several detectors
 * share one table and are distinguished by a tag (detector_set.h), so that the same detector may
 * occur twice with different metrics: edge:count+edge:mispredict. */
#ifndef SL_PROFILE_SPEC_H
#define SL_PROFILE_SPEC_H

#include "detector.h"
#include "metric.h"
#include "table.h"

#define SL_SPEC_DETECTORS 8

struct sl_profile_spec {
    struct {
        const struct sl_detector_kind *kind;
        void *config;
        const struct sl_metric *metric;
    } detector[SL_SPEC_DETECTORS];
    size_t n_detectors;
    const struct sl_table_kind *table;
    void *table_config;
    char *detecting;    /* the part before the '@', with all options */
    char *text;         /* the whole spec, with all options */
    char *given;        /* as the user wrote it */
    char notation[200]; /* of the table, without options */
};

/* Parses a spec. Returns 0, SL_ENOMEM, or SL_EUSAGE with a message that points at the error. Call
 * sl_profile_spec_free() in either case. */
int sl_profile_spec_parse(struct sl_profile_spec *spec, const char *text, struct sl_failure *f);
void sl_profile_spec_free(struct sl_profile_spec *spec);

/* The detector whose tuples the table keeps of the i-th detector's events: itself, or the one that
 * counts functions if the table assigns events to functions. */
const struct sl_detector_kind *sl_profile_spec_kept(const struct sl_profile_spec *spec, size_t i);

/* The seed in the table's options; NULL if the table has none. */
uint64_t *sl_profile_spec_seed(const struct sl_profile_spec *spec);

#endif
