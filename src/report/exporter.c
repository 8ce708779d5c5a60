#include "exporter.h"

extern const struct sl_exporter sl_text_exporter, sl_json_exporter, sl_bolt_exporter,
    sl_profgen_exporter, sl_autofdo_exporter;

const struct sl_exporter *const sl_exporters[] = {
    &sl_text_exporter,
    &sl_json_exporter,
    &sl_bolt_exporter,
    &sl_profgen_exporter,
    &sl_autofdo_exporter,
    NULL,
};
