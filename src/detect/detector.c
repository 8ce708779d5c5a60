/* SPDX-License-Identifier: MIT */
#include "detector.h"

#include <string.h>

const struct sl_detector_kind *const sl_detectors[] = {
    &sl_detector_value,   &sl_detector_load,  &sl_detector_stride,
    &sl_detector_edge,    &sl_detector_call,  &sl_detector_type,
    &sl_detector_block,   &sl_detector_path,  &sl_detector_function,
    &sl_detector_context, &sl_detector_loop,  &sl_detector_cost,
    &sl_detector_event,   &sl_detector_blame, NULL,
};

const struct sl_detector_kind *sl_detector_find(const char *name, size_t length)
{
    for (size_t i = 0; sl_detectors[i]; i++)
        if (strlen(sl_detectors[i]->name) == length && !memcmp(sl_detectors[i]->name, name, length))
            return sl_detectors[i];
    return NULL;
}
