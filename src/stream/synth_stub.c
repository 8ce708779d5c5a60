#include "source.h"
__attribute__((weak)) void sl_synth_list(FILE *out)
{
    (void)out;
}
