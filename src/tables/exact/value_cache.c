/* SPDX-License-Identifier: MIT */
/* The cache of recent tuples, and the lists of those that left it: see values.h. */
#include <stdlib.h>
#include <unistd.h>

#include "values.h"

#define LISTS_TO_WAKE 8u

void sl_value_cache_count(struct sl_value_cache *front, const uint32_t *number,
                          const uint64_t *value, size_t n)
{
    struct sl_value_slot *gone = front->gone->slot + front->gone->n;
    for (size_t i = 0; i < n; i++) {
        struct sl_value_slot *s =
            &front->slot[sl_value_hash(number[i], value[i]) >> (64 - SL_FRONT_LOG2)];
        uint64_t its_value = s->value, packed = s->packed;
        uint64_t nothing_yet = (number[i] + UINT64_C(1)) << SL_VALUE_COUNT_BITS;
        bool other = (its_value ^ value[i]) | (packed ^ nothing_yet) >> SL_VALUE_COUNT_BITS;
        *gone = (struct sl_value_slot){its_value, packed};
        gone += other & (packed != 0);
        *s = (struct sl_value_slot){value[i], (other ? nothing_yet : packed) + 1};
    }
    front->gone->n = (size_t)(gone - front->gone->slot);
    front->events += n;
}

/* ---- lists ---- */

static void count(struct sl_value_lists *l)
{
    struct sl_value_list *list = &l->list[l->counted % SL_VALUE_LISTS];
    list->behind_capacity = l->count(l->context, list->slot, list->n);
}

/* fork() does not copy the thread: a forked process counts lists itself. */
static bool has_thread(const struct sl_value_lists *l)
{
    return l->threaded && l->maker == getpid();
}

static void *run_thread(void *context)
{
    struct sl_value_lists *l = context;
    pthread_mutex_lock(&l->lock);
    for (;;) {
        while (l->counted == l->given && !l->ending)
            pthread_cond_wait(&l->more, &l->lock);
        if (l->counted == l->given)
            break;
        pthread_mutex_unlock(&l->lock);
        count(l);
        pthread_mutex_lock(&l->lock);
        if (++l->counted == l->awaited)
            pthread_cond_signal(&l->less);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

struct sl_value_lists *sl_value_lists_open(sl_value_counter *counter, void *context, bool threaded)
{
    struct sl_value_lists *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->count = counter;
    l->context = context;
    l->maker = getpid();
    for (size_t i = 0; i < SL_VALUE_LISTS; i++)
        l->list[i].behind_capacity = true;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->more, NULL);
    pthread_cond_init(&l->less, NULL);
    l->threaded = threaded && !pthread_create(&l->thread, NULL, run_thread, l);
    return l;
}

struct sl_value_list *sl_value_lists_current(struct sl_value_lists *l)
{
    return &l->list[l->given % SL_VALUE_LISTS];
}

/* Sleeps until n lists are counted. The lock is held. */
static void await(struct sl_value_lists *l, uint64_t n)
{
    l->awaited = n;
    pthread_cond_signal(&l->more);
    while (l->counted < n)
        pthread_cond_wait(&l->less, &l->lock);
}

/* The thread sleeps until LISTS_TO_WAKE lists are given; if the ring is full, the cache sleeps
 * until half of it is free. One wakeup per list would cost more than it gains. */
static void give(struct sl_value_lists *l)
{
    pthread_mutex_lock(&l->lock);
    if (++l->given - l->counted == LISTS_TO_WAKE)
        pthread_cond_signal(&l->more);
    if (l->given - l->counted == SL_VALUE_LISTS)
        await(l, l->given - SL_VALUE_LISTS / 2);
    pthread_mutex_unlock(&l->lock);
}

struct sl_value_list *sl_value_lists_give(struct sl_value_lists *l, bool *capacity)
{
    if (has_thread(l)) {
        give(l);
    } else {
        l->given++;
        count(l);
        l->counted++;
    }
    struct sl_value_list *next = sl_value_lists_current(l);
    *capacity = next->behind_capacity;
    next->n = 0;
    return next;
}

void sl_value_lists_wait(struct sl_value_lists *l)
{
    if (!has_thread(l))
        return;
    pthread_mutex_lock(&l->lock);
    await(l, l->given);
    pthread_mutex_unlock(&l->lock);
}

void sl_value_lists_close(struct sl_value_lists *l)
{
    if (!l)
        return;
    if (has_thread(l)) {
        pthread_mutex_lock(&l->lock);
        l->ending = true;
        pthread_cond_signal(&l->more);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->thread, NULL);
    }
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->more);
    pthread_cond_destroy(&l->less);
    free(l);
}
