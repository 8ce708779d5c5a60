/* SPDX-License-Identifier: MIT */
/* Registry of detectors: the list of all detectors, and the lookup of a detector by name or by
 * the types of its fields. */
#include "detector.h"

#include <string.h>

#define ADDRESS(name) &sl_detector_##name,
const struct sl_detector_kind *const sl_detectors[] = {SL_DETECTOR_KINDS(ADDRESS) NULL};

const struct sl_detector_kind *sl_detector_find(const char *name, size_t length)
{
    for (size_t i = 0; sl_detectors[i]; i++)
        if (strlen(sl_detectors[i]->name) == length && !memcmp(sl_detectors[i]->name, name, length))
            return sl_detectors[i];
    return NULL;
}

const struct sl_detector_kind *sl_detector_with_fields(enum sl_field_type first,
                                                       enum sl_field_type second)
{
    for (size_t i = 0; sl_detectors[i]; i++)
        if (sl_detectors[i]->first == first && sl_detectors[i]->second.type == second)
            return sl_detectors[i];
    return NULL;
}
