#include "exporter.h"

extern const struct sl_exporter sl_text_exporter, sl_json_exporter;

const struct sl_exporter *const sl_exporters[] = {
    &sl_text_exporter,
    &sl_json_exporter,
    NULL,
};
