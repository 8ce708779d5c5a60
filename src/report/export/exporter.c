/* SPDX-License-Identifier: MIT */
#include "exporter.h"

extern const struct sl_exporter sl_text_exporter, sl_json_exporter, sl_html_exporter,
    sl_bolt_exporter, sl_profgen_exporter, sl_autofdo_exporter, sl_callgrind_exporter,
    sl_folded_exporter, sl_speedscope_exporter, sl_pprof_exporter, sl_sequence_exporter,
    sl_flat_exporter, sl_callgraph_exporter, sl_loops_exporter;

const struct sl_exporter *const sl_exporters[] = {
    &sl_text_exporter,      &sl_json_exporter,      &sl_html_exporter,
    &sl_flat_exporter,      &sl_callgraph_exporter, &sl_loops_exporter,
    &sl_bolt_exporter,      &sl_profgen_exporter,   &sl_autofdo_exporter,
    &sl_callgrind_exporter, &sl_folded_exporter,    &sl_speedscope_exporter,
    &sl_pprof_exporter,     &sl_sequence_exporter,  NULL,
};
