/* SPDX-License-Identifier: MIT */
/* Background reader: one thread that reads functions and lines of images before they are needed.
 *
 *     program   ─ maps a ─ maps b ──── runs ──────────────────────────────── end
 *     thread             functions of a │ of b │ lines of a │ of b │ waits
 *
 * Functions come first, because detectors need them while the program runs. A caller that needs
 * data which the thread is reading waits for it, and reads data that the thread has not begun
 * itself. So results do not depend on the thread's progress, nor on whether it could be started. */
#ifndef SL_IMAGES_AHEAD_H
#define SL_IMAGES_AHEAD_H

#include <pthread.h>

#include "image.h"

#define SL_IMAGES_AHEAD 64u /* further images are read at first use; few programs have more */

struct sl_images_ahead {
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    bool running, ending;
    struct sl_image *image[SL_IMAGES_AHEAD];
    size_t n, n_functions, n_lines; /* images; how many of them were begun */
    size_t bytes;                   /* memory taken by what the thread has read */
};

void sl_images_ahead_init(struct sl_images_ahead *ahead);

/* Adds an image, which must outlive the thread, and starts the thread if it is not running. Neither
 * this nor sl_images_ahead_rest() may be called by two threads at once. */
void sl_images_ahead_add(struct sl_images_ahead *ahead, struct sl_image *image);

/* Memory taken by what the thread has read. */
size_t sl_images_ahead_bytes(struct sl_images_ahead *ahead);

/* Ends the thread after the image that it is reading. The next sl_images_ahead_add() restarts it.
 */
void sl_images_ahead_rest(struct sl_images_ahead *ahead);

void sl_images_ahead_free(struct sl_images_ahead *ahead);

#endif
