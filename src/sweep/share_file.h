/* Shares on their way to jobs of a cluster, and what comes back, as files of a directory that both
 * sides see:
 *
 *     share-7      what to do; written before the job is submitted
 *     began-7      the job has begun
 *     figures-7    what it found, whole or not at all
 *     failed-7     or why it could not: a word (memory, other) and a sentence
 *
 * All are lines of text: a key, a blank, a value in which line ends and % are written as %0a and %25.
 * Reals are hexadecimal, so that they are the same to the bit. */
#ifndef SL_SHARE_FILE_H
#define SL_SHARE_FILE_H

#include "share.h"

/* A share, and what its stream and machine are known by in the sweep's file. */
struct sl_share_task {
    struct sl_share share;
    const char *what, *described;
    /* Of one that was read: */
    struct sl_sweep_how how; /* share.how is this */
    char **text;             /* to be freed */
    size_t n_texts, room_texts, room_specs;
};

int sl_share_write(const char *directory, size_t number, const struct sl_share_task *task,
                   struct sl_failure *f);
/* To be freed in any case. */
int sl_share_read(const char *directory, size_t number, struct sl_share_task *task,
                  struct sl_failure *f);
void sl_share_task_free(struct sl_share_task *task);

/* Does it, and leaves what came of it. */
int sl_share_work(const char *directory, size_t number, struct sl_failure *f);

enum sl_share_state { SL_SHARE_NOTHING, SL_SHARE_BEGUN, SL_SHARE_FOUND, SL_SHARE_FAILED };

/* What is there by now; `why` is filled for one that has failed, and `memory` is set if it was for want
 * of that. */
enum sl_share_state sl_share_look(const char *directory, size_t number, char *why, size_t room,
                                  bool *memory);

/* The figures that it left. SL_EFORMAT if they are not whole. */
int sl_share_collect(const char *directory, size_t number, struct sl_share_figures *figures,
                     struct sl_failure *f);

#endif
