/* SPDX-License-Identifier: MIT */
/* Options of the detector `path` that define, for each class of branch, which operations a branch
 * applies to the stack of unfinished paths. The paper on path profiling hardware calls them the
 * control register.
 *
 * Every branch belongs to one of five classes. The operations of a class are applied in this order:
 *
 *     update | update_count, pop, push
 *
 *     update          appends the outcome to the path on top of the stack, and adds the events
 *                     since the last branch to its count
 *     update_count    adds the events only: the branch is not recorded
 *     pop             finishes the path on top
 *     push            starts a path at the next block
 *
 * An example of their text is `update_count+pop+push`; `none` denotes no operation. The default of
 * an option, `auto`, depends on the kind of path:
 *
 *                call               return             forward  backward         indirect
 *     bl         update_count+push  update_count+pop   update   update+pop+push  (as backward)
 *     wpp        update_count+pop+push      (as call)           as bl
 *     loop       as bl, but a backward branch only updates, up to `extend` times in a path
 *     procedure  as bl, but a path continues through calls, `extend` deep, and returns
 *
 * Ball-Larus paths (bl) end at backward branches and at the end of procedures, and each active
 * procedure has one. Whole-program paths (wpp) also end at calls, and the sequence of these paths
 * contains every branch of the program once. */
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

#define SL_PATH_EXTEND_MAX 32u /* the maximum length of a path */

struct sl_path_config {
    unsigned kind; /* enum sl_path_kind */
    uint64_t extend, length, stack;
    unsigned overflow; /* 1: spill */
    bool repair;
    uint64_t bits;
    char operations[SL_PATH_CLASSES][24]; /* by class, as texts */
};

extern const struct sl_option sl_path_options[];

/* sl_detector_kind.resolve: checks the texts of operations and replaces `auto`. Returns 0 or
 * SL_EUSAGE. */
int sl_path_check(void *config, struct sl_failure *f);

/* Bits of the path stack: per entry a descriptor as in `hpt` (102 bits: first address, length,
 * outcomes), an event counter, and the extension. Spilled entries are in memory and not counted. */
uint64_t sl_path_storage_bits(const void *config);

/* The operations of a class, of a configuration that sl_path_check() has accepted. */
unsigned sl_path_operations(const struct sl_path_config *config, enum sl_path_class class);

#endif
