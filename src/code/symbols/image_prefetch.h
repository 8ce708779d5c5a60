/* SPDX-License-Identifier: MIT */
/* Background thread that reads the functions and source lines of mapped files before they are
 * needed.
 *
 *     program   ─ maps a ─ maps b ──── runs ──────────────────────────────── end
 *     thread             functions of a │ of b │ lines of a │ of b │ waits
 *
 * Functions come first, because detectors need them while the program runs. A caller that needs
 * data which the thread is reading waits for it, and reads data that the thread has not begun
 * itself. So results do not depend on the thread's progress, nor on whether it could be started. */
#ifndef SL_IMAGE_PREFETCH_H
#define SL_IMAGE_PREFETCH_H

#include <pthread.h>

#include "image.h"

#define SL_IMAGES_AHEAD 64u /* further images are read at first use; few programs have more */

struct sl_image_prefetch {
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    bool running, ending;
    struct sl_image *image[SL_IMAGES_AHEAD];
    size_t n, n_functions, n_lines; /* images; how many of them were begun */
    size_t bytes;                   /* memory taken by what the thread has read */
};

void sl_image_prefetch_init(struct sl_image_prefetch *ahead);

/* Adds an image, which must outlive the thread, and starts the thread if it is not running. Neither
 * this nor sl_image_prefetch_rest() may be called by two threads at once. */
void sl_image_prefetch_add(struct sl_image_prefetch *ahead, struct sl_image *image);

/* Memory taken by what the thread has read. */
size_t sl_image_prefetch_bytes(struct sl_image_prefetch *ahead);

/* Ends the thread after the image that it is reading. The next sl_image_prefetch_add() restarts it.
 */
void sl_image_prefetch_rest(struct sl_image_prefetch *ahead);

void sl_image_prefetch_free(struct sl_image_prefetch *ahead);

#endif
