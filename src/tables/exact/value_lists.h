/* SPDX-License-Identifier: MIT */
/* Slots that left the front (value_front.h), list by list, on their way to the tables behind it.
 * With a thread, that counts them while the front goes on:
 *
 *     front ─► list being filled │ given │ given │ ... │ free │     a ring of lists
 *                                    └─► counted, in order, by the thread; or at once if there is
 *                                    none
 *
 * Tables wait for memory much of the time and the front does not, so that both take less time side
 * by side.
 *
 * The front has to know whether there will be room for all that is on its way. That is found out
 * behind each list that was counted, and said when its place in the ring is taken again: so what
 * the front is told depends on the lists, not on how far the thread is. */
#ifndef SL_VALUE_LISTS_H
#define SL_VALUE_LISTS_H

#include <pthread.h>
#include <sys/types.h>

#include "value_counts.h"

#define SL_VALUE_LISTS 128u
#define SL_VALUE_LIST_FULL 4096u /* slots: then it is given */
#define SL_VALUE_LIST_ROOM (SL_VALUE_LIST_FULL + 1025u)

struct sl_value_list {
    size_t n;
    bool room_behind; /* of the one that was counted in this place */
    struct sl_value_slot slot[SL_VALUE_LIST_ROOM];
};

/* Counts n slots; whether what may be on its way then is sure to find room. */
typedef bool sl_value_counter(void *context, const struct sl_value_slot *slot, size_t n);

struct sl_value_lists {
    sl_value_counter *count;
    void *context;
    uint64_t given, counted, awaited; /* lists; the front sleeps until so many are counted */
    bool threaded, ending;
    pid_t maker; /* the process that has the thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    struct sl_value_list list[SL_VALUE_LISTS];
};

/* `count` is called by a thread of its own if there is to be one and can be. NULL without memory.
 */
struct sl_value_lists *sl_value_lists_open(sl_value_counter *count, void *context, bool threaded);

/* The list to be filled. */
struct sl_value_list *sl_value_lists_current(struct sl_value_lists *lists);

/* It is full: the next one, empty. `room`: whether all that is on its way will find room. */
struct sl_value_list *sl_value_lists_give(struct sl_value_lists *lists, bool *room);

/* Until all that was given is counted: the tables are the caller's until it gives more. */
void sl_value_lists_wait(struct sl_value_lists *lists);

/* Waits, and ends the thread. NULL is allowed. */
void sl_value_lists_close(struct sl_value_lists *lists);

#endif
