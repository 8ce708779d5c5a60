/* SPDX-License-Identifier: MIT */
#include "value_lists.h"

#include <stdlib.h>
#include <unistd.h>

#define LISTS_TO_WAKE 8u

static void count(struct sl_value_lists *l)
{
    struct sl_value_list *list = &l->list[l->counted % SL_VALUE_LISTS];
    list->room_behind = l->count(l->context, list->slot, list->n);
}

/* A process that was forked has not got its parent's thread, and does its work itself. */
static bool has_thread(const struct sl_value_lists *l)
{
    return l->threaded && l->maker == getpid();
}

static void *go_on(void *context)
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
        l->list[i].room_behind = true;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->more, NULL);
    pthread_cond_init(&l->less, NULL);
    l->threaded = threaded && !pthread_create(&l->thread, NULL, go_on, l);
    return l;
}

struct sl_value_list *sl_value_lists_current(struct sl_value_lists *l)
{
    return &l->list[l->given % SL_VALUE_LISTS];
}

/* Sleeps until so many are counted. The lock is held. */
static void await(struct sl_value_lists *l, uint64_t n)
{
    l->awaited = n;
    pthread_cond_signal(&l->more);
    while (l->counted < n)
        pthread_cond_wait(&l->less, &l->lock);
}

/* The thread sleeps until there are some lists, and the front until half of the places are free: to
 * wake up for each list would cost more than it gives, and nobody else could use the processor in
 * between. */
static void give(struct sl_value_lists *l)
{
    pthread_mutex_lock(&l->lock);
    if (++l->given - l->counted == LISTS_TO_WAKE)
        pthread_cond_signal(&l->more);
    if (l->given - l->counted == SL_VALUE_LISTS)
        await(l, l->given - SL_VALUE_LISTS / 2);
    pthread_mutex_unlock(&l->lock);
}

struct sl_value_list *sl_value_lists_give(struct sl_value_lists *l, bool *room)
{
    if (has_thread(l)) {
        give(l);
    } else {
        l->given++;
        count(l);
        l->counted++;
    }
    struct sl_value_list *next = sl_value_lists_current(l);
    *room = next->room_behind;
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
