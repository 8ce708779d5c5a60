/* SPDX-License-Identifier: MIT */
/* From a path's tuple back to the blocks along it. The tuple has the first address and
 * what each recorded branch did (path_descriptor.h); the rest is in the code: from a block
 * on to the one behind it, and at a branch where its outcome says.
 *
 *     <0x1000, NT>    0x1000 --N--> 0x100a --T--> 0x1020 ... return
 *
 * What the detector did at a branch, it does again here, from the same options: whether the
 * branch is one of those recorded, whether the path ends at it, whether at a call it waits
 * for the return or goes on into what is called. A path that was split because it was at
 * its longest ends in front of the blocks that the next one begins with.
 *
 * A walk stops short of the end where the code does not say how to go on: behind an indirect
 * jump or call, a return to a call that was not in the path, a branch that was not recorded,
 * a block that is not there, and behind SL_PATH_WALK_MAX blocks. Paths of kind procedure may
 * start in a procedure into which the one before went on, and then end where it returns;
 * those of kind loop may be one branch backward alone, at which the one before was to end.
 * That is not in the tuple. They are walked for every extension there may have been, and
 * what all walks that fit the outcomes share is the walk.
 *
 * Not modelled: code that was overwritten. Of blocks that begin at the same address the
 * longest is walked. */
#ifndef SL_PATH_WALK_H
#define SL_PATH_WALK_H

#include "code.h"
#include "path_control.h"

#define SL_PATH_WALK_MAX 256u

struct sl_path_walker {
    const struct sl_code *code;
    uint32_t *slot; /* by a hash of addresses: 1 + the longest block that begins there; 0: none */
    size_t n_slots; /* a power of two, at least twice as many as blocks */
    bool *seen;     /* NULL, or set for each block that a walk looks at: all that it needs */
};

struct sl_path_walk {
    uint32_t block[SL_PATH_WALK_MAX];
    size_t n;
    bool whole; /* the last one is where the path ends */
};

/* For the blocks that `code` has now. SL_ENOMEM; to be freed all the same. */
int sl_path_walker_init(struct sl_path_walker *walker, const struct sl_code *code,
                        struct sl_failure *f);
void sl_path_walker_free(struct sl_path_walker *walker);

/* The blocks along a path. None, if the code is not that of the path. */
void sl_path_walk(const struct sl_path_walker *walker, const struct sl_path_config *config,
                  uint64_t pc, uint64_t value, struct sl_path_walk *walk);

#endif
