#include "detector.h"

extern const struct sl_detector_kind sl_detector_value, sl_detector_edge, sl_detector_call,
    sl_detector_type, sl_detector_block, sl_detector_path, sl_detector_function, sl_detector_event,
    sl_detector_context, sl_detector_loop;

const struct sl_detector_kind *const sl_detectors[] = {
    &sl_detector_value, &sl_detector_edge,  &sl_detector_call,
    &sl_detector_type,  &sl_detector_block, &sl_detector_path, &sl_detector_function,
    &sl_detector_context, &sl_detector_loop, &sl_detector_event,
    NULL,
};

const struct sl_detector_kind *sl_detector_find(const struct sl_spec *spec)
{
    for (size_t i = 0; sl_detectors[i]; i++)
        if (sl_spec_is(spec, sl_detectors[i]->name))
            return sl_detectors[i];
    return NULL;
}
