/* SPDX-License-Identifier: MIT */
/* Cache of recently counted <instruction, value> tuples, and lists of the tuples evicted from it.
 * values.h describes the cache and the lists. */
#include <stdlib.h>
#include <unistd.h>

#include "values.h"

#define LISTS_TO_WAKE 8u

void sl_value_cache_count(struct sl_value_cache *cache, const uint32_t *tuple_id,
                          const uint64_t *value, size_t n)
{
    struct sl_value_slot *evicted = cache->evicted->slot + cache->evicted->n;
    for (size_t i = 0; i < n; i++) {
        struct sl_value_slot *s =
            &cache->slot[sl_value_hash(tuple_id[i], value[i]) >> (64 - SL_VALUE_CACHE_LOG2)];
        uint64_t its_value = s->value, packed = s->packed;
        uint64_t nothing_yet = (tuple_id[i] + UINT64_C(1)) << SL_VALUE_COUNT_BITS;
        bool other = (its_value ^ value[i]) | (packed ^ nothing_yet) >> SL_VALUE_COUNT_BITS;
        *evicted = (struct sl_value_slot){its_value, packed};
        evicted += other & (packed != 0);
        *s = (struct sl_value_slot){value[i], (other ? nothing_yet : packed) + 1};
    }
    cache->evicted->n = (size_t)(evicted - cache->evicted->slot);
    cache->events += n;
}

/* ---- lists ---- */

static void count(struct sl_value_lists *l)
{
    struct sl_value_list *list = &l->list[l->counted % SL_VALUE_LISTS];
    list->has_capacity = l->count(l->context, list->slot, list->n);
}

/* fork() does not copy the thread: a forked process counts lists itself. */
static bool has_thread(const struct sl_value_lists *l)
{
    return l->threaded && l->creator == getpid();
}

static void *run_thread(void *context)
{
    struct sl_value_lists *l = context;
    pthread_mutex_lock(&l->lock);
    for (;;) {
        while (l->counted == l->submitted && !l->ending)
            pthread_cond_wait(&l->more, &l->lock);
        if (l->counted == l->submitted)
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
    l->creator = getpid();
    for (size_t i = 0; i < SL_VALUE_LISTS; i++)
        l->list[i].has_capacity = true;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->more, NULL);
    pthread_cond_init(&l->less, NULL);
    l->threaded = threaded && !pthread_create(&l->thread, NULL, run_thread, l);
    return l;
}

struct sl_value_list *sl_value_lists_current(struct sl_value_lists *l)
{
    return &l->list[l->submitted % SL_VALUE_LISTS];
}

/* Sleeps until n lists are counted. The lock is held. */
static void await(struct sl_value_lists *l, uint64_t n)
{
    l->awaited = n;
    pthread_cond_signal(&l->more);
    while (l->counted < n)
        pthread_cond_wait(&l->less, &l->lock);
}

/* The thread sleeps until LISTS_TO_WAKE lists are submitted; if the ring is full, the cache sleeps
 * until half of it is free. One wakeup per list would cost more than it gains. */
static void submit(struct sl_value_lists *l)
{
    pthread_mutex_lock(&l->lock);
    if (++l->submitted - l->counted == LISTS_TO_WAKE)
        pthread_cond_signal(&l->more);
    if (l->submitted - l->counted == SL_VALUE_LISTS)
        await(l, l->submitted - SL_VALUE_LISTS / 2);
    pthread_mutex_unlock(&l->lock);
}

struct sl_value_list *sl_value_lists_submit(struct sl_value_lists *l, bool *has_capacity)
{
    if (has_thread(l)) {
        submit(l);
    } else {
        l->submitted++;
        count(l);
        l->counted++;
    }
    struct sl_value_list *next = sl_value_lists_current(l);
    *has_capacity = next->has_capacity;
    next->n = 0;
    return next;
}

void sl_value_lists_wait(struct sl_value_lists *l)
{
    if (!l || !has_thread(l))
        return;
    pthread_mutex_lock(&l->lock);
    await(l, l->submitted);
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
