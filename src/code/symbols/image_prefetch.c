/* SPDX-License-Identifier: MIT */
/* Background thread that reads symbols of mapped files in advance (image.h). */
#include "image.h"

#include <signal.h>

void sl_image_prefetch_init(struct sl_image_prefetch *a)
{
    *a = (struct sl_image_prefetch){0};
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
}

/* Called with the lock held; releases it while reading. */
static void read_next(struct sl_image_prefetch *a)
{
    bool functions = a->n_functions < a->n;
    struct sl_image *image = a->image[functions ? a->n_functions++ : a->n_lines++];
    pthread_mutex_unlock(&a->lock);
    size_t before = sl_image_bytes(image);
    if (functions)
        sl_image_functions(image);
    else
        sl_image_read_lines(image);
    size_t bytes = sl_image_bytes(image) - before;
    pthread_mutex_lock(&a->lock);
    a->bytes += bytes;
}

static void *work(void *context)
{
    struct sl_image_prefetch *a = context;
    pthread_mutex_lock(&a->lock);
    while (!a->ending)
        if (a->n_lines < a->n)
            read_next(a);
        else
            pthread_cond_wait(&a->more, &a->lock);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* The thread blocks all signals except SIGBUS, which a truncated file raises (cut_files.c). */
static bool start(struct sl_image_prefetch *a)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = !pthread_create(&a->thread, NULL, work, a);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void sl_image_prefetch_add(struct sl_image_prefetch *a, struct sl_image *image)
{
    pthread_mutex_lock(&a->lock);
    bool capacity = a->n < SL_IMAGES_AHEAD && image->debug;
    if (capacity)
        a->image[a->n++] = image;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
    if (capacity && !a->running)
        a->running = start(a);
}

size_t sl_image_prefetch_bytes(struct sl_image_prefetch *a)
{
    pthread_mutex_lock(&a->lock);
    size_t bytes = a->bytes;
    pthread_mutex_unlock(&a->lock);
    return bytes;
}

void sl_image_prefetch_rest(struct sl_image_prefetch *a)
{
    if (!a->running)
        return;
    pthread_mutex_lock(&a->lock);
    a->ending = true;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    a->running = a->ending = false;
}

void sl_image_prefetch_free(struct sl_image_prefetch *a)
{
    sl_image_prefetch_rest(a);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->more);
}
