/* SPDX-License-Identifier: MIT */
/* The registry of report formats, from the list in exporter.h. */
#include "exporter.h"

#define SL_EXPORTER_ADDRESS(name) &sl_##name##_exporter,
const struct sl_exporter *const sl_exporters[] = {SL_EXPORTERS(SL_EXPORTER_ADDRESS) NULL};
