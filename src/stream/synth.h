/* Made-up streams: `synth:KIND(options)`. What they are for and how they are made
 * is in synth.c; sl_synth_source is in source.h. */
#ifndef SL_SYNTH_H
#define SL_SYNTH_H

#include "options.h"

struct sl_synth; /* one stream */

struct sl_synth_kind {
    const char *name;
    const char *summary; /* one line for `sluice list streams` */
    const struct sl_option *options;
    /* What draw needs, beyond what every stream has. NULL where that is nothing. */
    int (*prepare)(struct sl_synth *synth, struct sl_failure *f);
    /* Writes the numbers of the next n tuples. */
    void (*draw)(struct sl_synth *synth, uint64_t *tuple, size_t n);
};

extern const struct sl_synth_kind sl_synth_kinds[]; /* name NULL at the end */

#endif
