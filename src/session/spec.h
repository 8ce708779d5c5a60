/* SPDX-License-Identifier: MIT */
/* What a profile is written as:
 *
 *     DETECTOR[(options)][:METRIC][+DETECTOR[(options)][:METRIC]...][@TABLE[(options)]]
 *
 * Without a metric, the detector's usual one; without a table, exact. Several
 * detectors share one table, told apart by a tag, so that the same one may be there
 * twice, by different metrics: edge:count+edge:mispredict. */
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
    char *detecting;    /* the part before the @, resolved */
    char *text;         /* all of it, resolved */
    char *given;        /* as it was written */
    char notation[200]; /* of the table, without its options */
};

/* SL_EUSAGE with a sentence that points at what is wrong; to be freed all the same. */
int sl_profile_spec_parse(struct sl_profile_spec *spec, const char *text, struct sl_failure *f);
void sl_profile_spec_free(struct sl_profile_spec *spec);

/* The detector whose tuples the table keeps of the i-th detector's events: itself, or the one that
 * counts functions if the table assigns events to functions. */
const struct sl_detector_kind *sl_profile_spec_kept(const struct sl_profile_spec *spec, size_t i);

/* The seed of its table; NULL where there is nothing random in that. */
uint64_t *sl_profile_spec_seed(const struct sl_profile_spec *spec);

#endif
