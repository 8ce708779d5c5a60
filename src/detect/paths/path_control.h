/* SPDX-License-Identifier: MIT */
/* The control register of the path detector: what it does at each branch.
 *
 * Every branch is of one of five classes. A class has operations, which are done in
 * this order whatever the order in which hardware would find them:
 *
 *     update | update_count, pop, push
 *
 *   update        appends the outcome to the path on top of the stack, and adds the
 *                 events since the last branch to its count
 *   update_count  adds the events only: the branch is not recorded
 *   pop           the path on top is finished
 *   push          a path starts at what is executed next
 *
 * As a text, `update_count+pop+push`; `none` for none. An option that is not given,
 * `auto`, is what the kind of path says:
 *
 *                call               return             forward  backward         indirect
 *     bl         update_count+push  update_count+pop   update   update+pop+push  ... the same
 *     wpp        update_count+pop+push      ... the same        as bl
 *     loop       as bl, but a backward branch only updates, `extend` times in a path
 *     procedure  as bl, but a path goes on through calls, `extend` deep, and returns
 *
 * Ball-Larus paths (bl) end at backward branches and procedures' ends, and there is
 * one for each active procedure; the sequence of whole-program paths (wpp), which also
 * end at calls, has every branch of the program once. */
#ifndef SL_PATH_CONTROL_H
#define SL_PATH_CONTROL_H

#include "options.h"

enum sl_path_class {
    SL_PATH_CALL, /* direct or indirect */
    SL_PATH_RETURN,
    SL_PATH_FORWARD,  /* direct, to a higher address, taken or not */
    SL_PATH_BACKWARD, /* direct, to the same or a lower one */
    SL_PATH_INDIRECT, /* neither call nor return */
    SL_PATH_CLASSES
};

enum sl_path_operation {
    SL_PATH_UPDATE = 1,
    SL_PATH_UPDATE_COUNT = 2,
    SL_PATH_POP = 4,
    SL_PATH_PUSH = 8,
};

enum sl_path_kind { SL_PATH_BL, SL_PATH_WPP, SL_PATH_LOOP, SL_PATH_PROCEDURE };

#define SL_PATH_EXTEND_MAX 32u /* a path has no more branches */

struct sl_path_config {
    unsigned kind; /* enum sl_path_kind */
    uint64_t extend, length, stack;
    unsigned overflow; /* 1: spill */
    bool repair;
    uint64_t bits;
    char operations[SL_PATH_CLASSES][24]; /* as texts */
};

extern const struct sl_option sl_path_options[];

/* Refuses texts that are no operations in their order, and replaces `auto` by what
 * it stands for. */
int sl_path_check(void *config, struct sl_failure *f);

/* Of the path stack: entries of a descriptor as `hpt` has it (102 bits: first address, length,
 * outcomes), an event counter, and what an extended path counts. What spills is in memory. */
uint64_t sl_path_storage_bits(const void *config);

/* The operations of a class, of a configuration that was checked. */
unsigned sl_path_operations(const struct sl_path_config *config, enum sl_path_class class);

#endif
