#include "source.h"
#include "failure.h"
int sl_synth_source(struct sl_source **source, const char *spec, struct sl_failure *f)
{
    (void)source;(void)spec;
    return sl_fail(f, SL_EUNSUPPORTED, "not yet");
}
