/* What the second word of a profile's tuples is. */
#ifndef SL_SECOND_H
#define SL_SECOND_H

#include <stdbool.h>

enum sl_second {
    SL_SECOND_NONE,   /* the tuple is one address: function */
    SL_SECOND_VALUE,  /* a datum: loaded value */
    SL_SECOND_TARGET, /* an address in code: where a branch or call went */
    SL_SECOND_SLOT,   /* an address in data: method-table slot; 0 if unknown */
    SL_SECOND_END,    /* an address in code: the last instruction of the block */
    SL_SECOND_PATH,   /* branches of a path: path_descriptor.h */
    SL_SECOND_CONTEXT, /* name of a calling context: context_name.h */
    SL_SECOND_LOOP,   /* an address in code: the branch that leads back; 0: it is no loop */
};
#define SL_SECONDS (SL_SECOND_LOOP + 1)

/* Whether it is an address in code. */
static inline bool sl_second_leads(enum sl_second second)
{
    return second == SL_SECOND_TARGET || second == SL_SECOND_END || second == SL_SECOND_LOOP;
}

#endif
