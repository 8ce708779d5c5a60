/* The processor that profilers watch, driven by the retired stream: a core, a memory
 * hierarchy, a branch predictor, and what energy it takes, as a description says
 * (data/machines, or a file of the user's) with any value overridden:
 *
 *     ss4      ss4,l2.size=2M      ./mine.txt,core.width=8
 *
 * A chunk of the stream is run as a whole; then what happened in each of its blocks
 * can be asked for, as the weights of a metric. A branch is judged when the block
 * after it is known: what the predictor got wrong counts at the block that the branch
 * ends, unless that was the last of its chunk; then at the first of the next. */
#ifndef SL_MACHINE_H
#define SL_MACHINE_H

#include "event.h"
#include "happening.h"
#include "code.h"

struct sl_machine;

int sl_machine_open(struct sl_machine **machine, const char *spec, struct sl_failure *f);

/* Reads the program's code as far as it is known. */
int sl_machine_sync(struct sl_machine *machine, const struct sl_code *code, struct sl_failure *f);

/* The stream must carry addresses of loads and stores. */
int sl_machine_run(struct sl_machine *machine, const struct sl_chunk *chunk, struct sl_failure *f);

/* Of the chunk that was run last: by its blocks. */
const uint32_t *sl_machine_of_blocks(const struct sl_machine *machine, enum sl_happening what);

/* Of all chunks so far. */
const uint64_t *sl_machine_totals(const struct sl_machine *machine);

/* The resolved description, every key, as it could be read again; to be freed. */
char *sl_machine_describe(const struct sl_machine *machine);

const char *sl_machine_name(const struct sl_machine *machine);

void sl_machine_close(struct sl_machine *machine);

#endif
