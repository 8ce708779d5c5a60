/* SPDX-License-Identifier: MIT */
/* Functions and lines of images, read by a thread of its own before anybody asks for them.
 *
 *     program   ─ maps a ─ maps b ──── runs ──────────────────────────────── end
 *     thread             functions of a │ of b │ lines of a │ of b │ waits
 *
 * Functions come first, as detectors ask for them while the program runs. Whoever asks for what is
 * being read waits for it, and reads by himself what nobody has begun; so it does not matter how
 * far the thread has come, or whether there is one. */
#ifndef SL_IMAGES_AHEAD_H
#define SL_IMAGES_AHEAD_H

#include <pthread.h>

#include "image.h"

#define SL_IMAGES_AHEAD \
    64u /* more than nearly all programs have; those behind them are read when asked for */

struct sl_images_ahead {
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    bool running, ending;
    struct sl_image *image[SL_IMAGES_AHEAD];
    size_t n, n_functions, n_lines; /* images; those that have been taken for each */
    size_t bytes;                   /* of what it has read */
};

void sl_images_ahead_init(struct sl_images_ahead *ahead);

/* Has an image read, which stays until the thread has ended. Starts the thread, if there is none
 * and one can be made. For one caller at a time, as sl_images_ahead_rest. */
void sl_images_ahead_add(struct sl_images_ahead *ahead, struct sl_image *image);

/* Memory that it took, beside what others have asked for. */
size_t sl_images_ahead_bytes(struct sl_images_ahead *ahead);

/* Ends the thread, when it has read what it is at. It begins anew with the next image. */
void sl_images_ahead_rest(struct sl_images_ahead *ahead);

void sl_images_ahead_free(struct sl_images_ahead *ahead);

#endif
